"""ListOffsets response (key 2), versions 1-11, flexible from 6.

Generated from schemas/list_offsets.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_h = _Struct(">h").unpack_from
_u_ihqqi = _Struct(">ihqqi").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_ihqqiB = _Struct(">ihqqiB").unpack_from
_u_ihqq = _Struct(">ihqq").unpack_from
_p_i = _Struct(">i").pack
_p_ii = _Struct(">ii").pack
_p_h = _Struct(">h").pack
_p_ihqqi = _Struct(">ihqqi").pack
_p_ihqqix = _Struct(">ihqqix").pack
_p_ihqq = _Struct(">ihqq").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code", "timestamp", "offset", "leader_epoch")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        timestamp: int = -1,
        offset: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.timestamp = timestamp
        self.offset = offset
        self.leader_epoch = leader_epoch


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class ListOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")
    API_KEY = 2
    MIN_VERSION = 1
    MAX_VERSION = 11
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is FRESH else topics


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListOffsetsResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    return ListOffsetsResponse(0, topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListOffsetsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    return ListOffsetsResponse(throttle_time_ms_1, topics_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListOffsetsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
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
        if n < 0 or n * 26 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, error_code_3, timestamp_3, offset_3, leader_epoch_3 = _u_ihqqi(data, p)
            p += 26
            partitions_2.append(Partitions(partition_index_3, error_code_3, timestamp_3, offset_3, leader_epoch_3))
        topics_1.append(Topics(name_2, partitions_2))
    return ListOffsetsResponse(throttle_time_ms_1, topics_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListOffsetsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
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
        if n < 0 or n * 27 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, error_code_3, timestamp_3, offset_3, leader_epoch_3, n = _u_ihqqiB(data, p)
            p += 27
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, error_code_3, timestamp_3, offset_3, leader_epoch_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListOffsetsResponse(throttle_time_ms_1, topics_1), p


def _read_Topics_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 22 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, error_code_2, timestamp_2, offset_2 = _u_ihqq(data, p)
        p += 22
        partitions_1.append(Partitions(partition_index_2, error_code_2, timestamp_2, offset_2))
    return Topics(name_1, partitions_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Topics_1(e_1, out)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        _write_Topics_1(e_1, out)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_ihqqi(e_2.partition_index, e_2.error_code, e_2.timestamp, e_2.offset, e_2.leader_epoch)


def _write_6(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.throttle_time_ms)
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
            out += _p_ihqqix(e_2.partition_index, e_2.error_code, e_2.timestamp, e_2.offset, e_2.leader_epoch)
        out.append(0)
    out.append(0)


def _write_Topics_1(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.partitions
    out += _p_i(len(items_1))
    for e_1 in items_1:
        out += _p_ihqq(e_1.partition_index, e_1.error_code, e_1.timestamp, e_1.offset)


ListOffsetsResponse._READERS = {1: _read_1, 2: _read_2, 3: _read_2, 4: _read_4, 5: _read_4, 6: _read_6, 7: _read_6, 8: _read_6, 9: _read_6, 10: _read_6, 11: _read_6}
ListOffsetsResponse._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2, 4: _write_4, 5: _write_4, 6: _write_6, 7: _write_6, 8: _write_6, 9: _write_6, 10: _write_6, 11: _write_6}
