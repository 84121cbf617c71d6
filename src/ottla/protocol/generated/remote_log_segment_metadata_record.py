"""RemoteLogSegmentMetadataRecord record (key 0), versions 0-0, flexible from 0.

Generated from schemas/records_storage.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_16siB = _Struct(">16siB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_qqiqqB = _Struct(">qqiqqB").unpack_from
_u_iqB = _Struct(">iqB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_t = _Struct(">?").unpack_from
_p_16six16sxqqiqq = _Struct(">16six16sxqqiqq").pack
_p_iqx = _Struct(">iqx").pack
_p_i = _Struct(">i").pack
_p_b = _Struct(">b").pack
_p_BBBt = _Struct(">BBB?").pack


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


class SegmentLeaderEpochs(Struct):
    __slots__ = ("leader_epoch", "offset")

    def __init__(
        self,
        leader_epoch: int = 0,
        offset: int = 0,
    ) -> None:
        self.leader_epoch = leader_epoch
        self.offset = offset


class RemoteLogSegmentMetadataRecord(Message):
    __slots__ = ("remote_log_segment_id", "start_offset", "end_offset", "broker_id", "max_timestamp_ms", "event_timestamp_ms", "segment_leader_epochs", "segment_size_in_bytes", "custom_metadata", "remote_log_segment_state", "txn_index_empty")
    RECORD_TYPE = 0
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        remote_log_segment_id: RemoteLogSegmentId = FRESH,
        start_offset: int = 0,
        end_offset: int = 0,
        broker_id: int = 0,
        max_timestamp_ms: int = 0,
        event_timestamp_ms: int = 0,
        segment_leader_epochs: list[SegmentLeaderEpochs] = FRESH,
        segment_size_in_bytes: int = 0,
        custom_metadata: bytes | None = None,
        remote_log_segment_state: int = 0,
        txn_index_empty: bool = False,
    ) -> None:
        self.remote_log_segment_id = RemoteLogSegmentId() if remote_log_segment_id is FRESH else remote_log_segment_id
        self.start_offset = start_offset
        self.end_offset = end_offset
        self.broker_id = broker_id
        self.max_timestamp_ms = max_timestamp_ms
        self.event_timestamp_ms = event_timestamp_ms
        self.segment_leader_epochs = [] if segment_leader_epochs is FRESH else segment_leader_epochs
        self.segment_size_in_bytes = segment_size_in_bytes
        self.custom_metadata = custom_metadata
        self.remote_log_segment_state = remote_log_segment_state
        self.txn_index_empty = txn_index_empty


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RemoteLogSegmentMetadataRecord, int]:
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
    start_offset_1, end_offset_1, broker_id_1, max_timestamp_ms_1, event_timestamp_ms_1, n = _u_qqiqqB(data, p)
    p += 37
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 13 > end - p or n > left[0]:
        raise wrong_count("segment_leader_epochs", n, end - p, left)
    left[0] -= n
    segment_leader_epochs_1: list[SegmentLeaderEpochs] = []
    for _ in range(n):
        leader_epoch_4, offset_4, n = _u_iqB(data, p)
        p += 13
        if n:
            p = skip_tags(data, p - 1, end)
        segment_leader_epochs_1.append(SegmentLeaderEpochs(leader_epoch_4, offset_4))
    segment_size_in_bytes_1, n = _u_iB(data, p)
    p += 5
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
    txn_index_empty_1: Any = False
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (txn_index_empty_1_tagged,) = _u_t(data, p)
                p += 1
                txn_index_empty_1 = txn_index_empty_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return RemoteLogSegmentMetadataRecord(RemoteLogSegmentId(TopicIdPartition(name_3, id_3, partition_3), id_2), start_offset_1, end_offset_1, broker_id_1, max_timestamp_ms_1, event_timestamp_ms_1, segment_leader_epochs_1, segment_size_in_bytes_1, custom_metadata_1, remote_log_segment_state_1, txn_index_empty_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.remote_log_segment_id.topic_id_partition.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.segment_leader_epochs
    out += _p_16six16sxqqiqq(m.remote_log_segment_id.topic_id_partition.id, m.remote_log_segment_id.topic_id_partition.partition, m.remote_log_segment_id.id, m.start_offset, m.end_offset, m.broker_id, m.max_timestamp_ms, m.event_timestamp_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_iqx(e_1.leader_epoch, e_1.offset)
    out += _p_i(m.segment_size_in_bytes)
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
    out += _p_b(m.remote_log_segment_state)
    if m.txn_index_empty != False:
        out += _p_BBBt(1, 0, 1, m.txn_index_empty)
    else:
        out.append(0)


RemoteLogSegmentMetadataRecord._READERS = {0: _read_0}
RemoteLogSegmentMetadataRecord._WRITERS = {0: _write_0}
