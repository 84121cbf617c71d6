"""ShareGroupStatePartitionMetadataValue record (key 15), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_16sB = _Struct(">16sB").unpack_from
_p_16s = _Struct(">16s").pack


class InitializingTopics(Struct):
    __slots__ = ("topic_id", "topic_name", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        topic_name: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions = [] if partitions is FRESH else partitions


class InitializedTopics(Struct):
    __slots__ = ("topic_id", "topic_name", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        topic_name: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions = [] if partitions is FRESH else partitions


class DeletingTopics(Struct):
    __slots__ = ("topic_id", "topic_name")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        topic_name: str = '',
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name


class ShareGroupStatePartitionMetadataValue(Message):
    __slots__ = ("initializing_topics", "initialized_topics", "deleting_topics")
    RECORD_TYPE = 15
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        initializing_topics: list[InitializingTopics] = FRESH,
        initialized_topics: list[InitializedTopics] = FRESH,
        deleting_topics: list[DeletingTopics] = FRESH,
    ) -> None:
        self.initializing_topics = [] if initializing_topics is FRESH else initializing_topics
        self.initialized_topics = [] if initialized_topics is FRESH else initialized_topics
        self.deleting_topics = [] if deleting_topics is FRESH else deleting_topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareGroupStatePartitionMetadataValue, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 19 > end - p or n > left[0]:
        raise wrong_count("initializing_topics", n, end - p, left)
    left[0] -= n
    initializing_topics_1: list[InitializingTopics] = []
    for _ in range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
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
        initializing_topics_1.append(InitializingTopics(topic_id_2, topic_name_2, partitions_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 19 > end - p or n > left[0]:
        raise wrong_count("initialized_topics", n, end - p, left)
    left[0] -= n
    initialized_topics_1: list[InitializedTopics] = []
    for _ in range(n):
        topic_id_3, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_3 = data[p:q].tobytes().decode()
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
        initialized_topics_1.append(InitializedTopics(topic_id_3, topic_name_3, partitions_3))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("deleting_topics", n, end - p, left)
    left[0] -= n
    deleting_topics_1: list[DeletingTopics] = []
    for _ in range(n):
        topic_id_4, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_4 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        deleting_topics_1.append(DeletingTopics(topic_id_4, topic_name_4))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareGroupStatePartitionMetadataValue(initializing_topics_1, initialized_topics_1, deleting_topics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.initializing_topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_16s(e_1.topic_id)
        b = e_1.topic_name.encode()
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
    items_3 = m.initialized_topics
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_3 in items_3:
        out += _p_16s(e_3.topic_id)
        b = e_3.topic_name.encode()
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
    items_5 = m.deleting_topics
    n = len(items_5) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_5 in items_5:
        out += _p_16s(e_5.topic_id)
        b = e_5.topic_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


ShareGroupStatePartitionMetadataValue._READERS = {0: _read_0}
ShareGroupStatePartitionMetadataValue._WRITERS = {0: _write_0}
