"""OffsetDelete request (key 47), versions 0-0, never flexible.

Generated from schemas/offset_delete.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NEVER_FLEXIBLE, Message, Struct
from ottla.protocol.wire import wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack


class Partitions(Struct):
    __slots__ = ("partition_index",)

    def __init__(
        self,
        partition_index: int = 0,
    ) -> None:
        self.partition_index = partition_index


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class OffsetDeleteRequest(Message):
    __slots__ = ("group_id", "topics")
    API_KEY = 47
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        group_id: str = '',
        topics: list[Topics] = FRESH,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is FRESH else topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetDeleteRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
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
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            (partition_index_3,) = _u_i(data, p)
            p += 4
            partitions_2.append(Partitions(partition_index_3))
        topics_1.append(Topics(name_2, partitions_2))
    return OffsetDeleteRequest(group_id_1, topics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_i(e_2.partition_index)


OffsetDeleteRequest._READERS = {0: _read_0}
OffsetDeleteRequest._WRITERS = {0: _write_0}
