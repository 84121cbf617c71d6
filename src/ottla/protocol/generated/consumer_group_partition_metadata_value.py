"""ConsumerGroupPartitionMetadataValue record (key 4), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_16sB = _Struct(">16sB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_16s = _Struct(">16s").pack
_p_i = _Struct(">i").pack


class PartitionMetadata(Struct):
    __slots__ = ("partition", "racks")

    def __init__(
        self,
        partition: int = 0,
        racks: list[str] = FRESH,
    ) -> None:
        self.partition = partition
        self.racks = [] if racks is FRESH else racks


class Topics(Struct):
    __slots__ = ("topic_id", "topic_name", "num_partitions", "partition_metadata")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        topic_name: str = '',
        num_partitions: int = 0,
        partition_metadata: list[PartitionMetadata] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.num_partitions = num_partitions
        self.partition_metadata = [] if partition_metadata is FRESH else partition_metadata


class ConsumerGroupPartitionMetadataValue(Message):
    __slots__ = ("topics",)
    RECORD_TYPE = 4
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.topics = [] if topics is FRESH else topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 23 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        num_partitions_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("partition_metadata", n, end - p, left)
        left[0] -= n
        partition_metadata_2: list[PartitionMetadata] = []
        for _ in range(n):
            partition_3, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n > end - p or n > left[0]:
                raise wrong_count("racks", n, end - p, left)
            left[0] -= n
            racks_3: list[str] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("racks", n, end - p)
                racks_3_element = data[p:q].tobytes().decode()
                p = q
                racks_3.append(racks_3_element)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partition_metadata_2.append(PartitionMetadata(partition_3, racks_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_id_2, topic_name_2, num_partitions_2, partition_metadata_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ConsumerGroupPartitionMetadataValue(topics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_16s(e_1.topic_id)
        b = e_1.topic_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partition_metadata
        out += _p_i(e_1.num_partitions)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.racks
            out += _p_i(e_2.partition)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                b = e_3.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out.append(0)
        out.append(0)
    out.append(0)


ConsumerGroupPartitionMetadataValue._READERS = {0: _read_0}
ConsumerGroupPartitionMetadataValue._WRITERS = {0: _write_0}
