"""The walk over records, compiled and as Python, finds what a plain reader finds, in good bytes and in damaged ones."""

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.records import record_blocks, record_objects, record_writing
from ottla.records.batch import BatchHeader, read_header
from ottla.records.builder import build_batch
from ottla.records.errors import CorruptRecord
from ottla.records.reader import records_bytes
from ottla.records.record import Record, RecordLists
from tests.support.both_forms import modules_from_source
from tests.support.plain_records import plain_body, plain_records
from tests.support.record_strategies import records, some_gaps, with_gaps

_SOURCES = modules_from_source()
_FORMS = [
    (record_blocks, record_objects),
    (_SOURCES["ottla.records.record_blocks"], _SOURCES["ottla.records.record_objects"]),
]


def outcome(blocks: ModuleType, objects: ModuleType, body: bytes, header: BatchHeader, block_rows: int) -> Any:
    """The records, or why they cannot be read."""
    stamp = header.max_timestamp if header.uses_log_append_time else None
    try:
        return [
            record
            for block in blocks.iterate_blocks(body, header.record_count, header.last_offset_delta, block_rows)
            for record in objects.block_records(block, header.base_offset, header.base_timestamp, stamp)
        ]
    except CorruptRecord as error:
        return str(error)


def check(body: bytes, header: BatchHeader, block_rows: int) -> None:
    compiled, source = [outcome(*form, body, header, block_rows) for form in _FORMS]
    expected = plain_records(body, header)

    assert compiled == source
    assert (compiled if isinstance(compiled, list) else None) == expected


@given(records, st.integers(1, 80))
def test_good_batches(given_records: list[Record], block_rows: int) -> None:
    batch = bytes(build_batch(given_records))
    header = read_header(batch)

    check(records_bytes(batch, 0, header), header, block_rows)


@settings(max_examples=300)
@given(records, st.integers(1, 80), st.data())
def test_damaged_batches(given_records: list[Record], block_rows: int, draw: st.DataObject) -> None:
    batch = build_batch(given_records)
    header = read_header(batch)
    body = bytearray(records_bytes(batch, 0, header))
    for _ in range(draw.draw(st.integers(1, 3))):
        # Mostly near the beginning, where sizes are; the rest is mostly values.
        position = draw.draw(st.one_of(st.integers(0, min(len(body) - 1, 29)), st.integers(0, len(body) - 1)))
        body[position] = draw.draw(st.integers(0, 255))
    cut = draw.draw(st.one_of(st.just(0), st.integers(0, min(20, len(body)))))

    check(bytes(body[: len(body) - cut]), header, block_rows)


@given(st.binary(max_size=120), st.integers(0, 12), st.integers(0, 40))
def test_noise(body: bytes, count: int, last_offset_delta: int) -> None:
    header = read_header(build_batch([Record(0, 0, None, None)]))

    check(body, header._replace(record_count=count, last_offset_delta=last_offset_delta), 5)


SMALL_NUMBER = st.sampled_from([0, 1, 2, 3, 4, 6, 8, 10, 0x7F, 0x80, 0x81, 0xFF])


@given(st.lists(SMALL_NUMBER, max_size=40).map(bytes), st.integers(0, 5))
def test_noise_of_numbers_that_sizes_have(body: bytes, count: int) -> None:
    header = read_header(build_batch([Record(0, 0, None, None)]))

    check(body, header._replace(record_count=count, last_offset_delta=40), 5)


def encoded(form: Any, given: list[Record], base_timestamp: int, keep_offsets: bool, room: int) -> bytearray:
    lists = RecordLists.of(given)
    deltas = [record.offset for record in given] if keep_offsets else None
    written: bytearray = form.encode_records(
        lists.timestamps, lists.keys, lists.values, lists.headers, deltas, base_timestamp, room
    )
    return written


@given(records, some_gaps, st.booleans())
def test_records_are_written_as_a_plain_writer_writes_them(
    given_records: list[Record], gaps: list[int], keep_offsets: bool
) -> None:
    placed = with_gaps(given_records, gaps if keep_offsets else [0] * 70)
    base_timestamp = placed[0].timestamp_ms
    expected = bytes(9) + plain_body(placed, 0, base_timestamp)

    for form in (record_writing, _SOURCES["ottla.records.record_writing"]):
        assert encoded(form, placed, base_timestamp, keep_offsets, 9) == expected


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1))
def test_timestamps_that_are_too_far_apart_are_refused(timestamp: int, base_timestamp: int) -> None:
    record = Record(0, timestamp, None, None)
    fits = -(2**63) <= timestamp - base_timestamp < 2**63

    for form in (record_writing, _SOURCES["ottla.records.record_writing"]):
        if fits:
            body = encoded(form, [record], base_timestamp, False, 0)
            assert body == plain_body([record], 0, base_timestamp)
        else:
            with pytest.raises(ValueError, match="too far apart"):
                encoded(form, [record], base_timestamp, False, 0)
