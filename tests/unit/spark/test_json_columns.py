"""`decode=json`, without Spark's processes."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
types = pytest.importorskip("pyspark.sql.types")

from ottla.model.errors import InvalidConfig  # noqa: E402
from ottla.spark.json_columns import JsonColumns, UndecodableValue  # noqa: E402


def schema(**fields: str) -> Any:
    kinds = {
        "string": types.StringType(),
        "double": types.DoubleType(),
        "bigint": types.LongType(),
        "timestamp": types.TimestampType(),
        "date": types.DateType(),
    }
    return types.StructType([types.StructField(name, kinds[kind]) for name, kind in fields.items()])


def decode(fields: Any, values: Sequence[bytes | None], *, fails: bool = True) -> list[dict[str, Any]]:
    count = len(values)
    batch = pa.record_batch(
        {
            "value": pa.array(values, pa.binary()),
            "topic": ["orders"] * count,
            "partition": pa.array([3] * count, pa.int32()),
            "offset": list(range(40, 40 + count)),
        }
    )
    rows: list[dict[str, Any]] = JsonColumns(fields, fails=fails)._decoded(batch).to_pylist()
    return rows


def test_fields_become_columns() -> None:
    values = [b'{"id": "a", "amount": 1.5, "more": [1]}', b'{"amount":\n2}', None]

    assert decode(schema(id="string", amount="double"), values) == [
        {"id": "a", "amount": 1.5},
        {"id": None, "amount": 2.0},
        {"id": None, "amount": None},
    ]


def test_times_are_read_with_and_without_a_zone() -> None:
    values = [
        b'{"at": "2026-11-16T10:00:00Z"}',
        b'{"at": "2026-11-16T10:00:00"}',
        b'{"at": "2026-11-16T12:00:00+02:00"}',
    ]

    rows = decode(schema(at="timestamp"), values)

    assert [row["at"] for row in rows] == [datetime(2026, 11, 16, 10, tzinfo=UTC)] * 3


def test_the_first_value_that_cannot_be_decoded_is_named() -> None:
    with pytest.raises(UndecodableValue, match=r"orders-3 offset 41 cannot be decoded: .*decodeErrors=null"):
        decode(schema(id="string"), [b'{"id": "a"}', b"{not json", b'{"id": "c"}'])


def test_others_are_decoded_beside_those_that_cannot() -> None:
    values = [b'{"id": 1}', b"{not json", b'{"id": "text"}', b'{"id": 4}', b"", b'{"id": 5} {"id": 6}', b'{"id": 7}']

    rows = decode(schema(id="bigint", _offset="bigint", _error="string"), values, fails=False)

    assert [row["id"] for row in rows] == [1, None, None, 4, None, None, 7]
    assert [bool(row["_error"]) for row in rows] == [False, True, True, False, True, True, False]
    assert [row["_offset"] for row in rows] == list(range(40, 47))


def test_a_column_of_the_record_has_its_type() -> None:
    with pytest.raises(InvalidConfig, match="column _offset must have the type of the record's offset"):
        JsonColumns(schema(_offset="string"), fails=True)
