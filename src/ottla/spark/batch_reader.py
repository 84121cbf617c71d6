"""`spark.read.format("ottla")`: ranges are fixed when the query is planned, and read by tasks."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSourceReader, InputPartition

from ottla.client.arrow.range_fetch import Range
from ottla.spark.clients import kept_admin
from ottla.spark.data_loss import without_lost
from ottla.spark.decoding import Decoder
from ottla.spark.offset_lookup import OffsetLookup
from ottla.spark.range_reading import RangesPartition
from ottla.spark.ranges import plan_tasks
from ottla.spark.read_options import ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa


class OttlaReader(DataSourceReader):
    """Created on the driver; pickled for the executors."""

    def __init__(self, options: ReadOptions, decoder: Decoder) -> None:
        self._options = options
        self._decoder = decoder

    def partitions(self) -> Sequence[InputPartition]:
        lookup = OffsetLookup(kept_admin(self._options.admin), self._options)
        partitions = lookup.partitions()
        starts, ends = lookup.starts(partitions), lookup.ends(partitions)
        ranges = [Range(each, starts[each], ends[each]) for each in partitions if starts[each] < ends[each]]
        if self._options.start.offsets:
            earliest = lookup.earliest([each.partition for each in ranges])
            ranges = without_lost(ranges, earliest, fails=self._options.fail_on_data_loss)
        return [RangesPartition(task) for task in task_ranges(self._options, ranges)]

    def read(self, partition: InputPartition) -> "Iterator[pa.RecordBatch]":
        # Spark passes a partition of its own when there is nothing to read.
        ranges = partition.ranges if isinstance(partition, RangesPartition) else []
        return self._decoder.read(self._options, ranges)


def task_ranges(options: ReadOptions, ranges: Sequence[Range]) -> list[list[Range]]:
    return plan_tasks(
        ranges,
        cores=os.cpu_count() or 1,
        min_partitions=options.min_partitions,
        max_rows=options.max_records_per_partition,
        split_large=options.split_large_ranges,
    )
