"""Takes batches from the accumulator to the leaders of their partitions, and decides what becomes of them.

No task per batch or request: `_run` sends what can be sent and ends; it runs again when a batch is full or due, a
response has come, a connection is open, or the image has changed.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from ottla.client.cluster import Cluster
from ottla.client.errors import ClientError, ConnectionFailed, TimedOut, refusal
from ottla.client.metrics import SendMetrics
from ottla.client.nodes import CHANNEL_ERRORS, client_error
from ottla.client.producer.accumulator import Accumulator
from ottla.client.producer.authority import Authority
from ottla.client.producer.batch import Batch
from ottla.client.producer.encoding import Encoding
from ottla.client.producer.outcome import UNKNOWN_OFFSET
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.client.producer.produce_request import ProduceResults, produce_request, results_of
from ottla.client.producer.splitting import split
from ottla.client.producer.verdict import MAYBE_WRITTEN, Verdict, verdict_of
from ottla.client.retrying import Backoff
from ottla.config.producer_options import ProducerOptions
from ottla.model.error_codes import STALE_METADATA, ErrorCode
from ottla.protocol.wire import Buffer
from ottla.runtime.channel import Channel

_log = logging.getLogger(__name__)
_EXPIRY_CHECK_MS = 1000


class Sender:
    """Owned by the producer."""

    def __init__(
        self,
        cluster: Cluster,
        accumulator: Accumulator,
        options: ProducerOptions,
        *,
        on_decided: Callable[[Batch], None],
    ) -> None:
        self.authority: Authority
        #: Called at the beginning of each run, with the time.
        self.on_run: Callable[[int], None] = lambda now_ms: None
        self._cluster = cluster
        self._accumulator = accumulator
        self._options = options
        self._acks = options.required_acks
        self._max_in_flight = options.max_in_flight_requests_per_connection
        self.encoding = Encoding(options)
        self._backoff = Backoff(options.retry_backoff_ms, options.retry_backoff_max_ms, cluster.rng)
        self._on_decided = on_decided
        self.metrics = SendMetrics(cluster.clock.monotonic_ms())
        self._loop = asyncio.get_running_loop()
        self._in_flight: dict[int, int] = {}
        self._preparing: dict[int, asyncio.Task[None]] = {}
        self._unready_since_ms: dict[int, int] = {}
        #: Nodes that take nothing for longer than partitioner.availability.timeout.ms.
        self.slow_nodes: set[int] = set()
        self._is_scheduled = False
        self._is_closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms = 0
        self._expiry_check_ms = 0
        cluster.on_image.append(lambda image: self.wake())

    def wake(self) -> None:
        """Looks soon at what can be sent."""
        if not self._is_scheduled and not self._is_closed:
            self._is_scheduled = True
            self._loop.call_soon(self._run)

    def wake_at(self, at_ms: int, now_ms: int) -> None:
        if self._timer is not None:
            if self._timer_ms <= at_ms:
                return
            self._timer.cancel()
        self._timer_ms = at_ms
        self._timer = self._loop.call_later(max(0, at_ms - now_ms) / 1000, self._on_timer)

    async def close(self) -> None:
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        for task in list(self._preparing.values()):
            task.cancel()
        await asyncio.gather(*self._preparing.values(), return_exceptions=True)

    @property
    def in_flight_count(self) -> int:
        """Of the requests without a response."""
        return sum(self._in_flight.values())

    def _on_timer(self) -> None:
        self._timer = None
        self.wake()

    # sending

    def _run(self) -> None:
        self._is_scheduled = False
        if self._is_closed:
            return
        now_ms = self._cluster.clock.monotonic_ms()
        self._expire(now_ms)
        self.on_run(now_ms)
        failure = self.authority.take_failure()
        if failure is not None:
            self.fail_waiting(failure)
        ready = self._accumulator.ready(now_ms)
        for node_id, queues in self._by_leader(ready.queues).items():
            self._send_to(node_id, queues, now_ms)
        if self._accumulator.active:
            again_ms = now_ms + _EXPIRY_CHECK_MS
            self.wake_at(again_ms if ready.again_ms is None else min(ready.again_ms, again_ms), now_ms)

    def _by_leader(self, queues: list[PartitionQueue]) -> dict[int, list[PartitionQueue]]:
        found: dict[int, list[PartitionQueue]] = {}
        is_stale = False
        for queue in queues:
            leader = self._cluster.image.leader_of(queue.partition)
            if leader is None:
                is_stale = True
            elif self.authority.may_send(queue.partition):
                found.setdefault(leader.id, []).append(queue)
        if is_stale:
            self._cluster.request_refresh()
        return found

    def _send_to(self, node_id: int, queues: list[PartitionQueue], now_ms: int) -> None:
        channel = self._cluster.nodes.ready(node_id)
        if channel is None or channel.is_clogged or channel.throttle_left_s > 0:
            self._prepare(node_id, now_ms)
            return
        self._is_available(node_id)
        while queues and self._in_flight.get(node_id, 0) < self._max_in_flight:
            batches = self._take(queues, now_ms)
            if not batches:
                return
            self._send(channel, node_id, batches)
            if channel.is_clogged or not channel.is_open:
                self._prepare(node_id, now_ms)
                return
            queues = [queue for queue in queues if queue.waiting]

    def _take(self, queues: list[PartitionQueue], now_ms: int) -> list[Batch]:
        """At most one batch of each partition, as the protocol wants it; up to `max.request.size` together."""
        batches: list[Batch] = []
        size = 0
        for queue in queues:
            if not queue.may_take(now_ms, self._max_in_flight):
                continue
            first = queue.waiting[0] if queue.waiting else queue.open
            if first is None or (batches and size + first.size > self._options.max_request_size):
                continue
            batch = queue.take()
            if self.authority.is_idempotent:
                queue.give_sequence(batch, self.authority.identity)
                batch.is_transactional = self.authority.transactional_id is not None
            self._accumulator.had_a_turn(queue)
            batches.append(batch)
            size += batch.size
        return batches

    def _send(self, channel: Channel, node_id: int, batches: list[Batch]) -> None:
        try:
            parts = [(batch.partition, self._encoded(batch)) for batch in batches]
            request, version = produce_request(
                channel,
                parts,
                self._cluster.image,
                acks=self._acks,
                timeout_ms=self._options.request_timeout_ms,
                transactional_id=self.authority.transactional_id,
                max_version=self.authority.max_produce_version,
            )
            if self._acks == 0:
                channel.send_without_response(request, version)
            else:
                response = channel.send(request, version)
        except CHANNEL_ERRORS as error:
            self._all_failed(batches, client_error(error, f"node {node_id}"))
            return
        now_ms = self._cluster.clock.monotonic_ms()
        self.metrics.request_count += 1
        for batch in batches:
            self.authority.sent(batch)
            self.metrics.batch_sent(batch.count, batch.size, now_ms - batch.created_ms)
        if self._acks == 0:
            for batch in batches:
                self._acknowledged(batch, UNKNOWN_OFFSET, -1)
            return
        self._in_flight[node_id] = self._in_flight.get(node_id, 0) + 1
        names = {topic.topic_id: topic.name for topic in request.topic_data}
        response.add_done_callback(partial(self._on_response, node_id, batches, names, now_ms))

    def _encoded(self, batch: Batch) -> Buffer:
        data = self.encoding.bytes_of(batch)
        self._accumulator.takes(batch, len(data))
        return data

    # nodes that cannot be sent to now

    def _prepare(self, node_id: int, now_ms: int) -> None:
        """Connects, or waits while the node is throttled or clogged; then the sender is woken."""
        limit_ms = self._options.partitioner_availability_timeout_ms
        since_ms = self._unready_since_ms.setdefault(node_id, now_ms)
        if limit_ms and now_ms - since_ms > limit_ms:
            self.slow_nodes.add(node_id)
        if node_id not in self._preparing and not self._is_closed:
            self._preparing[node_id] = self._loop.create_task(
                self._until_ready(node_id), name=f"prepare node {node_id}"
            )

    async def _until_ready(self, node_id: int) -> None:
        try:
            channel = await self._cluster.channel(node_id)
            await channel.has_room()
        except ClientError as error:
            _log.debug("node %d cannot be sent to: %s", node_id, error)
            if not error.retriable:
                self._fail_node(node_id, error)
            self._cluster.request_refresh()
        finally:
            self._preparing.pop(node_id, None)
        self.wake()

    def _is_available(self, node_id: int) -> None:
        if self._unready_since_ms.pop(node_id, None) is not None:
            self.slow_nodes.discard(node_id)

    def _fail_node(self, node_id: int, error: ClientError) -> None:
        """A login that was refused, a broker that is too old: to wait does not help."""
        for queue in list(self._accumulator.active.values()):
            leader = self._cluster.image.leader_of(queue.partition)
            if leader is not None and leader.id == node_id:
                self._fail_queue(queue, error)

    # responses

    def _on_response(
        self,
        node_id: int,
        batches: list[Batch],
        names: dict[bytes, str],
        sent_ms: int,
        response: "asyncio.Future[Any]",
    ) -> None:
        self._in_flight[node_id] -= 1
        error = response.exception() if not response.cancelled() else ConnectionFailed("the channel was closed")
        if error is not None:
            cause = client_error(error, f"node {node_id}") if isinstance(error, Exception) else TimedOut(str(error))
            self._all_failed(batches, cause)
        else:
            self.metrics.request_latency_ms.record(self._cluster.clock.monotonic_ms() - sent_ms)
            results = results_of(response.result(), names)
            for batch in batches:
                self._on_result(batch, results)
        self.wake()

    def _all_failed(self, batches: list[Batch], error: ClientError) -> None:
        self._cluster.request_refresh()
        for batch in batches:
            if error.retriable:
                self._retry(batch, error)
            else:
                self._given_up(batch, error, is_known_unwritten=False)
        self.wake()

    def _on_result(self, batch: Batch, results: ProduceResults) -> None:
        row = results.of(batch.partition)
        code = ErrorCode.NETWORK_EXCEPTION if row is None else row.error_code
        queue = self._accumulator.queues[batch.partition]
        verdict = verdict_of(
            code,
            is_idempotent=self.authority.is_idempotent,
            is_first_undecided=queue.is_first_undecided(batch),
            record_count=batch.count,
        )
        if verdict is Verdict.ACKNOWLEDGED:
            self._acknowledged(batch, row.base_offset, row.log_append_time_ms)
            return
        if code in STALE_METADATA:
            self._note_leader(batch, row, results)
        error = refusal(code, _reason(batch, row))
        if verdict is Verdict.SPLIT and not batch.is_done:
            self._split(queue, batch)
        elif verdict is Verdict.RETRY:
            self._retry(batch, error)
        elif verdict is Verdict.NEW_SEQUENCES and not batch.is_done and self.authority.lost_sequence(queue, batch):
            queue.returned(batch, self._not_before_ms(batch.attempts - 1))
        else:
            self._given_up(batch, error, is_known_unwritten=code not in MAYBE_WRITTEN)

    def _note_leader(self, batch: Batch, row: Any, results: ProduceResults) -> None:
        leader = row.current_leader if row is not None else None
        if leader is not None and leader.leader_id >= 0:
            self._cluster.note_leader(batch.partition, leader.leader_id, leader.leader_epoch, results.nodes)
        self._cluster.request_refresh()

    def _retry(self, batch: Batch, error: ClientError) -> None:
        queue = self._accumulator.queues[batch.partition]
        if batch.is_done or batch.attempts > self._options.retries:
            self._given_up(batch, error, is_known_unwritten=error.code not in MAYBE_WRITTEN)
            return
        self.metrics.record_retries += batch.count
        queue.returned(batch, self._not_before_ms(batch.attempts))

    def _not_before_ms(self, failures: int) -> int:
        return self._cluster.clock.monotonic_ms() + self._backoff.pause_ms(failures)

    def _split(self, queue: PartitionQueue, batch: Batch) -> None:
        parts = split(batch)
        self.metrics.batch_splits += 1
        queue.replaced(batch, parts)
        for part in parts:
            self._accumulator.takes(part, part.size)
        batch.split_into(parts)
        self._accumulator.decided(batch)

    # ends

    def _acknowledged(self, batch: Batch, base_offset: int, log_append_time_ms: int) -> None:
        self._accumulator.queues[batch.partition].acknowledged(batch)
        if not batch.is_done:
            batch.acknowledged(base_offset, log_append_time_ms)
            self._decided(batch)
        else:
            self._accumulator.decided(batch)

    def _given_up(self, batch: Batch, error: Exception, *, is_known_unwritten: bool) -> None:
        queue = self._accumulator.queues[batch.partition]
        if is_known_unwritten:
            queue.refused_for_good(batch)
        else:
            queue.finished(batch)
        self._fail(batch, error)

    def _fail(self, batch: Batch, error: Exception) -> None:
        if not batch.is_done:
            self.metrics.record_errors += batch.count
            self.authority.batch_failed(batch, error)
            batch.decide(error)
            self._decided(batch)
        else:
            self._accumulator.decided(batch)

    def _decided(self, batch: Batch) -> None:
        self._accumulator.decided(batch)
        self._on_decided(batch)

    def _expire(self, now_ms: int) -> None:
        if now_ms < self._expiry_check_ms:
            return
        self._expiry_check_ms = now_ms + _EXPIRY_CHECK_MS
        for batch in self._accumulator.expired(now_ms):
            error = TimedOut(
                f"{batch.count} records for {batch.partition}: not delivered within delivery.timeout.ms="
                f"{self._options.delivery_timeout_ms}, {batch.attempts} attempts"
            )
            if batch in self._accumulator.queues[batch.partition].in_flight:
                # The caller hears of it now; the request stays in flight, and its response still tells the sequence.
                self.metrics.record_errors += batch.count
                self.authority.batch_failed(batch, error)
                batch.decide(error)
                self._on_decided(batch)
            else:
                self._accumulator.drop_waiting(batch)
                self._fail(batch, error)

    def fail_waiting(self, error: Exception) -> None:
        """Everything that is not in flight fails."""
        for queue in list(self._accumulator.active.values()):
            self._fail_queue(queue, error)

    def _fail_queue(self, queue: PartitionQueue, error: Exception) -> None:
        queue.close_open()
        while queue.waiting:
            batch = queue.waiting.popleft()
            self._fail(batch, error)


def _reason(batch: Batch, row: Any) -> str:
    parts = [f"{batch.count} records for {batch.partition}"]
    if row is not None and row.error_message:
        parts.append(row.error_message)
    if row is not None:
        parts += [f"record {each.batch_index}: {each.batch_index_error_message}" for each in row.record_errors]
    return "; ".join(parts)
