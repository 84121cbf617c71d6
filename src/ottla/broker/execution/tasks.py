"""The tasks of a node: kept until they end, awaited and then cancelled when the node stops."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any


class Tasks:
    """Owned by the node."""

    def __init__(self) -> None:
        self._running: dict[asyncio.Task[Any], None] = {}

    def spawn(self, work: Coroutine[Any, Any, Any], *, name: str) -> asyncio.Task[Any]:
        """A task that is kept until it ends; one that fails is logged by whoever looks at it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running[task] = None
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.pop(task, None)

    async def finish(self, grace_s: float) -> None:
        """Waits for the tasks; what is left after `grace_s` is cancelled."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                while self._running:
                    await asyncio.gather(next(iter(self._running)), return_exceptions=True)
        for task in list(self._running):
            task.cancel()
        await asyncio.sleep(0)
