"""LeaveGroup response (key 13), versions 0-5, flexible from 4.

Generated from schemas/leave_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_ihi = _Struct(">ihi").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_p_h = _Struct(">h").pack
_p_ih = _Struct(">ih").pack
_p_ihi = _Struct(">ihi").pack
_p_hx = _Struct(">hx").pack


class Members(Struct):
    __slots__ = ("member_id", "group_instance_id", "error_code")

    def __init__(
        self,
        member_id: str = '',
        group_instance_id: str | None = '',
        error_code: int = 0,
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.error_code = error_code


class LeaveGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "members")
    API_KEY = 13
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        members: list[Members] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.members = [] if members is FRESH else members


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaveGroupResponse, int]:
    (error_code_1,) = _u_h(data, p)
    p += 2
    return LeaveGroupResponse(0, error_code_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms_1, error_code_1 = _u_ih(data, p)
    p += 6
    return LeaveGroupResponse(throttle_time_ms_1, error_code_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihi(data, p)
    p += 10
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("member_id", n, end - p)
        member_id_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        if n == -1:
            group_instance_id_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("group_instance_id", n, end - p)
            group_instance_id_2 = data[p:q].tobytes().decode()
            p = q
        (error_code_2,) = _u_h(data, p)
        p += 2
        members_1.append(Members(member_id_2, group_instance_id_2, error_code_2))
    return LeaveGroupResponse(throttle_time_ms_1, error_code_1, members_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("member_id", n, end - p)
        member_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            group_instance_id_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("group_instance_id", n, end - p)
            group_instance_id_2 = data[p:q].tobytes().decode()
            p = q
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        members_1.append(Members(member_id_2, group_instance_id_2, error_code_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return LeaveGroupResponse(throttle_time_ms_1, error_code_1, members_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_h(m.error_code)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.members
    out += _p_ihi(m.throttle_time_ms, m.error_code, len(items_1))
    for e_1 in items_1:
        b = e_1.member_id.encode()
        out += _p_h(len(b))
        out += b
        if e_1.group_instance_id is None:
            n, b = -1, b""
        else:
            b = e_1.group_instance_id.encode()
            n = len(b)
        out += _p_h(n)
        out += b
        out += _p_h(e_1.error_code)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.members
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.member_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        if e_1.group_instance_id is None:
            out.append(0)
        else:
            b = e_1.group_instance_id.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out += _p_hx(e_1.error_code)
    out.append(0)


LeaveGroupResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_3, 4: _read_4, 5: _read_4}
LeaveGroupResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_3, 4: _write_4, 5: _write_4}
