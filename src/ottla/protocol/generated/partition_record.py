"""PartitionRecord record (key 3), versions 0-2, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message
from ottla.protocol.wire import longer, put_numbers, put_tags, put_uuids, put_uvarint, read_numbers, read_tags, read_uuids, wrong_count, wrong_tag_size

_u_i16sB = _Struct(">i16sB").unpack_from
_u_iiiB = _Struct(">iiiB").unpack_from
_u_b = _Struct(">b").unpack_from
_p_i16s = _Struct(">i16s").pack
_p_iii = _Struct(">iii").pack
_p_BBBb = _Struct(">BBBb").pack
_p_b = _Struct(">b").pack


class PartitionRecord(Message):
    __slots__ = ("partition_id", "topic_id", "replicas", "isr", "removing_replicas", "adding_replicas", "leader", "leader_epoch", "partition_epoch", "directories", "leader_recovery_state", "eligible_leader_replicas", "last_known_elr")
    RECORD_TYPE = 3
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        partition_id: int = -1,
        topic_id: bytes = NO_UUID,
        replicas: list[int] = FRESH,
        isr: list[int] = FRESH,
        removing_replicas: list[int] = FRESH,
        adding_replicas: list[int] = FRESH,
        leader: int = -1,
        leader_epoch: int = -1,
        partition_epoch: int = -1,
        directories: list[bytes] = FRESH,
        leader_recovery_state: int = 0,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.replicas = [] if replicas is FRESH else replicas
        self.isr = [] if isr is FRESH else isr
        self.removing_replicas = [] if removing_replicas is FRESH else removing_replicas
        self.adding_replicas = [] if adding_replicas is FRESH else adding_replicas
        self.leader = leader
        self.leader_epoch = leader_epoch
        self.partition_epoch = partition_epoch
        self.directories = [] if directories is FRESH else directories
        self.leader_recovery_state = leader_recovery_state
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[PartitionRecord, int]:
    partition_id_1, topic_id_1, n = _u_i16sB(data, p)
    p += 21
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("replicas", n, end - p, left)
    left[0] -= n
    replicas_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("isr", n, end - p, left)
    left[0] -= n
    isr_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("removing_replicas", n, end - p, left)
    left[0] -= n
    removing_replicas_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("adding_replicas", n, end - p, left)
    left[0] -= n
    adding_replicas_1, p = read_numbers("i", 4, data, p, n)
    leader_1, leader_epoch_1, partition_epoch_1, n = _u_iiiB(data, p)
    p += 13
    leader_recovery_state_1: Any = 0
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (leader_recovery_state_1_tagged,) = _u_b(data, p)
                p += 1
                leader_recovery_state_1 = leader_recovery_state_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return PartitionRecord(partition_id_1, topic_id_1, replicas_1, isr_1, removing_replicas_1, adding_replicas_1, leader_1, leader_epoch_1, partition_epoch_1, [], leader_recovery_state_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[PartitionRecord, int]:
    partition_id_1, topic_id_1, n = _u_i16sB(data, p)
    p += 21
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("replicas", n, end - p, left)
    left[0] -= n
    replicas_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("isr", n, end - p, left)
    left[0] -= n
    isr_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("removing_replicas", n, end - p, left)
    left[0] -= n
    removing_replicas_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("adding_replicas", n, end - p, left)
    left[0] -= n
    adding_replicas_1, p = read_numbers("i", 4, data, p, n)
    leader_1, leader_epoch_1, partition_epoch_1, n = _u_iiiB(data, p)
    p += 13
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 16 > end - p or n > left[0]:
        raise wrong_count("directories", n, end - p, left)
    left[0] -= n
    directories_1, p = read_uuids(data, p, n)
    n = data[p]
    p += 1
    leader_recovery_state_1: Any = 0
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (leader_recovery_state_1_tagged,) = _u_b(data, p)
                p += 1
                leader_recovery_state_1 = leader_recovery_state_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return PartitionRecord(partition_id_1, topic_id_1, replicas_1, isr_1, removing_replicas_1, adding_replicas_1, leader_1, leader_epoch_1, partition_epoch_1, directories_1, leader_recovery_state_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[PartitionRecord, int]:
    partition_id_1, topic_id_1, n = _u_i16sB(data, p)
    p += 21
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("replicas", n, end - p, left)
    left[0] -= n
    replicas_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("isr", n, end - p, left)
    left[0] -= n
    isr_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("removing_replicas", n, end - p, left)
    left[0] -= n
    removing_replicas_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("adding_replicas", n, end - p, left)
    left[0] -= n
    adding_replicas_1, p = read_numbers("i", 4, data, p, n)
    leader_1, leader_epoch_1, partition_epoch_1, n = _u_iiiB(data, p)
    p += 13
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 16 > end - p or n > left[0]:
        raise wrong_count("directories", n, end - p, left)
    left[0] -= n
    directories_1, p = read_uuids(data, p, n)
    n = data[p]
    p += 1
    leader_recovery_state_1: Any = 0
    eligible_leader_replicas_1: Any = None
    last_known_elr_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (leader_recovery_state_1_tagged,) = _u_b(data, p)
                p += 1
                leader_recovery_state_1 = leader_recovery_state_1_tagged
            elif tag_1 == 1:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                eligible_leader_replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("eligible_leader_replicas", n, stop_1 - p, left)
                    left[0] -= n
                    eligible_leader_replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                eligible_leader_replicas_1 = eligible_leader_replicas_1_tagged
            elif tag_1 == 2:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                last_known_elr_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("last_known_elr", n, stop_1 - p, left)
                    left[0] -= n
                    last_known_elr_1_tagged, p = read_numbers("i", 4, data, p, n)
                last_known_elr_1 = last_known_elr_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return PartitionRecord(partition_id_1, topic_id_1, replicas_1, isr_1, removing_replicas_1, adding_replicas_1, leader_1, leader_epoch_1, partition_epoch_1, directories_1, leader_recovery_state_1, eligible_leader_replicas_1, last_known_elr_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.replicas
    out += _p_i16s(m.partition_id, m.topic_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    items_2 = m.isr
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_2:
        put_numbers(out, "i", items_2)
    items_3 = m.removing_replicas
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_3:
        put_numbers(out, "i", items_3)
    items_4 = m.adding_replicas
    n = len(items_4) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_4:
        put_numbers(out, "i", items_4)
    out += _p_iii(m.leader, m.leader_epoch, m.partition_epoch)
    if m.leader_recovery_state != 0:
        out += _p_BBBb(1, 0, 1, m.leader_recovery_state)
    else:
        out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.replicas
    out += _p_i16s(m.partition_id, m.topic_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    items_2 = m.isr
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_2:
        put_numbers(out, "i", items_2)
    items_3 = m.removing_replicas
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_3:
        put_numbers(out, "i", items_3)
    items_4 = m.adding_replicas
    n = len(items_4) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_4:
        put_numbers(out, "i", items_4)
    items_5 = m.directories
    out += _p_iii(m.leader, m.leader_epoch, m.partition_epoch)
    n = len(items_5) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_5:
        put_uuids(out, items_5)
    if m.leader_recovery_state != 0:
        out += _p_BBBb(1, 0, 1, m.leader_recovery_state)
    else:
        out.append(0)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.replicas
    out += _p_i16s(m.partition_id, m.topic_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    items_2 = m.isr
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_2:
        put_numbers(out, "i", items_2)
    items_3 = m.removing_replicas
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_3:
        put_numbers(out, "i", items_3)
    items_4 = m.adding_replicas
    n = len(items_4) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_4:
        put_numbers(out, "i", items_4)
    items_5 = m.directories
    out += _p_iii(m.leader, m.leader_epoch, m.partition_epoch)
    n = len(items_5) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_5:
        put_uuids(out, items_5)
    tags_6: list[tuple[int, bytes | bytearray]] = []
    if m.leader_recovery_state != 0:
        tags_6.append((0, _p_b(m.leader_recovery_state)))
    if m.eligible_leader_replicas is not None:
        tags_6_out = bytearray()
        items_7 = m.eligible_leader_replicas
        n = 0 if items_7 is None else len(items_7) + 1
        if n < 128:
            tags_6_out.append(n)
        else:
            put_uvarint(tags_6_out, n)
        if items_7:
            put_numbers(tags_6_out, "i", items_7)
        tags_6.append((1, tags_6_out))
    if m.last_known_elr is not None:
        tags_6_out = bytearray()
        items_8 = m.last_known_elr
        n = 0 if items_8 is None else len(items_8) + 1
        if n < 128:
            tags_6_out.append(n)
        else:
            put_uvarint(tags_6_out, n)
        if items_8:
            put_numbers(tags_6_out, "i", items_8)
        tags_6.append((2, tags_6_out))
    if tags_6:
        put_tags(out, tags_6)
    else:
        out.append(0)


PartitionRecord._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
PartitionRecord._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
