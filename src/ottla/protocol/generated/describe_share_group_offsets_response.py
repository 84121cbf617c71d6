"""DescribeShareGroupOffsets response (key 90), versions 0-1, flexible from 0.

Generated from schemas/describe_share_group_offsets.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_iqihB = _Struct(">iqihB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_iqiqhB = _Struct(">iqiqhB").unpack_from
_p_i = _Struct(">i").pack
_p_16s = _Struct(">16s").pack
_p_iqih = _Struct(">iqih").pack
_p_h = _Struct(">h").pack
_p_iqiqh = _Struct(">iqiqh").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "start_offset", "leader_epoch", "lag", "error_code", "error_message")

    def __init__(
        self,
        partition_index: int = 0,
        start_offset: int = 0,
        leader_epoch: int = 0,
        lag: int = -1,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.partition_index = partition_index
        self.start_offset = start_offset
        self.leader_epoch = leader_epoch
        self.lag = lag
        self.error_code = error_code
        self.error_message = error_message


class Topics(Struct):
    __slots__ = ("topic_name", "topic_id", "partitions")

    def __init__(
        self,
        topic_name: str = '',
        topic_id: bytes = NO_UUID,
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class Groups(Struct):
    __slots__ = ("group_id", "topics", "error_code", "error_message")

    def __init__(
        self,
        group_id: str = '',
        topics: list[Topics] = FRESH,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is FRESH else topics
        self.error_code = error_code
        self.error_message = error_message


class DescribeShareGroupOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")
    API_KEY = 90
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[Groups] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is FRESH else groups


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
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
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 19 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[Topics] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("topic_name", n, end - p)
            topic_name_3 = data[p:q].tobytes().decode()
            p = q
            topic_id_3, n = _u_16sB(data, p)
            p += 17
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 20 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3: list[Partitions] = []
            for _ in range(n):
                partition_index_4, start_offset_4, leader_epoch_4, error_code_4, n = _u_iqihB(data, p)
                p += 19
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    error_message_4 = None
                else:
                    q = p + n
                    if n < 0 or q > end:
                        raise wrong_length("error_message", n, end - p)
                    error_message_4 = data[p:q].tobytes().decode()
                    p = q
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                partitions_3.append(Partitions(partition_index_4, start_offset_4, leader_epoch_4, -1, error_code_4, error_message_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topics_2.append(Topics(topic_name_3, topic_id_3, partitions_3))
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
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, topics_2, error_code_2, error_message_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeShareGroupOffsetsResponse(throttle_time_ms_1, groups_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
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
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 19 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[Topics] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("topic_name", n, end - p)
            topic_name_3 = data[p:q].tobytes().decode()
            p = q
            topic_id_3, n = _u_16sB(data, p)
            p += 17
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 28 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3: list[Partitions] = []
            for _ in range(n):
                partition_index_4, start_offset_4, leader_epoch_4, lag_4, error_code_4, n = _u_iqiqhB(data, p)
                p += 27
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    error_message_4 = None
                else:
                    q = p + n
                    if n < 0 or q > end:
                        raise wrong_length("error_message", n, end - p)
                    error_message_4 = data[p:q].tobytes().decode()
                    p = q
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                partitions_3.append(Partitions(partition_index_4, start_offset_4, leader_epoch_4, lag_4, error_code_4, error_message_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topics_2.append(Topics(topic_name_3, topic_id_3, partitions_3))
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
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, topics_2, error_code_2, error_message_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeShareGroupOffsetsResponse(throttle_time_ms_1, groups_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.topics
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            b = e_2.topic_name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_3 = e_2.partitions
            out += _p_16s(e_2.topic_id)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_iqih(e_3.partition_index, e_3.start_offset, e_3.leader_epoch, e_3.error_code)
                if e_3.error_message is None:
                    out.append(0)
                else:
                    b = e_3.error_message.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                out.append(0)
            out.append(0)
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
        out.append(0)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.topics
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            b = e_2.topic_name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_3 = e_2.partitions
            out += _p_16s(e_2.topic_id)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_iqiqh(e_3.partition_index, e_3.start_offset, e_3.leader_epoch, e_3.lag, e_3.error_code)
                if e_3.error_message is None:
                    out.append(0)
                else:
                    b = e_3.error_message.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                out.append(0)
            out.append(0)
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
        out.append(0)
    out.append(0)


DescribeShareGroupOffsetsResponse._READERS = {0: _read_0, 1: _read_1}
DescribeShareGroupOffsetsResponse._WRITERS = {0: _write_0, 1: _write_1}
