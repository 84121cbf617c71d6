"""From bytes to batches and records. Every length is checked against the bytes that are left before it is used."""

from collections.abc import Iterator
from typing import TypeVar

from ottla.doors.disk import Buffer
from ottla.records.batch import HEADER_SIZE, LENGTH_OVERHEAD, BatchHeader, header_problem, read_header
from ottla.records.compression import MAX_DECOMPRESSED_BYTES, decompress
from ottla.records.errors import CorruptRecord
from ottla.records.record import Record
from ottla.records.record_blocks import iterate_blocks
from ottla.records.record_objects import block_records, block_rows

T = TypeVar("T")


def iterate_batches(data: Buffer, *, allow_partial: bool = False) -> Iterator[tuple[int, BatchHeader]]:
    """Position and header of each batch. CRCs are not checked.

    With `allow_partial` a batch that is cut off at the end stops the walk (a fetch may end so); otherwise it is
    an error, as anything else is that cannot be a batch.
    """
    position, end = 0, len(data)
    while position < end:
        left = end - position
        if left < HEADER_SIZE and allow_partial:
            return
        header = read_header(data, position)
        problem = header_problem(header, left)
        if problem is not None:
            if allow_partial and header.size > left and header_problem(header, header.size) is None:
                return
            raise CorruptRecord(f"at byte {position}: {problem}")
        yield position, header
        position += header.size


def records_view(
    data: Buffer, position: int, header: BatchHeader, *, max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES
) -> bytes | memoryview:
    """What follows the header, unpacked; where nothing is packed, a view of `data`."""
    end = position + header.size
    if header.batch_length < HEADER_SIZE - LENGTH_OVERHEAD or end > len(data):
        raise CorruptRecord(f"batch of {header.size} bytes in {len(data) - position} bytes")
    packed = memoryview(data)[position + HEADER_SIZE : end]
    if not header.codec:
        return packed
    if not packed and not header.record_count:
        return b""
    return decompress(header.codec, packed, max_decompressed_bytes)


def records_bytes(
    data: Buffer, position: int, header: BatchHeader, *, max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES
) -> bytes:
    """What follows the header, unpacked."""
    return bytes(records_view(data, position, header, max_decompressed_bytes=max_decompressed_bytes))


def iterate_records(
    data: Buffer, position: int, header: BatchHeader, *, max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES
) -> Iterator[Record]:
    """The records of the batch at `position`. Raises CorruptRecord, and nothing else, wherever they make no sense."""
    body = records_view(data, position, header, max_decompressed_bytes=max_decompressed_bytes)
    append_time_ms = header.max_timestamp if header.uses_log_append_time else None
    for block in iterate_blocks(body, header.record_count, header.last_offset_delta):
        yield from block_records(block, header.base_offset, header.base_timestamp, append_time_ms)


def read_rows(
    data: Buffer,
    position: int,
    header: BatchHeader,
    kind: type[T],
    topic: str,
    partition: int,
    *,
    max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES,
) -> list[T]:
    """The records of the batch as a consumer wants them: `block_rows` has the fields of `kind`."""
    body = records_view(data, position, header, max_decompressed_bytes=max_decompressed_bytes)
    append_time_ms = header.max_timestamp if header.uses_log_append_time else None
    rows: list[T] = []
    for block in iterate_blocks(body, header.record_count, header.last_offset_delta):
        found: list[T] = block_rows(
            block,
            kind,
            topic,
            partition,
            header.base_offset,
            header.base_timestamp,
            append_time_ms,
            header.leader_epoch,
        )
        rows = rows + found if rows else found
    return rows


def read_records(
    data: Buffer, position: int, header: BatchHeader, *, max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES
) -> list[Record]:
    return list(iterate_records(data, position, header, max_decompressed_bytes=max_decompressed_bytes))
