"""DescribeGroups response (key 15), versions 0-6, flexible from 5.

Generated from schemas/describe_groups.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_hh = _Struct(">hh").unpack_from
_u_h = _Struct(">h").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_p_i = _Struct(">i").pack
_p_ii = _Struct(">ii").pack
_p_hh = _Struct(">hh").pack
_p_h = _Struct(">h").pack
_p_ix = _Struct(">ix").pack


class Members(Struct):
    __slots__ = ("member_id", "group_instance_id", "client_id", "client_host", "member_metadata", "member_assignment")

    def __init__(
        self,
        member_id: str = '',
        group_instance_id: str | None = None,
        client_id: str = '',
        client_host: str = '',
        member_metadata: bytes = b'',
        member_assignment: bytes = b'',
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.member_metadata = member_metadata
        self.member_assignment = member_assignment


class Groups(Struct):
    __slots__ = ("error_code", "error_message", "group_id", "group_state", "protocol_type", "protocol_data", "members", "authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = '',
        group_state: str = '',
        protocol_type: str = '',
        protocol_data: str = '',
        members: list[Members] = FRESH,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.protocol_type = protocol_type
        self.protocol_data = protocol_data
        self.members = [] if members is FRESH else members
        self.authorized_operations = authorized_operations


class DescribeGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")
    API_KEY = 15
    MIN_VERSION = 0
    MAX_VERSION = 6
    FLEXIBLE_FROM = 5

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[Groups] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is FRESH else groups


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeGroupsResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 14 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        s_2, p = _read_Groups_0(data, p, end, left)
        groups_1.append(s_2)
    return DescribeGroupsResponse(0, groups_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 14 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        s_2, p = _read_Groups_0(data, p, end, left)
        groups_1.append(s_2)
    return DescribeGroupsResponse(throttle_time_ms_1, groups_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        error_code_2, n = _u_hh(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_state", n, end - p)
        group_state_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_type", n, end - p)
        protocol_type_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_data", n, end - p)
        protocol_data_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("members", n, end - p, left)
        left[0] -= n
        members_2: list[Members] = []
        for _ in range(n):
            s_3, p = _read_Members_0(data, p, end, left)
            members_2.append(s_3)
        (authorized_operations_2,) = _u_i(data, p)
        p += 4
        groups_1.append(Groups(error_code_2, None, group_id_2, group_state_2, protocol_type_2, protocol_data_2, members_2, authorized_operations_2))
    return DescribeGroupsResponse(throttle_time_ms_1, groups_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        error_code_2, n = _u_hh(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_state", n, end - p)
        group_state_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_type", n, end - p)
        protocol_type_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_data", n, end - p)
        protocol_data_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 16 > end - p or n > left[0]:
            raise wrong_count("members", n, end - p, left)
        left[0] -= n
        members_2: list[Members] = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("member_id", n, end - p)
            member_id_3 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_h(data, p)
            p += 2
            if n == -1:
                group_instance_id_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("group_instance_id", n, end - p)
                group_instance_id_3 = data[p:q].tobytes().decode()
                p = q
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("client_id", n, end - p)
            client_id_3 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("client_host", n, end - p)
            client_host_3 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_i(data, p)
            p += 4
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("member_metadata", n, end - p)
            member_metadata_3 = data[p:q].tobytes()
            p = q
            (n,) = _u_i(data, p)
            p += 4
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("member_assignment", n, end - p)
            member_assignment_3 = data[p:q].tobytes()
            p = q
            members_2.append(Members(member_id_3, group_instance_id_3, client_id_3, client_host_3, member_metadata_3, member_assignment_3))
        (authorized_operations_2,) = _u_i(data, p)
        p += 4
        groups_1.append(Groups(error_code_2, None, group_id_2, group_state_2, protocol_type_2, protocol_data_2, members_2, authorized_operations_2))
    return DescribeGroupsResponse(throttle_time_ms_1, groups_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_state", n, end - p)
        group_state_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_type", n, end - p)
        protocol_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_data", n, end - p)
        protocol_data_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 7 > end - p or n > left[0]:
            raise wrong_count("members", n, end - p, left)
        left[0] -= n
        members_2: list[Members] = []
        for _ in range(n):
            s_3, p = _read_Members_5(data, p, end, left)
            members_2.append(s_3)
        authorized_operations_2, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(error_code_2, None, group_id_2, group_state_2, protocol_type_2, protocol_data_2, members_2, authorized_operations_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeGroupsResponse(throttle_time_ms_1, groups_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 13 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        error_code_2, n = _u_hB(data, p)
        p += 3
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
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_state", n, end - p)
        group_state_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_type", n, end - p)
        protocol_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_data", n, end - p)
        protocol_data_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 7 > end - p or n > left[0]:
            raise wrong_count("members", n, end - p, left)
        left[0] -= n
        members_2: list[Members] = []
        for _ in range(n):
            s_3, p = _read_Members_5(data, p, end, left)
            members_2.append(s_3)
        authorized_operations_2, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(error_code_2, error_message_2, group_id_2, group_state_2, protocol_type_2, protocol_data_2, members_2, authorized_operations_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeGroupsResponse(throttle_time_ms_1, groups_1), p


def _read_Groups_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Groups, int]:
    error_code_1, n = _u_hh(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_state", n, end - p)
    group_state_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_data", n, end - p)
    protocol_data_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 14 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        s_2, p = _read_Members_0(data, p, end, left)
        members_1.append(s_2)
    return Groups(error_code_1, None, group_id_1, group_state_1, protocol_type_1, protocol_data_1, members_1), p


def _read_Members_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Members, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_id", n, end - p)
    client_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_host", n, end - p)
    client_host_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_metadata", n, end - p)
    member_metadata_1 = data[p:q].tobytes()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_assignment", n, end - p)
    member_assignment_1 = data[p:q].tobytes()
    p = q
    return Members(member_id_1, None, client_id_1, client_host_1, member_metadata_1, member_assignment_1), p


def _read_Members_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Members, int]:
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
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_id", n, end - p)
    client_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_host", n, end - p)
    client_host_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_metadata", n, end - p)
    member_metadata_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_assignment", n, end - p)
    member_assignment_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Members(member_id_1, group_instance_id_1, client_id_1, client_host_1, member_metadata_1, member_assignment_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Groups_0(e_1, out)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        _write_Groups_0(e_1, out)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.group_id.encode()
        out += _p_hh(e_1.error_code, len(b))
        out += b
        b = e_1.group_state.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.protocol_type.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.protocol_data.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.members
        out += _p_i(len(items_2))
        for e_2 in items_2:
            _write_Members_0(e_2, out)
        out += _p_i(e_1.authorized_operations)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.group_id.encode()
        out += _p_hh(e_1.error_code, len(b))
        out += b
        b = e_1.group_state.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.protocol_type.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.protocol_data.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.members
        out += _p_i(len(items_2))
        for e_2 in items_2:
            b = e_2.member_id.encode()
            out += _p_h(len(b))
            out += b
            if e_2.group_instance_id is None:
                n, b = -1, b""
            else:
                b = e_2.group_instance_id.encode()
                n = len(b)
            out += _p_h(n)
            out += b
            b = e_2.client_id.encode()
            out += _p_h(len(b))
            out += b
            b = e_2.client_host.encode()
            out += _p_h(len(b))
            out += b
            b = e_2.member_metadata
            out += _p_i(len(b))
            out += b
            b = e_2.member_assignment
            out += _p_i(len(b))
            out += b
        out += _p_i(e_1.authorized_operations)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_h(e_1.error_code)
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.group_state.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.protocol_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.protocol_data.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.members
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            _write_Members_5(e_2, out)
        out += _p_ix(e_1.authorized_operations)
    out.append(0)


def _write_6(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_h(e_1.error_code)
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
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.group_state.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.protocol_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.protocol_data.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.members
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            _write_Members_5(e_2, out)
        out += _p_ix(e_1.authorized_operations)
    out.append(0)


def _write_Groups_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_hh(m.error_code, len(b))
    out += b
    b = m.group_state.encode()
    out += _p_h(len(b))
    out += b
    b = m.protocol_type.encode()
    out += _p_h(len(b))
    out += b
    b = m.protocol_data.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.members
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Members_0(e_1, out)


def _write_Members_0(m: Any, out: bytearray) -> None:
    b = m.member_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.client_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.client_host.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_metadata
    out += _p_i(len(b))
    out += b
    b = m.member_assignment
    out += _p_i(len(b))
    out += b


def _write_Members_5(m: Any, out: bytearray) -> None:
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
    b = m.client_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.client_host.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.member_metadata
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    b = m.member_assignment
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out.append(0)


DescribeGroupsResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_3, 4: _read_4, 5: _read_5, 6: _read_6}
DescribeGroupsResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_3, 4: _write_4, 5: _write_5, 6: _write_6}
