"""ListPartitionReassignments request (key 46), versions 0-0, flexible from 0.

Generated from schemas/list_partition_reassignments.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_p_i = _Struct(">i").pack


class Topics(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(
        self,
        name: str = '',
        partition_indexes: list[int] = FRESH,
    ) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is FRESH else partition_indexes


class ListPartitionReassignmentsRequest(Message):
    __slots__ = ("timeout_ms", "topics")
    API_KEY = 46
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        timeout_ms: int = 60000,
        topics: list[Topics] | None = None,
    ) -> None:
        self.timeout_ms = timeout_ms
        self.topics = topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListPartitionReassignmentsRequest, int]:
    timeout_ms_1, n = _u_iB(data, p)
    p += 5
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
                raise wrong_length("name", n, end - p)
            name_2 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partition_indexes", n, end - p, left)
            left[0] -= n
            partition_indexes_2, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topics_1.append(Topics(name_2, partition_indexes_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListPartitionReassignmentsRequest(timeout_ms_1, topics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.timeout_ms)
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partition_indexes
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_2:
            put_numbers(out, "i", items_2)
        out.append(0)
    out.append(0)


ListPartitionReassignmentsRequest._READERS = {0: _read_0}
ListPartitionReassignmentsRequest._WRITERS = {0: _write_0}
