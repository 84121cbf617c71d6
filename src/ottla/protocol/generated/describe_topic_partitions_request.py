"""DescribeTopicPartitions request (key 75), versions 0-0, flexible from 0.

Generated from schemas/describe_topic_partitions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ib = _Struct(">ib").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_i = _Struct(">i").pack
_p_ix = _Struct(">ix").pack


class Topics(Struct):
    __slots__ = ("name",)

    def __init__(
        self,
        name: str = '',
    ) -> None:
        self.name = name


class Cursor(Struct):
    __slots__ = ("topic_name", "partition_index")

    def __init__(
        self,
        topic_name: str = '',
        partition_index: int = 0,
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index


class DescribeTopicPartitionsRequest(Message):
    __slots__ = ("topics", "response_partition_limit", "cursor")
    API_KEY = 75
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        topics: list[Topics] = FRESH,
        response_partition_limit: int = 2000,
        cursor: Cursor | None = None,
    ) -> None:
        self.topics = [] if topics is FRESH else topics
        self.response_partition_limit = response_partition_limit
        self.cursor = cursor


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeTopicPartitionsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 2 > end - p or n > left[0]:
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
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2))
    response_partition_limit_1, n = _u_ib(data, p)
    p += 5
    cursor_1: Cursor | None = None
    if n >= 0:
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_3 = data[p:q].tobytes().decode()
        p = q
        partition_index_3, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        cursor_1 = Cursor(topic_name_3, partition_index_3)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeTopicPartitionsRequest(topics_1, response_partition_limit_1, cursor_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out += _p_i(m.response_partition_limit)
    if m.cursor is None:
        out.append(255)
    else:
        out.append(1)
        b = m.cursor.topic_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_ix(m.cursor.partition_index)
    out.append(0)


DescribeTopicPartitionsRequest._READERS = {0: _read_0}
DescribeTopicPartitionsRequest._WRITERS = {0: _write_0}
