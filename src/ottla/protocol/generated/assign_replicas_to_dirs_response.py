"""AssignReplicasToDirs response (key 73), versions 0-0, flexible from 0.

Generated from schemas/assign_replicas_to_dirs.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, put_uvarint, skip_tags, wrong_count

_u_ihB = _Struct(">ihB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_ih = _Struct(">ih").pack
_p_16s = _Struct(">16s").pack
_p_ihx = _Struct(">ihx").pack


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
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class Directories(Struct):
    __slots__ = ("id", "topics")

    def __init__(
        self,
        id: bytes = NO_UUID,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.id = id
        self.topics = [] if topics is FRESH else topics


class AssignReplicasToDirsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "directories")
    API_KEY = 73
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        directories: list[Directories] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.directories = [] if directories is FRESH else directories


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AssignReplicasToDirsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("directories", n, end - p, left)
    left[0] -= n
    directories_1: list[Directories] = []
    for _ in range(n):
        id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[Topics] = []
        for _ in range(n):
            topic_id_3, n = _u_16sB(data, p)
            p += 17
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 7 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3: list[Partitions] = []
            for _ in range(n):
                partition_index_4, error_code_4, n = _u_ihB(data, p)
                p += 7
                if n:
                    p = skip_tags(data, p - 1, end)
                partitions_3.append(Partitions(partition_index_4, error_code_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topics_2.append(Topics(topic_id_3, partitions_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        directories_1.append(Directories(id_2, topics_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AssignReplicasToDirsResponse(throttle_time_ms_1, error_code_1, directories_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.directories
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.topics
        out += _p_16s(e_1.id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.partitions
            out += _p_16s(e_2.topic_id)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_ihx(e_3.partition_index, e_3.error_code)
            out.append(0)
        out.append(0)
    out.append(0)


AssignReplicasToDirsResponse._READERS = {0: _read_0}
AssignReplicasToDirsResponse._WRITERS = {0: _write_0}
