"""GroupMetadataValue record (key 2), versions 0-4, flexible from 4.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_i = _Struct(">i").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_qi = _Struct(">qi").unpack_from
_u_iii = _Struct(">iii").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_qB = _Struct(">qB").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_p_h = _Struct(">h").pack
_p_ih = _Struct(">ih").pack
_p_i = _Struct(">i").pack
_p_ii = _Struct(">ii").pack
_p_qi = _Struct(">qi").pack
_p_iii = _Struct(">iii").pack
_p_q = _Struct(">q").pack


class Members(Struct):
    __slots__ = ("member_id", "group_instance_id", "client_id", "client_host", "rebalance_timeout", "session_timeout", "subscription", "assignment")

    def __init__(
        self,
        member_id: str = '',
        group_instance_id: str | None = None,
        client_id: str = '',
        client_host: str = '',
        rebalance_timeout: int = -1,
        session_timeout: int = 0,
        subscription: bytes = b'',
        assignment: bytes = b'',
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout = rebalance_timeout
        self.session_timeout = session_timeout
        self.subscription = subscription
        self.assignment = assignment


class GroupMetadataValue(Message):
    __slots__ = ("protocol_type", "generation", "protocol", "leader", "current_state_timestamp", "members")
    RECORD_TYPE = 2
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        protocol_type: str = '',
        generation: int = 0,
        protocol: str | None = '',
        leader: str | None = '',
        current_state_timestamp: int = -1,
        members: list[Members] = FRESH,
    ) -> None:
        self.protocol_type = protocol_type
        self.generation = generation
        self.protocol = protocol
        self.leader = leader
        self.current_state_timestamp = current_state_timestamp
        self.members = [] if members is FRESH else members


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GroupMetadataValue, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    generation_1, n = _u_ih(data, p)
    p += 6
    if n == -1:
        protocol_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol", n, end - p)
        protocol_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        leader_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("leader", n, end - p)
        leader_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 18 > end - p or n > left[0]:
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
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("client_id", n, end - p)
        client_id_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("client_host", n, end - p)
        client_host_2 = data[p:q].tobytes().decode()
        p = q
        session_timeout_2, n = _u_ii(data, p)
        p += 8
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subscription", n, end - p)
        subscription_2 = data[p:q].tobytes()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("assignment", n, end - p)
        assignment_2 = data[p:q].tobytes()
        p = q
        members_1.append(Members(member_id_2, None, client_id_2, client_host_2, -1, session_timeout_2, subscription_2, assignment_2))
    return GroupMetadataValue(protocol_type_1, generation_1, protocol_1, leader_1, -1, members_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GroupMetadataValue, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    generation_1, n = _u_ih(data, p)
    p += 6
    if n == -1:
        protocol_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol", n, end - p)
        protocol_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        leader_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("leader", n, end - p)
        leader_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 22 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        s_2, p = _read_Members_1(data, p, end, left)
        members_1.append(s_2)
    return GroupMetadataValue(protocol_type_1, generation_1, protocol_1, leader_1, -1, members_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GroupMetadataValue, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    generation_1, n = _u_ih(data, p)
    p += 6
    if n == -1:
        protocol_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol", n, end - p)
        protocol_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        leader_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("leader", n, end - p)
        leader_1 = data[p:q].tobytes().decode()
        p = q
    current_state_timestamp_1, n = _u_qi(data, p)
    p += 12
    if n < 0 or n * 22 > end - p or n > left[0]:
        raise wrong_count("members", n, end - p, left)
    left[0] -= n
    members_1: list[Members] = []
    for _ in range(n):
        s_2, p = _read_Members_1(data, p, end, left)
        members_1.append(s_2)
    return GroupMetadataValue(protocol_type_1, generation_1, protocol_1, leader_1, current_state_timestamp_1, members_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GroupMetadataValue, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    generation_1, n = _u_ih(data, p)
    p += 6
    if n == -1:
        protocol_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol", n, end - p)
        protocol_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        leader_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("leader", n, end - p)
        leader_1 = data[p:q].tobytes().decode()
        p = q
    current_state_timestamp_1, n = _u_qi(data, p)
    p += 12
    if n < 0 or n * 24 > end - p or n > left[0]:
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
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("client_id", n, end - p)
        client_id_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("client_host", n, end - p)
        client_host_2 = data[p:q].tobytes().decode()
        p = q
        rebalance_timeout_2, session_timeout_2, n = _u_iii(data, p)
        p += 12
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subscription", n, end - p)
        subscription_2 = data[p:q].tobytes()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("assignment", n, end - p)
        assignment_2 = data[p:q].tobytes()
        p = q
        members_1.append(Members(member_id_2, group_instance_id_2, client_id_2, client_host_2, rebalance_timeout_2, session_timeout_2, subscription_2, assignment_2))
    return GroupMetadataValue(protocol_type_1, generation_1, protocol_1, leader_1, current_state_timestamp_1, members_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GroupMetadataValue, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    generation_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        protocol_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol", n, end - p)
        protocol_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        leader_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("leader", n, end - p)
        leader_1 = data[p:q].tobytes().decode()
        p = q
    current_state_timestamp_1, n = _u_qB(data, p)
    p += 9
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 15 > end - p or n > left[0]:
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
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("client_id", n, end - p)
        client_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("client_host", n, end - p)
        client_host_2 = data[p:q].tobytes().decode()
        p = q
        rebalance_timeout_2, session_timeout_2, n = _u_iiB(data, p)
        p += 9
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subscription", n, end - p)
        subscription_2 = data[p:q].tobytes()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("assignment", n, end - p)
        assignment_2 = data[p:q].tobytes()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        members_1.append(Members(member_id_2, group_instance_id_2, client_id_2, client_host_2, rebalance_timeout_2, session_timeout_2, subscription_2, assignment_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return GroupMetadataValue(protocol_type_1, generation_1, protocol_1, leader_1, current_state_timestamp_1, members_1), p


def _read_Members_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Members, int]:
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
    rebalance_timeout_1, session_timeout_1, n = _u_iii(data, p)
    p += 12
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("subscription", n, end - p)
    subscription_1 = data[p:q].tobytes()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("assignment", n, end - p)
    assignment_1 = data[p:q].tobytes()
    p = q
    return Members(member_id_1, None, client_id_1, client_host_1, rebalance_timeout_1, session_timeout_1, subscription_1, assignment_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.protocol_type.encode()
    out += _p_h(len(b))
    out += b
    if m.protocol is None:
        n, b = -1, b""
    else:
        b = m.protocol.encode()
        n = len(b)
    out += _p_ih(m.generation, n)
    out += b
    if m.leader is None:
        n, b = -1, b""
    else:
        b = m.leader.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_1 = m.members
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.member_id.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.client_id.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.client_host.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.subscription
        out += _p_ii(e_1.session_timeout, len(b))
        out += b
        b = e_1.assignment
        out += _p_i(len(b))
        out += b


def _write_1(m: Any, out: bytearray) -> None:
    b = m.protocol_type.encode()
    out += _p_h(len(b))
    out += b
    if m.protocol is None:
        n, b = -1, b""
    else:
        b = m.protocol.encode()
        n = len(b)
    out += _p_ih(m.generation, n)
    out += b
    if m.leader is None:
        n, b = -1, b""
    else:
        b = m.leader.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_1 = m.members
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Members_1(e_1, out)


def _write_2(m: Any, out: bytearray) -> None:
    b = m.protocol_type.encode()
    out += _p_h(len(b))
    out += b
    if m.protocol is None:
        n, b = -1, b""
    else:
        b = m.protocol.encode()
        n = len(b)
    out += _p_ih(m.generation, n)
    out += b
    if m.leader is None:
        n, b = -1, b""
    else:
        b = m.leader.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_1 = m.members
    out += _p_qi(m.current_state_timestamp, len(items_1))
    for e_1 in items_1:
        _write_Members_1(e_1, out)


def _write_3(m: Any, out: bytearray) -> None:
    b = m.protocol_type.encode()
    out += _p_h(len(b))
    out += b
    if m.protocol is None:
        n, b = -1, b""
    else:
        b = m.protocol.encode()
        n = len(b)
    out += _p_ih(m.generation, n)
    out += b
    if m.leader is None:
        n, b = -1, b""
    else:
        b = m.leader.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_1 = m.members
    out += _p_qi(m.current_state_timestamp, len(items_1))
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
        b = e_1.client_id.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.client_host.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.subscription
        out += _p_iii(e_1.rebalance_timeout, e_1.session_timeout, len(b))
        out += b
        b = e_1.assignment
        out += _p_i(len(b))
        out += b


def _write_4(m: Any, out: bytearray) -> None:
    b = m.protocol_type.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_i(m.generation)
    if m.protocol is None:
        out.append(0)
    else:
        b = m.protocol.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.leader is None:
        out.append(0)
    else:
        b = m.leader.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.members
    out += _p_q(m.current_state_timestamp)
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
        b = e_1.client_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.client_host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_ii(e_1.rebalance_timeout, e_1.session_timeout)
        b = e_1.subscription
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        out += b
        b = e_1.assignment
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        out += b
        out.append(0)
    out.append(0)


def _write_Members_1(m: Any, out: bytearray) -> None:
    b = m.member_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.client_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.client_host.encode()
    out += _p_h(len(b))
    out += b
    b = m.subscription
    out += _p_iii(m.rebalance_timeout, m.session_timeout, len(b))
    out += b
    b = m.assignment
    out += _p_i(len(b))
    out += b


GroupMetadataValue._READERS = {0: _read_0, 1: _read_1, 2: _read_2, 3: _read_3, 4: _read_4}
GroupMetadataValue._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2, 3: _write_3, 4: _write_4}
