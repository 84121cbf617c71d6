"""Batches as Arrow columns."""

import subprocess
import sys
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from ottla.records.arrow_columns import COLUMNS, ArrowColumns, record_schema
from ottla.records.builder import Record, build_batch
from ottla.records.errors import CorruptRecord
from ottla.records.fetched_batches import FetchedBatches

RECORDS = [
    Record(0, 1000, b"k0", b"v0"),
    Record(1, 1001, None, b""),
    Record(2, 999, b"", None, (("h", b"1"), ("h", None))),
    Record(3, 1002, b"k3", b"v" * 300, (("ä", b""),)),
]


def read(
    data: bytes | bytearray, columns: list[str] | None = None, start: int = 0, **more: int
) -> list[pa.RecordBatch]:
    end = more.pop("end_offset", None)
    batches = list(ArrowColumns("orders", 3, columns, **more).read(FetchedBatches(data, start, end_offset=end)))
    for batch in batches:
        batch.validate(full=True)
    return batches


def rows(
    data: bytes | bytearray, columns: list[str] | None = None, start: int = 0, **more: int
) -> list[dict[str, object]]:
    return [row for batch in read(data, columns, start, **more) for row in batch.to_pylist()]


def test_the_schema_is_that_of_sparks_kafka_source() -> None:
    header = pa.struct([pa.field("key", pa.string()), pa.field("value", pa.binary())])
    expected = pa.schema(
        [
            pa.field("key", pa.binary()),
            pa.field("value", pa.binary()),
            pa.field("topic", pa.string()),
            pa.field("partition", pa.int32()),
            pa.field("offset", pa.int64()),
            pa.field("timestamp", pa.timestamp("us", tz="UTC")),
            pa.field("timestampType", pa.int32()),
            pa.field("headers", pa.list_(pa.field("element", header))),
        ]
    )

    (batch,) = read(build_batch(RECORDS))

    assert batch.schema.equals(expected, check_metadata=True)
    assert all(field.nullable for field in batch.schema)


@pytest.mark.parametrize("codec", range(5))
def test_all_fields_of_records_come_as_columns(codec: int) -> None:
    (batch,) = read(build_batch(RECORDS, base_offset=70, codec=codec), start=70)

    columns = batch.to_pydict()
    assert columns["key"] == [b"k0", None, b"", b"k3"]
    assert columns["value"] == [b"v0", b"", None, b"v" * 300]
    assert columns["topic"] == ["orders"] * 4
    assert columns["partition"] == [3] * 4
    assert columns["offset"] == [70, 71, 72, 73]
    assert [time.timestamp() for time in columns["timestamp"]] == [1.0, 1.001, 0.999, 1.002]
    assert columns["timestampType"] == [0] * 4
    assert columns["headers"] == [
        None,
        None,
        [{"key": "h", "value": b"1"}, {"key": "h", "value": None}],
        [{"key": "ä", "value": b""}],
    ]


def test_the_brokers_time_replaces_that_of_the_records() -> None:
    data = build_batch(RECORDS[:2], log_append_time_ms=5000) + build_batch(RECORDS[2:], base_offset=2)

    found = rows(data, ["timestamp", "timestampType"])

    assert [row["timestampType"] for row in found] == [1, 1, 0, 0]
    assert [row["timestamp"] for row in found[:2]] == [datetime.fromtimestamp(5, UTC)] * 2


def test_a_delete_horizon_leaves_the_records_their_time() -> None:
    found = rows(build_batch(RECORDS[:2], delete_horizon_ms=123_456), ["timestamp"])

    assert found[0]["timestamp"] == datetime.fromtimestamp(1, UTC)


@pytest.mark.parametrize(
    ("timestamp_ms", "expected_us"),
    [(2**62, 9_223_372_036_854_775_000), (-(2**62), -9_223_372_036_854_775_000), (-1, -1000)],
)
def test_times_beyond_microseconds_become_the_nearest(timestamp_ms: int, expected_us: int) -> None:
    (batch,) = read(build_batch([Record(0, timestamp_ms, None, None)]), ["timestamp"])
    (stamped,) = read(build_batch([Record(0, 0, None, None)], log_append_time_ms=timestamp_ms), ["timestamp"])

    assert batch.column(0).cast(pa.int64()).to_pylist() == [expected_us]
    assert stamped.column(0).cast(pa.int64()).to_pylist() == [expected_us]


@pytest.mark.parametrize("name", COLUMNS)
def test_each_column_can_be_had_alone(name: str) -> None:
    data = build_batch(RECORDS)

    (alone,) = read(data, [name])
    (whole,) = read(data)

    assert alone.schema.names == [name]
    assert alone.column(0).equals(whole.column(name))


def test_columns_come_in_the_order_asked_for() -> None:
    assert read(build_batch(RECORDS), ["offset", "key"])[0].schema.names == ["offset", "key"]


def test_an_unknown_column_is_refused() -> None:
    with pytest.raises(ValueError, match="columns color are unknown; there are key, value"):
        record_schema(["key", "color"])


def test_no_columns_at_all_leave_the_number_of_rows() -> None:
    (batch,) = read(build_batch(RECORDS), [])

    assert (batch.num_columns, batch.num_rows) == (0, 4)


def test_only_the_wanted_offsets_are_read() -> None:
    data = b"".join(build_batch(RECORDS, base_offset=base) for base in (0, 4, 8))

    assert [row["offset"] for row in rows(data, ["offset"], start=2, end_offset=9)] == [2, 3, 4, 5, 6, 7, 8]


def test_gaps_of_compaction_stay_gaps() -> None:
    kept = [Record(12, 5, b"a", b"1"), Record(19, 6, b"b", b"2"), Record(25, 6, b"c", b"3")]
    data = build_batch(kept, base_offset=10, keep_offsets=True)

    assert [row["offset"] for row in rows(data, ["offset"], start=13, end_offset=25)] == [19]


@pytest.mark.parametrize("batch_rows", [1, 2, 3, 4, 5, 8, 100])
def test_record_batches_have_up_to_so_many_rows(batch_rows: int) -> None:
    data = b"".join(build_batch(RECORDS, base_offset=base) for base in (0, 4, 8))

    batches = read(data, batch_rows=batch_rows)

    assert [batch.num_rows for batch in batches[:-1]] == [batch_rows] * (len(batches) - 1)
    assert 0 < batches[-1].num_rows <= batch_rows
    assert pa.Table.from_batches(batches).equals(pa.Table.from_batches(read(data)).combine_chunks())


def test_rows_below_one_are_refused() -> None:
    with pytest.raises(ValueError, match="batch_rows=0"):
        ArrowColumns("orders", 0, batch_rows=0)


def test_nothing_gives_nothing() -> None:
    assert read(b"") == []
    assert read(build_batch(RECORDS), start=4) == []


def test_header_keys_that_are_not_text_are_replaced() -> None:
    data = build_batch([Record(0, 0, None, None, (("\udcff", b"1"), ("a", None)))])

    assert rows(data, ["headers"]) == [{"headers": [{"key": "\ufffd", "value": b"1"}, {"key": "a", "value": None}]}]


def test_damage_is_corrupt() -> None:
    data = build_batch(RECORDS)
    data[61] = 0xFF

    with pytest.raises(CorruptRecord):
        list(ArrowColumns("orders", 0).read(FetchedBatches(data, 0, check_crcs=False)))


def test_records_out_of_range_are_corrupt() -> None:
    data = bytearray(build_batch([Record(0, 0, None, None), Record(1, 1, None, None)]))
    data[27:35] = (2**63 - 1).to_bytes(8, "big")

    with pytest.raises(CorruptRecord, match="out of range"):
        list(ArrowColumns("orders", 0).read(FetchedBatches(data, 0, check_crcs=False)))


def test_pandas_is_not_imported_for_it() -> None:
    # pyarrow imports it when it makes a value of a Python object. That takes longer than to read 300,000 rows.
    code = (
        "import sys; from tests.unit.records.test_arrow_columns import RECORDS, build_batch, read; "
        "read(build_batch(RECORDS)); print('pandas' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "False"
