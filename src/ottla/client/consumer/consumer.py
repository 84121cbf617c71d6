"""`AsyncConsumer`: records from topics, for asyncio."""

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ottla.client.consumer.committable import Committable, offsets_of
from ottla.client.consumer.fetcher import READ_COMMITTED
from ottla.client.consumer.group_side import GroupSide
from ottla.client.consumer.health import CLOSED, ConsumerHealth, HealthFacts, assess
from ottla.client.consumer.offset_queries import query_committed, query_offsets
from ottla.client.consumer.polling import Polling
from ottla.client.consumer.positions import NO_EPOCH, Position
from ottla.client.consumer.reading import Reading
from ottla.client.consumer.rebalance_listener import RebalanceListener
from ottla.client.consumer.record import ConsumerRecord, OffsetAndTimestamp
from ottla.client.consumer.reset_policy import (
    EARLIEST,
    EARLIEST_TIMESTAMP,
    LATEST,
    LATEST_TIMESTAMP,
)
from ottla.client.consumer.subscription import NOTHING, Subscription
from ottla.client.errors import ClientClosed, InvalidConfig, NoOffset
from ottla.client.interceptors import load_interceptors
from ottla.client.lifetime import Lifetime
from ottla.client.metadata import PartitionView
from ottla.client.metrics import Metrics
from ottla.client.offsets import ConsumerGroupMetadata, OffsetAndMetadata
from ottla.client.retrying import Deadline, timed_out
from ottla.client.serializers import deserializer
from ottla.client.wakeup import Wakeup
from ottla.config.consumer_options import ConsumerOptions
from ottla.doors.clock import Clock
from ottla.doors.world import World
from ottla.model.topic import TopicPartition
from ottla.records.arrow_columns import BATCH_ROWS, record_schema

if TYPE_CHECKING:
    import pyarrow as pa

_log = logging.getLogger(__name__)

_OBJECTS = ("interceptor.classes", "key.deserializer", "value.deserializer")
_NO_RECORDS: Iterator[ConsumerRecord] = iter(())
_POLL_MS = 1000
_CLOSE_MS = 30_000


class AsyncConsumer:
    """Reads records of topics, alone or as a member of a group. `Consumer` is the same without asyncio.

    Records come from `async for`, `poll` or `getmany`. Fetching, heartbeats and look-ups run in the background;
    rebalances and auto-commits happen inside those calls, so never while the caller works on records. Settings are
    Kafka's, with Python names as keywords or with their own in a mapping; `key_deserializer` and `value_deserializer`
    are `bytes`, `str`, `json` or a callable. A record that cannot be deserialized has `error` set and its bytes left.

    >>> async def example(servers):
    ...     async with AsyncProducer(bootstrap_servers=servers, value_serializer="json") as producer:
    ...         await producer.send("payments", {"number": 1})
    ...     async with AsyncConsumer(
    ...         bootstrap_servers=servers, group_id="billing", auto_offset_reset="earliest", value_deserializer="json"
    ...     ) as consumer:
    ...         consumer.subscribe(["payments"])
    ...         async for record in consumer:
    ...             return record.topic, record.offset, record.value
    >>> asyncio.run(example(servers))
    ('payments', 0, {'number': 1})
    """

    def __init__(
        self,
        config: Mapping[str, Any] | None = None,
        /,
        *,
        topics: Iterable[str] = (),
        world: World | None = None,
        **options: Any,
    ) -> None:
        """Raises InvalidConfig with all that is wrong. `topics` are subscribed at the start. Opens nothing yet."""
        self._lifetime = Lifetime(ConsumerOptions, config, options, world, objects=_OBJECTS)
        self.options: ConsumerOptions = self._lifetime.options
        objects = self._lifetime.objects
        self._interceptors = load_interceptors(
            "interceptor.classes", self.options.interceptor_classes, objects.get("interceptor.classes")
        )
        #: Of keys and of values. Read by `start`.
        self.deserializers = (
            deserializer("key.deserializer", objects.get("key.deserializer"), self.options.key_deserializer),
            deserializer("value.deserializer", objects.get("value.deserializer"), self.options.value_deserializer),
        )
        self._topics = list(topics)
        self._started: _Parts | None = None
        self._iterator: Iterator[ConsumerRecord] = _NO_RECORDS
        self._assigned: Subscription = NOTHING
        self._is_closing = False

    # opening and closing

    async def start(self) -> None:
        """Done by `async with`. Connects to nobody: to subscribe or assign does."""
        if self._started is not None:
            return
        cluster = self._lifetime.start(allows_topic_creation=self.options.allow_auto_create_topics)
        news = Wakeup()
        group: GroupSide | None = None
        if self.options.group_id:
            group = GroupSide(cluster, self.options, self.options.group_id, news.set)
        reading = Reading(
            cluster,
            self.options,
            group.committer.fetch if group is not None else None,
            self._interceptors,
            self.deserializers,
            news.set,
        )
        if group is not None:
            group.reading = reading
        self._started = _Parts(reading, group, Polling(cluster.clock, reading, group, news))
        if self._topics:
            self.subscribe(self._topics)

    async def close(self, timeout_ms: int = _CLOSE_MS) -> None:
        """Commits if auto-commit is on, calls the listener, leaves the group, and closes; all within `timeout_ms`.

        Raises what the listener raises. A `poll` that waits elsewhere ends with ClientClosed, an `async for` just ends.
        """
        if self._lifetime.is_closed or self._is_closing:
            return
        self._is_closing = True
        parts = self._started
        if parts is None:
            await self._lifetime.close()
            return
        parts.polling.close()
        try:
            if parts.group is not None:
                await parts.group.leave(Deadline(self._lifetime.cluster.clock, timeout_ms))
        finally:
            if parts.group is not None:
                await parts.group.close()
            await parts.reading.close()
            await self._lifetime.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    # what to read

    def subscribe(
        self,
        topics: Iterable[str] = (),
        *,
        pattern: "str | re.Pattern[str] | None" = None,
        listener: RebalanceListener | object | None = None,
    ) -> None:
        """Shares the partitions of these topics with the group. Replaces an earlier subscription or assignment.

        `pattern` takes topics whose whole name matches, also those that are created later; as text it is matched by
        the broker when group.protocol=consumer (RE2), otherwise here.
        """
        if isinstance(topics, str):
            topics = [topics]
        subscription = Subscription(topics, pattern)
        group = self._need_group("subscribe")
        if not subscription.uses_group:
            raise ValueError("no topics to subscribe to; `unsubscribe` ends a subscription")
        if group.subscription is not NOTHING and not group.subscription.uses_group:
            self._parts.reading.assign([])
        group.subscribe(subscription, listener)

    def assign(self, partitions: Iterable[TopicPartition | tuple[str, int]]) -> None:
        """Reads exactly these partitions, without sharing them with others. Replaces an earlier assignment."""
        parts = self._parts
        wanted = [TopicPartition(*partition) for partition in partitions]
        subscription = Subscription(partitions=wanted)
        if parts.group is not None:
            if parts.group.subscription.uses_group:
                raise ValueError("subscribed to topics: await unsubscribe() before you assign partitions")
            parts.group.subscription = subscription
        self._assigned = subscription
        parts.reading.assign(wanted)

    async def unsubscribe(self, timeout_ms: int = _CLOSE_MS) -> None:
        """Ends the subscription or assignment; leaves the group."""
        parts = self._parts
        self._assigned = NOTHING
        if parts.group is None:
            parts.reading.assign([])
        else:
            await parts.group.leave(Deadline(self._lifetime.cluster.clock, timeout_ms))

    def subscription(self) -> set[str]:
        """Topics as they were subscribed; those of a pattern are in `assignment`."""
        group = self._parts.group
        return set(group.subscription.names) if group is not None else set()

    def assignment(self) -> set[TopicPartition]:
        """The partitions that are read now. After `subscribe` it stays empty until a poll has let the group in."""
        return self._parts.reading.assignment.partitions

    def group_metadata(self) -> ConsumerGroupMetadata:
        """For `send_offsets` of a transactional producer."""
        return self._need_group("group_metadata").metadata

    # records

    async def poll(self, timeout_ms: int = _POLL_MS, max_records: int | None = None) -> list[ConsumerRecord]:
        """Records as soon as there are some, at most `max.poll.records`; an empty list when none came in time.

        Raises AuthorizationFailed, InvalidOffset (seek, or set auto.offset.reset), CorruptRecords, and what a
        rebalance listener raises. Errors that may pass are retried in the background: `health` tells of them.
        """
        count = max_records or self.options.max_poll_records
        parts = self._parts
        return await parts.polling.until(lambda: parts.reading.deliveries.take(count), timeout_ms) or []

    async def getmany(
        self,
        *partitions: TopicPartition | tuple[str, int],
        timeout_ms: int = _POLL_MS,
        max_records: int | None = None,
    ) -> dict[TopicPartition, list[ConsumerRecord]]:
        """As `poll`, by partition; with partitions, of these only."""
        parts, reading = self._parts, self._parts.reading
        count = max_records or self.options.max_poll_records
        only = frozenset(reading.state(TopicPartition(*partition)).partition for partition in partitions) or None
        reading.fetcher.only = only
        try:
            records = await parts.polling.until(lambda: reading.deliveries.take(count, only), timeout_ms) or []
        finally:
            reading.fetcher.only = None
        found: dict[TopicPartition, list[ConsumerRecord]] = {}
        for record in records:
            found.setdefault(record.topic_partition, []).append(record)
        return found

    async def poll_arrow(
        self,
        timeout_ms: int = _POLL_MS,
        max_rows: int | None = None,
        *,
        columns: Sequence[str] | None = None,
    ) -> "pa.Table":
        """As `poll`, as an Arrow table with the columns of `read_topic`, or with `columns` of them.

        No Python object is created per record; deserializers and `on_consume` are not called. A table has up to
        `max_rows` rows (`max.poll.records` if that is set, else 65,536) and about `fetch.max.bytes`.

        >>> async def example(servers):
        ...     async with AsyncProducer(bootstrap_servers=servers) as producer:
        ...         await producer.send("ticks", b"17")
        ...     async with AsyncConsumer(bootstrap_servers=servers, auto_offset_reset="earliest") as consumer:
        ...         consumer.assign([("ticks", 0)])
        ...         table = await consumer.poll_arrow(columns=["offset", "value"])
        ...         return table.to_pylist()
        >>> asyncio.run(example(servers))
        [{'offset': 0, 'value': b'17'}]
        """
        options, parts = self.options, self._parts
        deliveries = parts.reading.deliveries
        schema = record_schema(columns)
        default = options.max_poll_records if options.is_set("max.poll.records") else BATCH_ROWS
        count, size = max_rows or default, max(1, options.fetch_max_bytes)
        table = await parts.polling.until(lambda: deliveries.take_columns(schema, count, size), timeout_ms)
        return schema.empty_table() if table is None else table

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ConsumerRecord:
        for record in self._iterator:
            return record
        while True:
            try:
                iterator = await self.next_records()
            except ClientClosed:
                raise StopAsyncIteration from None
            for record in iterator:
                return record

    async def next_records(self) -> Iterator[ConsumerRecord]:
        """Waits for records and gives an iterator over some of them; what is not taken from it is not consumed."""
        options = self.options
        self._iterator = await self._parts.polling.iterator(options.max_poll_records, options.max_poll_interval_ms)
        return self._iterator

    # positions

    async def position(self, partition: TopicPartition, timeout_ms: int | None = None) -> int:
        """The offset of the next record that is returned; waits until it is known. Raises TimedOut, InvalidOffset."""
        reading = self._parts.reading
        state = reading.state(partition)
        deadline = Deadline(self._lifetime.cluster.clock, self._timeout_ms(timeout_ms))
        while True:
            reading.deliveries.settle()
            if state.position is not None:
                return state.position.offset
            failure = reading.failed_partition()
            if failure is not None:
                raise failure
            try:
                async with asyncio.timeout(deadline.left_ms / 1000):
                    await reading.next_position()
            except TimeoutError:
                raise timed_out(f"position of {state.partition}", deadline, state.failure) from state.failure

    def seek(self, partition: TopicPartition, offset: int, *, leader_epoch: int = NO_EPOCH) -> None:
        """The next record of the partition is the one at `offset`. With an epoch a truncated log is noticed."""
        if offset < 0:
            raise ValueError(f"offset {offset}: must not be negative; see seek_to_beginning, seek_to_end")
        self._parts.reading.seek(TopicPartition(*partition), Position(offset, leader_epoch))

    def seek_to_beginning(self, partitions: Iterable[TopicPartition] = ()) -> None:
        """Of these, or of all that are assigned."""
        self._parts.reading.reset(list(partitions) or self.assignment(), EARLIEST)

    def seek_to_end(self, partitions: Iterable[TopicPartition] = ()) -> None:
        """Of these, or of all that are assigned."""
        self._parts.reading.reset(list(partitions) or self.assignment(), LATEST)

    def pause(self, partitions: Iterable[TopicPartition]) -> None:
        """Returns nothing of these until `resume`; they stay assigned."""
        self._parts.reading.pause(partitions, is_paused=True)

    def resume(self, partitions: Iterable[TopicPartition]) -> None:
        self._parts.reading.pause(partitions, is_paused=False)

    def paused(self) -> set[TopicPartition]:
        return {state.partition for state in self._parts.reading.assignment if state.is_paused}

    def lag(self, partition: TopicPartition) -> int | None:
        """Records between the position and the end that was seen with the last fetch; None before there was one."""
        reading = self._parts.reading
        reading.deliveries.settle()
        return reading.state(partition).lag

    # offsets

    async def commit(self, offsets: Committable = None, *, timeout_ms: int | None = None) -> None:
        """Commits positions of all partitions, or behind a record or several, or the given offsets.

        Raises CommitFailed when the group has rebalanced, TimedOut, AuthorizationFailed.
        """
        group = self._need_group("commit")
        await group.committer.commit(_offsets(group, offsets), self._timeout_ms(timeout_ms))

    def commit_async(
        self, offsets: Committable = None, *, on_done: "Callable[[Exception | None], None] | None" = None
    ) -> None:
        """Commits in the background, in the order of calls; `on_done` gets None, or the error, which else is logged."""
        group = self._need_group("commit_async")
        done = group.committer.send(_offsets(group, offsets), self._timeout_ms(None))
        done.add_done_callback(lambda future: (on_done or _log_failure)(_exception(future)))

    async def committed(
        self, partitions: Iterable[TopicPartition], *, timeout_ms: int | None = None
    ) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """What the group has committed, None for nothing."""
        group = self._need_group("committed")
        wanted = [TopicPartition(*partition) for partition in partitions]
        cluster = self._lifetime.cluster
        return await query_committed(cluster, group.committer.fetch, wanted, timeout_ms=self._timeout_ms(timeout_ms))

    async def beginning_offsets(
        self, partitions: Iterable[TopicPartition], *, timeout_ms: int | None = None
    ) -> dict[TopicPartition, int]:
        """The first offset of each partition's log."""
        return await self._log_offsets(partitions, EARLIEST_TIMESTAMP, timeout_ms, "beginning_offsets")

    async def end_offsets(
        self, partitions: Iterable[TopicPartition], *, timeout_ms: int | None = None
    ) -> dict[TopicPartition, int]:
        """The offset of the next record that is written; with isolation.level=read_committed that of the first open
        transaction, if there is one."""
        return await self._log_offsets(partitions, LATEST_TIMESTAMP, timeout_ms, "end_offsets")

    async def offsets_for_times(
        self, timestamps: Mapping[TopicPartition, int], *, timeout_ms: int | None = None
    ) -> dict[TopicPartition, OffsetAndTimestamp | None]:
        """The first record at or after each time (milliseconds since the epoch); None when there is none."""
        for partition, timestamp in timestamps.items():
            if timestamp < 0:
                raise ValueError(f"{partition}: time {timestamp} is negative")
        return await self._query(timestamps, timeout_ms, "offsets_for_times")

    async def partitions_for(self, topic: str, *, timeout_ms: int | None = None) -> list[PartitionView]:
        """The partitions of a topic, with leaders and replicas."""
        cluster = self._lifetime.cluster
        view = await cluster.topic(topic, Deadline(cluster.clock, self._timeout_ms(timeout_ms)))
        return list(view.partitions)

    async def _log_offsets(
        self, partitions: Iterable[TopicPartition], timestamp: int, timeout_ms: int | None, what: str
    ) -> dict[TopicPartition, int]:
        found = await self._query(dict.fromkeys(partitions, timestamp), timeout_ms, what)
        missing = [partition for partition, row in found.items() if row is None]
        if missing:
            raise NoOffset(f"{what}: the broker has no offset for {missing}", dict.fromkeys(missing))
        return {partition: row.offset for partition, row in found.items() if row is not None}

    async def _query(
        self, timestamps: Mapping[TopicPartition, int], timeout_ms: int | None, what: str
    ) -> dict[TopicPartition, OffsetAndTimestamp | None]:
        return await query_offsets(
            self._lifetime.cluster,
            {TopicPartition(*partition): timestamp for partition, timestamp in timestamps.items()},
            is_committed_only=self.options.isolation_level == READ_COMMITTED,
            timeout_ms=self._timeout_ms(timeout_ms),
            what=what,
        )

    def health(self) -> ConsumerHealth:
        """Why records arrive, or why they do not: `print(consumer.health())` says it in words."""
        parts = self._started
        if parts is None or self._lifetime.is_closed or self._is_closing:
            return CLOSED
        reading, group = parts.reading, parts.group
        reading.deliveries.settle()
        image = self._lifetime.cluster.image
        facts = HealthFacts(
            self._assigned if group is None else group.subscription,
            image,
            list(reading.assignment),
            buffered=reading.buffer.partitions(),
            throttled_nodes=[node_id for node_id in image.nodes if reading.fetcher.is_throttled(node_id)],
            is_committed_only=self.options.isolation_level == READ_COMMITTED,
            stage=None if group is None else group.membership.stage,
            has_begun=group is None or group.membership.has_begun,
            group_failure=None if group is None else group.membership.failure,
        )
        return assess(facts)

    def metrics(self) -> Metrics:
        """What the consumer has counted since its start, with Kafka's names."""
        return self._parts.reading.metrics(self.options.client_id)

    # within

    @property
    def _parts(self) -> "_Parts":
        self._lifetime.cluster  # noqa: B018  raises ClientClosed when it is not open
        assert self._started is not None
        return self._started

    def _need_group(self, method: str) -> GroupSide:
        group = self._parts.group
        if group is None:
            raise InvalidConfig([f"{method} needs a group: set group.id; without one, `assign` partitions"])
        return group

    def _timeout_ms(self, timeout_ms: int | None) -> int:
        return self.options.default_api_timeout_ms if timeout_ms is None else timeout_ms

    @property
    def clock(self) -> Clock:
        return self._lifetime.cluster.clock


class _Parts(NamedTuple):
    """What exists between `start` and `close`. `group` is None without a group.id."""

    reading: Reading
    group: GroupSide | None
    polling: Polling


def _offsets(group: GroupSide, given: Committable) -> dict[TopicPartition, OffsetAndMetadata]:
    return group.uncommitted() if given is None else offsets_of(given)


def _log_failure(error: Exception | None) -> None:
    if error is not None:
        _log.warning("commit: %s", error)


def _exception(future: "asyncio.Future[None]") -> Exception | None:
    error = future.exception()
    assert error is None or isinstance(error, Exception)
    return error
