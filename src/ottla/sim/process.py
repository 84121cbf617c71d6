"""A simulated process: everything that runs in its context lives, sleeps and dies with it.

Whatever a process starts inherits its context (that is how asyncio hands context variables on), so the loop knows
for every callback whose it is. A killed process is never run again: no `finally`, no cancellation, as with kill -9.
"""

import asyncio
import contextvars
import inspect
from collections.abc import Callable, Coroutine
from typing import Any

CURRENT: contextvars.ContextVar["SimProcess | None"] = contextvars.ContextVar("sim_process", default=None)


class SimProcess:
    def __init__(self, name: str, loop: asyncio.AbstractEventLoop) -> None:
        self.name = name
        self.is_alive = True
        self.is_paused = False
        self.on_death: list[Callable[[], None]] = []
        self._loop = loop
        self._held: list[asyncio.Handle] = []
        # Kept until the world ends: a coroutine that is collected runs its `finally` blocks, at a moment that
        # depends on the garbage collector.
        self._tasks: list[asyncio.Task[Any]] = []
        self.context = contextvars.copy_context()
        self.context.run(CURRENT.set, self)

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Starts `coroutine` as a task of this process."""
        return self._loop.create_task(coroutine, context=self.context.copy())

    def call_soon(self, callback: Callable[..., object], *args: Any) -> None:
        self._loop.call_soon(callback, *args, context=self.context)

    def adopt(self, task: asyncio.Task[Any]) -> None:
        """Called by the loop for each task that is created in this process."""
        self._tasks.append(task)
        if len(self._tasks) > 1000:
            self._tasks = [task for task in self._tasks if not task.done()]

    def hold(self, handle: asyncio.Handle) -> None:
        """Keeps what became ready while the process is paused."""
        self._held.append(handle)

    def pause(self) -> None:
        self.is_paused = True

    def resume(self) -> list[asyncio.Handle]:
        """What has waited, in order; the caller makes it ready."""
        self.is_paused = False
        held, self._held = self._held, []
        return held

    def kill(self) -> None:
        if not self.is_alive:
            return
        self.is_alive = False
        self._held.clear()
        for task in self._tasks:
            # The task is pending forever, on purpose: asyncio need not complain.
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            coroutine: Any = task.get_coro()
            if inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:
                # Not begun: nothing in it can run, and Python need not complain that it was never awaited.
                coroutine.close()
        for callback in self.on_death:
            callback()
