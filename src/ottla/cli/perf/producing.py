"""Sends records as fast as wanted and measures how long each waits for its acknowledgement.

Two paths. Columns: tables of records, a few in flight; the latency of a table counts for each of its records. Single
records: where a rate is wanted, a transaction, or batches of a size that the caller has set.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ottla.cli.perf.latencies import ProducerReport
from ottla.cli.perf.payloads import Payloads
from ottla.client.errors import ClientError

if TYPE_CHECKING:
    from ottla.client import AsyncProducer, Delivery

#: Bytes of a table: a request of a few full batches. Several are under way, so that the broker never waits.
_TABLE_BYTES: Final = 1 << 20
_TABLES_IN_FLIGHT: Final = 4
_MAX_TABLE_ROWS: Final = 65_536
#: So many records are sent before the event loop gets its turn.
_TURN_RECORDS: Final = 64


class Plan(NamedTuple):
    topic: str
    record_count: int
    #: Records a second; below 0: no limit.
    rate: float = -1
    #: None: no transactions.
    transaction_ms: int | None = None


class _Sent(NamedTuple):
    delivery: "Delivery"
    began: float
    size: int


def has_columns() -> bool:
    from importlib.util import find_spec

    return find_spec("pyarrow") is not None


class ProducerRun:
    """One measured run. `show` prints the line of a window, `advance` moves a progress bar."""

    def __init__(
        self,
        producer: "AsyncProducer",
        plan: Plan,
        payloads: Payloads,
        report: ProducerReport,
        show: Callable[[str], None],
    ) -> None:
        self._producer = producer
        self._plan = plan
        self._payloads = payloads
        self._report = report
        self._show = show
        self._failure: Exception | None = None
        self._transaction_began: float | None = None
        self._waiting: deque[_Sent] = deque()
        #: Set when there is something to wait for, or nothing will come.
        self._sent = asyncio.Event()
        self._is_sent = False

    async def send_columns(self) -> None:
        import pyarrow as pa

        sample = len(self._payloads.next())
        rows = max(1, min(_MAX_TABLE_ROWS, _TABLE_BYTES // (sample + 8)))
        left = self._plan.record_count
        room = asyncio.Semaphore(_TABLES_IN_FLIGHT)
        tasks: set[asyncio.Task[None]] = set()
        while left and self._failure is None:
            count = min(rows, left)
            left -= count
            values = self._payloads.rows(count)
            await room.acquire()
            task = asyncio.ensure_future(self._send_table(pa.table({"value": values}), _bytes_of(values), room))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._failure is not None:
            raise self._failure

    async def _send_table(self, table: Any, size: int, room: asyncio.Semaphore) -> None:
        began = time.perf_counter()
        try:
            await self._producer.send_batch(self._plan.topic, table)
            now = time.perf_counter()
            self._note((now - began) * 1000, table.num_rows, size, now)
        except Exception as error:  # noqa: BLE001  raised by send_columns
            self._failure = self._failure or error
        finally:
            room.release()

    def _note(self, latency_ms: float, count: int, size: int, now: float) -> None:
        line = self._report.add(latency_ms, count, size, now)
        if line is not None:
            self._show(line)

    async def send_records(self) -> None:
        began = time.perf_counter()
        watcher = asyncio.ensure_future(self._watch())
        try:
            for number in range(self._plan.record_count):
                await self._keep_transactions()
                self._send()
                if number % _TURN_RECORDS == 0:
                    await self._producer.ready()
                await self._pace(number, began)
                if watcher.done():
                    await watcher
            if self._transaction_began is not None:
                await self._producer.commit_transaction()
            with suppress(ClientError):  # the watcher meets the same failure, with the records before it counted
                await self._producer.flush()
            self._is_sent = True
            self._sent.set()
            await watcher
        finally:
            watcher.cancel()

    async def _watch(self) -> None:
        """Waits for records in the order in which they were sent. Raises the first failure.

        Neighbours are mostly in one batch, so one wait serves many. A record whose batch is acknowledged before an
        earlier one counts when that is: latencies may come out too high, never too low.
        """
        waiting = self._waiting
        while waiting or not self._is_sent:
            if not waiting:
                self._sent.clear()
                await self._sent.wait()
                continue
            await waiting[0].delivery
            now = time.perf_counter()
            while waiting and waiting[0].delivery.done():
                delivery, began, size = waiting.popleft()
                delivery.result()
                self._note((now - began) * 1000, 1, size, now)

    async def _keep_transactions(self) -> None:
        """Before a record: ends a transaction that is old enough, begins the next."""
        limit_ms = self._plan.transaction_ms
        if limit_ms is None:
            return
        now = time.perf_counter()
        if self._transaction_began is not None and (now - self._transaction_began) * 1000 >= limit_ms:
            await self._producer.commit_transaction()
            self._transaction_began = None
        if self._transaction_began is None:
            await self._producer.begin_transaction()
            self._transaction_began = now

    async def _pace(self, number: int, began: float) -> None:
        if self._plan.rate > 0:
            early = began + (number + 1) / self._plan.rate - time.perf_counter()
            if early > 0.001:
                await asyncio.sleep(early)

    def _send(self) -> None:
        value = self._payloads.next()
        began = time.perf_counter()
        self._waiting.append(_Sent(self._producer.send(self._plan.topic, value), began, len(value)))
        if len(self._waiting) == 1:
            self._sent.set()


def _bytes_of(values: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.sum(pc.binary_length(values)).as_py() or 0)
