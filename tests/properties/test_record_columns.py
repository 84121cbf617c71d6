"""Columns from records and records from columns, compiled and as Python: both give what the plain code gives."""

import gc
from array import array
from types import ModuleType
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.client.consumer.record import ConsumerRecord
from ottla.compiled import is_compiled
from ottla.records import record_blocks, record_columns, record_writing
from ottla.records.arrow_batches import encode_rows
from ottla.records.arrow_columns import ArrowColumns, record_schema
from ottla.records.batch import HEADER_SIZE, read_header
from ottla.records.builder import build_batch
from ottla.records.errors import CorruptRecord
from ottla.records.fetched_batches import FetchedBatches
from ottla.records.reader import iterate_batches, read_rows
from ottla.records.record import Record
from tests.support.both_forms import modules_from_source
from tests.support.plain_records import plain_body, plain_records
from tests.support.record_strategies import records, some_gaps, with_gaps

_SOURCES = modules_from_source()


def as_row(record: Record) -> dict[str, Any]:
    return {
        "key": record.key,
        "value": record.value,
        "offset": record.offset,
        "timestamp": record.timestamp_ms * 1000,
        "headers": [{"key": name, "value": value} for name, value in record.headers] or None,
    }


def columns_of(rows: list[Record]) -> pa.RecordBatch:
    names = ["key", "value", "offset", "timestamp", "headers"]
    return pa.RecordBatch.from_pylist([as_row(record) for record in rows], schema=record_schema(names))


def read(data: bytes, start: int, end: int | None, batch_rows: int) -> pa.Table:
    columns = ArrowColumns("t", 0, ["key", "value", "offset", "timestamp", "headers"], batch_rows=batch_rows)
    found = list(columns.read(FetchedBatches(data, start, end_offset=end, check_crcs=False)))
    for batch in found:
        batch.validate(full=True)
    return pa.Table.from_batches(found, schema=columns.schema).combine_chunks()


@given(records, some_gaps, st.integers(0, 4), st.integers(1, 80), st.data())
def test_columns_have_what_the_records_have(
    given_records: list[Record], gaps: list[int], codec: int, batch_rows: int, draw: st.DataObject
) -> None:
    placed = with_gaps(given_records, gaps)
    data = bytes(build_batch(placed, codec=codec, keep_offsets=True))
    offsets = st.integers(0, placed[-1].offset + 1)
    start, end = draw.draw(offsets), draw.draw(st.none() | offsets)

    found = read(data, start, end, batch_rows)

    wanted = [record for record in placed if record.offset >= start and (end is None or record.offset < end)]
    assert found.equals(pa.Table.from_batches([columns_of(wanted)]).combine_chunks())


@settings(max_examples=200)
@given(records, st.data())
def test_damaged_bytes_give_columns_of_what_a_plain_reader_finds_or_are_corrupt(
    given_records: list[Record], draw: st.DataObject
) -> None:
    data = build_batch(given_records)
    for _ in range(draw.draw(st.integers(1, 3))):
        position = draw.draw(st.one_of(st.integers(61, min(len(data) - 1, 90)), st.integers(61, len(data) - 1)))
        data[position] = draw.draw(st.integers(0, 255))
    expected = plain_records(bytes(data[HEADER_SIZE:]), read_header(data))
    try:
        found = read(bytes(data), 0, None, 1000)
    except CorruptRecord:
        assert expected is None
    else:
        assert expected is not None
        assert found.num_rows == len(expected)
        assert found.column("value").to_pylist() == [record.value for record in expected]


@given(records, st.integers(200, 100_000), st.integers(0, 20))
def test_rows_are_written_as_a_plain_writer_writes_them(
    given_records: list[Record], body_bytes_max: int, skipped: int
) -> None:
    rows = columns_of(given_records).slice(skipped)
    wanted = [record._replace(offset=index) for index, record in enumerate(given_records[skipped:])]
    needed = max([len(plain_body([record], 0, record.timestamp_ms)) for record in wanted], default=0)
    max_bytes = HEADER_SIZE + max(body_bytes_max, needed + 20)

    for batch, first, count in encode_rows(rows, max_bytes=max_bytes, now_ms=0):
        inside = wanted[first : first + count]
        assert batch[HEADER_SIZE:] == plain_body(inside, first, inside[0].timestamp_ms)
        assert len(batch) <= max_bytes
        wanted_next = first + count
    assert not wanted or wanted_next == len(wanted)


# The same functions from their sources.


def filled(columns: ModuleType, blocks: ModuleType, body: bytes, count: int) -> Any:
    """All columns of the records in one, as plain values."""
    ends, data, validity = memoryview(bytearray(4 * (count + 1))).cast("i"), bytearray(len(body)), bytearray(count + 8)
    column, numbers = columns.BinaryColumn(), memoryview(bytearray(16 * count)).cast("q")
    sizes = columns.HeaderSizes()
    column.start(ends, memoryview(data), memoryview(validity))
    at = 0
    for block in blocks.iterate_blocks(body, count, count - 1, 7):
        column.add_values(block, 0, block.rows)
        columns.fill_offsets(block, 0, block.rows, 5, numbers, at)
        columns.fill_timestamps(block, 0, block.rows, -(2**62), numbers, count + at)
        sizes.add(block, 0, block.rows)
        at += block.rows
    totals = (column.rows, column.size, column.null_count, sizes.count, sizes.name_bytes, sizes.value_bytes)
    return ends.tolist(), data, validity, numbers.tolist(), totals


@given(records)
def test_both_forms_fill_columns_alike(given_records: list[Record]) -> None:
    body = bytes(build_batch(given_records))[HEADER_SIZE:]
    sources = _SOURCES["ottla.records.record_columns"], _SOURCES["ottla.records.record_blocks"]

    compiled = filled(record_columns, record_blocks, body, len(given_records))

    assert compiled == filled(*sources, body, len(given_records))


def written(form: ModuleType, given_records: list[Record], bytes_max: int) -> list[Any]:
    values = [record.value or b"" for record in given_records]
    ends = memoryview(bytearray(4 * (len(values) + 1))).cast("i")
    for index, value in enumerate(values):
        ends[index + 1] = ends[index] + len(value)
    timestamps = memoryview(bytearray(8 * len(values))).cast("q")
    for index, record in enumerate(given_records):
        timestamps[index] = record.timestamp_ms
    source, columns = form.BinarySource(), form.ColumnSet()
    source.start(ends, memoryview(b"".join(values)), 0)
    columns.start(len(values), timestamps, form.BinarySource(), source, form.HeaderSource())
    found, first = [], 0
    while first < len(values):
        data = columns.encode(first, bytes_max, 3)
        found.append((data, columns.last, columns.body_size, columns.base_timestamp, columns.max_timestamp))
        if columns.last == first:
            break
        assert 3 + columns.body_size == len(data) <= 3 + bytes_max
        first = columns.last
    return found


@given(records, st.integers(20, 50_000))
def test_both_forms_write_columns_alike(given_records: list[Record], bytes_max: int) -> None:
    compiled = written(record_writing, given_records, bytes_max)

    assert compiled == written(_SOURCES["ottla.records.record_writing"], given_records, bytes_max)
    assert record_writing.BODY_BYTES_MAX == _SOURCES["ottla.records.record_writing"].BODY_BYTES_MAX


@pytest.mark.parametrize(("last_end", "row_count"), [(6, None), (2**31 - 1, 1)])
def test_rows_that_lie_outside_their_data_are_not_read(last_end: int, row_count: int | None) -> None:
    for form in (record_writing, _SOURCES["ottla.records.record_writing"]):
        source, columns = form.BinarySource(), form.ColumnSet()
        source.start(memoryview(array("i", [0, 5, last_end])), memoryview(b"12345"), 0)
        columns.start(2, memoryview(array("q", [0, 0])), form.BinarySource(), source, form.HeaderSource())
        if row_count is None:
            with pytest.raises(IndexError):
                columns.encode(0, 100, 0)
        else:
            # It does not fit: nothing of it is taken, whatever its size.
            columns.encode(0, 100, 0)
            assert columns.last == row_count


def test_compiled_code_keeps_records_away_from_the_garbage_collector() -> None:
    if not is_compiled("ottla.records.record_objects"):
        pytest.skip("only Python sources run here")
    data = build_batch([Record(0, 0, b"k", b"v", (("h", b"1"),))])
    ((position, header),) = iterate_batches(data)

    (record,) = read_rows(data, position, header, ConsumerRecord, "orders", 0)

    assert not gc.is_tracked(record)
    assert record.headers == (("h", b"1"),)
