"""OffsetForLeaderEpoch response (key 23), versions 2-4, flexible from 4.

Generated from schemas/offset_for_leader_epoch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_hiiq = _Struct(">hiiq").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hiiqB = _Struct(">hiiqB").unpack_from
_p_ii = _Struct(">ii").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_hiiq = _Struct(">hiiq").pack
_p_hiiqx = _Struct(">hiiqx").pack


class Partitions(Struct):
    __slots__ = ("error_code", "partition", "leader_epoch", "end_offset")

    def __init__(
        self,
        error_code: int = 0,
        partition: int = 0,
        leader_epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.error_code = error_code
        self.partition = partition
        self.leader_epoch = leader_epoch
        self.end_offset = end_offset


class Topics(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class OffsetForLeaderEpochResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")
    API_KEY = 23
    MIN_VERSION = 2
    MAX_VERSION = 4
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is FRESH else topics


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetForLeaderEpochResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            error_code_3, partition_3, leader_epoch_3, end_offset_3 = _u_hiiq(data, p)
            p += 18
            partitions_2.append(Partitions(error_code_3, partition_3, leader_epoch_3, end_offset_3))
        topics_1.append(Topics(topic_2, partitions_2))
    return OffsetForLeaderEpochResponse(throttle_time_ms_1, topics_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetForLeaderEpochResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 19 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            error_code_3, partition_3, leader_epoch_3, end_offset_3, n = _u_hiiqB(data, p)
            p += 19
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(error_code_3, partition_3, leader_epoch_3, end_offset_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetForLeaderEpochResponse(throttle_time_ms_1, topics_1), p


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_hiiq(e_2.error_code, e_2.partition, e_2.leader_epoch, e_2.end_offset)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_hiiqx(e_2.error_code, e_2.partition, e_2.leader_epoch, e_2.end_offset)
        out.append(0)
    out.append(0)


OffsetForLeaderEpochResponse._READERS = {2: _read_2, 3: _read_2, 4: _read_4}
OffsetForLeaderEpochResponse._WRITERS = {2: _write_2, 3: _write_2, 4: _write_4}
