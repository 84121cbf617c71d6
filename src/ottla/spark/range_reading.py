"""What a task does to read: ranges of offsets to Arrow record batches, on an executor."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql.datasource import InputPartition

from ottla.client.arrow.range_fetch import Range
from ottla.client.errors import RequestRefused
from ottla.model.error_codes import ErrorCode
from ottla.spark.clients import kept_admin, kept_session
from ottla.spark.columns import ARROW_ROWS
from ottla.spark.data_loss import without_lost
from ottla.spark.offset_lookup import OffsetLookup
from ottla.spark.pandas_import import import_pandas_soon
from ottla.spark.read_options import ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass
class RangesPartition(InputPartition):
    """The ranges of one task."""

    ranges: list[Range]

    def __repr__(self) -> str:
        return ", ".join(f"{each.partition} {each.start} to {each.end}" for each in self.ranges)


def read_ranges(options: ReadOptions, ranges: Sequence[Range], columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
    """Raises DataLost when records are deleted while they are read, unless the options allow it."""
    session = kept_session(options.client)
    left = list(ranges)
    while left:
        try:
            if len(left) > 1:
                # Of a copy: what was read must not be read again after a loss.
                yield from session.several(list(left), columns, ARROW_ROWS, on_end=left.remove)
            else:
                yield from session.record_batches(left[0], columns, ARROW_ROWS)
            import_pandas_soon()
            return
        except RequestRefused as error:
            if error.code != ErrorCode.OFFSET_OUT_OF_RANGE:
                raise
            left = _after_loss(options, left, error)


def _after_loss(options: ReadOptions, ranges: list[Range], error: RequestRefused) -> list[Range]:
    earliest = OffsetLookup(kept_admin(options.admin), options).earliest([each.partition for each in ranges])
    left = without_lost(ranges, earliest, fails=options.fail_on_data_loss)
    if left == ranges:
        raise error
    return left
