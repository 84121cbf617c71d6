"""DescribeLogDirs request (key 35), versions 1-5, flexible from 2.

Generated from schemas/describe_log_dirs.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack


class Topics(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class DescribeLogDirsRequest(Message):
    __slots__ = ("topics",)
    API_KEY = 35
    MIN_VERSION = 1
    MAX_VERSION = 5
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        topics: list[Topics] | None = FRESH,
    ) -> None:
        self.topics = [] if topics is FRESH else topics


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeLogDirsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("topic", n, end - p)
            topic_2 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_i(data, p)
            p += 4
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_2, p = read_numbers("i", 4, data, p, n)
            topics_1.append(Topics(topic_2, partitions_2))
    return DescribeLogDirsRequest(topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeLogDirsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("topic", n, end - p)
            topic_2 = data[p:q].tobytes().decode()
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
            topics_1.append(Topics(topic_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeLogDirsRequest(topics_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(-1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        if items_2:
            put_numbers(out, "i", items_2)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.topic.encode()
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
    out.append(0)


DescribeLogDirsRequest._READERS = {1: _read_1, 2: _read_2, 3: _read_2, 4: _read_2, 5: _read_2}
DescribeLogDirsRequest._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2, 4: _write_2, 5: _write_2}
