"""DescribeShareGroupOffsets request (key 90), versions 0-1, flexible from 0.

Generated from schemas/describe_share_group_offsets.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length



class Topics(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is FRESH else partitions


class Groups(Struct):
    __slots__ = ("group_id", "topics")

    def __init__(
        self,
        group_id: str = '',
        topics: list[Topics] | None = FRESH,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is FRESH else topics


class DescribeShareGroupOffsetsRequest(Message):
    __slots__ = ("groups",)
    API_KEY = 90
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        groups: list[Groups] = FRESH,
    ) -> None:
        self.groups = [] if groups is FRESH else groups


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeShareGroupOffsetsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        topics_2: list[Topics] | None = None
        if n != -1:
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("topics", n, end - p, left)
            left[0] -= n
            topics_2 = []
            for _ in range(n):
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
                topics_2.append(Topics(topic_name_3, partitions_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, topics_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeShareGroupOffsetsRequest(groups_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.topics
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2 or ():
            b = e_2.topic_name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_3 = e_2.partitions
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_3:
                put_numbers(out, "i", items_3)
            out.append(0)
        out.append(0)
    out.append(0)


DescribeShareGroupOffsetsRequest._READERS = {0: _read_0, 1: _read_0}
DescribeShareGroupOffsetsRequest._WRITERS = {0: _write_0, 1: _write_0}
