"""From records to the bytes of a batch."""

from collections.abc import Sequence

from ottla.model.errors import check
from ottla.records.batch import (
    CONTROL_BIT,
    DELETE_HORIZON_BIT,
    HEADER,
    HEADER_SIZE,
    LENGTH_OVERHEAD,
    LOG_APPEND_TIME_BIT,
    MAGIC,
    NO_LEADER_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    TRANSACTIONAL_BIT,
    BatchHeader,
    patch_checksum,
    patch_max_timestamp,
)
from ottla.records.compression import compress
from ottla.records.record import Record, append_varint

__all__ = ["Record", "append_record", "build_batch", "rebuild_batch"]


def build_batch(
    records: Sequence[Record],
    *,
    base_offset: int = 0,
    codec: int = 0,
    level: int | None = None,
    leader_epoch: int = NO_LEADER_EPOCH,
    producer_id: int = NO_PRODUCER_ID,
    producer_epoch: int = NO_PRODUCER_EPOCH,
    base_sequence: int = NO_SEQUENCE,
    is_transactional: bool = False,
    is_control: bool = False,
    keep_offsets: bool = False,
    last_offset_delta: int | None = None,
    delete_horizon_ms: int | None = None,
    log_append_time_ms: int | None = None,
) -> bytearray:
    """One batch with a valid CRC.

    Records are numbered from `base_offset` on and their own offsets do not matter, unless `keep_offsets` says that they
    do (compaction: gaps stay). `last_offset_delta` defaults to that of the last record; without records it says which
    offsets the empty batch stands for.
    """
    attributes = codec | (TRANSACTIONAL_BIT if is_transactional else 0) | (CONTROL_BIT if is_control else 0)
    base_timestamp = records[0].timestamp_ms if records else NO_TIMESTAMP
    max_timestamp = max([record.timestamp_ms for record in records], default=NO_TIMESTAMP)
    if log_append_time_ms is not None:
        attributes |= LOG_APPEND_TIME_BIT
        max_timestamp = log_append_time_ms
    if delete_horizon_ms is not None:
        attributes |= DELETE_HORIZON_BIT
        base_timestamp = delete_horizon_ms
    body = bytearray()
    delta = -1
    for index, record in enumerate(records):
        delta = record.offset - base_offset if keep_offsets else index
        append_record(body, record, record.timestamp_ms - base_timestamp, delta)
    if last_offset_delta is None:
        last_offset_delta = delta
    if last_offset_delta < delta or last_offset_delta < 0:
        check(False, f"{len(records)} records up to {delta}, batch up to {last_offset_delta}")
    packed = compress(codec, body, level) if codec and records else body
    batch = bytearray(
        HEADER.pack(
            base_offset,
            HEADER_SIZE - LENGTH_OVERHEAD + len(packed),
            leader_epoch,
            MAGIC,
            0,
            attributes,
            last_offset_delta,
            base_timestamp,
            max_timestamp,
            producer_id,
            producer_epoch,
            base_sequence,
            len(records),
        )
    )
    batch += packed
    patch_checksum(batch, 0, len(batch))
    return batch


def rebuild_batch(header: BatchHeader, records: Sequence[Record], *, delete_horizon_ms: int | None = None) -> bytearray:
    """The batch of `header` with only these of its records: same offsets, producer, codec, flags.

    Without records it is an empty batch, which still tells the offsets and the producer's last sequence.
    """
    batch = build_batch(
        records,
        base_offset=header.base_offset,
        codec=header.codec if records else 0,
        leader_epoch=header.leader_epoch,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        base_sequence=header.base_sequence,
        is_transactional=header.is_transactional,
        is_control=header.is_control,
        keep_offsets=True,
        last_offset_delta=header.last_offset_delta,
        delete_horizon_ms=delete_horizon_ms,
        log_append_time_ms=header.max_timestamp if header.uses_log_append_time else None,
    )
    if not records:
        patch_max_timestamp(batch, 0, len(batch), header.max_timestamp)
    return batch


def append_record(out: bytearray, record: Record, timestamp_delta: int, offset_delta: int) -> None:
    _, _, key, value, headers = record
    if timestamp_delta == 0 and 0 <= offset_delta < 64:
        # Most records of a coordinator: each number is one byte.
        body = bytearray((0, 0, offset_delta << 1))
    else:
        body = bytearray(1)
        append_varint(body, timestamp_delta)
        append_varint(body, offset_delta)
    _append_bytes(body, key)
    _append_bytes(body, value)
    if headers:
        append_varint(body, len(headers))
        for name, content in headers:
            _append_bytes(body, name.encode("utf-8", "surrogateescape"))
            _append_bytes(body, content)
    else:
        body.append(0)
    append_varint(out, len(body))
    out += body


def _append_bytes(out: bytearray, value: bytes | None) -> None:
    if value is None:
        out.append(1)  # -1 in zigzag
        return
    size = len(value)
    if size < 64:
        out.append(size << 1)
    else:
        append_varint(out, size)
    out += value
