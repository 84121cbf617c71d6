"""What an append cannot wait for, one at a time: one producer must not make all others wait.

Batches with very many records are checked in a thread. It shares the interpreter with the event loop, so others still
feel it, but by milliseconds. One at a time: the threads are there for the disk. Searches for earlier batches of a
producer run in steps on the event loop: the log may not be read by two.
"""

from __future__ import annotations

import asyncio

from ottla.doors.executor import Executor
from ottla.log.append_checks import TakesLong
from ottla.log.long_checks import CheckedBatch, check_apart
from ottla.log.older_batches import OlderSearch
from ottla.log.partition_log import PartitionLog


class LongChecks:
    """Owned by the node."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._turn = asyncio.Lock()

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    async def settle(self, log: PartitionLog, long: TakesLong, batch: bytearray | memoryview, now_ms: int) -> None:
        """Then the append may be tried again. Raises OSError and CorruptLog."""
        if long.search is None:
            log.remember(await self._check(log, batch, now_ms))
        else:
            await self._finish(long.search)
            log.producers.learn(long.search)

    async def _finish(self, search: OlderSearch) -> None:
        async with self._turn:
            while True:
                if search.step():
                    return
                await asyncio.sleep(0)

    async def _check(self, log: PartitionLog, batch: bytearray | memoryview, now_ms: int) -> CheckedBatch:
        async with self._turn:
            work = asyncio.ensure_future(self._executor.run(check_apart, *log.long_check(batch, now_ms)))
            try:
                return await asyncio.shield(work)
            except asyncio.CancelledError:
                # The client is gone; the thread goes on, and whoever hangs up early must not get a second one.
                await asyncio.gather(work, return_exceptions=True)
                raise
