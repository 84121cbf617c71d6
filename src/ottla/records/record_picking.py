"""For compaction: the keys of a batch, and the batch without some of its records, as bytes."""

from collections.abc import Sequence
from typing import NamedTuple

from ottla.records.batch import HEADER, HEADER_SIZE, LENGTH_OVERHEAD, BatchHeader, patch_checksum
from ottla.records.compression import compress
from ottla.records.record_blocks import iterate_blocks
from ottla.records.record_objects import (
    block_keys,
    block_offset_deltas,
    block_timestamp_deltas,
    check_ranges,
    record_starts,
    rows_without_value,
)


class BatchKeys(NamedTuple):
    """Of each record of a batch, in order."""

    keys: list[bytes | None]
    #: Differences to the base offset of the batch.
    deltas: list[int]
    #: Which records, counted from 0, have no value.
    tombstones: list[int]


def read_keys(body: bytes, header: BatchHeader) -> BatchKeys:
    """`body` is what follows the header, unpacked. Raises CorruptRecord where the records make no sense."""
    found = BatchKeys([], [], [])
    for block in iterate_blocks(body, header.record_count, header.last_offset_delta):
        check_ranges(block, header.base_offset, header.base_timestamp)
        found.keys.extend(block_keys(block))
        found.deltas.extend(block_offset_deltas(block))
        found.tombstones.extend(rows_without_value(block))
    return found


def without_others(body: bytes, header: BatchHeader, wanted: Sequence[int]) -> bytearray:
    """The batch with only these of its records (counted from 0, in order). `read_keys` has found `body` to be sound.

    All fields of the header stay but length, count, CRC and, unless the broker has stamped the batch, the largest time.
    """
    kept, latest = _picked(body, header, wanted)
    max_timestamp = header.max_timestamp if header.uses_log_append_time else header.base_timestamp + latest
    packed = compress(header.codec, kept) if header.codec else kept
    changed = header._replace(
        batch_length=HEADER_SIZE - LENGTH_OVERHEAD + len(packed), max_timestamp=max_timestamp, record_count=len(wanted)
    )
    batch = bytearray(HEADER.pack(*changed))
    batch += packed
    patch_checksum(batch, 0, len(batch))
    return batch


def _picked(body: bytes, header: BatchHeader, wanted: Sequence[int]) -> tuple[bytearray, int]:
    """The records as they stand there, and the largest difference to the base timestamp."""
    starts: list[int] = []
    timestamps: list[int] = []
    for block in iterate_blocks(body, header.record_count, header.last_offset_delta):
        starts += record_starts(block)
        timestamps += block_timestamp_deltas(block)
    starts.append(len(body))
    out = bytearray()
    run_start = run_end = 0
    for row in wanted:
        if starts[row] != run_end:
            # Neighbours are copied at once.
            out += body[run_start:run_end]
            run_start = starts[row]
        run_end = starts[row + 1]
    out += body[run_start:run_end]
    return out, max(timestamps[row] for row in wanted)
