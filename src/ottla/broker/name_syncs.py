"""Makes the names of new segments durable in a thread, soon after they were created.

A log may begin its next segment only when the names of the earlier ones are on the device. With the sync done in good
time a roll never waits for it on the event loop; until then the segment grows a little beyond its size.
"""

import asyncio
from collections.abc import Callable

from ottla.doors.executor import Executor
from ottla.log.log_upkeep import LogUpkeep
from ottla.runtime.ordered import first_done


class NameSyncs:
    """Owned by the node. At most one sync of each log is under way."""

    def __init__(self, executor: Executor, on_failed: Callable[[LogUpkeep, OSError], None]) -> None:
        self._executor = executor
        self._on_failed = on_failed
        self._running: dict[int, asyncio.Task[None]] = {}

    def want(self, log: LogUpkeep) -> None:
        if id(log) not in self._running:
            task = asyncio.get_running_loop().create_task(self._sync(log), name=f"names of {log.topic_partition}")
            self._running[id(log)] = task

    async def before_roll(self, log: LogUpkeep) -> None:
        """Returns when the log may roll without waiting, or has failed."""
        while not log.may_roll_at_once and not log.is_failed:
            self.want(log)
            await first_done(self._running[id(log)])

    async def _sync(self, log: LogUpkeep) -> None:
        job = log.names_job()
        try:
            await self._executor.run(job.run)
        except OSError as error:
            log.names_failed(error)
            self._on_failed(log, error)
        else:
            log.names_synced(job)
        finally:
            del self._running[id(log)]
