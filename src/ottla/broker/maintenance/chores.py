"""Work that a node repeats: each chore has a loop of its own; one that fails is logged and retried later."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from ottla.broker.execution.tasks import Tasks

_log = logging.getLogger(__name__)


class Chore(NamedTuple):
    name: str
    #: 0 or less: never.
    interval_ms: int
    work: Callable[[], Awaitable[None]]
    #: Until the first time; None: a whole interval.
    first_ms: int | None = None


class Chores:
    """Owned by Maintenance."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._running: list[asyncio.Task[Any]] = []

    def __len__(self) -> int:
        return len(self._running)

    def start(self, chores: Sequence[Chore]) -> None:
        for chore in chores:
            if chore.interval_ms > 0:
                self._running.append(self._tasks.spawn(_repeat(chore), name=chore.name))

    def keep(self, task: asyncio.Task[Any]) -> None:
        """Another task that ends with the chores."""
        self._running.append(task)

    async def stop(self) -> None:
        for task in self._running:
            task.cancel()
        for task in self._running:
            await asyncio.gather(task, return_exceptions=True)
        self._running.clear()


async def _repeat(chore: Chore) -> None:
    delay_ms = chore.interval_ms if chore.first_ms is None else chore.first_ms
    while True:
        await asyncio.sleep(delay_ms / 1000)
        delay_ms = chore.interval_ms
        try:
            await chore.work()
        except OSError as error:
            _log.error("%s failed and will be retried: %s", chore.name, error)
        except Exception as error:  # noqa: BLE001  a bug in one round must not be the end of all retention
            report(f"{chore.name} failed and will be retried", error)


def report(message: str, error: Exception) -> None:
    """To whoever looks at errors that nobody caught: the log, or the simulation that finds them."""
    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": error})
