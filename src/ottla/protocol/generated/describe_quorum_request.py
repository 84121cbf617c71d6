"""DescribeQuorum request (key 55), versions 0-2, flexible from 0.

Generated from schemas/describe_quorum.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_p_ix = _Struct(">ix").pack


class Partitions(Struct):
    __slots__ = ("partition_index",)

    def __init__(
        self,
        partition_index: int = 0,
    ) -> None:
        self.partition_index = partition_index


class Topics(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is FRESH else partitions


class DescribeQuorumRequest(Message):
    __slots__ = ("topics",)
    API_KEY = 55
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.topics = [] if topics is FRESH else topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeQuorumRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
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
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 5 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, n = _u_iB(data, p)
            p += 5
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_name_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeQuorumRequest(topics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
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
        for e_2 in items_2:
            out += _p_ix(e_2.partition_index)
        out.append(0)
    out.append(0)


DescribeQuorumRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_0}
DescribeQuorumRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0}
