"""PartitionChangeRecord record (key 5), versions 0-2, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NO_UUID, Message
from ottla.protocol.wire import longer, put_numbers, put_tags, put_uuids, put_uvarint, read_numbers, read_tags, read_uuids, wrong_count, wrong_tag_size

_u_i16sB = _Struct(">i16sB").unpack_from
_u_i = _Struct(">i").unpack_from
_u_b = _Struct(">b").unpack_from
_p_i16s = _Struct(">i16s").pack
_p_i = _Struct(">i").pack
_p_b = _Struct(">b").pack


class PartitionChangeRecord(Message):
    __slots__ = ("partition_id", "topic_id", "isr", "leader", "replicas", "removing_replicas", "adding_replicas", "leader_recovery_state", "eligible_leader_replicas", "last_known_elr", "directories")
    RECORD_TYPE = 5
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        partition_id: int = -1,
        topic_id: bytes = NO_UUID,
        isr: list[int] | None = None,
        leader: int = -2,
        replicas: list[int] | None = None,
        removing_replicas: list[int] | None = None,
        adding_replicas: list[int] | None = None,
        leader_recovery_state: int = -1,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
        directories: list[bytes] | None = None,
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.isr = isr
        self.leader = leader
        self.replicas = replicas
        self.removing_replicas = removing_replicas
        self.adding_replicas = adding_replicas
        self.leader_recovery_state = leader_recovery_state
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr
        self.directories = directories


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[PartitionChangeRecord, int]:
    partition_id_1, topic_id_1, n = _u_i16sB(data, p)
    p += 21
    isr_1: Any = None
    leader_1: Any = -2
    replicas_1: Any = None
    removing_replicas_1: Any = None
    adding_replicas_1: Any = None
    leader_recovery_state_1: Any = -1
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                isr_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("isr", n, stop_1 - p, left)
                    left[0] -= n
                    isr_1_tagged, p = read_numbers("i", 4, data, p, n)
                isr_1 = isr_1_tagged
            elif tag_1 == 1:
                (leader_1_tagged,) = _u_i(data, p)
                p += 4
                leader_1 = leader_1_tagged
            elif tag_1 == 2:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("replicas", n, stop_1 - p, left)
                    left[0] -= n
                    replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                replicas_1 = replicas_1_tagged
            elif tag_1 == 3:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                removing_replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("removing_replicas", n, stop_1 - p, left)
                    left[0] -= n
                    removing_replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                removing_replicas_1 = removing_replicas_1_tagged
            elif tag_1 == 4:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                adding_replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("adding_replicas", n, stop_1 - p, left)
                    left[0] -= n
                    adding_replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                adding_replicas_1 = adding_replicas_1_tagged
            elif tag_1 == 5:
                (leader_recovery_state_1_tagged,) = _u_b(data, p)
                p += 1
                leader_recovery_state_1 = leader_recovery_state_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return PartitionChangeRecord(partition_id_1, topic_id_1, isr_1, leader_1, replicas_1, removing_replicas_1, adding_replicas_1, leader_recovery_state_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[PartitionChangeRecord, int]:
    partition_id_1, topic_id_1, n = _u_i16sB(data, p)
    p += 21
    isr_1: Any = None
    leader_1: Any = -2
    replicas_1: Any = None
    removing_replicas_1: Any = None
    adding_replicas_1: Any = None
    leader_recovery_state_1: Any = -1
    directories_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                isr_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("isr", n, stop_1 - p, left)
                    left[0] -= n
                    isr_1_tagged, p = read_numbers("i", 4, data, p, n)
                isr_1 = isr_1_tagged
            elif tag_1 == 1:
                (leader_1_tagged,) = _u_i(data, p)
                p += 4
                leader_1 = leader_1_tagged
            elif tag_1 == 2:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("replicas", n, stop_1 - p, left)
                    left[0] -= n
                    replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                replicas_1 = replicas_1_tagged
            elif tag_1 == 3:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                removing_replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("removing_replicas", n, stop_1 - p, left)
                    left[0] -= n
                    removing_replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                removing_replicas_1 = removing_replicas_1_tagged
            elif tag_1 == 4:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                adding_replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("adding_replicas", n, stop_1 - p, left)
                    left[0] -= n
                    adding_replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                adding_replicas_1 = adding_replicas_1_tagged
            elif tag_1 == 5:
                (leader_recovery_state_1_tagged,) = _u_b(data, p)
                p += 1
                leader_recovery_state_1 = leader_recovery_state_1_tagged
            elif tag_1 == 8:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                directories_1_tagged: list[bytes] | None = None
                if n != -1:
                    if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                        raise wrong_count("directories", n, stop_1 - p, left)
                    left[0] -= n
                    directories_1_tagged, p = read_uuids(data, p, n)
                directories_1 = directories_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return PartitionChangeRecord(partition_id_1, topic_id_1, isr_1, leader_1, replicas_1, removing_replicas_1, adding_replicas_1, leader_recovery_state_1, None, None, directories_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[PartitionChangeRecord, int]:
    partition_id_1, topic_id_1, n = _u_i16sB(data, p)
    p += 21
    isr_1: Any = None
    leader_1: Any = -2
    replicas_1: Any = None
    removing_replicas_1: Any = None
    adding_replicas_1: Any = None
    leader_recovery_state_1: Any = -1
    eligible_leader_replicas_1: Any = None
    last_known_elr_1: Any = None
    directories_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                isr_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("isr", n, stop_1 - p, left)
                    left[0] -= n
                    isr_1_tagged, p = read_numbers("i", 4, data, p, n)
                isr_1 = isr_1_tagged
            elif tag_1 == 1:
                (leader_1_tagged,) = _u_i(data, p)
                p += 4
                leader_1 = leader_1_tagged
            elif tag_1 == 2:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("replicas", n, stop_1 - p, left)
                    left[0] -= n
                    replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                replicas_1 = replicas_1_tagged
            elif tag_1 == 3:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                removing_replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("removing_replicas", n, stop_1 - p, left)
                    left[0] -= n
                    removing_replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                removing_replicas_1 = removing_replicas_1_tagged
            elif tag_1 == 4:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                adding_replicas_1_tagged: list[int] | None = None
                if n != -1:
                    if n < 0 or n * 4 > stop_1 - p or n > left[0]:
                        raise wrong_count("adding_replicas", n, stop_1 - p, left)
                    left[0] -= n
                    adding_replicas_1_tagged, p = read_numbers("i", 4, data, p, n)
                adding_replicas_1 = adding_replicas_1_tagged
            elif tag_1 == 5:
                (leader_recovery_state_1_tagged,) = _u_b(data, p)
                p += 1
                leader_recovery_state_1 = leader_recovery_state_1_tagged
            elif tag_1 == 6:
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
            elif tag_1 == 7:
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
            elif tag_1 == 8:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                directories_1_tagged: list[bytes] | None = None
                if n != -1:
                    if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                        raise wrong_count("directories", n, stop_1 - p, left)
                    left[0] -= n
                    directories_1_tagged, p = read_uuids(data, p, n)
                directories_1 = directories_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return PartitionChangeRecord(partition_id_1, topic_id_1, isr_1, leader_1, replicas_1, removing_replicas_1, adding_replicas_1, leader_recovery_state_1, eligible_leader_replicas_1, last_known_elr_1, directories_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_i16s(m.partition_id, m.topic_id)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.isr is not None:
        tags_1_out = bytearray()
        items_2 = m.isr
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_2:
            put_numbers(tags_1_out, "i", items_2)
        tags_1.append((0, tags_1_out))
    if m.leader != -2:
        tags_1.append((1, _p_i(m.leader)))
    if m.replicas is not None:
        tags_1_out = bytearray()
        items_3 = m.replicas
        n = 0 if items_3 is None else len(items_3) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_3:
            put_numbers(tags_1_out, "i", items_3)
        tags_1.append((2, tags_1_out))
    if m.removing_replicas is not None:
        tags_1_out = bytearray()
        items_4 = m.removing_replicas
        n = 0 if items_4 is None else len(items_4) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_4:
            put_numbers(tags_1_out, "i", items_4)
        tags_1.append((3, tags_1_out))
    if m.adding_replicas is not None:
        tags_1_out = bytearray()
        items_5 = m.adding_replicas
        n = 0 if items_5 is None else len(items_5) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_5:
            put_numbers(tags_1_out, "i", items_5)
        tags_1.append((4, tags_1_out))
    if m.leader_recovery_state != -1:
        tags_1.append((5, _p_b(m.leader_recovery_state)))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_i16s(m.partition_id, m.topic_id)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.isr is not None:
        tags_1_out = bytearray()
        items_2 = m.isr
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_2:
            put_numbers(tags_1_out, "i", items_2)
        tags_1.append((0, tags_1_out))
    if m.leader != -2:
        tags_1.append((1, _p_i(m.leader)))
    if m.replicas is not None:
        tags_1_out = bytearray()
        items_3 = m.replicas
        n = 0 if items_3 is None else len(items_3) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_3:
            put_numbers(tags_1_out, "i", items_3)
        tags_1.append((2, tags_1_out))
    if m.removing_replicas is not None:
        tags_1_out = bytearray()
        items_4 = m.removing_replicas
        n = 0 if items_4 is None else len(items_4) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_4:
            put_numbers(tags_1_out, "i", items_4)
        tags_1.append((3, tags_1_out))
    if m.adding_replicas is not None:
        tags_1_out = bytearray()
        items_5 = m.adding_replicas
        n = 0 if items_5 is None else len(items_5) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_5:
            put_numbers(tags_1_out, "i", items_5)
        tags_1.append((4, tags_1_out))
    if m.leader_recovery_state != -1:
        tags_1.append((5, _p_b(m.leader_recovery_state)))
    if m.directories is not None:
        tags_1_out = bytearray()
        items_6 = m.directories
        n = 0 if items_6 is None else len(items_6) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_6:
            put_uuids(tags_1_out, items_6)
        tags_1.append((8, tags_1_out))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_i16s(m.partition_id, m.topic_id)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.isr is not None:
        tags_1_out = bytearray()
        items_2 = m.isr
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_2:
            put_numbers(tags_1_out, "i", items_2)
        tags_1.append((0, tags_1_out))
    if m.leader != -2:
        tags_1.append((1, _p_i(m.leader)))
    if m.replicas is not None:
        tags_1_out = bytearray()
        items_3 = m.replicas
        n = 0 if items_3 is None else len(items_3) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_3:
            put_numbers(tags_1_out, "i", items_3)
        tags_1.append((2, tags_1_out))
    if m.removing_replicas is not None:
        tags_1_out = bytearray()
        items_4 = m.removing_replicas
        n = 0 if items_4 is None else len(items_4) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_4:
            put_numbers(tags_1_out, "i", items_4)
        tags_1.append((3, tags_1_out))
    if m.adding_replicas is not None:
        tags_1_out = bytearray()
        items_5 = m.adding_replicas
        n = 0 if items_5 is None else len(items_5) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_5:
            put_numbers(tags_1_out, "i", items_5)
        tags_1.append((4, tags_1_out))
    if m.leader_recovery_state != -1:
        tags_1.append((5, _p_b(m.leader_recovery_state)))
    if m.eligible_leader_replicas is not None:
        tags_1_out = bytearray()
        items_6 = m.eligible_leader_replicas
        n = 0 if items_6 is None else len(items_6) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_6:
            put_numbers(tags_1_out, "i", items_6)
        tags_1.append((6, tags_1_out))
    if m.last_known_elr is not None:
        tags_1_out = bytearray()
        items_7 = m.last_known_elr
        n = 0 if items_7 is None else len(items_7) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_7:
            put_numbers(tags_1_out, "i", items_7)
        tags_1.append((7, tags_1_out))
    if m.directories is not None:
        tags_1_out = bytearray()
        items_8 = m.directories
        n = 0 if items_8 is None else len(items_8) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_8:
            put_uuids(tags_1_out, items_8)
        tags_1.append((8, tags_1_out))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


PartitionChangeRecord._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
PartitionChangeRecord._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
