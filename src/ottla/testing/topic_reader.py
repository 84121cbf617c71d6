"""Reads topics for tests with a consumer: from their first offset, until enough has arrived or the time is up."""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

from ottla.client.consumer.consumer import AsyncConsumer
from ottla.client.consumer.record import ConsumerRecord
from ottla.model.topic import TopicPartition
from ottla.testing.received import Received

#: Positions may reach the end over records of aborted transactions, of which a poll reports nothing.
_LOOK_AGAIN_MS = 20
_CALL_TIMEOUT_MS = 30_000


class TopicReader:
    """One read of one topic; `records` has what was read."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        topic: str,
        *,
        partition: int | None,
        start: Mapping[int, int] | None,
        read_committed: bool,
    ) -> None:
        self._settings = {
            **settings,
            "isolation.level": "read_committed" if read_committed else "read_uncommitted",
            "auto.offset.reset": "earliest",
            "allow.auto.create.topics": False,
        }
        self._topic = topic
        self._partition = partition
        self._start = start or {}
        self.records: list[Received] = []

    async def read_until(self, is_enough: Callable[[list[Received]], bool], timeout_s: float) -> bool:
        """Whether it was enough in time. Raises UnknownTopic."""
        async with AsyncConsumer(self._settings) as consumer:
            until = time.monotonic() + timeout_s
            partitions = await self._begin(consumer)
            while not is_enough(self.records):
                left_s = until - time.monotonic()
                if left_s < 0:
                    # On a busy machine, too, what is there now counts.
                    async with asyncio.timeout(_CALL_TIMEOUT_MS / 1000):
                        await self._read_present(consumer, partitions)
                    return is_enough(self.records)
                self._add(await consumer.poll(timeout_ms=round(left_s * 1000)))
            return True

    async def read_to_end(self) -> list[Received]:
        """What is there now, by partition."""
        async with AsyncConsumer(self._settings) as consumer:
            ends = await self._read_present(consumer, await self._begin(consumer))
        self.records.sort(key=lambda record: (record.partition, record.offset))
        return [record for record in self.records if record.offset < ends[TopicPartition(*record[:2])]]

    async def _begin(self, consumer: AsyncConsumer) -> list[TopicPartition]:
        views = await consumer.partitions_for(self._topic, timeout_ms=_CALL_TIMEOUT_MS)
        numbers = range(len(views)) if self._partition is None else [self._partition]
        partitions = [TopicPartition(self._topic, number) for number in numbers]
        consumer.assign(partitions)
        for partition in partitions:
            if partition.partition in self._start:
                consumer.seek(partition, self._start[partition.partition])
        return partitions

    async def _read_present(
        self, consumer: AsyncConsumer, partitions: list[TopicPartition]
    ) -> Mapping[TopicPartition, int]:
        """Gives the end offsets, up to which everything was read."""
        ends = await consumer.end_offsets(partitions, timeout_ms=_CALL_TIMEOUT_MS)
        while not await self._has_reached(consumer, ends):
            self._add(await consumer.poll(timeout_ms=_LOOK_AGAIN_MS))
        return ends

    async def _has_reached(self, consumer: AsyncConsumer, ends: Mapping[TopicPartition, int]) -> bool:
        for partition, end in ends.items():
            if await consumer.position(partition, timeout_ms=_CALL_TIMEOUT_MS) < end:
                return False
        return True

    def _add(self, records: list[ConsumerRecord]) -> None:
        self.records += [
            Received(
                record.topic,
                record.partition,
                record.offset,
                record.timestamp_ms,
                record.key,
                record.value,
                record.headers,
            )
            for record in records
        ]
