"""FindCoordinator request (key 10), versions 0-6, flexible from 3.

Generated from schemas/find_coordinator.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_b = _Struct(">b").unpack_from
_u_bB = _Struct(">bB").unpack_from
_p_h = _Struct(">h").pack
_p_b = _Struct(">b").pack
_p_bx = _Struct(">bx").pack


class FindCoordinatorRequest(Message):
    __slots__ = ("key", "key_type", "coordinator_keys")
    API_KEY = 10
    MIN_VERSION = 0
    MAX_VERSION = 6
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        key: str = '',
        key_type: int = 0,
        coordinator_keys: list[str] = FRESH,
    ) -> None:
        self.key = key
        self.key_type = key_type
        self.coordinator_keys = [] if coordinator_keys is FRESH else coordinator_keys


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FindCoordinatorRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("key", n, end - p)
    key_1 = data[p:q].tobytes().decode()
    p = q
    return FindCoordinatorRequest(key_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FindCoordinatorRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("key", n, end - p)
    key_1 = data[p:q].tobytes().decode()
    p = q
    (key_type_1,) = _u_b(data, p)
    p += 1
    return FindCoordinatorRequest(key_1, key_type_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FindCoordinatorRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("key", n, end - p)
    key_1 = data[p:q].tobytes().decode()
    p = q
    key_type_1, n = _u_bB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return FindCoordinatorRequest(key_1, key_type_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FindCoordinatorRequest, int]:
    key_type_1, n = _u_bB(data, p)
    p += 2
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("coordinator_keys", n, end - p, left)
    left[0] -= n
    coordinator_keys_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("coordinator_keys", n, end - p)
        coordinator_keys_1_element = data[p:q].tobytes().decode()
        p = q
        coordinator_keys_1.append(coordinator_keys_1_element)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return FindCoordinatorRequest('', key_type_1, coordinator_keys_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.key.encode()
    out += _p_h(len(b))
    out += b


def _write_1(m: Any, out: bytearray) -> None:
    b = m.key.encode()
    out += _p_h(len(b))
    out += b
    out += _p_b(m.key_type)


def _write_3(m: Any, out: bytearray) -> None:
    b = m.key.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_bx(m.key_type)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.coordinator_keys
    out += _p_b(m.key_type)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out.append(0)


FindCoordinatorRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_3, 4: _read_4, 5: _read_4, 6: _read_4}
FindCoordinatorRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_3, 4: _write_4, 5: _write_4, 6: _write_4}
