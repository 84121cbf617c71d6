"""JoinGroup response (key 11), versions 0-9, flexible from 6.

Generated from schemas/join_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_hih = _Struct(">hih").unpack_from
_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_ihih = _Struct(">ihih").unpack_from
_u_ihiB = _Struct(">ihiB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_p_hih = _Struct(">hih").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_ihih = _Struct(">ihih").pack
_p_ihi = _Struct(">ihi").pack
_p_t = _Struct(">?").pack


class Members(Struct):
    __slots__ = ("member_id", "group_instance_id", "metadata")

    def __init__(
        self,
        member_id: str = '',
        group_instance_id: str | None = None,
        metadata: bytes = b'',
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.metadata = metadata


class JoinGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "generation_id", "protocol_type", "protocol_name", "leader", "skip_assignment", "member_id", "members")
    API_KEY = 11
    MIN_VERSION = 0
    MAX_VERSION = 9
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        generation_id: int = -1,
        protocol_type: str | None = None,
        protocol_name: str | None = '',
        leader: str = '',
        skip_assignment: bool = False,
        member_id: str = '',
        members: list[Members] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.generation_id = generation_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.leader = leader
        self.skip_assignment = skip_assignment
        self.member_id = member_id
        self.members = [] if members is FRESH else members


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupResponse, int]:
    error_code_1, generation_id_1, n = _u_hih(data, p)
    p += 8
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_name", n, end - p)
    protocol_name_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("leader", n, end - p)
    leader_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        s_2, p = _read_Members_0(data, p, end, left)
        members_1.append(s_2)
    return JoinGroupResponse(0, error_code_1, generation_id_1, None, protocol_name_1, leader_1, False, member_id_1, members_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms_1, error_code_1, generation_id_1, n = _u_ihih(data, p)
    p += 12
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_name", n, end - p)
    protocol_name_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("leader", n, end - p)
    leader_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        s_2, p = _read_Members_0(data, p, end, left)
        members_1.append(s_2)
    return JoinGroupResponse(throttle_time_ms_1, error_code_1, generation_id_1, None, protocol_name_1, leader_1, False, member_id_1, members_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms_1, error_code_1, generation_id_1, n = _u_ihih(data, p)
    p += 12
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_name", n, end - p)
    protocol_name_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("leader", n, end - p)
    leader_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 8 > end - p or n > left[0]:
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
        (n,) = _u_i(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("metadata", n, end - p)
        metadata_2 = data[p:q].tobytes()
        p = q
        members_1.append(Members(member_id_2, group_instance_id_2, metadata_2))
    return JoinGroupResponse(throttle_time_ms_1, error_code_1, generation_id_1, None, protocol_name_1, leader_1, False, member_id_1, members_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms_1, error_code_1, generation_id_1, n = _u_ihiB(data, p)
    p += 11
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_name", n, end - p)
    protocol_name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("leader", n, end - p)
    leader_1 = data[p:q].tobytes().decode()
    p = q
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
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        s_2, p = _read_Members_6(data, p, end, left)
        members_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return JoinGroupResponse(throttle_time_ms_1, error_code_1, generation_id_1, None, protocol_name_1, leader_1, False, member_id_1, members_1), p


def _read_7(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms_1, error_code_1, generation_id_1, n = _u_ihiB(data, p)
    p += 11
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
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("leader", n, end - p)
    leader_1 = data[p:q].tobytes().decode()
    p = q
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
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        s_2, p = _read_Members_6(data, p, end, left)
        members_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return JoinGroupResponse(throttle_time_ms_1, error_code_1, generation_id_1, protocol_type_1, protocol_name_1, leader_1, False, member_id_1, members_1), p


def _read_9(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms_1, error_code_1, generation_id_1, n = _u_ihiB(data, p)
    p += 11
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
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("leader", n, end - p)
    leader_1 = data[p:q].tobytes().decode()
    p = q
    skip_assignment_1, n = _u_tB(data, p)
    p += 2
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
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        s_2, p = _read_Members_6(data, p, end, left)
        members_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return JoinGroupResponse(throttle_time_ms_1, error_code_1, generation_id_1, protocol_type_1, protocol_name_1, leader_1, skip_assignment_1, member_id_1, members_1), p


def _read_Members_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Members, int]:
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
        raise wrong_length("metadata", n, end - p)
    metadata_1 = data[p:q].tobytes()
    p = q
    return Members(member_id_1, None, metadata_1), p


def _read_Members_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Members, int]:
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
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("metadata", n, end - p)
    metadata_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Members(member_id_1, group_instance_id_1, metadata_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.protocol_name.encode()
    out += _p_hih(m.error_code, m.generation_id, len(b))
    out += b
    b = m.leader.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.members
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Members_0(e_1, out)


def _write_2(m: Any, out: bytearray) -> None:
    b = m.protocol_name.encode()
    out += _p_ihih(m.throttle_time_ms, m.error_code, m.generation_id, len(b))
    out += b
    b = m.leader.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.members
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Members_0(e_1, out)


def _write_5(m: Any, out: bytearray) -> None:
    b = m.protocol_name.encode()
    out += _p_ihih(m.throttle_time_ms, m.error_code, m.generation_id, len(b))
    out += b
    b = m.leader.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
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
        b = e_1.metadata
        out += _p_i(len(b))
        out += b


def _write_6(m: Any, out: bytearray) -> None:
    out += _p_ihi(m.throttle_time_ms, m.error_code, m.generation_id)
    b = m.protocol_name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.leader.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.member_id.encode()
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
        _write_Members_6(e_1, out)
    out.append(0)


def _write_7(m: Any, out: bytearray) -> None:
    out += _p_ihi(m.throttle_time_ms, m.error_code, m.generation_id)
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
    b = m.leader.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.member_id.encode()
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
        _write_Members_6(e_1, out)
    out.append(0)


def _write_9(m: Any, out: bytearray) -> None:
    out += _p_ihi(m.throttle_time_ms, m.error_code, m.generation_id)
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
    b = m.leader.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_t(m.skip_assignment)
    b = m.member_id.encode()
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
        _write_Members_6(e_1, out)
    out.append(0)


def _write_Members_0(m: Any, out: bytearray) -> None:
    b = m.member_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.metadata
    out += _p_i(len(b))
    out += b


def _write_Members_6(m: Any, out: bytearray) -> None:
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
    b = m.metadata
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out.append(0)


JoinGroupResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_2, 3: _read_2, 4: _read_2, 5: _read_5, 6: _read_6, 7: _read_7, 8: _read_7, 9: _read_9}
JoinGroupResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2, 3: _write_2, 4: _write_2, 5: _write_5, 6: _write_6, 7: _write_7, 8: _write_7, 9: _write_9}
