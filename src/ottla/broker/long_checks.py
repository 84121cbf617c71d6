"""Checks of batches with very many records, one at a time, in a thread: one producer must not make all others wait.

The thread shares the interpreter with the event loop, so others still feel it, but by milliseconds. One at a time: the
threads are there for the disk.
"""

from __future__ import annotations

import asyncio

from ottla.doors.executor import Executor
from ottla.log.long_checks import CheckedBatch, check_apart
from ottla.log.partition_log import PartitionLog


class LongChecks:
    """Owned by the node."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._turn = asyncio.Lock()

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    async def run(self, log: PartitionLog, batch: bytearray | memoryview, now_ms: int) -> CheckedBatch:
        async with self._turn:
            work = asyncio.ensure_future(self._executor.run(check_apart, *log.long_check(batch, now_ms)))
            try:
                return await asyncio.shield(work)
            except asyncio.CancelledError:
                # The client is gone; the thread goes on, and whoever hangs up early must not get a second one.
                await asyncio.gather(work, return_exceptions=True)
                raise
