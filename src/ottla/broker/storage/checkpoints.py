"""Writes the checkpoint files of the log directories: how far logs are flushed, where they start and may be read to.

One job at a time: two would fill the same temporary file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from ottla.broker.storage.faults import StorageFaults
from ottla.broker.storage.retention_clock import RetentionClock
from ottla.doors.executor import Executor
from ottla.log.store.checkpoints import LOG_START_OFFSETS
from ottla.log.store.log_store import LogStore


class Checkpoints:
    """Owned by the node."""

    def __init__(self, store: LogStore, executor: Executor, faults: StorageFaults) -> None:
        self._store = store
        self._executor = executor
        self._faults = faults
        self._saving: asyncio.Future[Any] | None = None

    async def write(self) -> None:
        """What was flushed need not be scanned after a crash; and where clients may read to, should be known then."""
        await self._save(None)

    async def forget_deleted(self) -> None:
        """Removes the entries of deleted partitions from the checkpoint files: their names may be used again then."""
        await self._save(None)

    async def save_log_starts(self) -> list[str]:
        """Before DeleteRecords responds: what it removed must not come back. Gives directories that failed."""
        return await self._save(LOG_START_OFFSETS)

    async def record_doubt(self, clock: RetentionClock) -> bool:
        """What retention goes by while it does not trust the clock, for the next start. Gives whether that is so."""
        await self.saved()
        is_doubted = clock.is_doubted
        for path, error in await self._run(self._executor.run(self._store.record_held_clock, clock.held_ms)):
            self._faults.path_failed(path, error)
        return is_doubted

    async def _save(self, only: str | None) -> list[str]:
        await self.saved()
        job = self._store.checkpoint_job()
        if only is not None:
            job.keep_only(only)
        await self._run(self._executor.run(job.run))
        job.done()
        for path, error in job.failures:
            self._faults.path_failed(path, error)
        return [path for path, _ in job.failures]

    async def _run(self, work: Awaitable[Any]) -> Any:
        self._saving = asyncio.ensure_future(work)
        # Who waits may be cancelled; the thread continues, and `saved` waits for it.
        return await asyncio.shield(self._saving)

    async def saved(self) -> None:
        """Returns when nobody writes checkpoint files."""
        while self._saving is not None and not self._saving.done():
            await asyncio.gather(asyncio.shield(self._saving), return_exceptions=True)
