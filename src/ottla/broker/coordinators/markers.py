"""End-of-transaction markers in the partitions of this node: writing one, and knowing when it is safe there.

A marker that must be durable is safe when it is on the device, also where the topic does not ask for a flush before
each ack: the next transaction of the producer waits for that (ADR 0031). Readers do not.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, Protocol

from ottla.broker.partitions.partitions import Partitions
from ottla.broker.shards.shard_host import ShardHost
from ottla.broker.storage.faults import StorageFaults
from ottla.doors.clock import Clock
from ottla.log.partition_log import AppendOrigin
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import CONSUMER_OFFSETS, TopicPartition
from ottla.records.control import build_marker_batch
from ottla.replication.partition_leader import PartitionLeader


class Marker(NamedTuple):
    """The end of one producer's transaction, whatever the partition."""

    producer_id: int
    producer_epoch: int
    committed: bool
    coordinator_epoch: int
    transaction_version: int
    must_be_durable: bool

    def batch(self, now_ms: int) -> bytearray:
        return build_marker_batch(
            is_commit=self.committed,
            producer_id=self.producer_id,
            producer_epoch=self.producer_epoch,
            coordinator_epoch=self.coordinator_epoch,
            timestamp_ms=now_ms,
        )


class WrittenMarker(NamedTuple):
    leader: PartitionLeader
    last_offset: int

    @property
    def is_safe(self) -> bool:
        """Committed, and on the device if it must be."""
        return self.leader.is_committed(self.last_offset)


class GroupHosts(Protocol):
    """The shards on `__consumer_offsets`: they hold back offsets of a transaction until its marker."""

    def find_host(self, partition: int) -> ShardHost | None: ...


class MarkerLog:
    """Owned by the node: the partitions of this node, as markers are written to them."""

    def __init__(self, partitions: Partitions, groups: GroupHosts, faults: StorageFaults, clock: Clock) -> None:
        self._partitions = partitions
        self._groups = groups
        self._faults = faults
        self._clock = clock

    def now_ms(self) -> int:
        return self._clock.now_ms()

    def write(self, partition: TopicPartition, marker: Marker, batch: bytearray | None = None) -> WrittenMarker:
        """Appends the marker; raises Refused when the partition is not here or knows better.

        `batch` is the marker as it was built for another partition; its offset is set again.
        """
        leader = self._partitions.find(partition.topic, partition.partition)
        now_ms = self._clock.now_ms()
        batch = marker.batch(now_ms) if batch is None else bytearray(batch)
        try:
            _, last_offset, _, _ = leader.append(
                batch, now_ms, AppendOrigin.COORDINATOR, transaction_version=marker.transaction_version
            )
        except OSError as error:
            self._faults.io_failed(partition, error)
            raise Refused(ErrorCode.KAFKA_STORAGE_ERROR, error.strerror) from error
        if partition.topic == CONSUMER_OFFSETS:
            host = self._groups.find_host(partition.partition)
            if host is not None:
                host.apply_marker(marker.producer_id, marker.producer_epoch, committed=marker.committed)
        if marker.must_be_durable:
            leader.commit_by_flush()
        return WrittenMarker(leader, last_offset)


async def until_safe(written: WrittenMarker, timeout_s: float) -> bool:
    """False when it is not known to be safe after that time."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def look() -> None:
        if written.is_safe and not done.done():
            done.set_result(None)

    written.leader.watch(look)
    look()
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await done
    finally:
        written.leader.unwatch(look)
    return written.is_safe


class UnsafeMarkers:
    """Markers of one transaction that are written and not safe yet. Without a task: most are after one flush.

    `on_end` is called once: without markers when all are safe, or after `timeout_s` with those that are not.
    """

    def __init__(
        self,
        waiting: Mapping[TopicPartition, WrittenMarker],
        timeout_s: float,
        on_end: Callable[[dict[TopicPartition, WrittenMarker]], None],
    ) -> None:
        self._waiting = dict(waiting)
        self._on_end = on_end
        self._watchers = {partition: partial(self._look, partition) for partition in waiting}
        self._timer = asyncio.get_running_loop().call_later(timeout_s, self._end)
        for partition, written in waiting.items():
            written.leader.watch(self._watchers[partition])

    def _look(self, partition: TopicPartition) -> None:
        written = self._waiting.get(partition)
        # None: somebody who was notified before has appended, and so all have been notified once more in between.
        if written is not None and written.is_safe:
            del self._waiting[partition]
            self._unwatch(partition, written)
            if not self._waiting:
                self._end()

    def _end(self) -> None:
        self._timer.cancel()
        for partition, written in self._waiting.items():
            self._unwatch(partition, written)
        self._on_end(self._waiting)

    def _unwatch(self, partition: TopicPartition, written: WrittenMarker) -> None:
        written.leader.unwatch(self._watchers.pop(partition))
