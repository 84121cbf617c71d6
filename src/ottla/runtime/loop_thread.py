"""An event loop in a thread of its own, for callers without one."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from ottla.runtime.event_loop import new_event_loop

T = TypeVar("T")


class LoopThread:
    """Started by its owner, stopped by `close`. Any number of threads may call `run` and `call` at the same time."""

    def __init__(self, name: str, loop: asyncio.AbstractEventLoop | None = None) -> None:
        """`loop` is closed with the thread; without one, it has a new loop."""
        self._loop = new_event_loop() if loop is None else loop
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine on the loop and waits for its result. An interrupt (Ctrl-C) cancels it."""
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("called from a callback of the client: use the asyncio client there")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def start(self, work: Coroutine[Any, Any, T]) -> "Any":
        """As `run`, without waiting: a `concurrent.futures.Future`."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call_soon(self, function: Callable[..., object], *args: Any) -> None:
        self._loop.call_soon_threadsafe(function, *args)

    def close(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            # Its threads look up host names.
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
        finally:
            self._loop.close()
