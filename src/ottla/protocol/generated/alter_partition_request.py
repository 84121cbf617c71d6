"""AlterPartition request (key 56), versions 2-3, flexible from 2.

Generated from schemas/alter_partition.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, put_numbers, put_uvarint, read_numbers, skip_tags, wrong_count

_u_iqB = _Struct(">iqB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_u_biB = _Struct(">biB").unpack_from
_p_iq = _Struct(">iq").pack
_p_16s = _Struct(">16s").pack
_p_ii = _Struct(">ii").pack
_p_bix = _Struct(">bix").pack
_p_iqx = _Struct(">iqx").pack


class NewIsrWithEpochs(Struct):
    __slots__ = ("broker_id", "broker_epoch")

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch


class Partitions(Struct):
    __slots__ = ("partition_index", "leader_epoch", "new_isr_with_epochs", "new_isr", "leader_recovery_state", "partition_epoch")

    def __init__(
        self,
        partition_index: int = 0,
        leader_epoch: int = 0,
        new_isr_with_epochs: list[NewIsrWithEpochs] = FRESH,
        new_isr: list[int] = FRESH,
        leader_recovery_state: int = 0,
        partition_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.leader_epoch = leader_epoch
        self.new_isr_with_epochs = [] if new_isr_with_epochs is FRESH else new_isr_with_epochs
        self.new_isr = [] if new_isr is FRESH else new_isr
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


class AlterPartitionRequest(Message):
    __slots__ = ("broker_id", "broker_epoch", "topics")
    API_KEY = 56
    MIN_VERSION = 2
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.topics = [] if topics is FRESH else topics


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterPartitionRequest, int]:
    broker_id_1, broker_epoch_1, n = _u_iqB(data, p)
    p += 13
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
        if n < 0 or n * 15 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, leader_epoch_3, n = _u_iiB(data, p)
            p += 9
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("new_isr", n, end - p, left)
            left[0] -= n
            new_isr_3, p = read_numbers("i", 4, data, p, n)
            leader_recovery_state_3, partition_epoch_3, n = _u_biB(data, p)
            p += 6
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, leader_epoch_3, [], new_isr_3, leader_recovery_state_3, partition_epoch_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_id_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterPartitionRequest(broker_id_1, broker_epoch_1, topics_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterPartitionRequest, int]:
    broker_id_1, broker_epoch_1, n = _u_iqB(data, p)
    p += 13
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
        if n < 0 or n * 15 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, leader_epoch_3, n = _u_iiB(data, p)
            p += 9
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 13 > end - p or n > left[0]:
                raise wrong_count("new_isr_with_epochs", n, end - p, left)
            left[0] -= n
            new_isr_with_epochs_3: list[NewIsrWithEpochs] = []
            for _ in range(n):
                broker_id_4, broker_epoch_4, n = _u_iqB(data, p)
                p += 13
                if n:
                    p = skip_tags(data, p - 1, end)
                new_isr_with_epochs_3.append(NewIsrWithEpochs(broker_id_4, broker_epoch_4))
            leader_recovery_state_3, partition_epoch_3, n = _u_biB(data, p)
            p += 6
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, leader_epoch_3, new_isr_with_epochs_3, [], leader_recovery_state_3, partition_epoch_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_id_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterPartitionRequest(broker_id_1, broker_epoch_1, topics_1), p


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iq(m.broker_id, m.broker_epoch)
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
            items_3 = e_2.new_isr
            out += _p_ii(e_2.partition_index, e_2.leader_epoch)
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


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iq(m.broker_id, m.broker_epoch)
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
            items_3 = e_2.new_isr_with_epochs
            out += _p_ii(e_2.partition_index, e_2.leader_epoch)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_iqx(e_3.broker_id, e_3.broker_epoch)
            out += _p_bix(e_2.leader_recovery_state, e_2.partition_epoch)
        out.append(0)
    out.append(0)


AlterPartitionRequest._READERS = {2: _read_2, 3: _read_3}
AlterPartitionRequest._WRITERS = {2: _write_2, 3: _write_3}
