"""OffsetCommit response (key 8), versions 2-10, flexible from 8.

Generated from schemas/offset_commit.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_ih = _Struct(">ih").pack
_p_ii = _Struct(">ii").pack
_p_ihx = _Struct(">ihx").pack
_p_16s = _Struct(">16s").pack
_new = object.__new__
_ONCE = (0,)


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class Topics(Struct):
    __slots__ = ("topic_id", "name", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class OffsetCommitResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")
    API_KEY = 8
    MIN_VERSION = 2
    MAX_VERSION = 10
    FLEXIBLE_FROM = 8

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is FRESH else topics


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3 = _u_ih(data, p)
            p += 6
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    o_1 = _new(OffsetCommitResponse)
    o_1.throttle_time_ms = 0
    o_1.topics = topics_1
    return o_1, p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3 = _u_ih(data, p)
            p += 6
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    o_1 = _new(OffsetCommitResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.topics = topics_1
    return o_1, p


def _read_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
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
        if n < 0 or n * 7 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3, n = _u_ihB(data, p)
            p += 7
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    o_1 = _new(OffsetCommitResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.topics = topics_1
    return o_1, p


def _read_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 7 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3, n = _u_ihB(data, p)
            p += 7
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Topics)
        o_2.topic_id = topic_id_2
        o_2.name = ''
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    o_1 = _new(OffsetCommitResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.topics = topics_1
    return o_1, p


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_ih(e_2.partition_index, e_2.error_code)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_ih(e_2.partition_index, e_2.error_code)


def _write_8(m: Any, out: bytearray) -> None:
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
            out += _p_ihx(e_2.partition_index, e_2.error_code)
        out.append(0)
    out.append(0)


def _write_10(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.throttle_time_ms)
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
        for e_2 in items_2:
            out += _p_ihx(e_2.partition_index, e_2.error_code)
        out.append(0)
    out.append(0)


OffsetCommitResponse._READERS = {2: _read_2, 3: _read_3, 4: _read_3, 5: _read_3, 6: _read_3, 7: _read_3, 8: _read_8, 9: _read_8, 10: _read_10}
OffsetCommitResponse._WRITERS = {2: _write_2, 3: _write_3, 4: _write_3, 5: _write_3, 6: _write_3, 7: _write_3, 8: _write_8, 9: _write_8, 10: _write_10}
