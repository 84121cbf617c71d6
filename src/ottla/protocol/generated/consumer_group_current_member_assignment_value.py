"""ConsumerGroupCurrentMemberAssignmentValue record (key 8), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, put_numbers, put_tags, put_uvarint, read_numbers, read_tags, skip_tags, wrong_count, wrong_tag_size

_u_iibB = _Struct(">iibB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_iib = _Struct(">iib").pack
_p_16s = _Struct(">16s").pack


class AssignedPartitions(Struct):
    __slots__ = ("topic_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[int] = FRESH,
        assignment_epochs: list[int] | None = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions
        self.assignment_epochs = [] if assignment_epochs is FRESH else assignment_epochs


class PartitionsPendingRevocation(Struct):
    __slots__ = ("topic_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[int] = FRESH,
        assignment_epochs: list[int] | None = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions
        self.assignment_epochs = [] if assignment_epochs is FRESH else assignment_epochs


class ConsumerGroupCurrentMemberAssignmentValue(Message):
    __slots__ = ("member_epoch", "previous_member_epoch", "state", "assigned_partitions", "partitions_pending_revocation")
    RECORD_TYPE = 8
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        assigned_partitions: list[AssignedPartitions] = FRESH,
        partitions_pending_revocation: list[PartitionsPendingRevocation] = FRESH,
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.assigned_partitions = [] if assigned_partitions is FRESH else assigned_partitions
        self.partitions_pending_revocation = [] if partitions_pending_revocation is FRESH else partitions_pending_revocation


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupCurrentMemberAssignmentValue, int]:
    member_epoch_1, previous_member_epoch_1, state_1, n = _u_iibB(data, p)
    p += 10
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("assigned_partitions", n, end - p, left)
    left[0] -= n
    assigned_partitions_1: list[AssignedPartitions] = []
    for _ in range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        assignment_epochs_2: Any = []
        if n:
            spans_2, after_2 = read_tags(data, p - 1, end)
            for tag_2, p, stop_2 in spans_2:
                if tag_2 == 0:
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    assignment_epochs_2_tagged: list[int] | None = None
                    if n != -1:
                        if n < 0 or n * 4 > stop_2 - p or n > left[0]:
                            raise wrong_count("assignment_epochs", n, stop_2 - p, left)
                        left[0] -= n
                        assignment_epochs_2_tagged, p = read_numbers("i", 4, data, p, n)
                    assignment_epochs_2 = assignment_epochs_2_tagged
                else:
                    continue
                if p != stop_2:
                    raise wrong_tag_size(tag_2, p, stop_2)
            p = after_2
        assigned_partitions_1.append(AssignedPartitions(topic_id_2, partitions_2, assignment_epochs_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("partitions_pending_revocation", n, end - p, left)
    left[0] -= n
    partitions_pending_revocation_1: list[PartitionsPendingRevocation] = []
    for _ in range(n):
        topic_id_3, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_3, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        assignment_epochs_3: Any = []
        if n:
            spans_3, after_3 = read_tags(data, p - 1, end)
            for tag_3, p, stop_3 in spans_3:
                if tag_3 == 0:
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    assignment_epochs_3_tagged: list[int] | None = None
                    if n != -1:
                        if n < 0 or n * 4 > stop_3 - p or n > left[0]:
                            raise wrong_count("assignment_epochs", n, stop_3 - p, left)
                        left[0] -= n
                        assignment_epochs_3_tagged, p = read_numbers("i", 4, data, p, n)
                    assignment_epochs_3 = assignment_epochs_3_tagged
                else:
                    continue
                if p != stop_3:
                    raise wrong_tag_size(tag_3, p, stop_3)
            p = after_3
        partitions_pending_revocation_1.append(PartitionsPendingRevocation(topic_id_3, partitions_3, assignment_epochs_3))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ConsumerGroupCurrentMemberAssignmentValue(member_epoch_1, previous_member_epoch_1, state_1, assigned_partitions_1, partitions_pending_revocation_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.assigned_partitions
    out += _p_iib(m.member_epoch, m.previous_member_epoch, m.state)
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
        if items_2:
            put_numbers(out, "i", items_2)
        tags_3: list[tuple[int, bytes | bytearray]] = []
        if e_1.assignment_epochs is None or len(e_1.assignment_epochs):
            tags_3_out = bytearray()
            items_4 = e_1.assignment_epochs
            n = 0 if items_4 is None else len(items_4) + 1
            if n < 128:
                tags_3_out.append(n)
            else:
                put_uvarint(tags_3_out, n)
            if items_4:
                put_numbers(tags_3_out, "i", items_4)
            tags_3.append((0, tags_3_out))
        if tags_3:
            put_tags(out, tags_3)
        else:
            out.append(0)
    items_5 = m.partitions_pending_revocation
    n = len(items_5) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_5 in items_5:
        items_6 = e_5.partitions
        out += _p_16s(e_5.topic_id)
        n = len(items_6) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_6:
            put_numbers(out, "i", items_6)
        tags_7: list[tuple[int, bytes | bytearray]] = []
        if e_5.assignment_epochs is None or len(e_5.assignment_epochs):
            tags_7_out = bytearray()
            items_8 = e_5.assignment_epochs
            n = 0 if items_8 is None else len(items_8) + 1
            if n < 128:
                tags_7_out.append(n)
            else:
                put_uvarint(tags_7_out, n)
            if items_8:
                put_numbers(tags_7_out, "i", items_8)
            tags_7.append((0, tags_7_out))
        if tags_7:
            put_tags(out, tags_7)
        else:
            out.append(0)
    out.append(0)


ConsumerGroupCurrentMemberAssignmentValue._READERS = {0: _read_0}
ConsumerGroupCurrentMemberAssignmentValue._WRITERS = {0: _write_0}
