"""Records in, records out; and what is refused on the way."""

import pytest

from ottla.model.errors import Bug
from ottla.records.batch import HEADER_SIZE, patch_checksum, read_header
from ottla.records.builder import Record, build_batch
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_records, read_records
from ottla.records.record_blocks import BLOCK_ROWS, iterate_blocks
from ottla.records.record_objects import block_records
from tests.support.plain_records import varint

RECORDS = [
    Record(0, 1000, None, None),
    Record(1, 990, b"", b"", (("", b""), ("k", None))),
    Record(2, 2**62, b"key", b"v" * 300, (("ä", b"\x00"),)),
]


@pytest.mark.parametrize("codec", range(5))
def test_records_come_back_as_they_were_put_in(codec: int) -> None:
    batch = build_batch(RECORDS, codec=codec)

    assert read_records(batch, 0, read_header(batch)) == RECORDS


def test_records_are_numbered_from_the_base_offset() -> None:
    batch = build_batch(RECORDS, base_offset=70)

    assert [record.offset for record in read_records(batch, 0, read_header(batch))] == [70, 71, 72]


def test_gaps_stay_when_offsets_are_kept() -> None:
    kept = [Record(12, 5, b"a", b"1"), Record(19, 6, b"b", b"2")]

    batch = build_batch(kept, base_offset=10, keep_offsets=True, last_offset_delta=15)

    header = read_header(batch)
    assert (header.base_offset, header.last_offset) == (10, 25)
    assert read_records(batch, 0, header) == kept


def test_a_delete_horizon_takes_the_base_timestamp_and_leaves_the_records_theirs() -> None:
    batch = build_batch(RECORDS[:2], delete_horizon_ms=123_456)

    header = read_header(batch)
    assert header.delete_horizon_ms == 123_456
    assert [record.timestamp_ms for record in read_records(batch, 0, header)] == [1000, 990]


def test_an_empty_batch_keeps_its_offsets() -> None:
    batch = build_batch(
        [], base_offset=7, last_offset_delta=4, codec=4, producer_id=5, producer_epoch=1, base_sequence=3
    )

    header = read_header(batch)
    assert (header.record_count, header.base_timestamp, header.last_offset, header.last_sequence) == (0, -1, 11, 7)
    assert read_records(batch, 0, header) == []


def test_a_batch_cannot_be_built_shorter_than_its_records() -> None:
    with pytest.raises(Bug):
        build_batch(RECORDS, last_offset_delta=1)
    with pytest.raises(Bug):
        build_batch([])


def test_header_keys_that_are_not_text_survive() -> None:
    batch = build_batch([Record(0, 0, None, None, (("\udcff", b"1"),))])
    (record,) = read_records(batch, 0, read_header(batch))

    assert b"\xff" in batch[HEADER_SIZE:]
    assert record.headers == (("\udcff", b"1"),)


def _with_body(body: bytes, *, count: int = 1, last_offset_delta: int = 0) -> bytearray:
    batch = bytearray(build_batch(RECORDS[:1])[:HEADER_SIZE])
    batch[8:12] = (HEADER_SIZE - 12 + len(body)).to_bytes(4, "big")
    batch[23:27] = last_offset_delta.to_bytes(4, "big")
    batch[57:61] = count.to_bytes(4, "big", signed=True)
    batch += body
    patch_checksum(batch, 0, len(batch))
    return batch


def _zigzag(*numbers: int) -> bytes:
    return b"".join(map(varint, numbers))


def _record(*fields: int) -> bytes:
    body = b"\x00" + _zigzag(*fields)
    return _zigzag(len(body)) + body


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "1 records in 0 bytes"),
        (b"\x80" * 4 + b"\x00" + b"\x80" * 3, "a record of 0 bytes"),
        (bytes(7), "a record of 0 bytes"),
        (_zigzag(6) + b"\x00" + b"\x80" * 5, "too early"),
        (_zigzag(-5) + bytes(7), "a record of -5 bytes"),
        (_zigzag(2**31 - 1) + bytes(7), "a record of 2147483647 bytes"),
        (b"\xff" * 9 + b"\x01", "varint"),
        (_record(0, 0, -2, -1, 0), "a field of -2 bytes"),
        (_record(0, 0, 1000, -1, 0), "a key of 1000 bytes"),
        (_record(0, 0, -1, 1000, 0), "a value of 1000 bytes"),
        (_record(0, 0, -1, -1, -1), "-1 headers"),
        (_record(0, 0, -1, -1, 1000), "1000 headers"),
        (_record(0, 0, -1, -1, 1, -1, -1), "header without a key"),
        (_record(0, 0, -1, -1, 0, 0), "fields up to byte 7"),
        (_record(0, 1, -1, -1, 0), "offset delta 1"),
        (_record(0, -1, -1, -1, 0), "offset delta -1"),
        (_record(0, 0, -1, -1, 0) + b"\x00", "after the last record"),
    ],
)
def test_records_that_make_no_sense_are_corrupt(body: bytes, why: str) -> None:
    batch = _with_body(body)

    with pytest.raises(CorruptRecord, match=why):
        read_records(batch, 0, read_header(batch))


def test_a_count_beyond_the_bytes_costs_no_memory() -> None:
    batch = _with_body(_record(0, 0, -1, -1, 0), count=2**31 - 1, last_offset_delta=2**31 - 1)

    with pytest.raises(CorruptRecord, match="2147483647 records in 7 bytes"):
        next(iterate_records(batch, 0, read_header(batch)))


def test_a_batch_of_many_blocks_is_read_to_its_end() -> None:
    count = 2 * BLOCK_ROWS + 3
    batch = build_batch([Record(index, index, b"%d" % index, None) for index in range(count)])

    records = read_records(batch, 0, read_header(batch))

    assert [(record.offset, record.key) for record in records] == [(index, b"%d" % index) for index in range(count)]


def test_a_negative_count_is_corrupt() -> None:
    batch = _with_body(b"", count=-1)
    with pytest.raises(CorruptRecord):
        read_records(batch, 0, read_header(batch))


def test_a_batch_longer_than_its_buffer_is_corrupt() -> None:
    batch = build_batch(RECORDS)
    with pytest.raises(CorruptRecord):
        read_records(batch[:-1], 0, read_header(batch))


def test_the_same_offset_twice_is_corrupt() -> None:
    batch = _with_body(_record(0, 0, -1, -1, 0) * 2, count=2, last_offset_delta=1)
    with pytest.raises(CorruptRecord, match="offset delta 0 after 0"):
        read_records(batch, 0, read_header(batch))


LONG_NUMBERS = [0, 1, -1, 63, 64, -64, -65, 8191, 8192, 2**31 - 1, -(2**31), 2**31, 2**63 - 1, -(2**63)]


@pytest.mark.parametrize("delta", LONG_NUMBERS)
def test_timestamps_have_64_bits(delta: int) -> None:
    body = _record(delta, 0, -1, -1, 0)

    (block,) = iterate_blocks(body, 1, 0)

    assert (block.earliest, block.latest) == (delta, delta)


@pytest.mark.parametrize("delta", [2**31 - 1, 2**31, 2**63 - 1])
def test_offset_deltas_have_32_bits(delta: int) -> None:
    body = _record(0, delta, -1, -1, 0)

    if delta < 2**31:
        assert [block.last_delta for block in iterate_blocks(body, 1, 2**31 - 1)] == [delta]
    else:
        with pytest.raises(CorruptRecord, match="a varint of more than 32 bits"):
            list(iterate_blocks(body, 1, 2**31 - 1))


@pytest.mark.parametrize("number", [b"\xff" * 9 + b"\x02", b"\x80" * 10 + b"\x00", b"\xff" * 10 + b"\x01"])
def test_timestamps_of_more_than_64_bits_are_corrupt(number: bytes) -> None:
    record = b"\x00" + number + _zigzag(0, -1, -1, 0)

    with pytest.raises(CorruptRecord, match="a varint of more than 64 bits"):
        list(iterate_blocks(_zigzag(len(record)) + record, 1, 0))


@pytest.mark.parametrize(
    ("base_offset", "base_timestamp", "delta"), [(2**63 - 1, 0, 0), (0, 2**63 - 1, 1), (0, -(2**63), -1)]
)
def test_sums_of_more_than_64_bits_are_corrupt(base_offset: int, base_timestamp: int, delta: int) -> None:
    body = _record(delta, 1, -1, -1, 0)
    (block,) = iterate_blocks(body, 1, 1)

    with pytest.raises(CorruptRecord, match="out of range"):
        block_records(block, base_offset, base_timestamp, None)
