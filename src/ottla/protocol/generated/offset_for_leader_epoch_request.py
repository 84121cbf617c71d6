"""OffsetForLeaderEpoch request (key 23), versions 2-4, flexible from 4.

Generated from schemas/offset_for_leader_epoch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_iiiB = _Struct(">iiiB").unpack_from
_u_h = _Struct(">h").unpack_from
_u_iii = _Struct(">iii").unpack_from
_p_i = _Struct(">i").pack
_p_ii = _Struct(">ii").pack
_p_iiix = _Struct(">iiix").pack
_p_h = _Struct(">h").pack
_p_iii = _Struct(">iii").pack


class Partitions(Struct):
    __slots__ = ("partition", "current_leader_epoch", "leader_epoch")

    def __init__(
        self,
        partition: int = 0,
        current_leader_epoch: int = -1,
        leader_epoch: int = 0,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.leader_epoch = leader_epoch


class Topics(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class OffsetForLeaderEpochRequest(Message):
    __slots__ = ("replica_id", "topics")
    API_KEY = 23
    MIN_VERSION = 2
    MAX_VERSION = 4
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        replica_id: int = -2,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.replica_id = replica_id
        self.topics = [] if topics is FRESH else topics


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetForLeaderEpochRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_2(data, p, end, left)
        topics_1.append(s_2)
    return OffsetForLeaderEpochRequest(-2, topics_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetForLeaderEpochRequest, int]:
    replica_id_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_2(data, p, end, left)
        topics_1.append(s_2)
    return OffsetForLeaderEpochRequest(replica_id_1, topics_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetForLeaderEpochRequest, int]:
    replica_id_1, n = _u_iB(data, p)
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
        if n < 0 or n * 13 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_3, current_leader_epoch_3, leader_epoch_3, n = _u_iiiB(data, p)
            p += 13
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_3, current_leader_epoch_3, leader_epoch_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetForLeaderEpochRequest(replica_id_1, topics_1), p


def _read_Topics_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("topic", n, end - p)
    topic_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_2, current_leader_epoch_2, leader_epoch_2 = _u_iii(data, p)
        p += 12
        partitions_1.append(Partitions(partition_2, current_leader_epoch_2, leader_epoch_2))
    return Topics(topic_1, partitions_1), p


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Topics_2(e_1, out)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.replica_id, len(items_1))
    for e_1 in items_1:
        _write_Topics_2(e_1, out)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.replica_id)
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
            out += _p_iiix(e_2.partition, e_2.current_leader_epoch, e_2.leader_epoch)
        out.append(0)
    out.append(0)


def _write_Topics_2(m: Any, out: bytearray) -> None:
    b = m.topic.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.partitions
    out += _p_i(len(items_1))
    for e_1 in items_1:
        out += _p_iii(e_1.partition, e_1.current_leader_epoch, e_1.leader_epoch)


OffsetForLeaderEpochRequest._READERS = {2: _read_2, 3: _read_3, 4: _read_4}
OffsetForLeaderEpochRequest._WRITERS = {2: _write_2, 3: _write_3, 4: _write_4}
