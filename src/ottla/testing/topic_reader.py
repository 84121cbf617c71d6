"""Reads topics for tests: from their first offset, until enough has arrived or the time is up."""

import asyncio
from collections.abc import Callable, Mapping

from ottla.client.admin.call import Call
from ottla.client.admin.offsets import OffsetSpec, list_offsets
from ottla.client.arrow.range_fetch import Range, RangeFetch
from ottla.client.cluster import Cluster
from ottla.client.retrying import Deadline
from ottla.config.consumer_options import ConsumerOptions
from ottla.model.topic import TopicPartition
from ottla.records.fetched_batches import FetchedBatches
from ottla.records.reader import iterate_records
from ottla.testing.received import PartitionOffsets, Received

_LOOK_AGAIN_S = 0.01
_CALL_TIMEOUT_MS = 30_000


class TopicReader:
    """One read of one topic; reads on from where it is each time it looks."""

    def __init__(
        self,
        cluster: Cluster,
        options: ConsumerOptions,
        topic: str,
        *,
        partition: int | None,
        start: Mapping[int, int] | None,
        read_committed: bool,
    ) -> None:
        self._cluster = cluster
        self._options = options
        self._topic = topic
        self._partition = partition
        self._start = start or {}
        self._read_committed = read_committed
        self._positions: dict[TopicPartition, int] = {}
        self.records: list[Received] = []

    async def read_until(self, is_enough: Callable[[list[Received]], bool], timeout_s: float) -> bool:
        """Whether it was enough in time; `records` has what was read. Raises UnknownTopic."""
        deadline = Deadline(self._cluster.clock, round(timeout_s * 1000))
        await self._begin(deadline)
        while True:
            await self.read_new()
            if is_enough(self.records):
                return True
            if deadline.has_passed:
                return False
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def _begin(self, deadline: Deadline) -> None:
        view = await self._cluster.topic(self._topic, deadline)
        numbers = range(len(view.partitions)) if self._partition is None else [self._partition]
        partitions = [TopicPartition(self._topic, number) for number in numbers]
        first = await offsets_of(self._cluster, partitions)
        for each in partitions:
            self._positions[each] = self._start.get(each.partition, first[each].earliest)

    async def read_new(self) -> None:
        partitions, committed = list(self._positions), self._read_committed
        ends = await _listed(self._cluster, partitions, OffsetSpec.LATEST, read_committed=committed)
        for partition, end in ends.items():
            wanted = Range(partition, self._positions[partition], end)
            fetch = RangeFetch(self._cluster, self._options, wanted, read_committed=self._read_committed)
            async for batches in fetch.responses():
                self.records += _records(partition, batches)
            self._positions[partition] = max(end, wanted.start)


def _records(partition: TopicPartition, batches: FetchedBatches) -> list[Received]:
    end = batches.end_offset
    return [
        Received(*partition, record.offset, record.timestamp_ms, record.key, record.value, record.headers)
        for position, header in batches
        for record in iterate_records(batches.data, position, header)
        if record.offset >= batches.start_offset and (end is None or record.offset < end)
    ]


async def offsets_of(cluster: Cluster, partitions: list[TopicPartition]) -> dict[TopicPartition, PartitionOffsets]:
    first = await _listed(cluster, partitions, OffsetSpec.EARLIEST)
    last = await _listed(cluster, partitions, OffsetSpec.LATEST)
    return {each: PartitionOffsets(first[each], last[each]) for each in partitions}


async def _listed(
    cluster: Cluster, partitions: list[TopicPartition], spec: OffsetSpec, *, read_committed: bool = False
) -> dict[TopicPartition, int]:
    call = Call(cluster, "list_offsets", _CALL_TIMEOUT_MS)
    rows = await list_offsets(call, dict.fromkeys(partitions, spec), read_committed=read_committed)
    return {each: row.offset for each, row in rows.items()}
