"""`decode=json`: values as typed columns, parsed by Arrow, without a Python object per record.

Columns are fields of the JSON object by name: missing ones are null, others are ignored. `_key`, `_topic`,
`_partition`, `_offset`, `_timestamp`, `_headers` are those of the record, `_error` says why a value was not decoded.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from ottla.client.arrow.range_fetch import Range
from ottla.model.errors import InvalidConfig
from ottla.records.arrow_columns import COLUMNS, record_schema
from ottla.spark.range_reading import read_ranges
from ottla.spark.read_options import ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

_log = logging.getLogger(__name__)
_OF_RECORD: Final = {f"_{name}": name for name in COLUMNS if name not in ("value", "timestampType")}
_ERROR: Final = "_error"


class UndecodableValue(ValueError):
    """A value is no JSON object, or a field does not fit the schema."""


class JsonColumns:
    """A decoder. The schema is Arrow's, because the workers need it."""

    def __init__(self, schema: "StructType", *, fails: bool) -> None:
        from pyspark.sql.pandas.types import to_arrow_schema

        self._schema: pa.Schema = to_arrow_schema(schema, timezone="UTC")
        self._fails = fails
        names = set(self._schema.names)
        if _ERROR in names and fails:
            raise InvalidConfig([f"column {_ERROR} needs decodeErrors=null: otherwise the first error ends the query"])
        self._fields = [f for f in self._schema if f.name not in _OF_RECORD and f.name != _ERROR]
        self._from_record = [_OF_RECORD[name] for name in self._schema.names if name in _OF_RECORD]
        kinds = record_schema(self._from_record)
        for name in self._from_record:
            if self._schema.field(f"_{name}").type != kinds.field(name).type:
                raise InvalidConfig([f"column _{name} must have the type of the record's {name}"])

    def read(self, options: ReadOptions, ranges: Sequence[Range]) -> "Iterator[pa.RecordBatch]":
        # The last three name a record that cannot be decoded.
        columns = list(dict.fromkeys(["value", *self._from_record, "topic", "partition", "offset"]))
        for batch in read_ranges(options, ranges, columns):
            yield self._decoded(batch)

    def _decoded(self, batch: "pa.RecordBatch") -> "pa.RecordBatch":
        import pyarrow as pa

        errors: dict[int, str] = {}
        rows = self._rows(batch.column("value"), 0, errors)
        if errors and self._fails:
            first = min(errors)
            topic, partition, offset = (batch.column(name)[first] for name in ("topic", "partition", "offset"))
            raise UndecodableValue(
                f"{topic}-{partition} offset {offset} cannot be decoded: {errors[first]}; set decodeErrors=null to get "
                "nulls (and a column _error)"
            )
        columns = []
        for field in self._schema:
            if field.name == _ERROR:
                columns.append(pa.array([errors.get(row) for row in range(batch.num_rows)], pa.string()))
            elif field.name in _OF_RECORD:
                columns.append(batch.column(_OF_RECORD[field.name]))
            else:
                columns.append(rows.column(field.name))
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)

    def _rows(self, values: "pa.Array", first: int, errors: dict[int, str]) -> "pa.RecordBatch":
        """All values, with nulls for what cannot be decoded. Halves what fails until the culprits are found."""
        import pyarrow as pa

        try:
            return self._parsed(values)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, UndecodableValue) as error:
            if len(values) == 1:
                errors[first] = str(error).splitlines()[0]
                return pa.RecordBatch.from_pylist([{}], schema=pa.schema(self._fields))
        middle = len(values) // 2
        parts = [self._rows(values[:middle], first, errors), self._rows(values[middle:], first + middle, errors)]
        return pa.Table.from_batches(parts).combine_chunks().to_batches()[0]

    def _parsed(self, values: "pa.Array") -> "pa.RecordBatch":
        """Raises ArrowInvalid, UndecodableValue if any of them cannot be decoded."""
        import pyarrow as pa
        import pyarrow.compute as pc
        from pyarrow import json

        if not self._fields:
            return pa.RecordBatch.from_arrays([pa.nulls(len(values))], names=[""])
        # A record without a value has no fields either.
        lines = pc.fill_null(values, b"{}")
        if pc.any(pc.match_substring(lines, "\n")).as_py():
            # Only between tokens: inside of texts JSON has it escaped.
            lines = pc.replace_substring(lines, b"\n", b" ")
        # Each line is an object with one field: a value that is empty, or several objects, is an error then.
        lines = pc.binary_join_element_wise(b'{"v":', lines, b"}", b"")
        text = pc.binary_join(pa.ListArray.from_arrays([0, len(lines)], lines), b"\n")[0].as_buffer()
        fields = [pa.field(f.name, pa.string() if _is_time(f.type) else f.type) for f in self._fields]
        read_as = pa.schema([pa.field("v", pa.struct(fields))])
        table = json.read_json(
            pa.BufferReader(text),
            read_options=json.ReadOptions(use_threads=False, block_size=max(text.size + 1, 1024)),
            parse_options=json.ParseOptions(explicit_schema=read_as, unexpected_field_behavior="ignore"),
        )
        if table.num_rows != len(values):
            raise UndecodableValue("the value is more than one JSON object")
        columns = [
            _time(column, field.type) if _is_time(field.type) else column
            for field, column in zip(self._fields, table.combine_chunks().column("v").chunk(0).flatten(), strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, schema=pa.schema(self._fields))


def _is_time(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_timestamp(kind) or pa.types.is_date(kind))


def _time(texts: Any, kind: Any) -> Any:
    """Texts in ISO 8601; without a zone they are UTC, as in a session of `ottla.spark.session`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        return texts.cast(kind)
    except pa.ArrowInvalid:
        if not pa.types.is_timestamp(kind) or kind.tz is None:
            raise
        return pc.assume_timezone(texts.cast(pa.timestamp("us")), "UTC")
