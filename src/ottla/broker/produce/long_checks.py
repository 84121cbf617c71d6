"""What an append cannot wait for, one at a time: one producer must not make all others wait.

Batches with very many records are checked in a thread. Searches for earlier batches of a producer run in steps on the
event loop: the log may not be read by two.
"""

from __future__ import annotations

import asyncio

from ottla.broker.execution.worker_thread import OneAtATime
from ottla.doors.executor import Executor
from ottla.log.partition.append_checks import check_apart
from ottla.log.partition_log import PartitionLog
from ottla.log.producers.older_batches import OlderSearch, TakesLong


class LongChecks:
    """Owned by the node."""

    def __init__(self, executor: Executor) -> None:
        self._thread = OneAtATime(executor)

    @property
    def is_busy(self) -> bool:
        return self._thread.is_busy

    async def settle(self, log: PartitionLog, long: TakesLong, batch: bytearray | memoryview, now_ms: int) -> None:
        """Then the append may be retried. Raises OSError and CorruptLog."""
        if long.search is None:
            log.remember(await self._thread.run(check_apart, *log.long_check(batch, now_ms)))
        else:
            await self._finish(long.search)
            log.producers.learn(long.search)

    async def _finish(self, search: OlderSearch) -> None:
        async with self._thread.lock:
            while True:
                if search.step():
                    return
                await asyncio.sleep(0)
