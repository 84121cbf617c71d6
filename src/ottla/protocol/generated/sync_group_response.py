"""SyncGroup response (key 14), versions 0-5, flexible from 4.

Generated from schemas/sync_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_length

_u_hi = _Struct(">hi").unpack_from
_u_ihi = _Struct(">ihi").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_p_hi = _Struct(">hi").pack
_p_ihi = _Struct(">ihi").pack
_p_ih = _Struct(">ih").pack


class SyncGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "protocol_type", "protocol_name", "assignment")
    API_KEY = 14
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignment: bytes = b'',
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignment = assignment


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SyncGroupResponse, int]:
    error_code_1, n = _u_hi(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("assignment", n, end - p)
    assignment_1 = data[p:q].tobytes()
    p = q
    return SyncGroupResponse(0, error_code_1, None, None, assignment_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SyncGroupResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihi(data, p)
    p += 10
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("assignment", n, end - p)
    assignment_1 = data[p:q].tobytes()
    p = q
    return SyncGroupResponse(throttle_time_ms_1, error_code_1, None, None, assignment_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SyncGroupResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("assignment", n, end - p)
    assignment_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return SyncGroupResponse(throttle_time_ms_1, error_code_1, None, None, assignment_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SyncGroupResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        protocol_type_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_type", n, end - p)
        protocol_type_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        protocol_name_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_name", n, end - p)
        protocol_name_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("assignment", n, end - p)
    assignment_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return SyncGroupResponse(throttle_time_ms_1, error_code_1, protocol_type_1, protocol_name_1, assignment_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.assignment
    out += _p_hi(m.error_code, len(b))
    out += b


def _write_1(m: Any, out: bytearray) -> None:
    b = m.assignment
    out += _p_ihi(m.throttle_time_ms, m.error_code, len(b))
    out += b


def _write_4(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    b = m.assignment
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out.append(0)


def _write_5(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.protocol_type is None:
        out.append(0)
    else:
        b = m.protocol_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.protocol_name is None:
        out.append(0)
    else:
        b = m.protocol_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    b = m.assignment
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out.append(0)


SyncGroupResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_1, 4: _read_4, 5: _read_5}
SyncGroupResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_1, 4: _write_4, 5: _write_5}
