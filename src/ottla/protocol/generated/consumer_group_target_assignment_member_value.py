"""ConsumerGroupTargetAssignmentMemberValue record (key 7), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, put_numbers, put_uvarint, read_numbers, skip_tags, wrong_count

_u_16sB = _Struct(">16sB").unpack_from
_p_16s = _Struct(">16s").pack


class TopicPartitions(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class ConsumerGroupTargetAssignmentMemberValue(Message):
    __slots__ = ("topic_partitions",)
    RECORD_TYPE = 7
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        topic_partitions: list[TopicPartitions] = FRESH,
    ) -> None:
        self.topic_partitions = [] if topic_partitions is FRESH else topic_partitions


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupTargetAssignmentMemberValue, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topic_partitions", n, end - p, left)
    left[0] -= n
    topic_partitions_1: list[TopicPartitions] = []
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
        if n:
            p = skip_tags(data, p - 1, end)
        topic_partitions_1.append(TopicPartitions(topic_id_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ConsumerGroupTargetAssignmentMemberValue(topic_partitions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topic_partitions
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
        out.append(0)
    out.append(0)


ConsumerGroupTargetAssignmentMemberValue._READERS = {0: _read_0}
ConsumerGroupTargetAssignmentMemberValue._WRITERS = {0: _write_0}
