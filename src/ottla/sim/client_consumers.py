"""A group of consumers of the client library in a simulated workload: members come and go, and note what they read."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ottla.client.consumer.consumer import AsyncConsumer
from ottla.client.consumer.record import ConsumerRecord
from ottla.client.errors import ClientError, CommitFailed, TimedOut
from ottla.doors.world import World
from ottla.model.topic import TopicPartition
from ottla.sim.history import History, Read
from ottla.sim.rng import SimRng
from ottla.sim.world import sleep_ms

_PROTOCOLS: Sequence[dict[str, Any]] = (
    {"group_protocol": "consumer"},
    {"partition_assignment_strategy": "range", "heartbeat_interval_ms": 500, "session_timeout_ms": 6000},
    {"partition_assignment_strategy": "cooperative-sticky", "heartbeat_interval_ms": 500, "session_timeout_ms": 6000},
)
#: Records that a member goes back at most.
_FAR_BACK = 100


class GroupPlan(NamedTuple):
    """What the members of one group have in common."""

    name: str
    servers: str
    topic: str
    protocol: Mapping[str, Any]


def a_group_plan(name: str, servers: str, topic: str, rng: SimRng) -> GroupPlan:
    return GroupPlan(name, servers, topic, rng.one_of(_PROTOCOLS))


class GroupReads:
    """What the members of one group have read: each offset at least once when all is over."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._seen: dict[TopicPartition, set[int]] = {}

    def add(self, read: Read) -> None:
        self._history.reads.append(read)
        self._seen.setdefault(read.partition, set()).add(read.offset)

    def has_all(self, ends: Mapping[TopicPartition, int]) -> bool:
        return all(len(self._seen.get(partition, ())) >= end for partition, end in ends.items())

    def missing(self, ends: Mapping[TopicPartition, int]) -> str:
        counts = {partition: len(self._seen.get(partition, ())) for partition in ends}
        return f"read {counts} of {dict(ends)}"


class ClientMember:
    """An `AsyncConsumer` of a group. Closes now and then and opens again, until it is stopped.

    Between two assignments of a partition its offsets only grow, unless it seeks back: then the next record is the one
    at the offset that it asked for. What another member, or this one, has read may come again after an assignment, if
    it was not committed.
    """

    def __init__(
        self, name: str, plan: GroupPlan, doors: World, reads: GroupReads, history: History, rng: SimRng
    ) -> None:
        self.name = name
        self._plan = plan
        self._doors = doors
        self._reads = reads
        self._history = history
        self._rng = rng
        self._next_offsets: dict[TopicPartition, int] = {}
        self._only_reads = False
        self._is_stopping = False

    def only_read(self) -> None:
        """From now on it stays in the group and only reads, so that the group reaches the end."""
        self._only_reads = True

    def stop(self) -> None:
        self._is_stopping = True

    def on_partitions_assigned(self, partitions: Sequence[TopicPartition]) -> None:
        for partition in partitions:
            self._next_offsets.pop(partition, None)

    async def run(self) -> None:
        while not self._is_stopping:
            consumer = self._new_consumer()
            await consumer.start()
            consumer.subscribe([self._plan.topic], listener=self)
            await self._use(consumer)
            with contextlib.suppress(ClientError):
                await consumer.close(timeout_ms=self._rng.one_of((0, 1000, 5000)))
            await sleep_ms(self._rng.one_of((0, 100, 2000)))

    def _new_consumer(self) -> AsyncConsumer:
        return AsyncConsumer(
            bootstrap_servers=self._plan.servers,
            world=self._doors,
            group_id=self._plan.name,
            auto_offset_reset="earliest",
            auto_commit_interval_ms=self._rng.one_of((100, 1000)),
            request_timeout_ms=self._rng.one_of((500, 2000)),
            max_partition_fetch_bytes=self._rng.one_of((300, 5000, 1 << 20)),
            max_poll_records=self._rng.one_of((1, 10, 500)),
            **self._plan.protocol,
        )

    async def _use(self, consumer: AsyncConsumer) -> None:
        """Until it is stopped, or for some polls."""
        polls = self._rng.between(1, 60)
        while not self._is_stopping and (polls > 0 or self._only_reads):
            polls -= 1
            try:
                records = await self._read(consumer, timeout_ms=self._rng.one_of((10, 200, 1000)))
                for record in records:
                    self._note(Read(self.name, record.topic_partition, record.offset, record.value))
                if records and self._rng.chance(20):
                    await consumer.commit()
                if not self._only_reads and self._rng.chance(15):
                    await self._move(consumer)
            except (CommitFailed, TimedOut):
                await sleep_ms(50)
            except ClientError as error:
                # All else the consumer gets over by itself.
                self._history.found("consumer-error", f"{self.name}: {error!r}")

    async def _read(self, consumer: AsyncConsumer, *, timeout_ms: int) -> list[ConsumerRecord]:
        """In one of the ways that there are."""
        if self._rng.chance(30):
            found = await consumer.getmany(timeout_ms=timeout_ms)
            return [record for records in found.values() for record in records]
        return await consumer.poll(timeout_ms=timeout_ms)

    async def _move(self, consumer: AsyncConsumer) -> None:
        """Goes back in a partition, or leaves it alone for a while."""
        # A seek for a partition that is revoked by the next poll counts for nothing: its next owner goes by the commit.
        owned = sorted(set(self._next_offsets) & consumer.assignment())
        if not owned:
            return
        partition = self._rng.one_of(owned)
        if self._rng.chance(60):
            offset = max(0, self._next_offsets[partition] - self._rng.below(_FAR_BACK))
            consumer.seek(partition, offset)
            self._next_offsets[partition] = offset
        else:
            consumer.pause([partition])
            await sleep_ms(self._rng.one_of((0, 50, 300)))
            consumer.resume(sorted(consumer.paused()))

    def _note(self, read: Read) -> None:
        expected = self._next_offsets.get(read.partition)
        if expected is not None and read.offset != expected:
            text = f"{self.name} read {read.partition} {read.offset} after {expected - 1}"
            self._history.found("read-out-of-order", text)
        self._next_offsets[read.partition] = read.offset + 1
        self._reads.add(read)
