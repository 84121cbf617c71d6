"""Python objects from a block of records: whole records, or what compaction and checks need of them.

Compiled where that is possible; `record_objects.pxd` has the types.
"""

from typing import Any

from ottla.records import raw_bytes
from ottla.records.errors import CorruptRecord
from ottla.records.record import Headers, Record
from ottla.records.record_blocks import RecordBlock

_INT64_MIN = -0x8000_0000_0000_0000
_INT64_MAX = 0x7FFF_FFFF_FFFF_FFFF


def block_records(
    block: RecordBlock, base_offset: int, base_timestamp: int, append_time_ms: int | None
) -> list[Record]:
    """The records, which all have `append_time_ms` where the broker has set it."""
    check_ranges(block, base_offset, base_timestamp)
    records = []
    new_record, timestamp = tuple.__new__, append_time_ms
    for row in range(block.rows):
        if append_time_ms is None:
            timestamp = base_timestamp + block.timestamp_deltas[row]
        headers = block_headers(block, row) if block.header_counts[row] else ()
        fields = (base_offset + block.offset_deltas[row], timestamp, key_of(block, row), value_of(block, row), headers)
        records.append(new_record(Record, fields))
    return records


def block_rows(
    block: RecordBlock,
    kind: type,
    topic: str,
    partition: int,
    base_offset: int,
    base_timestamp: int,
    append_time_ms: int | None,
    leader_epoch: int,
) -> list[Any]:
    """Records with where they come from. `kind` is a NamedTuple of topic, partition, offset, timestamp, key, value,
    headers, timestamp type, leader epoch, and a last field that is None."""
    check_ranges(block, base_offset, base_timestamp)
    rows: list[Any] = []
    new_row, timestamp = tuple.__new__, append_time_ms
    timestamp_type = 0 if append_time_ms is None else 1
    for row in range(block.rows):
        if append_time_ms is None:
            timestamp = base_timestamp + block.timestamp_deltas[row]
        headers = block_headers(block, row) if block.header_counts[row] else ()
        offset, key, value = base_offset + block.offset_deltas[row], key_of(block, row), value_of(block, row)
        fields = (topic, partition, offset, timestamp, key, value, headers, timestamp_type, leader_epoch, None)
        # A row has texts, bytes and numbers only: to search thousands of them for cycles takes as long as to read them.
        found: Any = new_row(kind, fields)
        raw_bytes.untrack(found)
        rows.append(found)
    return rows


def check_ranges(block: RecordBlock, base_offset: int, base_timestamp: int) -> None:
    """Sums beyond 64 bits are damage; compiled code would wrap them around."""
    if not 0 <= base_offset <= _INT64_MAX - block.last_delta:
        raise CorruptRecord(f"offset {base_offset} + {block.last_delta} is out of range")
    if not (base_timestamp + block.earliest >= _INT64_MIN and base_timestamp + block.latest <= _INT64_MAX):
        raise CorruptRecord(f"timestamps {base_timestamp} + {block.earliest} to {block.latest} are out of range")


def key_of(block: RecordBlock, row: int) -> bytes | None:
    if block.key_sizes[row] < 0:
        return None
    return raw_bytes.cut_bytes(block.body, block.key_at[row], block.key_sizes[row])


def value_of(block: RecordBlock, row: int) -> bytes | None:
    if block.value_sizes[row] < 0:
        return None
    return raw_bytes.cut_bytes(block.body, block.value_at[row], block.value_sizes[row])


def block_headers(block: RecordBlock, row: int) -> Headers:
    headers: list[tuple[str, bytes | None]] = []
    at = block.headers_at[row]
    for _ in range(block.header_counts[row]):
        size, at = block.field_at(at, block.end)
        # Keys are text by agreement only. This keeps bytes that are none, through compaction and back.
        name = raw_bytes.cut_bytes(block.body, at, size).decode("utf-8", "surrogateescape")
        size, at = block.field_at(at + size, block.end)
        if size < 0:
            headers.append((name, None))
        else:
            headers.append((name, raw_bytes.cut_bytes(block.body, at, size)))
            at += size
    return tuple(headers)


def block_keys(block: RecordBlock) -> list[bytes | None]:
    return [key_of(block, row) for row in range(block.rows)]


def block_offset_deltas(block: RecordBlock) -> list[int]:
    return [block.offset_deltas[row] for row in range(block.rows)]


def rows_without_key(block: RecordBlock) -> list[int]:
    """Counted from the first record of the batch."""
    return [block.first_row + row for row in range(block.rows) if block.key_sizes[row] < 0]


def rows_without_value(block: RecordBlock) -> list[int]:
    return [block.first_row + row for row in range(block.rows) if block.value_sizes[row] < 0]


def record_starts(block: RecordBlock) -> list[int]:
    """At which byte each record starts."""
    return [block.record_at[row] for row in range(block.rows)]


def block_timestamp_deltas(block: RecordBlock) -> list[int]:
    return [block.timestamp_deltas[row] for row in range(block.rows)]
