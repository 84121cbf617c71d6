"""`AsyncProducer`: records to topics, for asyncio."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ottla.client.errors import ClientClosed, ClientError, TimedOut, TransactionAborted
from ottla.client.interceptors import load_interceptors
from ottla.client.lifetime import Lifetime
from ottla.client.metadata import PartitionView, TopicView
from ottla.client.metrics import Metrics
from ottla.client.offsets import ConsumerGroupMetadata, Offsets
from ottla.client.producer.accumulator import Accumulator, AccumulatorLimits
from ottla.client.producer.authority import Authority, IdempotentAuthority, NoAuthority
from ottla.client.producer.batch import Batch
from ottla.client.producer.delivery import Delivery, Held, refused
from ottla.client.producer.intake import Intake
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.client.producer.partitioners import NAMED, Partitioner
from ottla.client.producer.preparing import Arrival, Preparer
from ottla.client.producer.routes import Route
from ottla.client.producer.sender import Sender
from ottla.client.producer.transaction_handle import TransactionHandle
from ottla.client.producer.transaction_state import Phase
from ottla.client.producer.transactional import TransactionalAuthority
from ottla.client.retrying import Deadline
from ottla.client.serializers import serializer
from ottla.config.producer_options import ProducerOptions
from ottla.doors.world import World
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import InvalidConfig
from ottla.records.record import Headers

if TYPE_CHECKING:
    from ottla.client.producer.row_sender import RowSender, SentRows

_log = logging.getLogger(__name__)
_MAX_UNSEEN_FAILURES = 10_000
_OBJECTS = ("interceptor.classes", "key.serializer", "partitioner.class", "value.serializer")


class AsyncProducer:
    """Sends records, in batches, in the background. `Producer` is the same without asyncio.

    `send` returns at once; to await what it returns is to wait for the acknowledgement. Idempotent by default: a retry
    writes nothing twice and keeps the order. Settings are Kafka's, with Python names as keywords or with their own in a
    mapping; `key_serializer` and `value_serializer` are `bytes`, `str`, `json` or a callable.

    >>> async def example(servers):
    ...     async with AsyncProducer(bootstrap_servers=servers, value_serializer="json") as producer:
    ...         deliveries = [producer.send("orders", {"number": n}, key=b"k%d" % n) for n in range(100)]
    ...         await producer.flush()
    ...         return {delivery.result().topic for delivery in deliveries}
    >>> asyncio.run(example(servers))
    {'orders'}
    """

    def __init__(
        self, config: Mapping[str, Any] | None = None, /, *, world: World | None = None, **options: Any
    ) -> None:
        """Raises InvalidConfig with all that is wrong. Nothing is opened before `start`."""
        self._lifetime = Lifetime(ProducerOptions, config, options, world, objects=_OBJECTS)
        self.options: ProducerOptions = self._lifetime.options
        objects = self._lifetime.objects
        self.preparer = Preparer(
            self.options,
            load_interceptors(
                "interceptor.classes", self.options.interceptor_classes, objects.get("interceptor.classes")
            ),
            serializer("key.serializer", objects.get("key.serializer"), self.options.key_serializer),
            serializer("value.serializer", objects.get("value.serializer"), self.options.value_serializer),
        )
        self._partitioner = _partitioner(self.options, objects.get("partitioner.class"))
        self._accumulator = Accumulator(_limits(self.options))
        self._transactions: TransactionalAuthority | None = None
        self._sender: Sender | None = None
        self._intake: Intake | None = None
        self._rows: RowSender | None = None
        #: The same while records of bytes need no preparation: no interceptors, serializers or transactions.
        self._fast_intake: Intake | None = None
        #: For the next flush. Limited: more of them would say nothing new.
        self._unseen_failures: deque[Batch | Held] = deque(maxlen=_MAX_UNSEEN_FAILURES)
        self._room_waiters: list[asyncio.Future[None]] = []
        #: Set by a facade whose callers wait for room before they pass a record: then it has been accepted.
        self.callers_wait = False

    # opening and closing

    async def start(self) -> None:
        """Done by `async with`. Connects to nobody: the first record does."""
        if self._sender is not None:
            return
        options = self.options
        cluster = self._lifetime.start(allows_topic_creation=True, topic_idle_ms=options.metadata_max_idle_ms)
        self._sender = Sender(cluster, self._accumulator, options, on_decided=self._on_decided)
        self._sender.on_run = self._let_in
        self._sender.authority = self._authority()
        self._intake = Intake(
            cluster,
            self._accumulator,
            self._sender,
            self._new_route,
            options.max_block_ms,
            options.delivery_timeout_ms if self.callers_wait else options.max_block_ms,
        )
        self._intake.on_failed = self._on_held_failed
        self._fast_intake = self._intake if self.preparer.is_plain and self._transactions is None else None

    def _authority(self) -> Authority:
        sender = self._require_sender()
        cluster = self._lifetime.cluster
        if self.options.transactional_id is not None:
            self._transactions = TransactionalAuthority(cluster, self.options, sender.wake)
            return self._transactions
        return IdempotentAuthority(cluster, sender.wake) if self.options.is_idempotent else NoAuthority()

    async def close(self, timeout_ms: int | None = None) -> None:
        """Sends what waits, up to `timeout_ms` (default: as long as it takes), then closes; the rest fails.

        Raises what `flush` would raise. An open transaction is aborted.
        """
        if self._lifetime.is_closed:
            return
        if self._sender is None:
            await self._lifetime.close()
            return
        try:
            await self._abort_open_transaction(timeout_ms)
            await self._flush(timeout_ms, "close")
            self._raise_unseen()
        finally:
            await self._shut_down()

    async def _abort_open_transaction(self, timeout_ms: int | None) -> None:
        """So that readers need not wait until it times out. If this fails, the coordinator does it in time."""
        if self._transactions is None or not self._transactions.is_open:
            return
        limit_ms = self.options.max_block_ms if timeout_ms is None else timeout_ms
        with contextlib.suppress(ClientError, TimeoutError):
            async with asyncio.timeout(limit_ms / 1000):
                await self.abort_transaction()

    async def _shut_down(self) -> None:
        self._fast_intake = None
        error = ClientClosed("the producer was closed before the record was delivered")
        sender, intake = self._require_sender(), self._require_intake()
        intake.fail_held(error)
        await sender.authority.close()
        await sender.close()
        await self._lifetime.close()
        # The connections are gone: nothing is in flight any more.
        sender.fail_waiting(error)
        for batch in self._accumulator.undecided():
            batch.decide(error)
            self._on_decided(batch)
        self.preparer.interceptors.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            await self.close()
        else:
            # The error of the block is what the caller must see; a deadline, because nobody can wait for a dead broker.
            with contextlib.suppress(ClientError):
                await self.close(timeout_ms=self.options.request_timeout_ms)

    # sending

    def send(
        self,
        topic: str,
        value: Any = None,
        key: Any = None,
        *,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Iterable[tuple[str, bytes | None]] | Mapping[str, bytes | None] | None = None,
    ) -> Delivery:
        """Puts a record into the buffer and returns. Await the result for the RecordMetadata, once it is acknowledged.

        To send much without waiting for each record, await `ready()` now and then: it waits while the buffer is full.
        A record that finds no room, or whose topic is not known, waits up to `max.block.ms`, in order, and then fails.
        Raises SerializationFailed, RecordTooLarge, ClientClosed. The delivery of a record for a partition that does not
        exist raises ValueError, after metadata was refreshed.
        """
        fast = self._fast_intake
        if fast is not None and headers is None and type(value) is bytes and (key is None or type(key) is bytes):
            delivery = fast.take_plain(topic, value, key, partition, timestamp_ms)
            if delivery is not None:
                return delivery
        return self.accept(self.preparer.prepare(topic, value, key, partition, timestamp_ms, headers))

    def accept(self, arrival: Arrival) -> Delivery:
        """Takes a record that was prepared, perhaps by another thread; on the event loop."""
        if self._transactions is not None:
            self._transactions.state.require(Phase.IN_TRANSACTION)
        delivery = self._require_intake().take(arrival)
        if self.preparer.interceptors:
            delivery.add_done_callback(partial(self._notify_interceptors, arrival.headers))
        return delivery

    def not_accepted(self, error: Exception) -> Delivery:
        """For a record that `send` or `accept` refused where nobody could catch it: the next flush reports it."""
        held = refused(error)
        self._on_held_failed(held)
        return Delivery(held, 0)

    def _notify_interceptors(self, headers: Headers, delivery: Delivery) -> None:
        error = delivery.error()
        self.preparer.interceptors.notify("on_acknowledgement", None if error else delivery.result(), error, headers)

    async def send_batch(self, topic: str | None, rows: Any) -> "list[SentRows]":
        """Sends the rows of a table (Arrow, pandas, Polars) and waits until all are acknowledged.

        Columns: `key`, `value` (binary or text), `headers`, `timestamp`, `partition`, `topic`; each may be missing or
        null. No Python object is created per record: batches are filled up to `max.request.size` and the topic's
        `max.message.bytes`, and do not linger. Serializers and interceptors are not called. Needs `ottla[arrow]`.

        >>> async def example(servers):
        ...     import pyarrow as pa
        ...     async with AsyncProducer(bootstrap_servers=servers) as producer:
        ...         sent = await producer.send_batch("orders", pa.table({"key": ["a", "b"], "value": ["1", "2"]}))
        ...         return sum(rows.row_count for rows in sent)
        >>> asyncio.run(example(servers))
        2
        """
        from ottla.client.producer.row_sender import RowSender

        if self._transactions is not None:
            self._transactions.state.require(Phase.IN_TRANSACTION)
        if self._rows is None:
            encoding = self._require_sender().encoding
            self._rows = RowSender(self._lifetime.cluster, self.options, self, encoding.codec, encoding.level)
        return await self._rows.send(topic, rows)

    async def route_to(self, topic: str) -> Route:
        """For rows of a table: waits for metadata, and until records that came before are in their queues."""
        intake = self._require_intake()
        deadline = Deadline(self._lifetime.cluster.clock, self.options.max_block_ms)
        while True:
            await self._lifetime.cluster.topic(topic, deadline)
            route = intake.route(topic)
            if route is not None and not intake.holds(topic):
                return route
            await self.room_for(0)

    async def room_for(self, size: int) -> None:
        """Waits while the buffer has no room for a batch of this size. Raises BufferFull after `max.block.ms`."""
        intake = self._require_intake()
        await self._wait_while(lambda: not intake.has_room(size))

    def append_encoded(self, queue: PartitionQueue, batch: bytearray, count: int) -> Batch:
        """For rows of a table. A failure is the caller's to raise, not that of the next flush."""
        if self._transactions is not None:
            self._transactions.state.require(Phase.IN_TRANSACTION)
        appended = self._require_intake().append_encoded(queue, batch, count)
        appended.was_seen = True
        return appended

    @property
    def is_full(self) -> bool:
        """Whether `ready` would wait."""
        return self._intake is not None and self._intake.is_full

    async def ready(self) -> None:
        """Waits while the buffer is full; lets other tasks run. Raises BufferFull after `max.block.ms`."""
        intake = self._require_intake()
        await asyncio.sleep(0)
        await self._wait_while(lambda: intake.is_full)

    async def _wait_while(self, is_full: Callable[[], bool]) -> None:
        intake = self._require_intake()
        deadline = Deadline(self._lifetime.cluster.clock, self.options.max_block_ms)
        while is_full():
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._room_waiters.append(waiter)
            try:
                async with asyncio.timeout(deadline.left_ms / 1000):
                    await waiter
            except TimeoutError:
                raise intake.buffer_full() from None

    async def flush(self, timeout_ms: int | None = None) -> None:
        """Sends all records that were passed to `send` before, without lingering, and waits until each is decided.

        Raises the first failure of a record whose delivery nobody has awaited, so that none goes unnoticed; TimedOut
        when records are left after `timeout_ms`.
        """
        await self._flush(timeout_ms, "flush")
        self._raise_unseen()

    async def _flush(self, timeout_ms: int | None, what: str) -> None:
        intake, sender = self._require_intake(), self._require_sender()
        waiting: list[Batch | Held] = [*intake.held(), *self._accumulator.undecided()]
        self._accumulator.close_open_batches()
        self._accumulator.flush_count += 1
        sender.wake()
        try:
            async with asyncio.timeout(None if timeout_ms is None else timeout_ms / 1000):
                for place in waiting:
                    await _settled(place)
        except TimeoutError:
            left = sum(batch.count for batch in self._accumulator.undecided())
            raise TimedOut(f"{what}: {left} records are not delivered after {timeout_ms} ms") from None
        finally:
            self._accumulator.flush_count -= 1

    async def partitions_for(self, topic: str) -> list[PartitionView]:
        """The partitions of a topic with their leaders and replicas. Waits up to `max.block.ms` for metadata."""
        deadline = Deadline(self._lifetime.cluster.clock, self.options.max_block_ms)
        return list((await self._lifetime.cluster.topic(topic, deadline)).partitions)

    def metrics(self) -> Metrics:
        """What the producer has counted since its start, with Kafka's names.

        >>> async def example(servers):
        ...     async with AsyncProducer(bootstrap_servers=servers, client_id="orders") as producer:
        ...         await producer.send("payments", b"1")
        ...         return {str(name): value for name, value in producer.metrics().items()}
        >>> asyncio.run(example(servers))["producer-metrics:record-send-total:{client-id=orders}"]
        1.0
        """
        sender = self._require_sender()
        return sender.metrics.metrics(
            self.options.client_id,
            self._lifetime.cluster.clock.monotonic_ms(),
            in_flight=sender.in_flight_count,
            buffer_bytes=self.options.buffer_memory,
            buffer_used_bytes=self._accumulator.used_bytes,
        )

    # transactions

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator[Self]:
        """A transaction as a block: committed at its end, aborted when it raises.

        >>> async def example(servers):
        ...     async with AsyncProducer(bootstrap_servers=servers, transactional_id="mover") as producer:
        ...         async with producer.transaction():
        ...             producer.send("debits", b"7")
        ...             producer.send("credits", b"7")
        >>> asyncio.run(example(servers))
        """
        await self.begin_transaction()
        try:
            yield self
        except BaseException:
            await self._abort_failed_transaction()
            raise
        if self._require_transactions().state.phase is Phase.DETACHED:
            return
        try:
            await self.commit_transaction()
        except (ClientError, ValueError):
            # ValueError: a record was for a partition that does not exist.
            await self._abort_failed_transaction()
            raise

    async def _abort_failed_transaction(self) -> None:
        """The error that led here is the one to report."""
        if not self._require_transactions().is_open:
            return
        try:
            await self.abort_transaction()
        except ClientError as error:
            _log.warning("a transaction could not be aborted; its coordinator will do it: %s", error)

    async def init_transactions(self) -> None:
        """Fences older producers with the same `transactional.id`. The first transaction does it, if nobody has."""
        await self._require_transactions().initialize()

    async def begin_transaction(self) -> None:
        await self._require_transactions().begin()

    async def send_offsets(self, offsets: Offsets, group: ConsumerGroupMetadata | str) -> None:
        """Commits offsets of a consumer group with this transaction: they count if it is committed."""
        metadata = ConsumerGroupMetadata(group) if isinstance(group, str) else group
        await self._require_transactions().send_offsets(offsets, metadata)

    async def commit_transaction(self) -> None:
        """Raises why it cannot be committed: TimedOut means call it again, most others mean abort it."""
        transactions = self._require_transactions()
        transactions.state.require(Phase.IN_TRANSACTION, Phase.COMMITTING)
        if transactions.state.phase is Phase.IN_TRANSACTION:
            transactions.state.move(Phase.COMMITTING)
        await self._flush(None, "commit_transaction")
        transactions.state.require(Phase.COMMITTING)
        await transactions.end(commit=True)
        self._unseen_failures.clear()

    async def abort_transaction(self) -> None:
        """Drops what was not sent yet; what was sent is never seen by consumers that read committed records only."""
        transactions = self._require_transactions()
        transactions.state.require(Phase.IN_TRANSACTION, Phase.MUST_ABORT, Phase.ABORTING)
        if transactions.state.phase is not Phase.ABORTING:
            transactions.state.move(Phase.ABORTING)
        error = TransactionAborted(ErrorCode.TRANSACTION_ABORTABLE, "the transaction was aborted")
        self._require_intake().fail_held(error)
        self._require_sender().fail_waiting(error)
        await self._flush(None, "abort_transaction")
        await transactions.end(commit=False)
        self._unseen_failures.clear()

    async def detach(self) -> TransactionHandle | None:
        """Hands the open transaction over: all records are delivered, and `admin.end_transaction(handle, commit=True)`
        ends it from anywhere. None when nothing was sent. Afterwards this producer can only be closed."""
        transactions = self._require_transactions()
        transactions.state.require(Phase.IN_TRANSACTION)
        await self._flush(None, "detach")
        transactions.state.require(Phase.IN_TRANSACTION)
        transactions.state.move(Phase.DETACHED)
        return transactions.handle() if transactions.has_begun else None

    # inside

    def _new_route(self, view: TopicView) -> Route:
        return Route(
            view,
            self._accumulator,
            self._lifetime.cluster.rng,
            chooser=self._partitioner,
            ignores_keys=self.options.partitioner_ignore_keys,
            is_adaptive=self.options.partitioner_adaptive_partitioning_enable,
            slow_nodes=self._require_sender().slow_nodes,
        )

    def _let_in(self, now_ms: int) -> None:
        intake = self._require_intake()
        intake.let_in(now_ms)
        # Who needs more room than there is waits again.
        if self._room_waiters and not intake.is_full:
            waiters, self._room_waiters = self._room_waiters, []
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_result(None)

    def _on_held_failed(self, held: Held) -> None:
        if self._transactions is not None and held.error is not None:
            self._transactions.state.failed(held.error)
        self._on_decided(held)

    def _on_decided(self, place: Batch | Held) -> None:
        if place.error is not None and not place.was_seen:
            self._unseen_failures.append(place)

    def _raise_unseen(self) -> None:
        failures = [place for place in self._unseen_failures if not place.was_seen]
        self._unseen_failures.clear()
        if failures:
            error, count = failures[0].error, sum(place.count for place in failures)
            assert error is not None
            error.add_note(
                f"{count} records whose deliveries nobody awaited were not delivered; this is the first error"
            )
            raise error

    def _require_intake(self) -> Intake:
        if self._intake is None or self._lifetime.is_closed:
            raise ClientClosed(_NOT_OPEN if not self._lifetime.is_closed else "the producer is closed")
        return self._intake

    def _require_sender(self) -> Sender:
        if self._sender is None:
            raise ClientClosed(_NOT_OPEN)
        return self._sender

    def _require_transactions(self) -> TransactionalAuthority:
        self._require_intake()
        if self._transactions is None:
            raise RuntimeError("the producer has no transactional.id")
        return self._transactions


_NOT_OPEN = "the producer is not started: use `async with`, or await start()"


async def _settled(place: Batch | Held) -> None:
    """Until the records are decided, wherever they have gone since."""
    if not place.is_done:
        await place.quiet_waiter()
    for moved in place.successors():
        await _settled(moved)


def _limits(options: ProducerOptions) -> AccumulatorLimits:
    return AccumulatorLimits(
        batch_size=min(options.batch_size, options.max_request_size, options.buffer_memory),
        linger_ms=options.linger_ms,
        buffer_memory=options.buffer_memory,
        max_in_flight=options.max_in_flight_requests_per_connection,
        delivery_timeout_ms=options.delivery_timeout_ms,
    )


def _partitioner(options: ProducerOptions, given: Any) -> Partitioner | None:
    if given is not None:
        if not callable(given):
            raise InvalidConfig([f"partitioner.class={given!r}: must be callable, or one of {', '.join(NAMED)}"])
        chosen: Partitioner = given
        return chosen
    name = options.partitioner_class
    if name is None:
        return None
    if name not in NAMED:
        raise InvalidConfig([f"partitioner.class={name}: must be a callable, or one of {', '.join(NAMED)}"])
    make = NAMED[name]
    return make() if make is not None else None
