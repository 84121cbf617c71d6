"""`Producer`: `AsyncProducer` without asyncio, for any number of threads.

Threads put their records into an inbox, and the loop's thread takes many at once: while records come it looks every
millisecond, otherwise the first one wakes it. To hop to the loop for each record would cost a hundred times as much.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any

from ottla.client.errors import ClientClosed, TimedOut
from ottla.client.producer.delivery import Delivery
from ottla.client.producer.outcome import RecordMetadata
from ottla.client.producer.preparing import Arrival
from ottla.client.producer.producer import AsyncProducer
from ottla.client.sync import SyncClient, blocking, on_loop

_LOOK_EVERY_S = 0.001
#: So many records, and this share of buffer.memory, may be in the inbox before their thread waits for the loop's.
_MAX_INBOX = 1000
_INBOX_SHARE = 8
#: Larger records are looked at before they get into the inbox: they may be too large.
_SMALL_BYTES = 4096

#: Topic, value, key, partition, timestamp: bytes that need no preparation.
_Plain = tuple[str, bytes, bytes | None, int | None, int | None]


class SyncDelivery:
    """What becomes of a record. `result()` waits for it.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     delivery = producer.send("parts", b"first")
    ...     delivery.result(timeout_ms=10_000).offset
    0
    """

    __slots__ = ("_producer", "outcome")

    def __init__(self, producer: "Producer") -> None:
        self._producer = producer
        #: From when the loop has taken the record.
        self.outcome: Delivery | None = None

    def done(self) -> bool:
        """Whether it is decided."""
        return self.outcome is not None and self.outcome.done()

    def result(self, timeout_ms: int | None = None) -> RecordMetadata:
        """The RecordMetadata; raises why the record was not delivered, or TimedOut when it is not decided in time."""
        if not self.done():
            self._producer._run(self._decided(timeout_ms))
        assert self.outcome is not None
        return self.outcome.result()

    def add_done_callback(self, callback: "Callable[[SyncDelivery], object]") -> None:
        """Calls `callback(self)` when it is decided, in the thread of the client: it must not block."""
        self._producer._run(self._call_when_decided(callback))

    async def _call_when_decided(self, callback: "Callable[[SyncDelivery], object]") -> None:
        assert self.outcome is not None
        self.outcome.add_done_callback(lambda _: callback(self))

    async def _decided(self, timeout_ms: int | None) -> None:
        assert self.outcome is not None
        try:
            async with asyncio.timeout(None if timeout_ms is None else timeout_ms / 1000):
                await self.outcome.decided()
        except TimeoutError:
            raise TimedOut(f"not decided after {timeout_ms} ms") from None


class Producer(SyncClient):
    """`AsyncProducer` without asyncio. Threads may share one.

    >>> with Producer(bootstrap_servers=servers, value_serializer="str") as producer:
    ...     delivery = producer.send("orders", "first", key=b"k")
    ...     delivery.result().topic
    'orders'
    """

    def __init__(self, config: Mapping[str, Any] | None = None, /, **options: Any) -> None:
        client = AsyncProducer(config, **options)
        client.callers_wait = True
        self._async = client
        self._inbox: deque[tuple[_Plain | Arrival, SyncDelivery]] = deque()
        #: Counted without a lock: threads may miscount, and whoever empties the inbox sets it right.
        self._inbox_bytes = 0
        self._max_inbox_bytes = client.options.buffer_memory // _INBOX_SHARE
        self._is_plain = client.preparer.is_plain and client.options.transactional_id is None
        self._must_wait = False
        self._is_woken = False
        self._open(client)

    def send(
        self,
        topic: str,
        value: Any = None,
        key: Any = None,
        *,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Iterable[tuple[str, bytes | None]] | Mapping[str, bytes | None] | None = None,
    ) -> SyncDelivery:
        """As `AsyncProducer.send`; waits up to `max.block.ms` while the buffer is full, then raises BufferFull."""
        entry: _Plain | Arrival
        if (
            self._is_plain
            and headers is None
            and type(value) is bytes
            and len(value) < _SMALL_BYTES
            and (key is None or type(key) is bytes)
        ):
            entry = (topic, value, key, partition, timestamp_ms)
            self._inbox_bytes += len(value)
        else:
            entry = self._async.preparer.prepare(topic, value, key, partition, timestamp_ms, headers)
            self._inbox_bytes += entry.size
        if self._must_wait or len(self._inbox) >= _MAX_INBOX or self._inbox_bytes > self._max_inbox_bytes:
            self._run(self._async.ready())
            self._must_wait = False
        delivery = SyncDelivery(self)
        self._inbox.append((entry, delivery))
        if not self._is_woken:
            self._wake()
        return delivery

    def _end(self, last_work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        super()._end(last_work)
        # Whoever sends now wakes nobody, and hears of it.
        self._is_woken = False

    def _wake(self) -> None:
        if not self._thread.is_running:
            raise ClientClosed("the producer is closed")
        self._is_woken = True
        self._thread.call_soon(self._look)

    def _look(self) -> None:
        """On the loop: takes what is there and looks again soon; after a look in vain it has to be woken."""
        if self._inbox:
            self._take()
        else:
            self._is_woken = False
            if not self._inbox:
                return
            # Somebody put a record in just before the flag fell, and did not wake us.
            self._is_woken = True
        asyncio.get_running_loop().call_later(_LOOK_EVERY_S, self._look)

    def _take(self) -> None:
        inbox, client = self._inbox, self._async
        while inbox:
            entry, delivery = inbox.popleft()
            try:
                if isinstance(entry, Arrival):
                    delivery.outcome = client.accept(entry)
                else:
                    topic, value, key, partition, timestamp_ms = entry
                    delivery.outcome = client.send(topic, value, key, partition=partition, timestamp_ms=timestamp_ms)
            except Exception as error:  # noqa: BLE001  raised where the outcome is asked for, or by flush
                delivery.outcome = client.not_accepted(error)
        self._inbox_bytes = 0
        self._must_wait = client.is_full

    def _on_loop(self) -> None:
        """Before any other call: it comes after the records that were sent before it."""
        self._take()

    flush = blocking(AsyncProducer.flush)
    send_batch = blocking(AsyncProducer.send_batch)
    partitions_for = blocking(AsyncProducer.partitions_for)
    metrics = on_loop(AsyncProducer.metrics)
    init_transactions = blocking(AsyncProducer.init_transactions)
    begin_transaction = blocking(AsyncProducer.begin_transaction)
    send_offsets = blocking(AsyncProducer.send_offsets)
    commit_transaction = blocking(AsyncProducer.commit_transaction)
    abort_transaction = blocking(AsyncProducer.abort_transaction)
    detach = blocking(AsyncProducer.detach)

    def transaction(self) -> "SyncTransaction":
        """A transaction as a `with` block: committed at its end, aborted when it raises."""
        return SyncTransaction(self._async.transaction(), self)


class SyncTransaction:
    """`AsyncProducer.transaction()` as a `with` block."""

    def __init__(self, transaction: AbstractAsyncContextManager[AsyncProducer], producer: Producer) -> None:
        self._transaction = transaction
        self._producer = producer

    def __enter__(self) -> Producer:
        self._producer._run(self._transaction.__aenter__())
        return self._producer

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._producer._run(self._transaction.__aexit__(kind, error, traceback))
