"""Writes the markers of decided transactions to their partitions, and notifies the coordinator when all are safe there.

The order is the whole point: the decision is committed in `__transaction_state` first, then the markers are written,
then the transaction is complete. A node that dies in between finds the decision when it loads the shard and continues.
Power loss can take a marker from a partition that does not sync, also of a transaction that is complete. Such a marker
is looked up in the transaction log and written again before the shard serves; where it could not be found there, the
transaction is complete only when the markers are on the device (ADR 0031).

Nobody waits for the Complete record, and it would cost a sync of its own. So it is written with whatever the shard
writes next, before the id is asked for anything, or after a few milliseconds, whichever comes first.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

from ottla.broker.coordinators.markers import Marker, MarkerLog, UnsafeMarkers, WrittenMarker, until_safe
from ottla.broker.execution.tasks import Tasks
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.shards.shard_host import ShardHost
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.replication.partition_leader import PartitionLeader
from ottla.transactions.lost_markers import LostMarkers, OpenTransaction
from ottla.transactions.markers import SendMarkers
from ottla.transactions.shard import TransactionShard

_log = logging.getLogger(__name__)
_RETRY_S = 0.1
_COMPLETE_AFTER_S = 0.01
_RECORDS_PER_SLICE = 500
#: The partition has moved on: it knows a newer epoch of the producer, or a newer coordinator has written there.
_OVERTAKEN = (ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.TRANSACTION_COORDINATOR_FENCED)


class MarkerWriter:
    """Owned by the node's transaction coordinators. One piece of work for each decided transaction at a time."""

    def __init__(self, markers: MarkerLog, partitions: Partitions, metadata: MetadataCache, tasks: Tasks) -> None:
        self._markers = markers
        self._partitions = partitions
        self._metadata = metadata
        self._tasks = tasks
        self._under_way: dict[tuple[ShardHost, tuple[str, int, int]], None] = {}
        #: By transactional id: all markers are safe, the Complete record is not written.
        self._incomplete: dict[ShardHost, dict[str, SendMarkers]] = {}
        #: Requests that wait for the markers of an id.
        self._waiters: dict[tuple[ShardHost, str], list[asyncio.Future[None]]] = {}
        self._completion_timer: asyncio.TimerHandle | None = None

    def serve(self, host: ShardHost) -> None:
        """The shard of `host` is loaded. Markers that an earlier run left due are written now."""
        host.on_applied = lambda: self._applied(host)
        self._look(host, is_inherited=True)

    async def restore(self, host: ShardHost) -> None:
        """Before the shard of `host` serves: what follows must not be taken for a part of what has lost its marker."""
        shard = host.shard
        assert isinstance(shard, TransactionShard)
        searched: dict[OpenTransaction, None] = {}
        while host.state == "loading":
            opened = [each for each in shard.unexplained(self._opened()) if each not in searched]
            if not opened:
                break
            lost = LostMarkers(opened)
            for count, record in enumerate(host.stored()):
                lost.see(record.transaction)
                if count % _RECORDS_PER_SLICE == 0:
                    await asyncio.sleep(0)
            for order in lost.orders(shard.coordinator_epoch):
                await self._write_again(host, order)
            searched.update(dict.fromkeys(opened))
        for each in searched:
            if each in self._opened():
                _log.warning("%s has an open transaction of producer %d that no coordinator knows", *each[:2])

    def restore_now(self, host: ShardHost, leader: PartitionLeader) -> None:
        """The partition was opened while the shard serves, which is rare: it was offline when the node started."""
        shard = host.shard
        assert isinstance(shard, TransactionShard)
        opened = shard.unexplained(_opened_in(leader))
        if opened and host.state == "active":
            lost = LostMarkers(opened)
            for record in host.stored():
                lost.see(record.transaction)
            for order in lost.orders(shard.coordinator_epoch):
                _log_lost(order)
                self._write_some(order, list(order.partitions))

    def _opened(self) -> list[OpenTransaction]:
        return [each for leader in self._partitions for each in _opened_in(leader)]

    async def _write_again(self, host: ShardHost, order: SendMarkers) -> None:
        _log_lost(order)
        left = list(order.partitions)
        while host.state == "loading" and left:
            left, _ = self._write_some(order, left)
            left = [each for each in left if each in self._partitions.leaders]
            if left:
                await asyncio.sleep(_RETRY_S)

    async def until_safe(self, host: ShardHost, transactional_id: str, timeout_s: float) -> None:
        """Returns when the markers of the id's decided transaction are safe, or after that time."""
        key = (host, transactional_id)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.setdefault(key, []).append(done)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await done
        waiting = self._waiters.get(key, [])
        if done in waiting:
            waiting.remove(done)
            if not waiting:
                del self._waiters[key]

    def complete(self, host: ShardHost, transactional_id: str) -> None:
        """Before the id is asked for anything."""
        order = self._incomplete[host].pop(transactional_id, None) if host in self._incomplete else None
        if order is not None:
            self._finish(host, order)

    def complete_all(self) -> None:
        if self._completion_timer is not None:
            self._completion_timer.cancel()
            self._completion_timer = None
        for host in list(self._incomplete):
            self._complete_host(host)

    def _complete_host(self, host: ShardHost) -> None:
        for order in self._incomplete.pop(host, {}).values():
            self._finish(host, order)

    def _applied(self, host: ShardHost) -> None:
        """The shard has written something: what waits to be written joins its sync."""
        self._complete_host(host)
        self._look(host)

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
        """The partitions that got their marker before the node died. It may not be safe there yet."""
        found = {}
        for partition in order.partitions:
            leader = self._partitions.leaders.get(partition)
            entry = None if leader is None else leader.log.producers.entries.get(order.producer_id)
            if leader is not None and entry is not None:
                if entry.epoch == order.producer_epoch and entry.open_offset < 0:
                    if order.must_be_durable:
                        leader.commit_by_flush()
                    found[partition] = WrittenMarker(leader, leader.log.end_offset - 1)
        return found

    def _write(self, host: ShardHost, order: SendMarkers, inherited: dict[TopicPartition, WrittenMarker]) -> None:
        left, waiting = self._write_some(order, [each for each in order.partitions if each not in inherited])
        waiting |= {partition: written for partition, written in inherited.items() if not written.is_safe}
        if left or not waiting:
            self._end_of_flush(host, order, left, waiting)
        else:
            UnsafeMarkers(waiting, _RETRY_S, lambda late: self._end_of_flush(host, order, [], late))

    def _end_of_flush(
        self,
        host: ShardHost,
        order: SendMarkers,
        left: list[TopicPartition],
        waiting: dict[TopicPartition, WrittenMarker],
    ) -> None:
        if left or waiting:
            name = f"markers of {order.transactional_id}"
            self._tasks.spawn(self._write_rest(host, order, left, waiting), name=name)
        else:
            self._finish_soon(host, order)

    def _write_some(
        self, order: SendMarkers, partitions: list[TopicPartition]
    ) -> tuple[list[TopicPartition], dict[TopicPartition, WrittenMarker]]:
        """What could not be written, and what is written but not safe yet."""
        left = []
        waiting = {}
        marker = Marker(
            order.producer_id,
            order.producer_epoch,
            order.committed,
            order.coordinator_epoch,
            order.transaction_version,
            order.must_be_durable,
        )
        batch = marker.batch(self._markers.now_ms())
        for partition in partitions:
            try:
                written = self._markers.write(partition, marker, batch)
            except Refused as refusal:
                if not self._is_settled(partition, refusal, order):
                    left.append(partition)
                continue
            if not written.is_safe:
                waiting[partition] = written
        return left, waiting

    def _is_settled(self, partition: TopicPartition, refusal: Refused, order: SendMarkers) -> bool:
        if self._metadata.image.partition(*partition) is None:
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
        waiting: dict[TopicPartition, WrittenMarker],
    ) -> None:
        """Retries until every partition has its marker, or is gone."""
        while host.state == "active" and (left or waiting):
            for partition, written in list(waiting.items()):
                if await until_safe(written, _RETRY_S):
                    del waiting[partition]
                elif not self._is_still_led(written.leader):
                    del waiting[partition]
                    left.append(partition)
            if left:
                await asyncio.sleep(_RETRY_S)
                left, more = self._write_some(order, left)
                waiting |= more
        self._finish_soon(host, order)

    def _is_still_led(self, leader: PartitionLeader) -> bool:
        return self._partitions.leaders.get(leader.topic_partition) is leader

    def _finish_soon(self, host: ShardHost, order: SendMarkers) -> None:
        self._incomplete.setdefault(host, {})[order.transactional_id] = order
        for waiter in self._waiters.pop((host, order.transactional_id), ()):
            if not waiter.done():
                waiter.set_result(None)
        if self._completion_timer is None:
            self._completion_timer = asyncio.get_running_loop().call_later(_COMPLETE_AFTER_S, self.complete_all)

    def _finish(self, host: ShardHost, order: SendMarkers) -> None:
        if host.state != "active":
            self._under_way.pop((host, order.key), None)
            return
        shard = host.shard
        assert isinstance(shard, TransactionShard)
        completion = host.run(lambda now: shard.markers_written(*order.key, now))
        completion.add_done_callback(lambda done: self._finished(host, order, done))

    def _finished(self, host: ShardHost, order: SendMarkers, done: asyncio.Future[ErrorCode]) -> None:
        self._under_way.pop((host, order.key), None)
        if not done.cancelled() and done.exception() is not None and host.state == "active":
            # The Complete record could not be written. The markers are still due: they are written once more.
            asyncio.get_running_loop().call_later(_RETRY_S, self._look, host)


def _opened_in(leader: PartitionLeader) -> list[OpenTransaction]:
    producers = leader.log.producers
    return [
        OpenTransaction(leader.topic_partition, producer_id, producers.entries[producer_id].epoch)
        for producer_id in producers.open_transactions
    ]


def _log_lost(order: SendMarkers) -> None:
    places = ", ".join(map(str, order.partitions))
    _log.warning("the marker of %s in %s was lost in a power loss: it is written again", order.transactional_id, places)
