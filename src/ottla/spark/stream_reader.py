"""`spark.readStream.format("ottla")`: offsets of each micro-batch on the driver, ranges read by tasks.

Offsets are JSON as Spark's Kafka source writes it: {"orders": {"0": 23}}, sorted, because Spark compares them as text.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    ReadMinRows,
    SupportsTriggerAvailableNow,
)

from ottla.client.arrow.range_fetch import Range
from ottla.model.topic import TopicPartition
from ottla.spark.admission import MinimumRows, limited
from ottla.spark.batch_reader import task_ranges
from ottla.spark.clients import kept_admin
from ottla.spark.data_loss import report, without_lost
from ottla.spark.decoding import Decoder
from ottla.spark.offset_lookup import OffsetLookup
from ottla.spark.progress import GroupOffsets
from ottla.spark.range_reading import RangesPartition
from ottla.spark.read_options import ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

Offsets = dict[TopicPartition, int]
#: An idle query asks about every 10 ms.
_LATEST_AGE_S: Final = 0.05
#: How soon new topics and partitions are found.
_PARTITIONS_AGE_S: Final = 10.0


class OttlaStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """One lives on the driver for the whole query; copies of it read on the executors."""

    def __init__(self, options: ReadOptions, decoder: Decoder) -> None:
        self._options = options
        self._decoder = decoder
        self._latest: Offsets = {}
        self._latest_at = self._partitions_at = float("-inf")
        self._partitions: list[TopicPartition] = []
        #: With the trigger availableNow: where the query ends.
        self._target: Offsets | None = None
        self._minimum: MinimumRows | None = None
        if options.min_offsets_per_trigger is not None:
            self._minimum = MinimumRows(options.min_offsets_per_trigger, options.max_trigger_delay_ms)
        self._group: GroupOffsets | None = None

    # offsets, on the driver

    def initialOffset(self) -> dict[str, Any]:
        lookup = self._lookup()
        return offsets_to_json(lookup.starts(lookup.partitions()))

    def getDefaultReadLimit(self) -> ReadLimit:
        if self._options.max_offsets_per_trigger is not None:
            return ReadMaxRows(self._options.max_offsets_per_trigger)
        if self._options.min_offsets_per_trigger is not None:
            return ReadMinRows(self._options.min_offsets_per_trigger)
        return ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:
        self._target = self._lookup().latest(self._lookup().partitions())

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        begun = offsets_from_json(start)
        self._publish(begun)
        available = self._available(begun)
        if isinstance(limit, ReadAllAvailable):
            return offsets_to_json(available)
        if self._must_wait(begun, available):
            return start
        if isinstance(limit, ReadMaxRows):
            available = limited(self._with_new(begun, available), available, limit.max_rows)
        return offsets_to_json(available)

    def _publish(self, begun: Offsets) -> None:
        """Spark asks for more when the batch before is committed: all before `begun` is done."""
        group_id = self._options.group_id
        if group_id is not None:
            self._group = self._group or GroupOffsets(group_id, lambda: kept_admin(self._options.admin))
            self._group.publish(begun)

    def _available(self, begun: Offsets) -> Offsets:
        """Up to where the query may read now. Before where it is only for a log that was created again."""
        found = self._target if self._target is not None else self._latest_offsets()
        shorter = sorted(each for each, offset in found.items() if offset < begun.get(each, 0))
        if shorter:
            losses = [f"{each}: the log ends at {found[each]}, the query is at {begun[each]}" for each in shorter]
            report(losses, fails=self._options.fail_on_data_loss)
        return {**begun, **found}

    def _latest_offsets(self) -> Offsets:
        now = time.monotonic()
        if now - self._partitions_at >= _PARTITIONS_AGE_S:
            self._partitions = self._lookup().partitions()
            self._partitions_at = now
        if now - self._latest_at >= _LATEST_AGE_S:
            self._latest = self._lookup().latest(self._partitions)
            self._latest_at = now
        return self._latest

    def _must_wait(self, begun: Offsets, available: Offsets) -> bool:
        if self._minimum is None or self._target is not None:
            return False
        waiting = sum(offset - begun.get(each, 0) for each, offset in available.items())
        return not self._minimum.is_reached(waiting, round(time.monotonic() * 1000))

    def _with_new(self, begun: Offsets, available: Offsets) -> Offsets:
        """Partitions that have appeared since are read from their first record."""
        new = [each for each in available if each not in begun]
        return {**begun, **self._lookup().earliest(new)} if new else begun

    def reportLatestOffset(self) -> dict[str, Any] | None:
        return offsets_to_json(self._latest) if self._latest else None

    # ranges

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        begun, ended = offsets_from_json(start), offsets_from_json(end)
        lookup = self._lookup()
        existing = lookup.partitions()
        self._report_deleted(ended, existing)
        earliest = lookup.earliest([each for each in ended if each in set(existing)])
        ranges = [
            Range(each, _start_of(each, begun, last, earliest[each]), last)
            for each, last in sorted(ended.items())
            if each in earliest
        ]
        ranges = self._without_shrunk([each for each in ranges if each.start < each.end], lookup)
        ranges = without_lost(ranges, earliest, fails=self._options.fail_on_data_loss)
        return [RangesPartition(task) for task in task_ranges(self._options, ranges)]

    def _report_deleted(self, ended: Offsets, existing: Sequence[TopicPartition]) -> None:
        deleted = sorted(ended.keys() - set(existing))
        if deleted:
            report([f"{each}: does not exist any more" for each in deleted], fails=self._options.fail_on_data_loss)

    def _without_shrunk(self, ranges: list[Range], lookup: OffsetLookup) -> list[Range]:
        """A log that ends before a range is another one: the topic was deleted and created again."""
        if self._target is None and all(each.end <= self._latest.get(each.partition, -1) for each in ranges):
            return ranges
        latest = lookup.latest([each.partition for each in ranges])
        short = [each for each in ranges if latest[each.partition] < each.end]
        if short:
            losses = [
                f"{each.partition}: offset {each.end - 1} is behind the end {latest[each.partition]}" for each in short
            ]
            report(losses, fails=self._options.fail_on_data_loss)
        return [each._replace(end=min(each.end, latest[each.partition])) for each in ranges]

    def read(self, partition: InputPartition) -> "Iterator[pa.RecordBatch]":
        ranges = partition.ranges if isinstance(partition, RangesPartition) else []
        return self._decoder.read(self._options, ranges)

    def commit(self, end: dict[str, Any]) -> None:
        """Comes one batch late, and never for the last one: `latestOffset` knows more."""

    def stop(self) -> None:
        pass

    def _lookup(self) -> OffsetLookup:
        return OffsetLookup(kept_admin(self._options.admin), self._options)


def _start_of(partition: TopicPartition, begun: Offsets, end: int, earliest: int) -> int:
    """From where a range is read: new partitions, and logs that were created again, from their first record."""
    start = begun.get(partition, earliest)
    return start if start <= end else earliest


def offsets_to_json(offsets: Mapping[TopicPartition, int]) -> dict[str, Any]:
    shaped: dict[str, Any] = {}
    for (topic, partition), offset in sorted(offsets.items()):
        shaped.setdefault(topic, {})[str(partition)] = offset
    return shaped


def offsets_from_json(shaped: Mapping[str, Any] | None) -> Offsets:
    return {
        TopicPartition(topic, int(partition)): int(offset)
        for topic, partitions in (shaped or {}).items()
        for partition, offset in partitions.items()
    }
