"""DeleteGroups request (key 42), versions 0-2, flexible from 2.

Generated from schemas/delete_groups.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack


class DeleteGroupsRequest(Message):
    __slots__ = ("groups_names",)
    API_KEY = 42
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        groups_names: list[str] = FRESH,
    ) -> None:
        self.groups_names = [] if groups_names is FRESH else groups_names


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteGroupsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("groups_names", n, end - p, left)
    left[0] -= n
    groups_names_1: list[str] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("groups_names", n, end - p)
        groups_names_1_element = data[p:q].tobytes().decode()
        p = q
        groups_names_1.append(groups_names_1_element)
    return DeleteGroupsRequest(groups_names_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteGroupsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("groups_names", n, end - p, left)
    left[0] -= n
    groups_names_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("groups_names", n, end - p)
        groups_names_1_element = data[p:q].tobytes().decode()
        p = q
        groups_names_1.append(groups_names_1_element)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DeleteGroupsRequest(groups_names_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.groups_names
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.encode()
        out += _p_h(len(b))
        out += b


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.groups_names
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


DeleteGroupsRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_2}
DeleteGroupsRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2}
