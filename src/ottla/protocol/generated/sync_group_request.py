"""SyncGroup request (key 14), versions 0-5, flexible from 4.

Generated from schemas/sync_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_i = _Struct(">i").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_h = _Struct(">h").pack
_p_ih = _Struct(">ih").pack
_p_i = _Struct(">i").pack


class Assignments(Struct):
    __slots__ = ("member_id", "assignment")

    def __init__(
        self,
        member_id: str = '',
        assignment: bytes = b'',
    ) -> None:
        self.member_id = member_id
        self.assignment = assignment


class SyncGroupRequest(Message):
    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id", "protocol_type", "protocol_name", "assignments")
    API_KEY = 14
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        group_id: str = '',
        generation_id: int = 0,
        member_id: str = '',
        group_instance_id: str | None = None,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignments: list[Assignments] = FRESH,
    ) -> None:
        self.group_id = group_id
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignments = [] if assignments is FRESH else assignments


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SyncGroupRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    generation_id_1, n = _u_ih(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("assignments", n, end - p, left)
    left[0] -= n
    assignments_1: list[Assignments] = []
    for _ in range(n):
        s_2, p = _read_Assignments_0(data, p, end, left)
        assignments_1.append(s_2)
    return SyncGroupRequest(group_id_1, generation_id_1, member_id_1, None, None, None, assignments_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SyncGroupRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    generation_id_1, n = _u_ih(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        group_instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_instance_id", n, end - p)
        group_instance_id_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("assignments", n, end - p, left)
    left[0] -= n
    assignments_1: list[Assignments] = []
    for _ in range(n):
        s_2, p = _read_Assignments_0(data, p, end, left)
        assignments_1.append(s_2)
    return SyncGroupRequest(group_id_1, generation_id_1, member_id_1, group_instance_id_1, None, None, assignments_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SyncGroupRequest, int]:
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
    generation_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        group_instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_instance_id", n, end - p)
        group_instance_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("assignments", n, end - p, left)
    left[0] -= n
    assignments_1: list[Assignments] = []
    for _ in range(n):
        s_2, p = _read_Assignments_4(data, p, end, left)
        assignments_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return SyncGroupRequest(group_id_1, generation_id_1, member_id_1, group_instance_id_1, None, None, assignments_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SyncGroupRequest, int]:
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
    generation_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        group_instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_instance_id", n, end - p)
        group_instance_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
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
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("assignments", n, end - p, left)
    left[0] -= n
    assignments_1: list[Assignments] = []
    for _ in range(n):
        s_2, p = _read_Assignments_4(data, p, end, left)
        assignments_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return SyncGroupRequest(group_id_1, generation_id_1, member_id_1, group_instance_id_1, protocol_type_1, protocol_name_1, assignments_1), p


def _read_Assignments_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Assignments, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("assignment", n, end - p)
    assignment_1 = data[p:q].tobytes()
    p = q
    return Assignments(member_id_1, assignment_1), p


def _read_Assignments_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Assignments, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
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
    return Assignments(member_id_1, assignment_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_ih(m.generation_id, len(b))
    out += b
    items_1 = m.assignments
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Assignments_0(e_1, out)


def _write_3(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_ih(m.generation_id, len(b))
    out += b
    if m.group_instance_id is None:
        n, b = -1, b""
    else:
        b = m.group_instance_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_1 = m.assignments
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Assignments_0(e_1, out)


def _write_4(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_i(m.generation_id)
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    if m.group_instance_id is None:
        out.append(0)
    else:
        b = m.group_instance_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.assignments
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Assignments_4(e_1, out)
    out.append(0)


def _write_5(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_i(m.generation_id)
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    if m.group_instance_id is None:
        out.append(0)
    else:
        b = m.group_instance_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
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
    items_1 = m.assignments
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Assignments_4(e_1, out)
    out.append(0)


def _write_Assignments_0(m: Any, out: bytearray) -> None:
    b = m.member_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.assignment
    out += _p_i(len(b))
    out += b


def _write_Assignments_4(m: Any, out: bytearray) -> None:
    b = m.member_id.encode()
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


SyncGroupRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_4, 5: _read_5}
SyncGroupRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_4, 5: _write_5}
