"""Batches from Arrow columns."""

from typing import Any

import pyarrow as pa
import pytest

from ottla.model.murmur2 import key_partition
from ottla.records.arrow_batches import RowTooLarge, encode_rows, grouped, key_partitions
from ottla.records.batch import is_intact, patch_producer, read_header
from ottla.records.reader import iterate_batches, read_records
from ottla.records.record import Record

NOW_MS = 1_700_000_000_000
HEADERS = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))


def records(rows: pa.RecordBatch, max_bytes: int = 1_000_000, codec: int = 0) -> list[Record]:
    """What a reader finds in the batches."""
    found: list[Record] = []
    for encoded in encode_rows(rows, max_bytes=max_bytes, now_ms=NOW_MS, codec=codec):
        patch_producer(encoded.batch, 0, len(encoded.batch), -1, -1, -1, False)
        ((position, header),) = iterate_batches(encoded.batch)
        assert is_intact(encoded.batch, position, header)
        assert header.record_count == encoded.row_count == header.last_offset_delta + 1
        inside = read_records(encoded.batch, position, header)
        assert header.max_timestamp == max(record.timestamp_ms for record in inside)
        assert encoded.first_row == len(found)
        found += [record._replace(offset=record.offset + encoded.first_row) for record in inside]
    return found


@pytest.mark.parametrize("codec", range(5))
def test_all_columns_become_fields_of_records(codec: int) -> None:
    rows = pa.record_batch(
        {
            "key": pa.array([b"k0", None, b""], pa.binary()),
            "value": pa.array([b"v0", b"", None], pa.binary()),
            "headers": pa.array([None, [], [{"key": "a", "value": b"1"}, {"key": "ä", "value": None}]], HEADERS),
            "timestamp": pa.array([5_000, None, 4_000], pa.timestamp("ms", tz="UTC")),
        }
    )

    assert records(rows, codec=codec) == [
        Record(0, 5_000, b"k0", b"v0"),
        Record(1, NOW_MS, None, b""),
        Record(2, 4_000, b"", None, (("a", b"1"), ("ä", None))),
    ]


def test_missing_columns_are_null() -> None:
    rows = pa.record_batch({"value": pa.array([b"a", b"b"])})

    assert records(rows) == [Record(0, NOW_MS, None, b"a"), Record(1, NOW_MS, None, b"b")]
    assert records(pa.record_batch({"other": pa.array([1])})) == [Record(0, NOW_MS, None, None)]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.binary(2), pa.binary_view(), pa.string_view()],
)
def test_binary_and_text_of_all_kinds_are_taken(kind: pa.DataType) -> None:
    values = pa.array([b"ab", None, b"cd"], pa.binary()).cast(pa.string())
    column = pa.array([b"ab", None, b"cd"], kind) if kind == pa.binary(2) else values.cast(kind)

    assert [record.value for record in records(pa.record_batch({"value": column}))] == [b"ab", None, b"cd"]


def test_dictionaries_and_nulls_are_taken() -> None:
    rows = pa.record_batch({"key": pa.array(["x", "y", "x"]).dictionary_encode(), "value": pa.nulls(3)})

    assert [(record.key, record.value) for record in records(rows)] == [(b"x", None), (b"y", None), (b"x", None)]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ({"value": pa.array([1.5])}, "column 'value' has type double: binary or text is needed"),
        ({"key": pa.array([[b"x"]])}, "column 'key' has type list"),
        ({"timestamp": pa.array(["today"])}, "column 'timestamp' has type string"),
        ({"headers": pa.array(["h"])}, "column 'headers' has type string"),
        ({"headers": pa.array([[None]], HEADERS)}, "a list with a null in it"),
        ({"headers": pa.array([[{"key": None, "value": b"1"}]], HEADERS)}, "row 0 has a header without a key"),
    ],
)
def test_other_types_are_refused(column: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        records(pa.record_batch(column))


def test_a_column_that_is_there_twice_is_refused() -> None:
    rows = pa.RecordBatch.from_arrays([pa.array([b"a"]), pa.array([b"b"])], names=["value", "value"])

    with pytest.raises(ValueError, match="2 columns 'value'"):
        records(rows)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([1_500_000_123_456], pa.timestamp("us")), 1_500_000_123),
        (pa.array([1_500_000_123_456_789], pa.timestamp("ns", tz="Europe/Berlin")), 1_500_000_123),
        (pa.array([1_500_000], pa.timestamp("s")), 1_500_000_000),
        (pa.array([1_500_000_123], pa.int64()), 1_500_000_123),
        (pa.array([1_500_000], pa.int32()), 1_500_000),
    ],
)
def test_timestamps_of_all_units_become_milliseconds(column: pa.Array, expected: int) -> None:
    (record,) = records(pa.record_batch({"timestamp": column}))

    assert record.timestamp_ms == expected


def test_maps_are_headers_too() -> None:
    column = pa.array([[("a", b"1")], []], pa.map_(pa.string(), pa.binary()))

    assert [record.headers for record in records(pa.record_batch({"headers": column}))] == [(("a", b"1"),), ()]


def test_slices_have_their_own_rows_only() -> None:
    whole = pa.record_batch(
        {
            "key": pa.array([None if index % 3 else b"k%d" % index for index in range(20)]),
            "value": pa.array([b"v%d" % index for index in range(20)]),
            "timestamp": pa.array(range(20), pa.timestamp("ms")),
            "headers": pa.array([[{"key": f"h{index}", "value": b"x" * index}] for index in range(20)], HEADERS),
        }
    )

    assert records(whole.slice(5, 9)) == [record._replace(offset=record.offset - 5) for record in records(whole)[5:14]]


def test_rows_are_cut_into_batches_of_up_to_so_many_bytes() -> None:
    rows = pa.record_batch({"value": pa.array([b"x" * (index % 90) for index in range(500)])})

    encoded = list(encode_rows(rows, max_bytes=1000, now_ms=NOW_MS))

    sizes = [len(each.batch) for each in encoded]
    assert max(sizes) <= 1000
    assert min(sizes[:-1]) > 1000 - 100, "another row would have fitted"
    assert [record.value for record in records(rows, 1000)] == rows.column("value").to_pylist()


def test_a_row_that_fits_exactly_fits() -> None:
    rows = pa.record_batch({"value": pa.array([b"x" * 50])})
    ((batch, _, _),) = encode_rows(rows, max_bytes=1000, now_ms=NOW_MS)

    assert len(list(encode_rows(rows, max_bytes=len(batch), now_ms=NOW_MS))) == 1
    with pytest.raises(
        RowTooLarge, match=f"row 0 needs a batch of {len(batch)} bytes, the maximum is {len(batch) - 1}"
    ):
        list(encode_rows(rows, max_bytes=len(batch) - 1, now_ms=NOW_MS))


def test_a_row_that_is_too_large_is_named_after_the_batches_before_it() -> None:
    rows = pa.record_batch({"value": pa.array([b"a", b"b", b"x" * 5000, b"c"])})
    encoding = encode_rows(rows, max_bytes=1000, now_ms=NOW_MS)

    assert next(encoding).row_count == 2
    with pytest.raises(RowTooLarge) as refusal:
        next(encoding)
    assert refusal.value.row == 2


def test_no_rows_give_no_batch() -> None:
    assert records(pa.record_batch({"value": pa.array([], pa.binary())})) == []


def test_a_batch_can_be_made_that_of_a_producer() -> None:
    ((batch, _, _),) = encode_rows(pa.record_batch({"value": pa.array([b"a", b"b"])}), max_bytes=1000, now_ms=NOW_MS)

    patch_producer(batch, 0, len(batch), 7, 2, 11, is_transactional=True)

    header = read_header(batch)
    assert (header.producer_id, header.producer_epoch, header.base_sequence, header.last_sequence) == (7, 2, 11, 12)
    assert header.is_transactional
    assert is_intact(batch, 0, header)

    patch_producer(batch, 0, len(batch), 7, 3, 0, is_transactional=False)

    assert not read_header(batch).is_transactional
    assert is_intact(batch, 0, read_header(batch))


def test_rows_are_grouped_in_their_order() -> None:
    rows = pa.record_batch(
        {
            "topic": pa.array(["b", "a", "b", "a", "b"]),
            "partition": pa.array([1, 0, 0, 0, 1], pa.int32()),
            "value": pa.array([b"0", b"1", b"2", b"3", b"4"]),
        }
    )

    by_both = {key: group.column("value").to_pylist() for key, group in grouped(rows, ["topic", "partition"])}
    by_partition = {key: group.column("value").to_pylist() for key, group in grouped(rows, ["partition"])}

    assert by_both == {("b", 1): [b"0", b"4"], ("b", 0): [b"2"], ("a", 0): [b"1", b"3"]}
    assert by_partition == {(1,): [b"0", b"4"], (0,): [b"1", b"2", b"3"]}


def test_nulls_are_a_group_of_their_own() -> None:
    rows = pa.record_batch(
        {"partition": pa.array([0, None, 0, None], pa.int32()), "value": pa.array([b"0", b"1", b"2", b"3"])}
    )

    groups = {key: group.column("value").to_pylist() for key, group in grouped(rows, ["partition"])}

    assert groups == {(0,): [b"0", b"2"], (None,): [b"1", b"3"]}


def test_one_group_is_not_copied() -> None:
    rows = pa.record_batch({"partition": pa.array([4, 4], pa.int32()), "value": pa.array([b"0", b"1"])})

    ((key, group),) = grouped(rows, ["partition"])

    assert key == (4,)
    assert group.column("value").buffers()[2].address == rows.column("value").buffers()[2].address


def test_partitions_of_keys_are_those_of_the_default_partitioner() -> None:
    keys = [bytes(range(size)) for size in range(40)]

    assert key_partitions(pa.array(keys), 7).to_pylist() == [key_partition(key, 7) for key in keys]
    assert key_partitions(pa.array(keys).slice(5, 3), 7).to_pylist() == [key_partition(key, 7) for key in keys[5:8]]


def test_a_row_without_a_key_has_no_partition() -> None:
    assert key_partitions(pa.array([None, b"", None], pa.binary()), 7).to_pylist() == [
        None,
        key_partition(b"", 7),
        None,
    ]
    assert key_partitions(pa.nulls(2), 7).to_pylist() == [None, None]
