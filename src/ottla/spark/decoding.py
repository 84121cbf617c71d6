"""From the columns of records to the columns that the user asked for. `bytes` hands them on as they are."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from ottla.client.arrow.range_fetch import Range
from ottla.spark.columns import chosen_columns
from ottla.spark.json_columns import JsonColumns
from ottla.spark.range_reading import read_ranges
from ottla.spark.read_options import ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType


class Decoder(Protocol):
    """Picklable: created on the driver, used in tasks."""

    def read(self, options: ReadOptions, ranges: Sequence[Range]) -> "Iterator[pa.RecordBatch]": ...


class RecordColumns:
    """The records' own columns, or some of them."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = list(columns)

    def read(self, options: ReadOptions, ranges: Sequence[Range]) -> "Iterator[pa.RecordBatch]":
        return read_ranges(options, ranges, self._columns)


def decoder_of(options: ReadOptions, schema: "StructType") -> Decoder:
    """Raises InvalidConfig for a schema that does not fit."""
    if options.decode == "bytes":
        return RecordColumns(chosen_columns(schema))
    return JsonColumns(schema, fails=options.decode_errors == "fail")
