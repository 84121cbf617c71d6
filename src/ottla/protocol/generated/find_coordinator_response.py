"""FindCoordinator response (key 10), versions 0-6, flexible from 3.

Generated from schemas/find_coordinator.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_hih = _Struct(">hih").unpack_from
_u_i = _Struct(">i").unpack_from
_u_ihh = _Struct(">ihh").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_hih = _Struct(">hih").pack
_p_i = _Struct(">i").pack
_p_ihh = _Struct(">ihh").pack
_p_ih = _Struct(">ih").pack
_p_ix = _Struct(">ix").pack


class Coordinators(Struct):
    __slots__ = ("key", "node_id", "host", "port", "error_code", "error_message")

    def __init__(
        self,
        key: str = '',
        node_id: int = 0,
        host: str = '',
        port: int = 0,
        error_code: int = 0,
        error_message: str | None = '',
    ) -> None:
        self.key = key
        self.node_id = node_id
        self.host = host
        self.port = port
        self.error_code = error_code
        self.error_message = error_message


class FindCoordinatorResponse(Message):
    __slots__ = ("throttle_time_ms", "coordinators", "error_code", "error_message", "node_id", "host", "port")
    API_KEY = 10
    MIN_VERSION = 0
    MAX_VERSION = 6
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        throttle_time_ms: int = 0,
        coordinators: list[Coordinators] = FRESH,
        error_code: int = 0,
        error_message: str | None = '',
        node_id: int = 0,
        host: str = '',
        port: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.coordinators = [] if coordinators is FRESH else coordinators
        self.error_code = error_code
        self.error_message = error_message
        self.node_id = node_id
        self.host = host
        self.port = port


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FindCoordinatorResponse, int]:
    error_code_1, node_id_1, n = _u_hih(data, p)
    p += 8
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("host", n, end - p)
    host_1 = data[p:q].tobytes().decode()
    p = q
    (port_1,) = _u_i(data, p)
    p += 4
    return FindCoordinatorResponse(0, [], error_code_1, '', node_id_1, host_1, port_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FindCoordinatorResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihh(data, p)
    p += 8
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    node_id_1, n = _u_ih(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("host", n, end - p)
    host_1 = data[p:q].tobytes().decode()
    p = q
    (port_1,) = _u_i(data, p)
    p += 4
    return FindCoordinatorResponse(throttle_time_ms_1, [], error_code_1, error_message_1, node_id_1, host_1, port_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FindCoordinatorResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    node_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("host", n, end - p)
    host_1 = data[p:q].tobytes().decode()
    p = q
    port_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return FindCoordinatorResponse(throttle_time_ms_1, [], error_code_1, error_message_1, node_id_1, host_1, port_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FindCoordinatorResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 14 > end - p or n > left[0]:
        raise wrong_count("coordinators", n, end - p, left)
    left[0] -= n
    coordinators_1: list[Coordinators] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("key", n, end - p)
        key_2 = data[p:q].tobytes().decode()
        p = q
        node_id_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host", n, end - p)
        host_2 = data[p:q].tobytes().decode()
        p = q
        port_2, error_code_2, n = _u_ihB(data, p)
        p += 7
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        coordinators_1.append(Coordinators(key_2, node_id_2, host_2, port_2, error_code_2, error_message_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return FindCoordinatorResponse(throttle_time_ms_1, coordinators_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.host.encode()
    out += _p_hih(m.error_code, m.node_id, len(b))
    out += b
    out += _p_i(m.port)


def _write_1(m: Any, out: bytearray) -> None:
    if m.error_message is None:
        n, b = -1, b""
    else:
        b = m.error_message.encode()
        n = len(b)
    out += _p_ihh(m.throttle_time_ms, m.error_code, n)
    out += b
    b = m.host.encode()
    out += _p_ih(m.node_id, len(b))
    out += b
    out += _p_i(m.port)


def _write_3(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_i(m.node_id)
    b = m.host.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_ix(m.port)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.coordinators
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.key.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_i(e_1.node_id)
        b = e_1.host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_ih(e_1.port, e_1.error_code)
        if e_1.error_message is None:
            out.append(0)
        else:
            b = e_1.error_message.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out.append(0)
    out.append(0)


FindCoordinatorResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_3, 4: _read_4, 5: _read_4, 6: _read_4}
FindCoordinatorResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_3, 4: _write_4, 5: _write_4, 6: _write_4}
