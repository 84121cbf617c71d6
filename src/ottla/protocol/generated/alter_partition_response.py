"""AlterPartition response (key 56), versions 2-3, flexible from 2.

Generated from schemas/alter_partition.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, put_numbers, put_uvarint, read_numbers, skip_tags, wrong_count

_u_ihB = _Struct(">ihB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_ihiiB = _Struct(">ihiiB").unpack_from
_u_biB = _Struct(">biB").unpack_from
_p_ih = _Struct(">ih").pack
_p_16s = _Struct(">16s").pack
_p_ihii = _Struct(">ihii").pack
_p_bix = _Struct(">bix").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code", "leader_id", "leader_epoch", "isr", "leader_recovery_state", "partition_epoch")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        isr: list[int] = FRESH,
        leader_recovery_state: int = 0,
        partition_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.isr = [] if isr is FRESH else isr
        self.leader_recovery_state = leader_recovery_state
        self.partition_epoch = partition_epoch


class Topics(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class AlterPartitionResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "topics")
    API_KEY = 56
    MIN_VERSION = 2
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics = [] if topics is FRESH else topics


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterPartitionResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 21 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, error_code_3, leader_id_3, leader_epoch_3, n = _u_ihiiB(data, p)
            p += 15
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("isr", n, end - p, left)
            left[0] -= n
            isr_3, p = read_numbers("i", 4, data, p, n)
            leader_recovery_state_3, partition_epoch_3, n = _u_biB(data, p)
            p += 6
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, error_code_3, leader_id_3, leader_epoch_3, isr_3, leader_recovery_state_3, partition_epoch_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_id_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterPartitionResponse(throttle_time_ms_1, error_code_1, topics_1), p


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partitions
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.isr
            out += _p_ihii(e_2.partition_index, e_2.error_code, e_2.leader_id, e_2.leader_epoch)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_3:
                put_numbers(out, "i", items_3)
            out += _p_bix(e_2.leader_recovery_state, e_2.partition_epoch)
        out.append(0)
    out.append(0)


AlterPartitionResponse._READERS = {2: _read_2, 3: _read_2}
AlterPartitionResponse._WRITERS = {2: _write_2, 3: _write_2}
