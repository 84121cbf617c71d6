"""What consumers of ours read, poll by poll."""

import asyncio

from ottla.client import AsyncConsumer, Consumer, ConsumerRecord, TopicPartition
from tests.support.waiting import eventually


def polled(consumer: Consumer, count: int) -> list[ConsumerRecord]:
    """That many records or a few more."""
    found: list[ConsumerRecord] = []

    def is_there() -> bool:
        found.extend(consumer.poll(timeout_ms=200))
        return len(found) >= count

    eventually(is_there, within_s=90, what=lambda: f"{len(found)} of {count} records; {consumer.health()}")
    return found


class PollingMember:
    """A consumer that polls in a task of its own until it is stopped."""

    def __init__(self, consumer: AsyncConsumer, topic: str) -> None:
        self._consumer = consumer
        self._topic = topic
        self.records: list[ConsumerRecord] = []
        self.assigned: set[TopicPartition] = set()
        self._is_stopping = False
        self._task = asyncio.ensure_future(self._run())

    @property
    def seen(self) -> list[tuple[int, int]]:
        """Partitions and offsets of the records."""
        return [(record.partition, record.offset) for record in self.records]

    async def _run(self) -> None:
        async with self._consumer as consumer:
            consumer.subscribe([self._topic])
            while not self._is_stopping:
                self.records += await consumer.poll(timeout_ms=200)
                self.assigned = consumer.assignment()

    async def stop(self) -> None:
        self._is_stopping = True
        await self._task
