"""The header view: fields, patches, checksum."""

import pytest

from ottla.records.batch import (
    HEADER_SIZE,
    advance_sequence,
    checksum,
    header_problem,
    is_intact,
    magic_of,
    patch_log_append_time,
    patch_offset_and_epoch,
    read_header,
)
from ottla.records.builder import Record, build_batch
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_batches, read_records

TWO_RECORDS = [Record(0, 1000, b"a", b"1"), Record(1, 1007, b"b", None, (("h", b"x"), ("n", None)))]


def test_header_shows_what_the_builder_was_told() -> None:
    batch = build_batch(
        TWO_RECORDS,
        base_offset=40,
        leader_epoch=3,
        producer_id=9,
        producer_epoch=2,
        base_sequence=17,
        is_transactional=True,
    )

    header = read_header(batch)

    assert header.size == len(batch)
    assert (header.base_offset, header.last_offset, header.next_offset) == (40, 41, 42)
    assert (header.leader_epoch, header.magic, header.codec) == (3, 2, 0)
    assert (header.producer_id, header.producer_epoch) == (9, 2)
    assert (header.base_sequence, header.last_sequence) == (17, 18)
    assert (header.base_timestamp, header.max_timestamp, header.record_count) == (1000, 1007, 2)
    assert header.is_transactional
    assert not header.is_control
    assert not header.uses_log_append_time
    assert header.delete_horizon_ms is None


def test_header_is_read_at_a_position_inside_a_larger_buffer() -> None:
    batch = build_batch(TWO_RECORDS, base_offset=5)
    frame = memoryview(b"xxx" + bytes(batch) + b"yy")

    header = read_header(frame, 3)

    assert header == read_header(batch)
    assert is_intact(frame, 3, header)
    assert magic_of(frame, 3) == 2


def test_offset_and_epoch_change_without_touching_the_checksum() -> None:
    batch = build_batch(TWO_RECORDS)

    patch_offset_and_epoch(memoryview(batch), 0, 1_000_000_000_000, 77)

    header = read_header(batch)
    assert (header.base_offset, header.leader_epoch) == (1_000_000_000_000, 77)
    assert is_intact(batch, 0, header)


def test_log_append_time_restamps_all_records_and_the_checksum() -> None:
    batch = bytearray(b"__") + build_batch(TWO_RECORDS)

    patch_log_append_time(batch, 2, len(batch) - 2, 5555)

    header = read_header(batch, 2)
    assert header.uses_log_append_time
    assert is_intact(batch, 2, header)
    assert [record.timestamp_ms for record in read_records(batch, 2, header)] == [5555, 5555]


def test_a_flipped_bit_breaks_the_checksum() -> None:
    batch = build_batch(TWO_RECORDS)
    header = read_header(batch)

    batch[-1] ^= 1

    assert checksum(batch, 0, header.size) != header.crc


@pytest.mark.parametrize("size", [0, 1, 16, 60])
def test_a_short_header_is_corrupt(size: int) -> None:
    with pytest.raises(CorruptRecord):
        read_header(bytes(size))


def test_a_missing_magic_byte_is_corrupt_and_a_high_one_negative() -> None:
    with pytest.raises(CorruptRecord):
        magic_of(bytes(16))
    assert magic_of(bytes(16) + b"\xff") == -1


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("magic", 1, "magic"),
        ("batch_length", 48, "length"),
        ("batch_length", -1, "length"),
        ("batch_length", 2**31 - 1, "bytes"),
        ("last_offset_delta", -1, "offset"),
        ("base_offset", -1, "offset"),
        ("record_count", -1, "count"),
        ("attributes", 5, "codec"),
    ],
)
def test_a_header_that_cannot_be_is_named(field: str, value: int, word: str) -> None:
    batch = build_batch(TWO_RECORDS)
    header = read_header(batch)
    assert header_problem(header, len(batch)) is None

    problem = header_problem(header._replace(**{field: value}), len(batch))

    assert problem is not None
    assert word in problem


def test_sequences_wrap_to_zero_after_the_largest() -> None:
    assert advance_sequence(2**31 - 1, 1) == 0
    batch = build_batch(TWO_RECORDS, producer_id=1, producer_epoch=0, base_sequence=2**31 - 1)
    assert read_header(batch).last_sequence == 0


def test_batches_are_walked_one_after_another() -> None:
    data = build_batch(TWO_RECORDS) + build_batch(TWO_RECORDS[:1], base_offset=2)

    found = [(position, header.base_offset) for position, header in iterate_batches(data)]

    assert found == [(0, 0), (len(build_batch(TWO_RECORDS)), 2)]


@pytest.mark.parametrize("left", [1, 20, HEADER_SIZE, HEADER_SIZE + 3])
def test_a_cut_batch_ends_a_fetch_but_not_a_produce(left: int) -> None:
    whole = build_batch(TWO_RECORDS)
    data = whole + build_batch(TWO_RECORDS, base_offset=2)[:left]

    assert [position for position, _ in iterate_batches(data, allow_partial=True)] == [0]
    with pytest.raises(CorruptRecord):
        list(iterate_batches(data))


def test_garbage_between_batches_is_an_error_even_in_a_fetch() -> None:
    with pytest.raises(CorruptRecord):
        list(iterate_batches(build_batch(TWO_RECORDS) + bytes(100), allow_partial=True))
