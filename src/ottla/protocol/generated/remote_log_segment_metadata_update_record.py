"""RemoteLogSegmentMetadataUpdateRecord record (key 1), versions 0-0, flexible from 0.

Generated from schemas/records_storage.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_length

_u_16siB = _Struct(">16siB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_iqB = _Struct(">iqB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_p_16six16sxiq = _Struct(">16six16sxiq").pack
_p_bx = _Struct(">bx").pack


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


class RemoteLogSegmentId(Struct):
    __slots__ = ("topic_id_partition", "id")

    def __init__(
        self,
        topic_id_partition: TopicIdPartition = FRESH,
        id: bytes = NO_UUID,
    ) -> None:
        self.topic_id_partition = TopicIdPartition() if topic_id_partition is FRESH else topic_id_partition
        self.id = id


class RemoteLogSegmentMetadataUpdateRecord(Message):
    __slots__ = ("remote_log_segment_id", "broker_id", "event_timestamp_ms", "custom_metadata", "remote_log_segment_state")
    RECORD_TYPE = 1
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        remote_log_segment_id: RemoteLogSegmentId = FRESH,
        broker_id: int = 0,
        event_timestamp_ms: int = 0,
        custom_metadata: bytes | None = None,
        remote_log_segment_state: int = 0,
    ) -> None:
        self.remote_log_segment_id = RemoteLogSegmentId() if remote_log_segment_id is FRESH else remote_log_segment_id
        self.broker_id = broker_id
        self.event_timestamp_ms = event_timestamp_ms
        self.custom_metadata = custom_metadata
        self.remote_log_segment_state = remote_log_segment_state


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RemoteLogSegmentMetadataUpdateRecord, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_3 = data[p:q].tobytes().decode()
    p = q
    id_3, partition_3, n = _u_16siB(data, p)
    p += 21
    if n:
        p = skip_tags(data, p - 1, end)
    id_2, n = _u_16sB(data, p)
    p += 17
    if n:
        p = skip_tags(data, p - 1, end)
    broker_id_1, event_timestamp_ms_1, n = _u_iqB(data, p)
    p += 13
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n == -1:
        custom_metadata_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("custom_metadata", n, end - p)
        custom_metadata_1 = data[p:q].tobytes()
        p = q
    remote_log_segment_state_1, n = _u_bB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return RemoteLogSegmentMetadataUpdateRecord(RemoteLogSegmentId(TopicIdPartition(name_3, id_3, partition_3), id_2), broker_id_1, event_timestamp_ms_1, custom_metadata_1, remote_log_segment_state_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.remote_log_segment_id.topic_id_partition.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_16six16sxiq(m.remote_log_segment_id.topic_id_partition.id, m.remote_log_segment_id.topic_id_partition.partition, m.remote_log_segment_id.id, m.broker_id, m.event_timestamp_ms)
    if m.custom_metadata is None:
        out.append(0)
    else:
        b = m.custom_metadata
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        out += b
    out += _p_bx(m.remote_log_segment_state)


RemoteLogSegmentMetadataUpdateRecord._READERS = {0: _read_0}
RemoteLogSegmentMetadataUpdateRecord._WRITERS = {0: _write_0}
