"""Flushes that nobody waits for: they bound what power loss can take from topics that do not flush before each ack."""

from __future__ import annotations

import asyncio

from ottla.broker.maintenance.chores import report
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.storage.flushers import Flushers
from ottla.doors.clock import Clock

#: How often logs are asked for flush.ms when nothing shorter is set, and the min pause.
_FLUSH_CHECK_MS = 1_000
_MIN_FLUSH_MS = 10
#: The min time between two looks at all logs because descriptors are short.
_FLUSH_PAUSE_MS = 50
#: After a background flush the disk has this many times its duration for itself.
_REST_AFTER_FLUSH = 10


class BackgroundFlush:
    """Owned by the node."""

    def __init__(self, partitions: Partitions, flushers: Flushers, clock: Clock) -> None:
        self._partitions = partitions
        self._flushers = flushers
        self._clock = clock
        self._flushed_everything_ms = -(10**9)

    async def run(self, background_ms: int) -> None:
        """Until it is cancelled. Also serves flush.ms."""
        interval_ms = background_ms or _FLUSH_CHECK_MS
        background_due_ms = 0
        while True:
            await asyncio.sleep(interval_ms / 1000)
            began_ms = self._clock.monotonic_ms()
            is_background_due = background_ms > 0 and began_ms >= background_due_ms
            shortest_ms = _FLUSH_CHECK_MS
            try:
                shortest_ms = self._flush_due_logs(began_ms, everything=is_background_due)
                await self._flushers.background.settle()
            except Exception as error:  # noqa: BLE001  a bug in one round must not be the end of all flushing
                report("background flush failed and will be retried", error)
            if is_background_due:
                # A disk that cannot keep up is not helped by asking again at once: producers would wait behind it.
                ended_ms = self._clock.monotonic_ms()
                background_due_ms = ended_ms + max(background_ms, _REST_AFTER_FLUSH * (ended_ms - began_ms))
            interval_ms = max(_MIN_FLUSH_MS, min(background_ms or _FLUSH_CHECK_MS, shortest_ms))

    def flush_everything(self) -> None:
        """Soon, in the background; for many calls it comes once."""
        now_ms = self._clock.monotonic_ms()
        if now_ms - self._flushed_everything_ms >= _FLUSH_PAUSE_MS:
            self._flushed_everything_ms = now_ms
            self._flush_due_logs(now_ms, everything=True)

    def _flush_due_logs(self, now_ms: int, *, everything: bool) -> int:
        """Gives the shortest flush.ms of all logs: how soon to look again."""
        shortest_ms = _FLUSH_CHECK_MS
        for leader in self._partitions:
            log = leader.log
            shortest_ms = min(shortest_ms, log.options.flush_ms)
            if log.recovery_point < log.end_offset and not log.is_failed and (everything or log.flush_due(now_ms)):
                self._flushers.want(leader)
        return shortest_ms
