"""`ParallelConsumer`: many records of a consumer in progress at once, in the order of their keys, with safe commits.

One task polls, accepts records into lanes and commits; up to `workers` tasks process one record each. An offset is
committed when all records below it are done: processed, dropped as duplicates, or stored in a retry topic or the
dead-letter topic.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from types import SimpleNamespace, TracebackType
from typing import Any, Final, Self

from ottla.client.consumer.consumer import AsyncConsumer
from ottla.client.consumer.record import ConsumerRecord, deserialized
from ottla.client.errors import ClientError
from ottla.client.offsets import OffsetAndMetadata
from ottla.client.options import settings_for
from ottla.client.processing.deduplicator import Deduplicator
from ottla.client.processing.lanes import ORDERS, Lanes
from ottla.client.processing.progress import PartitionProgress
from ottla.client.processing.retry_policy import RetryPolicy, due_ms
from ottla.client.processing.retry_topics import RetryTopics
from ottla.client.processing.warm_up import warm_up
from ottla.client.retrying import Deadline
from ottla.client.wakeup import Wakeup
from ottla.config.consumer_options import ConsumerOptions
from ottla.doors.world import World
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)

_POLL_MS: Final = 100
_CLOSE_MS: Final = 30_000
#: A reader of its own gets the consumer's settings without those of the group.
_OF_THE_GROUP: Final = (
    "group.id",
    "group.instance.id",
    "interceptor.classes",
    "key.deserializer",
    "value.deserializer",
)


class ParallelConsumer:
    """Calls `handler`, a coroutine function, for each record of `topics`, up to `workers` at the same time.

    Records with the same key are processed one after another; `order="partition"` keeps the order of the partition,
    `order="none"` keeps none. Settings are those of `AsyncConsumer`; `group_id` is needed, and auto-commit is off. At
    most `max_queued` records wait: then partitions are paused. When partitions are revoked, their records are processed
    for up to `drain_timeout_ms`; what is left is cancelled and comes again elsewhere. Without a `retry` policy `run`
    raises what the handler raises; with one, the record is stored and `run` continues.

    >>> async def handle(record):
    ...     print(record.key, record.value)
    ...     consumer.stop()
    >>> async def example(servers):
    ...     global consumer
    ...     async with AsyncProducer(bootstrap_servers=servers) as producer:
    ...         await producer.send("parcels", b"sent", key=b"p1")
    ...     async with ParallelConsumer(
    ...         handle, ["parcels"], bootstrap_servers=servers, group_id="mail", auto_offset_reset="earliest",
    ...         workers=8, retry=RetryPolicy(delays_ms=(1_000, 60_000)), deduplicator=Deduplicator.by_key(),
    ...     ) as consumer:
    ...         await consumer.run()
    >>> asyncio.run(example(servers))
    b'p1' b'sent'
    """

    def __init__(
        self,
        handler: Callable[[ConsumerRecord], Awaitable[Any]],
        topics: Iterable[str],
        config: Mapping[str, Any] | None = None,
        /,
        *,
        workers: int = 16,
        order: str = "key",
        max_queued: int = 1_000,
        retry: RetryPolicy | None = None,
        deduplicator: Deduplicator | None = None,
        drain_timeout_ms: int = 30_000,
        world: World | None = None,
        **options: Any,
    ) -> None:
        """Raises InvalidConfig."""
        if workers < 1 or max_queued < 1:
            raise InvalidConfig([f"workers={workers}, max_queued={max_queued}: must be at least 1"])
        if order not in ORDERS:
            raise InvalidConfig([f"order={order}: must be one of {', '.join(ORDERS)}"])
        self._handler = handler
        self._workers = workers
        self._max_queued = max_queued
        self._deduplicator = deduplicator
        self._drain_timeout_ms = drain_timeout_ms
        self._consumer = AsyncConsumer(config, world=world, enable_auto_commit=False, **options)
        # Retry topics get the bytes as they came: they are deserialized here, not in the consumer.
        self._deserializers, self._consumer.deserializers = self._consumer.deserializers, (None, None)
        group = self._consumer.options.group_id
        if not group:
            raise InvalidConfig(["a ParallelConsumer needs a group: set group.id"])
        self._topics = list(topics)
        self._retries = RetryTopics(retry, self._topics, group, config, options, world) if retry is not None else None
        self._reader_settings = settings_for(ConsumerOptions, config, options, without=_OF_THE_GROUP)
        self._world = world
        self._lanes = Lanes(order)
        self._progress: dict[TopicPartition, PartitionProgress] = {}
        self._tasks: dict[asyncio.Task[None], TopicPartition] = {}
        self._queued = 0
        self._is_throttled = False
        #: When partitions of retry topics are due, in milliseconds since the epoch.
        self._delayed: dict[TopicPartition, int] = {}
        self._failure: Exception | None = None
        self._changed = Wakeup()
        self._commit_due_ms = 0
        self._is_stopping = False
        self._is_started = False

    # opening and closing

    async def start(self) -> None:
        """Done by `async with`. With a retry policy it creates the topics of that, if they are missing."""
        if self._is_started:
            return
        self._is_started = True
        await self._consumer.start()
        retry_topics: list[str] = []
        if self._retries is not None:
            await self._retries.start()
            retry_topics = self._retries.names
        listener = SimpleNamespace(
            on_partitions_assigned=self._assigned, on_partitions_revoked=self._revoked, on_partitions_lost=self._lost
        )
        self._consumer.subscribe([*self._topics, *retry_topics], listener=listener)

    def stop(self) -> None:
        """`run` returns when what is in progress is done, or after `drain_timeout_ms`."""
        self._is_stopping = True

    async def close(self) -> None:
        """Drains, commits, leaves the group, and closes."""
        self._is_stopping = True
        try:
            # Leaving the group revokes all partitions, which drains and commits.
            await self._consumer.close(timeout_ms=self._drain_timeout_ms + _CLOSE_MS)
        finally:
            self._release(set(self._progress))
            await asyncio.gather(*self._tasks, return_exceptions=True)
            if self._retries is not None:
                await self._retries.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    # the loop

    async def run(self) -> None:
        """Processes records until `stop`.

        Raises what a handler raised if there is no retry policy, what the consumer raises, and the error of a record
        that could not be stored for a retry. Offsets below that record are committed by `close`.
        """
        await self.start()
        while not self._is_stopping:
            self._resume_due()
            self._commit_if_due()
            room = max(1, self._max_queued - self._queued)
            for record in await self._consumer.poll(self._poll_ms(), max_records=room):
                self._accept(record)
            self._dispatch()
            self._throttle()
            if self._failure is not None:
                raise self._failure
        await self._drain(set(self._progress))
        await self._commit(set(self._progress))
        if self._failure is not None:
            raise self._failure

    def _poll_ms(self) -> int:
        now_ms = self._consumer.clock.now_ms()
        return max(1, min([_POLL_MS, *(due - now_ms for due in self._delayed.values())]))

    def _accept(self, record: ConsumerRecord) -> None:
        partition = record.topic_partition
        if partition in self._delayed:
            return
        if self._is_retry(record) and due_ms(record) > self._consumer.clock.now_ms():
            # Not kept in memory: it is fetched again when it is due, with what comes behind it.
            self._delayed[partition] = due_ms(record)
            self._consumer.pause([partition])
            self._consumer.seek(partition, record.offset)
            return
        self._progress.setdefault(partition, PartitionProgress()).accept(record)
        self._lanes.add(record)
        self._queued += 1

    def _resume_due(self) -> None:
        now_ms = self._consumer.clock.now_ms()
        due = [partition for partition, due in self._delayed.items() if due <= now_ms]
        for partition in due:
            del self._delayed[partition]
        if due and not self._is_throttled:
            self._consumer.resume(due)

    def _throttle(self) -> None:
        if not self._is_throttled and self._queued >= self._max_queued:
            self._is_throttled = True
            self._consumer.pause(self._consumer.assignment())
        elif self._is_throttled and self._queued <= self._max_queued // 2:
            self._is_throttled = False
            self._consumer.resume(self._consumer.assignment() - self._delayed.keys())

    # workers

    def _dispatch(self) -> None:
        while len(self._tasks) < self._workers and self._failure is None:
            record = self._lanes.take()
            if record is None:
                return
            work = self._work(record, self._progress[record.topic_partition])
            task = asyncio.get_running_loop().create_task(work, name=f"process {record.topic_partition}")
            self._tasks[task] = record.topic_partition
            task.add_done_callback(self._tasks.pop)
            task.add_done_callback(lambda task, record=record: self._finished(record))  # type: ignore[misc]

    async def _work(self, record: ConsumerRecord, progress: PartitionProgress) -> None:
        seen = deserialized(record, *self._deserializers)
        is_done = False
        try:
            await self._process(record, seen)
            is_done = True
        except Exception as error:  # noqa: BLE001  code of the user's: raised by `run`
            self._failure = self._failure or error
        finally:
            if is_done:
                progress.done(record)
            else:
                self._forget(seen)

    def _finished(self, record: ConsumerRecord) -> None:
        self._queued -= 1
        self._lanes.finished(record)
        self._dispatch()
        if self._is_throttled and not self._is_stopping:
            self._throttle()
        self._changed.set()

    async def _process(self, record: ConsumerRecord, seen: ConsumerRecord) -> None:
        """`record` has the bytes of `seen`."""
        if self._retries is None:
            await self._handle(seen)
            return
        try:
            if seen.error is not None:
                raise seen.error
            await self._handle(seen)
        except Exception as error:  # noqa: BLE001  code of the user's: the record is stored with it
            await self._retries.store(record, error, self._consumer.clock.now_ms())

    async def _handle(self, record: ConsumerRecord) -> None:
        # A retry has the id of the record that failed, which counts as the first one.
        if self._has_id(record) and self._deduplicator is not None and not self._deduplicator.is_new(record):
            _log.debug("%s: offset %d is a duplicate", record.topic_partition, record.offset)
            return
        await self._handler(record)

    def _forget(self, record: ConsumerRecord) -> None:
        """It was not processed, and is read again."""
        if self._has_id(record) and self._deduplicator is not None:
            # Where the id cannot be found out, it is not remembered either.
            with contextlib.suppress(Exception):
                self._deduplicator.forget(record)

    def _has_id(self, record: ConsumerRecord) -> bool:
        return record.error is None and not self._is_retry(record)

    def _is_retry(self, record: ConsumerRecord) -> bool:
        return self._retries is not None and record.topic in self._retries.names

    # commits

    def _uncommitted(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata]:
        found = {partition: self._progress[partition].uncommitted() for partition in partitions}
        return {partition: offset for partition, offset in found.items() if offset is not None}

    def _commit_if_due(self) -> None:
        now_ms = self._consumer.clock.monotonic_ms()
        if now_ms < self._commit_due_ms:
            return
        self._commit_due_ms = now_ms + self._consumer.options.auto_commit_interval_ms
        offsets = self._uncommitted(self._progress)
        if offsets:
            self._consumer.commit_async(offsets, on_done=lambda error: self._committed(offsets, error))

    async def _commit(self, partitions: set[TopicPartition]) -> None:
        offsets = self._uncommitted(partitions)
        if not offsets:
            return
        try:
            await self._consumer.commit(offsets)
        except ClientError as error:
            self._committed(offsets, error)
        else:
            self._committed(offsets, None)

    def _committed(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], error: Exception | None) -> None:
        if error is not None:
            _log.warning("commit of %s: %s", ", ".join(map(str, sorted(offsets))), error)
            return
        for partition, offset in offsets.items():
            if partition in self._progress:
                self._progress[partition].committed(offset.offset)

    # rebalances

    async def _assigned(self, partitions: list[TopicPartition]) -> None:
        for partition in partitions:
            self._progress[partition] = PartitionProgress()
        if self._is_throttled:
            self._consumer.pause(partitions)
        if self._deduplicator is not None and self._deduplicator.warm_up_records:
            await self._warm_up(self._deduplicator, partitions)

    async def _warm_up(self, deduplicator: Deduplicator, partitions: list[TopicPartition]) -> None:
        wanted = [partition for partition in partitions if partition.topic in self._topics]
        committed = await self._consumer.committed(wanted) if wanted else {}
        ends = {partition: offset.offset for partition, offset in committed.items() if offset is not None}
        if ends:
            async with AsyncConsumer(self._reader_settings, world=self._world) as reader:
                await warm_up(reader, deduplicator, ends, lambda record: deserialized(record, *self._deserializers))

    async def _revoked(self, partitions: list[TopicPartition]) -> None:
        gone = {partition for partition in partitions if partition in self._progress}
        await self._drain(gone)
        await self._commit(gone)
        self._release(gone)

    def _lost(self, partitions: list[TopicPartition]) -> None:
        self._release(set(partitions))

    async def _drain(self, partitions: set[TopicPartition]) -> None:
        """Waits until nothing of these is left, up to the deadline; after a failure only for what is in progress."""
        deadline = Deadline(self._consumer.clock, self._drain_timeout_ms)
        while self._is_busy(partitions) and not deadline.has_passed:
            await self._changed.wait(deadline.left_ms)

    def _is_busy(self, partitions: set[TopicPartition]) -> bool:
        if self._failure is not None:
            return any(partition in partitions for partition in self._tasks.values())
        return any(self._progress[partition].left for partition in partitions)

    def _release(self, partitions: set[TopicPartition]) -> None:
        self._queued -= len(self._lanes.drop(partitions))
        for task, partition in self._tasks.items():
            if partition in partitions:
                _log.warning("%s: a record was not processed before the partition was given up", partition)
                task.cancel()
        for partition in partitions:
            self._progress.pop(partition, None)
            self._delayed.pop(partition, None)
