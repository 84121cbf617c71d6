"""StreamsGroupTargetAssignmentMemberValue record (key 21), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length



class ActiveTasks(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions


class StandbyTasks(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions


class WarmupTasks(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions


class StreamsGroupTargetAssignmentMemberValue(Message):
    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")
    RECORD_TYPE = 21
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        active_tasks: list[ActiveTasks] = FRESH,
        standby_tasks: list[StandbyTasks] = FRESH,
        warmup_tasks: list[WarmupTasks] = FRESH,
    ) -> None:
        self.active_tasks = [] if active_tasks is FRESH else active_tasks
        self.standby_tasks = [] if standby_tasks is FRESH else standby_tasks
        self.warmup_tasks = [] if warmup_tasks is FRESH else warmup_tasks


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StreamsGroupTargetAssignmentMemberValue, int]:
    n = data[p]
    p += 1
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
        if n:
            p = skip_tags(data, p - 1, end)
        active_tasks_1.append(ActiveTasks(subtopology_id_2, partitions_2))
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
        if n:
            p = skip_tags(data, p - 1, end)
        standby_tasks_1.append(StandbyTasks(subtopology_id_3, partitions_3))
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
        if n:
            p = skip_tags(data, p - 1, end)
        warmup_tasks_1.append(WarmupTasks(subtopology_id_4, partitions_4))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return StreamsGroupTargetAssignmentMemberValue(active_tasks_1, standby_tasks_1, warmup_tasks_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.active_tasks
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
        out.append(0)
    items_3 = m.standby_tasks
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_3 in items_3:
        b = e_3.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_4 = e_3.partitions
        n = len(items_4) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_4:
            put_numbers(out, "i", items_4)
        out.append(0)
    items_5 = m.warmup_tasks
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
        out.append(0)
    out.append(0)


StreamsGroupTargetAssignmentMemberValue._READERS = {0: _read_0}
StreamsGroupTargetAssignmentMemberValue._WRITERS = {0: _write_0}
