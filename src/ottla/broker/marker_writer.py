"""Writes the markers of decided transactions to their partitions, and tells the coordinator when all are there.

The order is the whole point: the decision is committed in `__transaction_state` first, then the markers are written,
then the transaction is complete. A node that dies in between finds the decision when it loads the shard and goes on.

Nobody waits for the Complete record, and it would cost a sync of its own. So it is written with whatever the shard
writes next, before the id is asked for anything, or after a few milliseconds, whichever comes first.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, NamedTuple

from ottla.broker.shard_host import ShardHost
from ottla.log.partition_log import AppendOrigin
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import CONSUMER_OFFSETS, TopicPartition
from ottla.records.control import build_marker_batch
from ottla.replication.partition_leader import PartitionLeader
from ottla.transactions.markers import SendMarkers
from ottla.transactions.shard import TransactionShard
from ottla.transactions.transaction import TransactionVersion

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

_log = logging.getLogger(__name__)
_RETRY_S = 0.1
_COMPLETE_AFTER_S = 0.01
#: The partition has moved on: it knows a newer epoch of the producer, or a newer coordinator has written there.
_OVERTAKEN = (ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.TRANSACTION_COORDINATOR_FENCED)


class Marker(NamedTuple):
    """The end of one producer's transaction, whatever the partition."""

    producer_id: int
    producer_epoch: int
    committed: bool
    coordinator_epoch: int
    transaction_version: int

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
    def is_committed(self) -> bool:
        return self.leader.is_committed(self.last_offset)


def write_marker(
    broker: BrokerNode, partition: TopicPartition, marker: Marker, batch: bytearray | None = None
) -> WrittenMarker:
    """Appends the marker; raises Refused when the partition is not here or knows better.

    `batch` is the marker as it was made for another partition; its offset is set anew.
    """
    leader = broker.partitions.find(partition.topic, partition.partition)
    _check_is_of_this_transaction(leader, marker)
    now_ms = broker.clock.now_ms()
    batch = marker.batch(now_ms) if batch is None else bytearray(batch)
    try:
        appended = leader.append(batch, now_ms, origin=AppendOrigin.COORDINATOR)
    except OSError as error:
        broker.storage_failed(partition, error)
        raise Refused(ErrorCode.KAFKA_STORAGE_ERROR, error.strerror) from error
    if partition.topic == CONSUMER_OFFSETS:
        host = broker.groups.find_host(partition.partition)
        if host is not None:
            host.apply_marker(marker.producer_id, marker.producer_epoch, committed=marker.committed)
    return WrittenMarker(leader, appended.last_offset)


def _check_is_of_this_transaction(leader: PartitionLeader, marker: Marker) -> None:
    """With TV2 the marker has the epoch after that of its transaction: an equal epoch belongs to a later one (R06)."""
    if marker.transaction_version < TransactionVersion.TV2:
        return
    if leader.log.producers.has_open_transaction(marker.producer_id, marker.producer_epoch):
        raise Refused(ErrorCode.INVALID_PRODUCER_EPOCH, "the marker belongs to an earlier transaction")


async def until_committed(written: WrittenMarker, timeout_s: float) -> bool:
    """False when it is not known to be committed after that time."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def look() -> None:
        if written.is_committed and not done.done():
            done.set_result(None)

    written.leader.watch(look)
    look()
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await done
    finally:
        written.leader.unwatch(look)
    return written.is_committed


class MarkerWriter:
    """Owned by the node's transaction coordinators. One piece of work for each decided transaction at a time."""

    def __init__(self, broker: BrokerNode) -> None:
        self._broker = broker
        self._under_way: dict[tuple[ShardHost, tuple[str, int, int]], None] = {}
        #: By transactional id: all markers are there, the Complete record is not.
        self._incomplete: dict[ShardHost, dict[str, SendMarkers]] = {}
        self._alarm: asyncio.TimerHandle | None = None

    def serve(self, host: ShardHost) -> None:
        """The shard of `host` is loaded. What it owes from an earlier life is written now."""
        host.on_applied = lambda: self._applied(host)
        self._mend(host)
        self._look(host, is_inherited=True)

    def complete(self, host: ShardHost, transactional_id: str) -> None:
        """Before the id is asked for anything."""
        order = self._incomplete[host].pop(transactional_id, None) if host in self._incomplete else None
        if order is not None:
            self._finish(host, order)

    def complete_all(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        for host in list(self._incomplete):
            self._complete_host(host)

    def _complete_host(self, host: ShardHost) -> None:
        for order in self._incomplete.pop(host, {}).values():
            self._finish(host, order)

    def _applied(self, host: ShardHost) -> None:
        """The shard has written something: what waits to be written joins its sync."""
        self._complete_host(host)
        self._look(host)

    def _mend(self, host: ShardHost) -> None:
        """Writes markers again that power loss has taken from partitions which do not sync before each ack."""
        shard = host.shard
        assert isinstance(shard, TransactionShard)
        for leader in self._broker.partitions:
            producers = leader.log.producers
            for producer_id in list(producers.open_transactions):
                partition = leader.topic_partition
                order = shard.missing_marker(producer_id, producers.entries[producer_id].epoch, partition)
                if order is not None:
                    _log.warning("%s has lost the marker of %s: it is written again", partition, order.transactional_id)
                    self._write_some(order, [partition])

    def _look(self, host: ShardHost, *, is_inherited: bool = False) -> None:
        shard = host.shard
        assert isinstance(shard, TransactionShard)
        if host.state == "active" and shard.owes_markers:
            # As an operation of the host: the list comes when the decisions in it are committed.
            due = host.run(shard.markers_to_send)
            due.add_done_callback(lambda done: self._take(host, done, is_inherited=is_inherited))

    def _take(self, host: ShardHost, done: asyncio.Future[list[SendMarkers]], *, is_inherited: bool) -> None:
        if done.cancelled() or done.exception() is not None:
            return
        for order in done.result():
            if (host, order.key) not in self._under_way:
                self._under_way[host, order.key] = None
                self._write(host, order, self._inherited(order) if is_inherited else {})

    def _inherited(self, order: SendMarkers) -> dict[TopicPartition, WrittenMarker]:
        """The partitions that got their marker before the node died. It may not be safe there yet: see `_write`."""
        found = {}
        for partition in order.partitions:
            leader = self._broker.partitions.leaders.get(partition)
            entry = None if leader is None else leader.log.producers.entries.get(order.producer_id)
            if leader is not None and entry is not None:
                if entry.epoch == order.producer_epoch and entry.open_offset < 0:
                    found[partition] = WrittenMarker(leader, leader.log.end_offset - 1)
        return found

    def _write(self, host: ShardHost, order: SendMarkers, inherited: dict[TopicPartition, WrittenMarker]) -> None:
        """Most markers are written and committed at once, without a task."""
        left, waiting = self._write_some(order, [each for each in order.partitions if each not in inherited])
        waiting += [each for each in inherited.items() if not each[1].is_committed]
        if left or waiting:
            name = f"markers of {order.transactional_id}"
            self._broker.spawn(self._write_rest(host, order, left, waiting), name=name)
        else:
            self._finish_soon(host, order)

    def _write_some(
        self, order: SendMarkers, partitions: list[TopicPartition]
    ) -> tuple[list[TopicPartition], list[tuple[TopicPartition, WrittenMarker]]]:
        """What could not be written, and what is written but not committed yet."""
        left = []
        waiting = []
        marker = Marker(
            order.producer_id,
            order.producer_epoch,
            order.committed,
            order.coordinator_epoch,
            order.transaction_version,
        )
        batch = marker.batch(self._broker.clock.now_ms())
        for partition in partitions:
            try:
                written = write_marker(self._broker, partition, marker, batch)
            except Refused as refusal:
                if not self._is_settled(partition, refusal, order):
                    left.append(partition)
                continue
            if not written.is_committed:
                waiting.append((partition, written))
        return left, waiting

    def _is_settled(self, partition: TopicPartition, refusal: Refused, order: SendMarkers) -> bool:
        if self._broker.image.partition(*partition) is None:
            return True  # the topic was deleted, and the transaction's data with it
        if refusal.code in _OVERTAKEN:
            _log.warning("marker of %s for %s: %s", order.transactional_id, partition, refusal)
            return True
        return False

    async def _write_rest(
        self,
        host: ShardHost,
        order: SendMarkers,
        left: list[TopicPartition],
        waiting: list[tuple[TopicPartition, WrittenMarker]],
    ) -> None:
        while host.state == "active" and (left or waiting):
            for partition, written in waiting:
                if not await until_committed(written, _RETRY_S) and not self._is_still_led(written.leader):
                    left.append(partition)
            waiting = [each for each in waiting if each[0] not in left and not each[1].is_committed]
            if left:
                await asyncio.sleep(_RETRY_S)
                left, more = self._write_some(order, left)
                waiting += more
        self._finish_soon(host, order)

    def _is_still_led(self, leader: PartitionLeader) -> bool:
        return self._broker.partitions.leaders.get(leader.topic_partition) is leader

    def _finish_soon(self, host: ShardHost, order: SendMarkers) -> None:
        self._incomplete.setdefault(host, {})[order.transactional_id] = order
        if self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_later(_COMPLETE_AFTER_S, self.complete_all)

    def _finish(self, host: ShardHost, order: SendMarkers) -> None:
        if host.state != "active":
            self._under_way.pop((host, order.key), None)
            return
        shard = host.shard
        assert isinstance(shard, TransactionShard)
        told = host.run(lambda now: shard.markers_written(*order.key, now))
        told.add_done_callback(lambda done: self._finished(host, order, done))

    def _finished(self, host: ShardHost, order: SendMarkers, done: asyncio.Future[ErrorCode]) -> None:
        self._under_way.pop((host, order.key), None)
        if not done.cancelled() and done.exception() is not None and host.state == "active":
            # The Complete record could not be written. The shard still owes the markers: they are written once more.
            asyncio.get_running_loop().call_later(_RETRY_S, self._look, host)
