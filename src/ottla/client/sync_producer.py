"""`Producer`: `AsyncProducer` without asyncio, for any number of threads.

A thread prepares its records by itself and puts them into an inbox; the loop's thread is woken once for many of them.
To hop to the loop for each record would cost a hundred times as much.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any

from ottla.client.errors import ClientClosed, TimedOut
from ottla.client.producer.delivery import Delivery, RecordMetadata
from ottla.client.producer.preparing import Arrival
from ottla.client.producer.producer import AsyncProducer
from ottla.client.producer.transaction import Transaction
from ottla.client.sync import SyncClient, blocking
from ottla.runtime.loop_thread import LoopThread

#: So many records, and this share of buffer.memory, may be in the inbox before their thread waits for the loop's.
_MAX_INBOX = 1000
_INBOX_SHARE = 8


class SyncDelivery:
    """What becomes of a record. `result()` waits for it."""

    __slots__ = ("_thread", "delivery", "error")

    def __init__(self, thread: LoopThread) -> None:
        self._thread = thread
        #: From when the loop has taken the record.
        self.delivery: Delivery | None = None
        self.error: Exception | None = None

    def done(self) -> bool:
        return self.error is not None or (self.delivery is not None and self.delivery.done())

    def result(self, timeout_ms: int | None = None) -> RecordMetadata:
        """The RecordMetadata; raises why the record was not delivered, or TimedOut when it is not decided in time."""
        if not self.done():
            self._thread.run(self._decided(timeout_ms))
        if self.error is not None:
            raise self.error
        assert self.delivery is not None
        return self.delivery.result()

    async def _decided(self, timeout_ms: int | None) -> None:
        # What was in the inbox has been taken: the loop runs things in the order in which threads asked for them.
        if self.delivery is None:
            return
        try:
            async with asyncio.timeout(None if timeout_ms is None else timeout_ms / 1000):
                await self.delivery.decided()
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
        self._inbox: deque[tuple[Arrival, SyncDelivery]] = deque()
        #: Counted without a lock: threads may miscount, and whoever empties the inbox sets it right.
        self._inbox_bytes = 0
        self._max_inbox_bytes = client.options.buffer_memory // _INBOX_SHARE
        self._is_woken = False
        self._prepare = client.preparer.prepare
        self._async = client
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
        if not self._thread.is_running:
            raise ClientClosed("the producer is closed")
        arrival = self._prepare(topic, value, key, partition, timestamp_ms, headers)
        if len(self._inbox) >= _MAX_INBOX or self._inbox_bytes > self._max_inbox_bytes or self._async.is_full:
            self._thread.run(self._async.ready())
        delivery = SyncDelivery(self._thread)
        self._inbox_bytes += arrival.size
        self._inbox.append((arrival, delivery))
        if not self._is_woken:
            self._is_woken = True
            self._thread.call_soon(self._take)
        return delivery

    def _take(self) -> None:
        """On the loop. The flag first: who puts something in from now on wakes us again."""
        self._is_woken = False
        inbox, accept = self._inbox, self._async.accept
        while inbox:
            arrival, delivery = inbox.popleft()
            try:
                delivery.delivery = accept(arrival)
            except Exception as error:  # noqa: BLE001  it is raised where the record's outcome is asked for
                delivery.error = error
        self._inbox_bytes = 0

    flush = blocking(AsyncProducer.flush)
    send_batch = blocking(AsyncProducer.send_batch)
    partitions_for = blocking(AsyncProducer.partitions_for)
    init_transactions = blocking(AsyncProducer.init_transactions)
    begin_transaction = blocking(AsyncProducer.begin_transaction)
    send_offsets = blocking(AsyncProducer.send_offsets)
    commit_transaction = blocking(AsyncProducer.commit_transaction)
    abort_transaction = blocking(AsyncProducer.abort_transaction)
    detach = blocking(AsyncProducer.detach)

    def transaction(self) -> "SyncTransaction":
        """A transaction as a `with` block: committed at its end, aborted when it raises."""
        return SyncTransaction(self._thread, self._async.transaction(), self)


class SyncTransaction:
    """`Transaction` as a `with` block."""

    def __init__(self, thread: LoopThread, transaction: Transaction, producer: Producer) -> None:
        self._thread = thread
        self._transaction = transaction
        self._producer = producer

    def __enter__(self) -> Producer:
        self._thread.run(self._transaction.__aenter__())
        return self._producer

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._thread.run(self._transaction.__aexit__(kind, error, traceback))
