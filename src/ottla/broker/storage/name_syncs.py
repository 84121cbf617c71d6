"""Creates the names of new logs durable in a thread, soon after their first batch.

A log may begin its second segment only when the name of its first one is on the device. With the sync done in good time
a roll does not wait for it on the event loop.
"""

import asyncio
from collections.abc import Callable

from ottla.doors.executor import Executor
from ottla.log.partition_log import PartitionLog
from ottla.runtime.ordered import first_done


class NameSyncs:
    """Owned by the node. One directory after another: acks that wait for a flush need the device more."""

    def __init__(self, executor: Executor, on_failed: Callable[[PartitionLog, OSError], None]) -> None:
        self._executor = executor
        self._on_failed = on_failed
        self._wanted: dict[int, PartitionLog] = {}
        self._task: asyncio.Task[None] | None = None

    def want(self, log: PartitionLog) -> None:
        self._wanted[id(log)] = log
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._sync_wanted(), name="names of new logs")

    async def before_roll(self, log: PartitionLog) -> None:
        """Returns when the log may roll without waiting, or has to."""
        if not log.may_roll_at_once and not log.is_failed:
            self.want(log)
            assert self._task is not None
            await first_done(self._task)

    async def _sync_wanted(self) -> None:
        try:
            while self._wanted:
                log = self._wanted.pop(next(iter(self._wanted)))
                if not log.may_roll_at_once and not log.is_failed:
                    await self._sync(log)
        finally:
            self._task = None

    async def _sync(self, log: PartitionLog) -> None:
        job = log.names_job()
        try:
            await self._executor.run(job.run)
        except OSError as error:
            log.names_failed(error)
            if log.is_failed:
                self._on_failed(log, error)
        else:
            log.names_synced(job)
