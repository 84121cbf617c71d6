"""DeleteRecords request (key 21), versions 0-2, flexible from 2.

Generated from schemas/delete_records.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_iq = _Struct(">iq").unpack_from
_u_iqB = _Struct(">iqB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_iq = _Struct(">iq").pack
_p_iqx = _Struct(">iqx").pack
_p_ix = _Struct(">ix").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "offset")

    def __init__(
        self,
        partition_index: int = 0,
        offset: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.offset = offset


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class DeleteRecordsRequest(Message):
    __slots__ = ("topics", "timeout_ms")
    API_KEY = 21
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        topics: list[Topics] = FRESH,
        timeout_ms: int = 0,
    ) -> None:
        self.topics = [] if topics is FRESH else topics
        self.timeout_ms = timeout_ms


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteRecordsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 12 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, offset_3 = _u_iq(data, p)
            p += 12
            partitions_2.append(Partitions(partition_index_3, offset_3))
        topics_1.append(Topics(name_2, partitions_2))
    (timeout_ms_1,) = _u_i(data, p)
    p += 4
    return DeleteRecordsRequest(topics_1, timeout_ms_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteRecordsRequest, int]:
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
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 13 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, offset_3, n = _u_iqB(data, p)
            p += 13
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, offset_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2, partitions_2))
    timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return DeleteRecordsRequest(topics_1, timeout_ms_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_iq(e_2.partition_index, e_2.offset)
    out += _p_i(m.timeout_ms)


def _write_2(m: Any, out: bytearray) -> None:
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
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iqx(e_2.partition_index, e_2.offset)
        out.append(0)
    out += _p_ix(m.timeout_ms)


DeleteRecordsRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_2}
DeleteRecordsRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2}
