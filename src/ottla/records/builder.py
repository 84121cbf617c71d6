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
    patch_length,
    patch_max_timestamp,
)
from ottla.records.compression import compress
from ottla.records.record import Record, RecordLists
from ottla.records.record_writing import encode_records

__all__ = ["Record", "build_batch", "compress_batch", "rebuild_batch"]


def build_batch(
    records: Sequence[Record] | RecordLists,
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
    deltas: list[int] | None = None
    if isinstance(records, RecordLists):
        if keep_offsets:
            check(False, "lists of fields have no offsets to keep")
        lists = records
    else:
        lists = RecordLists.of(records)
        if keep_offsets:
            deltas = [record.offset - base_offset for record in records]
    timestamps, values = lists.timestamps, lists.values
    count = len(values)
    base_timestamp = timestamps[0] if count else NO_TIMESTAMP
    max_timestamp = max(timestamps, default=NO_TIMESTAMP)
    if log_append_time_ms is not None:
        attributes |= LOG_APPEND_TIME_BIT
        max_timestamp = log_append_time_ms
    if delete_horizon_ms is not None:
        attributes |= DELETE_HORIZON_BIT
        base_timestamp = delete_horizon_ms
    batch = encode_records(timestamps, lists.keys, values, lists.headers, deltas, base_timestamp, HEADER_SIZE)
    if codec and count:
        compress_batch(batch, codec, level)
    delta = deltas[-1] if deltas else count - 1
    if last_offset_delta is None:
        last_offset_delta = delta
    if last_offset_delta < delta or last_offset_delta < 0:
        check(False, f"{count} records up to {delta}, batch up to {last_offset_delta}")
    HEADER.pack_into(
        batch,
        0,
        base_offset,
        len(batch) - LENGTH_OVERHEAD,
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
        count,
    )
    patch_checksum(batch, 0, len(batch))
    return batch


def compress_batch(batch: bytearray, codec: int, level: int | None = None) -> None:
    """Compresses the records, which are not yet, and sets the length. The CRC is not set."""
    if codec:
        batch[HEADER_SIZE:] = compress(codec, memoryview(batch)[HEADER_SIZE:], level)
    patch_length(batch)


def rebuild_batch(header: BatchHeader, records: Sequence[Record], *, delete_horizon_ms: int | None = None) -> bytearray:
    """The batch of `header` with only these of its records: same offsets, producer, codec, flags.

    Without records it is an empty batch, which still holds the offsets and the producer's last sequence.
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
