"""RemotePartitionDeleteMetadataRecord record (key 2), versions 0-0, flexible from 0.

Generated from schemas/records_storage.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_16siB = _Struct(">16siB").unpack_from
_u_iqbB = _Struct(">iqbB").unpack_from
_p_16sixiqbx = _Struct(">16sixiqbx").pack


class TopicIdPartition(Struct):
    __slots__ = ("name", "id", "partition")

    def __init__(
        self,
        name: str = '',
        id: bytes = NO_UUID,
        partition: int = 0,
    ) -> None:
        self.name = name
        self.id = id
        self.partition = partition


class RemotePartitionDeleteMetadataRecord(Message):
    __slots__ = ("topic_id_partition", "broker_id", "event_timestamp_ms", "remote_partition_delete_state")
    RECORD_TYPE = 2
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        topic_id_partition: TopicIdPartition = FRESH,
        broker_id: int = 0,
        event_timestamp_ms: int = 0,
        remote_partition_delete_state: int = 0,
    ) -> None:
        self.topic_id_partition = TopicIdPartition() if topic_id_partition is FRESH else topic_id_partition
        self.broker_id = broker_id
        self.event_timestamp_ms = event_timestamp_ms
        self.remote_partition_delete_state = remote_partition_delete_state


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RemotePartitionDeleteMetadataRecord, int]:
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
    id_2, partition_2, n = _u_16siB(data, p)
    p += 21
    if n:
        p = skip_tags(data, p - 1, end)
    broker_id_1, event_timestamp_ms_1, remote_partition_delete_state_1, n = _u_iqbB(data, p)
    p += 14
    if n:
        p = skip_tags(data, p - 1, end)
    return RemotePartitionDeleteMetadataRecord(TopicIdPartition(name_2, id_2, partition_2), broker_id_1, event_timestamp_ms_1, remote_partition_delete_state_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.topic_id_partition.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_16sixiqbx(m.topic_id_partition.id, m.topic_id_partition.partition, m.broker_id, m.event_timestamp_ms, m.remote_partition_delete_state)


RemotePartitionDeleteMetadataRecord._READERS = {0: _read_0}
RemotePartitionDeleteMetadataRecord._WRITERS = {0: _write_0}
