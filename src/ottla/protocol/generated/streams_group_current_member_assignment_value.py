"""StreamsGroupCurrentMemberAssignmentValue record (key 22), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_tags, put_uvarint, read_numbers, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_iibB = _Struct(">iibB").unpack_from
_p_iib = _Struct(">iib").pack


class ActiveTasks(Struct):
    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
        assignment_epochs: list[int] | None = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions
        self.assignment_epochs = [] if assignment_epochs is FRESH else assignment_epochs


class StandbyTasks(Struct):
    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
        assignment_epochs: list[int] | None = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions
        self.assignment_epochs = [] if assignment_epochs is FRESH else assignment_epochs


class WarmupTasks(Struct):
    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
        assignment_epochs: list[int] | None = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions
        self.assignment_epochs = [] if assignment_epochs is FRESH else assignment_epochs


class ActiveTasksPendingRevocation(Struct):
    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
        assignment_epochs: list[int] | None = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions
        self.assignment_epochs = [] if assignment_epochs is FRESH else assignment_epochs


class StandbyTasksPendingRevocation(Struct):
    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
        assignment_epochs: list[int] | None = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions
        self.assignment_epochs = [] if assignment_epochs is FRESH else assignment_epochs


class WarmupTasksPendingRevocation(Struct):
    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
        assignment_epochs: list[int] | None = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions
        self.assignment_epochs = [] if assignment_epochs is FRESH else assignment_epochs


class StreamsGroupCurrentMemberAssignmentValue(Message):
    __slots__ = ("member_epoch", "previous_member_epoch", "state", "active_tasks", "standby_tasks", "warmup_tasks", "active_tasks_pending_revocation", "standby_tasks_pending_revocation", "warmup_tasks_pending_revocation")
    RECORD_TYPE = 22
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        active_tasks: list[ActiveTasks] = FRESH,
        standby_tasks: list[StandbyTasks] = FRESH,
        warmup_tasks: list[WarmupTasks] = FRESH,
        active_tasks_pending_revocation: list[ActiveTasksPendingRevocation] = FRESH,
        standby_tasks_pending_revocation: list[StandbyTasksPendingRevocation] = FRESH,
        warmup_tasks_pending_revocation: list[WarmupTasksPendingRevocation] = FRESH,
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.active_tasks = [] if active_tasks is FRESH else active_tasks
        self.standby_tasks = [] if standby_tasks is FRESH else standby_tasks
        self.warmup_tasks = [] if warmup_tasks is FRESH else warmup_tasks
        self.active_tasks_pending_revocation = [] if active_tasks_pending_revocation is FRESH else active_tasks_pending_revocation
        self.standby_tasks_pending_revocation = [] if standby_tasks_pending_revocation is FRESH else standby_tasks_pending_revocation
        self.warmup_tasks_pending_revocation = [] if warmup_tasks_pending_revocation is FRESH else warmup_tasks_pending_revocation


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StreamsGroupCurrentMemberAssignmentValue, int]:
    member_epoch_1, previous_member_epoch_1, state_1, n = _u_iibB(data, p)
    p += 10
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("active_tasks", n, end - p, left)
    left[0] -= n
    active_tasks_1: list[ActiveTasks] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subtopology_id", n, end - p)
        subtopology_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
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
        active_tasks_1.append(ActiveTasks(subtopology_id_2, partitions_2, assignment_epochs_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("standby_tasks", n, end - p, left)
    left[0] -= n
    standby_tasks_1: list[StandbyTasks] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subtopology_id", n, end - p)
        subtopology_id_3 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
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
        standby_tasks_1.append(StandbyTasks(subtopology_id_3, partitions_3, assignment_epochs_3))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("warmup_tasks", n, end - p, left)
    left[0] -= n
    warmup_tasks_1: list[WarmupTasks] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subtopology_id", n, end - p)
        subtopology_id_4 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_4, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        assignment_epochs_4: Any = []
        if n:
            spans_4, after_4 = read_tags(data, p - 1, end)
            for tag_4, p, stop_4 in spans_4:
                if tag_4 == 0:
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    assignment_epochs_4_tagged: list[int] | None = None
                    if n != -1:
                        if n < 0 or n * 4 > stop_4 - p or n > left[0]:
                            raise wrong_count("assignment_epochs", n, stop_4 - p, left)
                        left[0] -= n
                        assignment_epochs_4_tagged, p = read_numbers("i", 4, data, p, n)
                    assignment_epochs_4 = assignment_epochs_4_tagged
                else:
                    continue
                if p != stop_4:
                    raise wrong_tag_size(tag_4, p, stop_4)
            p = after_4
        warmup_tasks_1.append(WarmupTasks(subtopology_id_4, partitions_4, assignment_epochs_4))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("active_tasks_pending_revocation", n, end - p, left)
    left[0] -= n
    active_tasks_pending_revocation_1: list[ActiveTasksPendingRevocation] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subtopology_id", n, end - p)
        subtopology_id_5 = data[p:q].tobytes().decode()
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
        assignment_epochs_5: Any = []
        if n:
            spans_5, after_5 = read_tags(data, p - 1, end)
            for tag_5, p, stop_5 in spans_5:
                if tag_5 == 0:
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    assignment_epochs_5_tagged: list[int] | None = None
                    if n != -1:
                        if n < 0 or n * 4 > stop_5 - p or n > left[0]:
                            raise wrong_count("assignment_epochs", n, stop_5 - p, left)
                        left[0] -= n
                        assignment_epochs_5_tagged, p = read_numbers("i", 4, data, p, n)
                    assignment_epochs_5 = assignment_epochs_5_tagged
                else:
                    continue
                if p != stop_5:
                    raise wrong_tag_size(tag_5, p, stop_5)
            p = after_5
        active_tasks_pending_revocation_1.append(ActiveTasksPendingRevocation(subtopology_id_5, partitions_5, assignment_epochs_5))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("standby_tasks_pending_revocation", n, end - p, left)
    left[0] -= n
    standby_tasks_pending_revocation_1: list[StandbyTasksPendingRevocation] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subtopology_id", n, end - p)
        subtopology_id_6 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_6, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        assignment_epochs_6: Any = []
        if n:
            spans_6, after_6 = read_tags(data, p - 1, end)
            for tag_6, p, stop_6 in spans_6:
                if tag_6 == 0:
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    assignment_epochs_6_tagged: list[int] | None = None
                    if n != -1:
                        if n < 0 or n * 4 > stop_6 - p or n > left[0]:
                            raise wrong_count("assignment_epochs", n, stop_6 - p, left)
                        left[0] -= n
                        assignment_epochs_6_tagged, p = read_numbers("i", 4, data, p, n)
                    assignment_epochs_6 = assignment_epochs_6_tagged
                else:
                    continue
                if p != stop_6:
                    raise wrong_tag_size(tag_6, p, stop_6)
            p = after_6
        standby_tasks_pending_revocation_1.append(StandbyTasksPendingRevocation(subtopology_id_6, partitions_6, assignment_epochs_6))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("warmup_tasks_pending_revocation", n, end - p, left)
    left[0] -= n
    warmup_tasks_pending_revocation_1: list[WarmupTasksPendingRevocation] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subtopology_id", n, end - p)
        subtopology_id_7 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_7, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        assignment_epochs_7: Any = []
        if n:
            spans_7, after_7 = read_tags(data, p - 1, end)
            for tag_7, p, stop_7 in spans_7:
                if tag_7 == 0:
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    assignment_epochs_7_tagged: list[int] | None = None
                    if n != -1:
                        if n < 0 or n * 4 > stop_7 - p or n > left[0]:
                            raise wrong_count("assignment_epochs", n, stop_7 - p, left)
                        left[0] -= n
                        assignment_epochs_7_tagged, p = read_numbers("i", 4, data, p, n)
                    assignment_epochs_7 = assignment_epochs_7_tagged
                else:
                    continue
                if p != stop_7:
                    raise wrong_tag_size(tag_7, p, stop_7)
            p = after_7
        warmup_tasks_pending_revocation_1.append(WarmupTasksPendingRevocation(subtopology_id_7, partitions_7, assignment_epochs_7))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return StreamsGroupCurrentMemberAssignmentValue(member_epoch_1, previous_member_epoch_1, state_1, active_tasks_1, standby_tasks_1, warmup_tasks_1, active_tasks_pending_revocation_1, standby_tasks_pending_revocation_1, warmup_tasks_pending_revocation_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.active_tasks
    out += _p_iib(m.member_epoch, m.previous_member_epoch, m.state)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.subtopology_id.encode()
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
    items_5 = m.standby_tasks
    n = len(items_5) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_5 in items_5:
        b = e_5.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_6 = e_5.partitions
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
    items_9 = m.warmup_tasks
    n = len(items_9) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_9 in items_9:
        b = e_9.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_10 = e_9.partitions
        n = len(items_10) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_10:
            put_numbers(out, "i", items_10)
        tags_11: list[tuple[int, bytes | bytearray]] = []
        if e_9.assignment_epochs is None or len(e_9.assignment_epochs):
            tags_11_out = bytearray()
            items_12 = e_9.assignment_epochs
            n = 0 if items_12 is None else len(items_12) + 1
            if n < 128:
                tags_11_out.append(n)
            else:
                put_uvarint(tags_11_out, n)
            if items_12:
                put_numbers(tags_11_out, "i", items_12)
            tags_11.append((0, tags_11_out))
        if tags_11:
            put_tags(out, tags_11)
        else:
            out.append(0)
    items_13 = m.active_tasks_pending_revocation
    n = len(items_13) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_13 in items_13:
        b = e_13.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_14 = e_13.partitions
        n = len(items_14) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_14:
            put_numbers(out, "i", items_14)
        tags_15: list[tuple[int, bytes | bytearray]] = []
        if e_13.assignment_epochs is None or len(e_13.assignment_epochs):
            tags_15_out = bytearray()
            items_16 = e_13.assignment_epochs
            n = 0 if items_16 is None else len(items_16) + 1
            if n < 128:
                tags_15_out.append(n)
            else:
                put_uvarint(tags_15_out, n)
            if items_16:
                put_numbers(tags_15_out, "i", items_16)
            tags_15.append((0, tags_15_out))
        if tags_15:
            put_tags(out, tags_15)
        else:
            out.append(0)
    items_17 = m.standby_tasks_pending_revocation
    n = len(items_17) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_17 in items_17:
        b = e_17.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_18 = e_17.partitions
        n = len(items_18) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_18:
            put_numbers(out, "i", items_18)
        tags_19: list[tuple[int, bytes | bytearray]] = []
        if e_17.assignment_epochs is None or len(e_17.assignment_epochs):
            tags_19_out = bytearray()
            items_20 = e_17.assignment_epochs
            n = 0 if items_20 is None else len(items_20) + 1
            if n < 128:
                tags_19_out.append(n)
            else:
                put_uvarint(tags_19_out, n)
            if items_20:
                put_numbers(tags_19_out, "i", items_20)
            tags_19.append((0, tags_19_out))
        if tags_19:
            put_tags(out, tags_19)
        else:
            out.append(0)
    items_21 = m.warmup_tasks_pending_revocation
    n = len(items_21) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_21 in items_21:
        b = e_21.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_22 = e_21.partitions
        n = len(items_22) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_22:
            put_numbers(out, "i", items_22)
        tags_23: list[tuple[int, bytes | bytearray]] = []
        if e_21.assignment_epochs is None or len(e_21.assignment_epochs):
            tags_23_out = bytearray()
            items_24 = e_21.assignment_epochs
            n = 0 if items_24 is None else len(items_24) + 1
            if n < 128:
                tags_23_out.append(n)
            else:
                put_uvarint(tags_23_out, n)
            if items_24:
                put_numbers(tags_23_out, "i", items_24)
            tags_23.append((0, tags_23_out))
        if tags_23:
            put_tags(out, tags_23)
        else:
            out.append(0)
    out.append(0)


StreamsGroupCurrentMemberAssignmentValue._READERS = {0: _read_0}
StreamsGroupCurrentMemberAssignmentValue._WRITERS = {0: _write_0}
