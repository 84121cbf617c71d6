"""LeaveGroup request (key 13), versions 0-5, flexible from 4.

Generated from schemas/leave_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack


class Members(Struct):
    __slots__ = ("member_id", "group_instance_id", "reason")

    def __init__(
        self,
        member_id: str = '',
        group_instance_id: str | None = None,
        reason: str | None = None,
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.reason = reason


class LeaveGroupRequest(Message):
    __slots__ = ("group_id", "members", "member_id")
    API_KEY = 13
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        group_id: str = '',
        members: list[Members] = FRESH,
        member_id: str = '',
    ) -> None:
        self.group_id = group_id
        self.members = [] if members is FRESH else members
        self.member_id = member_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaveGroupRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    return LeaveGroupRequest(group_id_1, [], member_id_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaveGroupRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 4 > end - p or n > left[0]:
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
        members_1.append(Members(member_id_2, group_instance_id_2))
    return LeaveGroupRequest(group_id_1, members_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaveGroupRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
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
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        members_1.append(Members(member_id_2, group_instance_id_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return LeaveGroupRequest(group_id_1, members_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaveGroupRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
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
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            reason_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("reason", n, end - p)
            reason_2 = data[p:q].tobytes().decode()
            p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        members_1.append(Members(member_id_2, group_instance_id_2, reason_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return LeaveGroupRequest(group_id_1, members_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_h(len(b))
    out += b


def _write_3(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.members
    out += _p_i(len(items_1))
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


def _write_4(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.members
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
        out.append(0)
    out.append(0)


def _write_5(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.members
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
        if e_1.reason is None:
            out.append(0)
        else:
            b = e_1.reason.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out.append(0)
    out.append(0)


LeaveGroupRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_4, 5: _read_5}
LeaveGroupRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_4, 5: _write_5}
