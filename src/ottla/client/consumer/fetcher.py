"""Keeps fetches in flight: plans them, sends them, and puts what arrives into the buffer. No task per fetch."""

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from ottla.client.cluster import Cluster
from ottla.client.consumer.assignment import Assignment
from ottla.client.consumer.fetch_buffer import FetchBuffer
from ottla.client.consumer.fetch_plan import FetchLimits, FetchPlan, PlannedFetch, plan_fetches
from ottla.client.consumer.fetch_response import FetchResponseReader, ReadingRules, failed_fetch
from ottla.client.consumer.fetch_session import FetchSession, SessionRequest
from ottla.client.errors import ClientError, RequestRefused, raise_for
from ottla.client.metrics import FetchMetrics
from ottla.client.nodes import CHANNEL_ERRORS, client_error
from ottla.client.retrying import Backoff
from ottla.config.consumer_options import ConsumerOptions
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import fetch_request
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.runtime.channel import Channel

_log = logging.getLogger(__name__)

READ_COMMITTED = "read_committed"
#: Fetch uses topic ids from the next version on.
_LAST_WITH_NAMES = 12


class _InFlight(NamedTuple):
    fetch: PlannedFetch
    versions: dict[TopicPartition, int]
    channel: Channel
    sent_ms: int


class Fetcher:
    """Owned by the consumer, which calls `wake` whenever a partition may have become hungry."""

    def __init__(
        self,
        cluster: Cluster,
        options: ConsumerOptions,
        assignment: Assignment,
        buffer: FetchBuffer,
        *,
        on_news: Callable[[], None],
        on_jump: Callable[[], None],
        on_error: Callable[[ClientError], None],
    ) -> None:
        """`on_news`: records have arrived. `on_jump`: a partition needs another position."""
        self._cluster = cluster
        self._options = options
        self._assignment = assignment
        self._buffer = buffer
        self._on_news = on_news
        self._on_jump = on_jump
        self._on_error = on_error
        self.metrics = FetchMetrics(cluster.clock.monotonic_ms())
        self._limits = FetchLimits(options.fetch_max_bytes, options.max_partition_fetch_bytes)
        self._is_committed_only = options.isolation_level == READ_COMMITTED
        self._reader = FetchResponseReader(
            buffer,
            ReadingRules(
                is_committed_only=self._is_committed_only,
                checks_crc=options.check_crcs,
                preferred_for_ms=options.metadata_max_age_ms,
                pause_ms=cluster.new_backoff().pause_ms,
            ),
        )
        self._sessions: dict[int, FetchSession] = {}
        self._backoffs: dict[int, Backoff] = {}
        self._in_flight: dict[int, _InFlight] = {}
        self._connecting: dict[int, asyncio.Task[None]] = {}
        self._handle: asyncio.Handle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at_ms = 0
        self._is_closed = False
        #: The partitions that the caller asks for now; None for all.
        self.only: Collection[TopicPartition] | None = None

    def wake(self) -> None:
        """Looks for something to fetch, soon."""
        if self._handle is None and not self._is_closed:
            self._handle = asyncio.get_running_loop().call_soon(self._pump)

    def is_throttled(self, node_id: int) -> bool:
        channel = self._cluster.nodes.ready(node_id)
        return channel is not None and channel.throttle_left_s > 0

    async def close(self) -> None:
        """Closes the sessions; does not wait for responses."""
        self._is_closed = True
        for timer in (self._handle, self._timer):
            if timer is not None:
                timer.cancel()
        for node_id, session in self._sessions.items():
            channel = self._cluster.nodes.ready(node_id)
            # Behind a long poll it would come too late.
            if session.is_open and channel is not None and node_id not in self._in_flight:
                self._close_session(channel, session)
        connecting = list(self._connecting.values())
        for task in connecting:
            task.cancel()
        for task in connecting:
            try:
                await task
            except asyncio.CancelledError:
                continue

    def _close_session(self, channel: Channel, session: FetchSession) -> None:
        try:
            request = self._message(session.final_request(), 1)
            channel.send(request).add_done_callback(_forget)
        except CHANNEL_ERRORS as error:
            _log.debug("fetch session is left open: %s", error)

    # sending

    def _pump(self) -> None:
        self._handle = None
        if self._is_closed:
            return
        now_ms = self._cluster.clock.monotonic_ms()
        if self._assignment.lacks_leaders():
            self._cluster.request_refresh()
        plan = self._plan(now_ms)
        if plan.lacks_room and self._make_room():
            plan = self._plan(now_ms)
        for fetch in plan.fetches:
            self._start(fetch, now_ms)
        if plan.again_ms is not None:
            self._pump_at(plan.again_ms)

    def _plan(self, now_ms: int) -> FetchPlan:
        busy = {node_id: entry.fetch.max_bytes for node_id, entry in self._in_flight.items()}
        busy |= dict.fromkeys(self._connecting, 0)
        return plan_fetches(
            self._assignment,
            self._limits,
            in_flight_bytes=busy,
            held_bytes=self._buffer.held_bytes,
            only=self.only,
            now_ms=now_ms,
        )

    def _make_room(self) -> bool:
        """Drops what nobody can take now: it is fetched again when it is wanted."""
        idle = self._buffer.idle_states(self.only)
        for state in idle:
            self._buffer.drop(state)
        return bool(idle)

    def _pump_at(self, at_ms: int) -> None:
        """At the latest then."""
        now_ms = self._cluster.clock.monotonic_ms()
        if self._timer is not None:
            if now_ms < self._timer_at_ms <= at_ms:
                return
            self._timer.cancel()
        self._timer_at_ms = max(now_ms + 1, at_ms)
        self._timer = asyncio.get_running_loop().call_later((self._timer_at_ms - now_ms) / 1000, self.wake)

    def _start(self, fetch: PlannedFetch, now_ms: int) -> None:
        channel = self._cluster.nodes.ready(fetch.node_id)
        if channel is None:
            self._connect(fetch)
        elif channel.throttle_left_s > 0:
            self._pump_at(now_ms + int(channel.throttle_left_s * 1000) + 1)
        else:
            self._send(fetch, channel)

    def _send(self, fetch: PlannedFetch, channel: Channel) -> None:
        versions = {partition: state.version for partition, state in fetch.states.items()}
        session = self._sessions.setdefault(fetch.node_id, FetchSession())
        options = self._options
        # The broker may wait for so long before it does anything.
        timeout_ms = options.request_timeout_ms + options.fetch_max_wait_ms
        try:
            version = channel.version_for(FetchRequest, 32767 if fetch.uses_topic_ids else _LAST_WITH_NAMES)
            asked = session.request(fetch.wanted, uses_topic_ids=version > _LAST_WITH_NAMES)
            response = channel.send(self._message(asked, fetch.max_bytes), version, timeout_ms=timeout_ms)
        except CHANNEL_ERRORS as error:
            self._failed(fetch, versions, client_error(error, f"node {fetch.node_id}"))
            return
        sent_ms = self._cluster.clock.monotonic_ms()
        self._in_flight[fetch.node_id] = _InFlight(fetch, versions, channel, sent_ms)
        response.add_done_callback(lambda done: self._done(fetch.node_id, done))

    def _message(self, asked: SessionRequest, max_bytes: int) -> FetchRequest:
        options = self._options
        topics: dict[tuple[str, bytes], list[fetch_request.Partitions]] = {}
        for partition, row in asked.wanted.items():
            topics.setdefault((partition.topic, row.topic_id), []).append(
                fetch_request.Partitions(
                    partition.partition, row.leader_epoch, row.fetch_offset, partition_max_bytes=row.max_bytes
                )
            )
        forgotten: dict[tuple[str, bytes], list[int]] = {}
        for partition, topic_id in asked.forgotten:
            forgotten.setdefault((partition.topic, topic_id), []).append(partition.partition)
        return FetchRequest(
            max_wait_ms=options.fetch_max_wait_ms,
            min_bytes=options.fetch_min_bytes,
            max_bytes=max_bytes,
            isolation_level=1 if self._is_committed_only else 0,
            session_id=asked.session_id,
            session_epoch=asked.epoch,
            topics=[fetch_request.Topics(topic_id, name, rows) for (name, topic_id), rows in topics.items()],
            forgotten_topics_data=[
                fetch_request.ForgottenTopicsData(topic_id, name, rows) for (name, topic_id), rows in forgotten.items()
            ],
            rack_id=options.client_rack,
        )

    # what becomes of it

    def _done(self, node_id: int, done: "asyncio.Future[Any]") -> None:
        entry = self._in_flight.pop(node_id)
        if done.cancelled() or self._is_closed:
            _forget(done)
            return
        error = done.exception()
        if error is not None:
            if not isinstance(error, CHANNEL_ERRORS):
                raise error
            self._failed(entry.fetch, entry.versions, client_error(error, f"node {node_id}"))
            return
        self._received(entry, done.result())
        self.wake()

    def _received(self, entry: _InFlight, response: Any) -> None:
        node_id = entry.fetch.node_id
        self._sessions[node_id].responded(response.session_id, response.error_code)
        try:
            raise_for(response.error_code)
        except ClientError as error:
            self._failed(entry.fetch, entry.versions, error)
            return
        self._backoff(node_id).succeeded()
        now_ms = self._cluster.clock.monotonic_ms()
        effects = self._reader.read(entry.fetch, entry.versions, response, now_ms)
        self.metrics.fetch_latency_ms.record(now_ms - entry.sent_ms)
        self.metrics.fetch_size.record(effects.size)
        for leader in effects.new_leaders:
            self._cluster.note_leader(leader.partition, leader.leader_id, leader.leader_epoch, effects.nodes)
        if effects.wants_metadata:
            self._cluster.request_refresh()
        for failure in effects.errors:
            self._on_error(failure)
        if effects.has_jumped:
            self._on_jump()
        if effects.has_records:
            self._on_news()

    def _failed(self, fetch: PlannedFetch, versions: dict[TopicPartition, int], error: ClientError) -> None:
        _log.debug("fetch from node %d: %s", fetch.node_id, error)
        node_id = fetch.node_id
        if node_id in self._sessions and not isinstance(error, RequestRefused):
            self._sessions[node_id].failed()
        not_before_ms = self._cluster.clock.monotonic_ms() + self._backoff(node_id).failed_ms()
        failed_fetch(fetch, versions, error, not_before_ms)
        self._cluster.request_refresh()
        if not error.retriable:
            self._on_error(error)
        self.wake()

    def _backoff(self, node_id: int) -> Backoff:
        found = self._backoffs.get(node_id)
        if found is None:
            found = self._backoffs[node_id] = self._cluster.new_backoff()
        return found

    # connections

    def _connect(self, fetch: PlannedFetch) -> None:
        versions = {partition: state.version for partition, state in fetch.states.items()}
        task = asyncio.get_running_loop().create_task(
            self._connected(fetch, versions), name=f"connect to fetch from node {fetch.node_id}"
        )
        self._connecting[fetch.node_id] = task

    async def _connected(self, fetch: PlannedFetch, versions: dict[TopicPartition, int]) -> None:
        try:
            await self._cluster.channel(fetch.node_id)
        except ClientError as error:
            self._failed(fetch, versions, error)
        finally:
            self._connecting.pop(fetch.node_id, None)
        self.wake()


def _forget(done: "asyncio.Future[Any]") -> None:
    if not done.cancelled():
        done.exception()
