"""ShareGroupDescribe response (key 77), versions 1-1, flexible from 1.

Generated from schemas/share_group_describe.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_ii = _Struct(">ii").pack
_p_16s = _Struct(">16s").pack
_p_ix = _Struct(">ix").pack


class TopicPartitions(Struct):
    __slots__ = ("topic_id", "topic_name", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        topic_name: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions = [] if partitions is FRESH else partitions


class Assignment(Struct):
    __slots__ = ("topic_partitions",)

    def __init__(
        self,
        topic_partitions: list[TopicPartitions] = FRESH,
    ) -> None:
        self.topic_partitions = [] if topic_partitions is FRESH else topic_partitions


class Members(Struct):
    __slots__ = ("member_id", "rack_id", "member_epoch", "client_id", "client_host", "subscribed_topic_names", "assignment")

    def __init__(
        self,
        member_id: str = '',
        rack_id: str | None = None,
        member_epoch: int = 0,
        client_id: str = '',
        client_host: str = '',
        subscribed_topic_names: list[str] = FRESH,
        assignment: Assignment = FRESH,
    ) -> None:
        self.member_id = member_id
        self.rack_id = rack_id
        self.member_epoch = member_epoch
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is FRESH else subscribed_topic_names
        self.assignment = Assignment() if assignment is FRESH else assignment


class Groups(Struct):
    __slots__ = ("error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch", "assignor_name", "members", "authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = '',
        group_state: str = '',
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        assignor_name: str = '',
        members: list[Members] = FRESH,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.group_epoch = group_epoch
        self.assignment_epoch = assignment_epoch
        self.assignor_name = assignor_name
        self.members = [] if members is FRESH else members
        self.authorized_operations = authorized_operations


class ShareGroupDescribeResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")
    API_KEY = 77
    MIN_VERSION = 1
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[Groups] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is FRESH else groups


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareGroupDescribeResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 20 > end - p or n > left[0]:
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
        group_epoch_2, assignment_epoch_2, n = _u_iiB(data, p)
        p += 9
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("assignor_name", n, end - p)
        assignor_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 12 > end - p or n > left[0]:
            raise wrong_count("members", n, end - p, left)
        left[0] -= n
        members_2: list[Members] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("member_id", n, end - p)
            member_id_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                rack_id_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("rack_id", n, end - p)
                rack_id_3 = data[p:q].tobytes().decode()
                p = q
            member_epoch_3, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("client_id", n, end - p)
            client_id_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("client_host", n, end - p)
            client_host_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n > end - p or n > left[0]:
                raise wrong_count("subscribed_topic_names", n, end - p, left)
            left[0] -= n
            subscribed_topic_names_3: list[str] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("subscribed_topic_names", n, end - p)
                subscribed_topic_names_3_element = data[p:q].tobytes().decode()
                p = q
                subscribed_topic_names_3.append(subscribed_topic_names_3_element)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 19 > end - p or n > left[0]:
                raise wrong_count("topic_partitions", n, end - p, left)
            left[0] -= n
            topic_partitions_4: list[TopicPartitions] = []
            for _ in range(n):
                topic_id_5, n = _u_16sB(data, p)
                p += 17
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("topic_name", n, end - p)
                topic_name_5 = data[p:q].tobytes().decode()
                p = q
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 4 > end - p or n > left[0]:
                    raise wrong_count("partitions", n, end - p, left)
                left[0] -= n
                partitions_5, p = read_numbers("i", 4, data, p, n)
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                topic_partitions_4.append(TopicPartitions(topic_id_5, topic_name_5, partitions_5))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            members_2.append(Members(member_id_3, rack_id_3, member_epoch_3, client_id_3, client_host_3, subscribed_topic_names_3, Assignment(topic_partitions_4)))
        authorized_operations_2, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(error_code_2, error_message_2, group_id_2, group_state_2, group_epoch_2, assignment_epoch_2, assignor_name_2, members_2, authorized_operations_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareGroupDescribeResponse(throttle_time_ms_1, groups_1), p


def _write_1(m: Any, out: bytearray) -> None:
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
        out += _p_ii(e_1.group_epoch, e_1.assignment_epoch)
        b = e_1.assignor_name.encode()
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
            b = e_2.member_id.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            if e_2.rack_id is None:
                out.append(0)
            else:
                b = e_2.rack_id.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out += _p_i(e_2.member_epoch)
            b = e_2.client_id.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            b = e_2.client_host.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_3 = e_2.subscribed_topic_names
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                b = e_3.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            items_4 = e_2.assignment.topic_partitions
            n = len(items_4) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_4 in items_4:
                out += _p_16s(e_4.topic_id)
                b = e_4.topic_name.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
                items_5 = e_4.partitions
                n = len(items_5) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_uvarint(out, n)
                if items_5:
                    put_numbers(out, "i", items_5)
                out.append(0)
            out += b"\0\0"
        out += _p_ix(e_1.authorized_operations)
    out.append(0)


ShareGroupDescribeResponse._READERS = {1: _read_1}
ShareGroupDescribeResponse._WRITERS = {1: _write_1}
