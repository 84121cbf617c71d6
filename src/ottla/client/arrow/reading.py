"""`read_topic` and `read_range`: parts of topics as Arrow tables and record batches, without asyncio.

The thread of a loop fetches; the thread of the caller decodes, so memory is bounded by how fast the caller takes.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ottla.client.admin.call import Call
from ottla.client.arrow.bounds import Bound, ranges_of
from ottla.client.arrow.range_fetch import FETCH_BYTES, Range, RangeFetch
from ottla.client.lifetime import Lifetime
from ottla.client.retrying import Deadline
from ottla.config.consumer_options import ConsumerOptions
from ottla.model.topic import TopicPartition
from ottla.records.arrow_columns import BATCH_ROWS, ArrowColumns
from ottla.records.fetched_batches import FetchedBatches
from ottla.runtime.loop_thread import LoopThread

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
#: Responses that wait to be decoded, of each range.
_QUEUED: Final = 2
#: Ranges of one read that are fetched at the same time.
_AHEAD: Final = 4


class ArrowSession:
    """A client for reads: its loop thread, its cluster. Used for one read, or kept by who reads often."""

    def __init__(self, config: Mapping[str, Any] | None, options: dict[str, Any], isolation: str | None) -> None:
        if isolation is not None:
            options["isolation_level"] = isolation
        self.lifetime = Lifetime(ConsumerOptions, config, options, None)
        self.options: ConsumerOptions = self.lifetime.options
        self.read_committed = self.options.isolation_level == "read_committed"
        self.thread = LoopThread("ottla arrow reader")

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.thread.run(work)

    async def start(self) -> None:
        self.lifetime.start()

    async def ranges(self, topic: str, partitions: Sequence[int] | None, start: Bound, end: Bound) -> list[Range]:
        cluster, timeout_ms = self.lifetime.cluster, self.options.default_api_timeout_ms
        view = await cluster.topic(topic, Deadline(cluster.clock, timeout_ms))
        numbers = range(len(view.partitions)) if partitions is None else partitions
        call = Call(cluster, f"offsets of {topic}", timeout_ms)
        return await ranges_of(call, topic, numbers, start, end, read_committed=self.read_committed)

    def record_batches(
        self, wanted: Range, columns: Sequence[str] | None, batch_rows: int
    ) -> "Iterator[pa.RecordBatch]":
        arrow = ArrowColumns(*wanted.partition, columns, batch_rows=batch_rows)
        fetching = _Fetching(self, wanted)
        try:
            for fetched in fetching:
                yield from arrow.read(fetched)
        finally:
            fetching.close()

    def several(
        self,
        ranges: Sequence[Range],
        columns: Sequence[str] | None,
        batch_rows: int,
        on_end: Callable[[Range], object] = lambda ended: None,
    ) -> "Iterator[pa.RecordBatch]":
        """Ranges one after another; some of the next ones are fetched while one is decoded.

        `on_end` is called with each range when all of its record batches were taken.
        """
        fetchings: deque[_Fetching] = deque()
        coming = iter(ranges)
        try:
            for wanted in ranges:
                fetchings.extend(_Fetching(self, each) for each in islice(coming, _AHEAD - len(fetchings)))
                arrow = ArrowColumns(*wanted.partition, columns, batch_rows=batch_rows)
                for fetched in fetchings[0]:
                    yield from arrow.read(fetched)
                fetchings.popleft().close()
                on_end(wanted)
        finally:
            for fetching in fetchings:
                fetching.close()

    def close(self) -> None:
        try:
            self.thread.run(self.lifetime.close())
        finally:
            self.thread.close()


class _Fetching:
    """Responses of one range, from the loop's thread to the caller's."""

    def __init__(self, session: ArrowSession, wanted: Range) -> None:
        self._session = session
        self._fetch = RangeFetch(
            session.lifetime.cluster, session.options, wanted, read_committed=session.read_committed
        )
        self._queue: asyncio.Queue[FetchedBatches | Exception | None] = asyncio.Queue(_QUEUED)
        self._task = session.run(self._start())

    async def _start(self) -> "asyncio.Task[None]":
        return asyncio.get_running_loop().create_task(self._work(), name="arrow fetch")

    async def _work(self) -> None:
        try:
            async for fetched in self._fetch.responses():
                await self._queue.put(fetched)
        except Exception as error:  # noqa: BLE001  raised where the caller waits for the next response
            await self._queue.put(error)
        else:
            await self._queue.put(None)

    def __iter__(self) -> Iterator[FetchedBatches]:
        while True:
            found = self._session.run(self._queue.get())
            if found is None:
                return
            if isinstance(found, Exception):
                raise found
            yield found

    def close(self) -> None:
        self._session.run(self._stop())

    async def _stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@contextmanager
def _opened(config: Mapping[str, Any] | None, options: dict[str, Any], isolation: str | None) -> Iterator[ArrowSession]:
    session = ArrowSession(config, options, isolation)
    try:
        session.run(session.start())
        yield session
    finally:
        session.close()


def read_range(
    partition: TopicPartition,
    start: int,
    end: int,
    *,
    columns: Sequence[str] | None = None,
    isolation: str | None = None,
    batch_rows: int = BATCH_ROWS,
    config: Mapping[str, Any] | None = None,
    **options: Any,
) -> "Iterator[pa.RecordBatch]":
    """The records with offsets from `start` up to and without `end`, as record batches of up to `batch_rows` rows.

    Memory is bounded whatever the size of the range. It ends at `end` also where the last offsets are control records
    or were compacted away. `isolation` is `read_committed` or `read_uncommitted`; other settings are a consumer's.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     first = producer.send("lines", b"a line", partition=0).result().offset
    >>> batches = read_range(TopicPartition("lines", 0), first, first + 1, columns=["value"], bootstrap_servers=servers)
    >>> [batch.to_pylist() for batch in batches]
    [[{'value': b'a line'}]]
    """
    with _opened(config, options, isolation) as session:
        yield from session.record_batches(Range(TopicPartition(*partition), start, end), columns, batch_rows)


def read_topic(
    topic: str,
    *,
    start: Bound = "earliest",
    end: Bound = "latest",
    partitions: Sequence[int] | None = None,
    columns: Sequence[str] | None = None,
    isolation: str | None = None,
    config: Mapping[str, Any] | None = None,
    **options: Any,
) -> "pa.Table":
    """A topic, or a part of it, as a table: partitions one after another, each in the order of its offsets.

    `start` and `end` are `earliest`, `latest` (as of this call), a datetime, or offsets by partition. `end` is
    exclusive.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     first = producer.send("lines", b"a line", partition=0).result().offset
    >>> read_topic("lines", start={0: first}, columns=["value"], bootstrap_servers=servers).to_pylist()
    [{'value': b'a line'}]
    """
    import pyarrow as pa

    with _opened(config, options, isolation) as session:
        ranges = session.run(session.ranges(topic, partitions, start, end))
        schema = ArrowColumns(topic, 0, columns).schema
        batches: list[pa.RecordBatch] = []
        at_once = max(1, session.options.fetch_max_bytes // (_QUEUED * FETCH_BYTES))
        for first in range(0, len(ranges), at_once):
            batches += _read_together(session, ranges[first : first + at_once], columns)
    return pa.Table.from_batches(batches, schema=schema)


def _read_together(session: ArrowSession, ranges: list[Range], columns: Sequence[str] | None) -> "list[pa.RecordBatch]":
    """All of them are fetched at the same time, and decoded one after another."""
    fetchings = [_Fetching(session, wanted) for wanted in ranges]
    try:
        found: list[pa.RecordBatch] = []
        for wanted, fetching in zip(ranges, fetchings, strict=True):
            arrow = ArrowColumns(*wanted.partition, columns)
            for fetched in fetching:
                found += arrow.read(fetched)
        return found
    finally:
        for fetching in fetchings:
            fetching.close()
