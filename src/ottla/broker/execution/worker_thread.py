"""Work that holds the interpreter, in a thread, one at a time.

The thread shares the interpreter with the event loop, so others still feel it, but by milliseconds. One at a time: the
other threads are there for the disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ottla.doors.executor import Executor

P = ParamSpec("P")
T = TypeVar("T")


class OneAtATime:
    """Owned by whoever has such work."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        #: Held while there is work, in the thread or by long work that runs in steps on the loop.
        self.lock = asyncio.Lock()

    @property
    def is_busy(self) -> bool:
        return self.lock.locked()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async with self.lock:
            running = asyncio.ensure_future(self._executor.run(work, *args, **kwargs))
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                # The client is gone; the thread continues, and whoever hangs up early must not get a second one.
                await asyncio.gather(running, return_exceptions=True)
                raise
            finally:
                # What it raised refers to this frame, and so to all that the work was given: no circle may keep it.
                del running
