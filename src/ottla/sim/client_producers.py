"""Producers of the client library in a simulated workload: they note what they sent and what became of it."""

import asyncio
import contextlib
from typing import Any

from ottla.client.errors import ClientError, ProducerFenced, TimedOut
from ottla.client.producer.delivery import Delivery
from ottla.client.producer.producer import AsyncProducer
from ottla.doors.world import World
from ottla.model.topic import TopicPartition
from ottla.sim.history import Acked, History, Sent
from ottla.sim.rng import SimRng
from ottla.sim.world import sleep_ms

#: Of simulated time: longer than any run.
_LONG_MS = 600_000
#: What a producer may have left to deliver when it is stopped: half a minute, in flushed batches of one record.
_MAX_UNDECIDED = 1000


class ClientProducer:
    """An idempotent `AsyncProducer` that sends to one partition until it is stopped.

    A record whose delivery failed may be in the log or not, but once and in order; one that was acknowledged is there.
    """

    def __init__(
        self, name: str, servers: str, doors: World, partition: TopicPartition, history: History, rng: SimRng
    ) -> None:
        self.name = name
        self._servers = servers
        self._doors = doors
        self._partition = partition
        self._history = history
        self._rng = rng
        self._next_number = 0
        self._undecided_count = 0
        self._is_stopping = False

    def stop(self) -> None:
        self._is_stopping = True

    async def run(self) -> None:
        producer = AsyncProducer(bootstrap_servers=self._servers, world=self._doors, **self._options())
        await producer.start()
        while not self._is_stopping:
            for _ in range(self._rng.between(1, 30)):
                if self._undecided_count < _MAX_UNDECIDED:
                    self._send(producer)
            await sleep_ms(self._rng.one_of((0, 1, 20, 200)))
        # Records whose delivery failed: the log shows the rest.
        with contextlib.suppress(ClientError):
            await producer.close()

    def _options(self) -> dict[str, Any]:
        gives_up_early = self._rng.chance(30)
        return {
            "batch_size": self._rng.one_of((1, 300, 5000)),
            "linger_ms": self._rng.one_of((0, 5, 50)),
            "compression_type": self._rng.one_of(("none", "none", "lz4")),
            "request_timeout_ms": self._rng.one_of((500, 2000)),
            "delivery_timeout_ms": 3000 if gives_up_early else _LONG_MS,
            "max_block_ms": _LONG_MS,
        }

    def _send(self, producer: AsyncProducer) -> None:
        number = self._next_number
        self._next_number += 1
        value = f"{self.name} {self._partition} {number} ".encode() + b"." * self._rng.one_of((0, 10, 100))
        self._history.sent[value] = Sent(self.name, self._partition, number, True)
        self._undecided_count += 1
        delivery = producer.send(self._partition.topic, value, partition=self._partition.partition)
        delivery.add_done_callback(lambda done: self._note(value, done))

    def _note(self, value: bytes, delivery: Delivery) -> None:
        self._undecided_count -= 1
        # A duplicate of a batch long past is acknowledged without its offset.
        if delivery.error() is None and (offset := delivery.result().offset) >= 0:
            self._history.acked.append(Acked(self.name, self._partition, offset, (value,), True))


class ClientTransfers:
    """A transactional `AsyncProducer` that writes each number to all partitions, in one transaction.

    `outcomes`: by number, whether it was committed; None: unknown.
    """

    def __init__(self, name: str, servers: str, doors: World, partitions: list[TopicPartition], rng: SimRng) -> None:
        self.name = name
        self.outcomes: dict[bytes, bool | None] = {}
        self._servers = servers
        self._doors = doors
        self._partitions = partitions
        self._rng = rng
        self._is_stopping = False

    def stop(self) -> None:
        self._is_stopping = True

    async def run(self) -> None:
        number = 0
        while not self._is_stopping:
            async with self._new_producer() as producer:
                while not self._is_stopping:
                    number += 1
                    if not await self._transfer(producer, f"{self.name}/{number}".encode()):
                        break
                    await sleep_ms(self._rng.one_of((0, 0, 10, 300)))

    def _new_producer(self) -> AsyncProducer:
        return AsyncProducer(
            bootstrap_servers=self._servers,
            world=self._doors,
            transactional_id=self.name,
            transaction_timeout_ms=4000,
            request_timeout_ms=2000,
            max_block_ms=20_000,
        )

    async def _transfer(self, producer: AsyncProducer, value: bytes) -> bool:
        """Whether the producer can continue."""
        self.outcomes[value] = False
        try:
            await producer.begin_transaction()
            for topic, partition in self._partitions:
                producer.send(topic, value, partition=partition)
            if self._rng.chance(30):
                await producer.abort_transaction()
                return True
            await producer.flush()
        except ClientError:
            return await self._abort(producer)
        # Only from here on it may be committed.
        self.outcomes[value] = None
        return await self._commit(producer, value)

    async def _commit(self, producer: AsyncProducer, value: bytes) -> bool:
        while True:
            try:
                await producer.commit_transaction()
                self.outcomes[value] = True
                return True
            except TimedOut:
                continue
            except ClientError:
                # The coordinator may have ended it, one way or the other, before the error.
                return await self._abort(producer)

    async def _abort(self, producer: AsyncProducer) -> bool:
        while True:
            try:
                await producer.abort_transaction()
                return True
            except TimedOut:
                await asyncio.sleep(0.1)
            except (ProducerFenced, ClientError, RuntimeError):
                return False
