"""AlterPartitionReassignments request (key 45), versions 0-1, flexible from 0.

Generated from schemas/alter_partition_reassignments.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_itB = _Struct(">i?B").unpack_from
_p_i = _Struct(">i").pack
_p_it = _Struct(">i?").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "replicas")

    def __init__(
        self,
        partition_index: int = 0,
        replicas: list[int] | None = None,
    ) -> None:
        self.partition_index = partition_index
        self.replicas = replicas


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class AlterPartitionReassignmentsRequest(Message):
    __slots__ = ("timeout_ms", "allow_replication_factor_change", "topics")
    API_KEY = 45
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        timeout_ms: int = 60000,
        allow_replication_factor_change: bool = True,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.timeout_ms = timeout_ms
        self.allow_replication_factor_change = allow_replication_factor_change
        self.topics = [] if topics is FRESH else topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterPartitionReassignmentsRequest, int]:
    timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_0(data, p, end, left)
        topics_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterPartitionReassignmentsRequest(timeout_ms_1, True, topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterPartitionReassignmentsRequest, int]:
    timeout_ms_1, allow_replication_factor_change_1, n = _u_itB(data, p)
    p += 6
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_0(data, p, end, left)
        topics_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterPartitionReassignmentsRequest(timeout_ms_1, allow_replication_factor_change_1, topics_1), p


def _read_Topics_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        replicas_2: list[int] | None = None
        if n != -1:
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("replicas", n, end - p, left)
            left[0] -= n
            replicas_2, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        partitions_1.append(Partitions(partition_index_2, replicas_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(name_1, partitions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.timeout_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_0(e_1, out)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_it(m.timeout_ms, m.allow_replication_factor_change)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_0(e_1, out)
    out.append(0)


def _write_Topics_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partitions
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.replicas
        out += _p_i(e_1.partition_index)
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_2:
            put_numbers(out, "i", items_2)
        out.append(0)
    out.append(0)


AlterPartitionReassignmentsRequest._READERS = {0: _read_0, 1: _read_1}
AlterPartitionReassignmentsRequest._WRITERS = {0: _write_0, 1: _write_1}
