"""Groups fsyncs: all partitions that want one share a round, and rounds run in a thread, one after another.

Who was released by a round mostly comes back at once. So a round waits for more requests as long as each loop iteration
brings some, but no longer than the round before it took (ADR 0025).

A flush is never retried after a failed fsync (docs/durability.md): the log refuses further writes and its directory
goes offline. One that found no room for a small file is retried: no fsync has failed.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeAlias

from ottla.doors.clock import Clock
from ottla.doors.executor import Executor
from ottla.log.files.disk_errors import NoRoom
from ottla.log.partition.flush import FlushJob, run_together
from ottla.log.partition_log import PartitionLog

_log = logging.getLogger(__name__)

#: File systems commit what is synced at the same time together: many files cost little more than one.
_MAX_THREADS = 16
#: A thread of its own for each would cost more than the sync: few logs share one.
_LOGS_PER_THREAD = 4
_RETRY_S = 1.0
#: Many logs wait for the same reason: it is not logged more often than this.
_LOG_INTERVAL_MS = 10_000
#: How soon a log is looked at again that another flusher is busy with.
_BUSY_RETRY_S = 0.01


#: A log and who is notified when it is flushed; a plain tuple, because every append makes one.
_Wanted: TypeAlias = tuple[PartitionLog, Callable[[], None]]


def _run_one_by_one(jobs: list[FlushJob]) -> list[OSError | None]:
    return [outcome for job in jobs for outcome in run_together([job])]


_JobGroup: TypeAlias = list[tuple[_Wanted, FlushJob]]


class Flusher:
    """Owned by the node. `want` is cheap and may be called for every append.

    With `one_by_one` it leaves the device to others most of the time: for flushes that nobody waits for.
    """

    def __init__(
        self,
        executor: Executor,
        clock: Clock,
        on_failed: Callable[[PartitionLog, OSError], None],
        *,
        one_by_one: bool = False,
        logs_at_once: int = 1000,
    ) -> None:
        """`logs_at_once`: each has some small files open while it is flushed."""
        self._executor = executor
        self._clock = clock
        self._one_by_one = one_by_one
        self._logs_at_once = logs_at_once
        self._wait_logged_ms = -(10**9)
        self._on_failed = on_failed
        self._wanted: dict[int, _Wanted] = {}
        self._joining: dict[Callable[[], None], None] = {}
        #: Counts what was wanted and who joined.
        self._arrivals = 0
        self._round_ms = 0
        self._round: asyncio.Task[None] | None = None
        #: Done at the end of the present round, when there is somebody who waits for it.
        self._round_end: asyncio.Future[None] | None = None
        self._is_closed = False

    def want(self, log: PartitionLog, on_flushed: Callable[[], None]) -> None:
        """Flushes the log soon. `on_flushed` is called when its recovery point has moved; not after an error."""
        self._wanted[id(log)] = (log, on_flushed)
        self._arrivals += 1
        if self._round is None:
            self._start_rounds()

    async def flush(self, log: PartitionLog, on_flushed: Callable[[], None]) -> None:
        """Returns when what the log holds now is on the device, or never will be: the log has failed or was cut back.

        Others may continue to append, to this log or another: that is not waited for.
        """
        end_offset = log.end_offset
        tries = 0
        while log.recovery_point < min(end_offset, log.end_offset) and not log.is_failed and not self._is_closed:
            # The round that runs now may have begun before the last append. One more is enough, unless it fails.
            if tries >= 2:
                await asyncio.sleep(_RETRY_S)
            self.want(log, on_flushed)
            await self._end_of_round()
            if log.is_flushing:
                await asyncio.sleep(_BUSY_RETRY_S)
            else:
                tries += 1

    async def _end_of_round(self) -> None:
        if self._round_end is None:
            self._round_end = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._round_end)

    def join(self, append: Callable[[], None]) -> None:
        """Calls `append` right before the next round, which flushes what it appends. For many calls it comes once."""
        self._joining[append] = None
        self._arrivals += 1
        if self._round is None:
            self._start_rounds()

    def _start_rounds(self) -> None:
        if not self._is_closed:
            self._round = asyncio.get_running_loop().create_task(self._rounds(), name="flusher")

    async def settle(self) -> None:
        """Waits until nothing is wanted any more. Where others keep asking for flushes that may be never."""
        while self._round is not None:
            await self._round

    async def close(self) -> None:
        await self.settle()
        self._is_closed = True

    async def _rounds(self) -> None:
        clock = self._clock
        try:
            while self._wanted or self._joining:
                if not self._one_by_one:
                    await self._await_more_requests(clock.monotonic_ms() + self._round_ms)
                begin_ms = clock.monotonic_ms()
                if self._joining:
                    self._let_append()
                wanted = list(self._wanted.values())
                self._wanted.clear()
                for start in range(0, len(wanted), self._logs_at_once):
                    await self._flush(wanted[start : start + self._logs_at_once])
                self._round_ms = clock.monotonic_ms() - begin_ms
                self._notify_round_end()
        finally:
            self._round = None
            self._notify_round_end()

    def _notify_round_end(self) -> None:
        ended, self._round_end = self._round_end, None
        if ended is not None and not ended.done():
            ended.set_result(None)

    async def _await_more_requests(self, until_ms: int) -> None:
        arrivals = -1
        while arrivals != self._arrivals and self._clock.monotonic_ms() < until_ms:
            arrivals = self._arrivals
            await asyncio.sleep(0)

    def _let_append(self) -> None:
        joining, self._joining = self._joining, {}
        for append in joining:
            try:
                append()
            except Exception as bug:  # noqa: BLE001  the others must be appended all the same
                message = "what joined a flush could not be appended"
                asyncio.get_running_loop().call_exception_handler({"message": message, "exception": bug})

    async def _flush(self, wanted: list[_Wanted]) -> None:
        pairs = [(entry, job) for entry in wanted if (job := self._job_of(entry)) is not None]
        plain = [] if self._one_by_one else [pair for pair in pairs if pair[1].has_files_only]
        others = pairs if self._one_by_one else [pair for pair in pairs if not pair[1].has_files_only]
        groups = [(run_together, plain)] if plain else []
        groups += [(_run_one_by_one, group) for group in self._split_over_threads(others)]
        works = [self._executor.run(run, [job for _, job in group]) for run, group in groups]
        # gather keeps the order of its arguments, so that a simulated run is the same each time. One needs no task.
        done = [await works[0]] if len(works) == 1 else await asyncio.gather(*works)
        for (_, group), outcomes in zip(groups, done, strict=True):
            for (entry, job), error in zip(group, outcomes, strict=True):
                try:
                    self._finish(entry, job, error)
                except Exception as bug:  # noqa: BLE001  the other logs of the round must not wait forever
                    message = f"{entry[0].topic_partition} was flushed, and the callback of who waited for it failed"
                    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": bug})

    def _split_over_threads(self, pairs: _JobGroup) -> list[_JobGroup]:
        """Directories and small files have to be synced as well: that is done in threads."""
        count = min(1 if self._one_by_one else _MAX_THREADS, -(-len(pairs) // _LOGS_PER_THREAD))
        return [pairs[start::count] for start in range(count)]

    def _job_of(self, entry: _Wanted) -> FlushJob | None:
        log, _ = entry
        if log.is_flushing:
            # By another flusher. A log has one job at a time: two would take each other's small files for written.
            asyncio.get_running_loop().call_later(_BUSY_RETRY_S, self.want, *entry)
            return None
        try:
            return log.flush_job()
        except OSError as error:
            # An index found no room. Nothing was synced and nothing is lost; the other logs must not wait for it.
            self._try_later(entry, error)
            return None

    def _try_later(self, entry: _Wanted, error: OSError) -> None:
        now_ms = self._clock.monotonic_ms()
        if now_ms - self._wait_logged_ms > _LOG_INTERVAL_MS:
            self._wait_logged_ms = now_ms
            _log.warning("the flush of %s is delayed, and others may be: %s", entry[0].topic_partition, error)
        asyncio.get_running_loop().call_later(_RETRY_S, self.want, *entry)

    def _finish(self, entry: _Wanted, job: FlushJob, error: OSError | None) -> None:
        log, on_flushed = entry
        if error is None:
            log.flush_done(job)
            on_flushed()
        elif isinstance(error, NoRoom):
            log.flush_postponed(job)
            self._try_later(entry, error)
        else:
            log.flush_failed(job, error)
            self._on_failed(log, error)
