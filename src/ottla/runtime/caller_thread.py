"""Functions that a loop's coroutine wants to have run on the thread that waits for it: callbacks of a client's user.

There they may block, and may use the client again. On the loop they could do neither.
"""

import asyncio
import inspect
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from ottla.runtime.loop_thread import LoopThread

T = TypeVar("T")
_Job = Callable[[], None]


class CallerThread:
    """Owned by a client without asyncio. Jobs for which no thread waits now are run by the next one that does."""

    def __init__(self, thread: LoopThread) -> None:
        self._thread = thread
        self._waiting: deque[_Job] = deque()
        self._callers: list[SimpleQueue[_Job | None]] = []

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """As `LoopThread.run`; meanwhile the calling thread does the jobs that `work` has for it."""
        jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._callers.append(jobs)
        future = self._thread.start(work)
        future.add_done_callback(lambda _: jobs.put(None))
        try:
            while self._waiting:
                self._waiting.popleft()()
            while (job := jobs.get()) is not None:
                job()
            result: T = future.result()
            return result
        except BaseException:
            future.cancel()
            raise
        finally:
            self._callers.remove(jobs)
            while not jobs.empty():
                left = jobs.get()
                if left is not None:
                    self._put(left)

    async def call(self, function: Callable[..., T], *args: Any) -> T:
        """From the loop: runs the function on the caller's thread and gives what it returns or raises."""
        outcome: Future[T] = Future()

        def job() -> None:
            try:
                result = function(*args)
                if inspect.iscoroutine(result):
                    result.close()
                    raise TypeError(f"{function!r} is async: a client without asyncio calls plain functions")
                outcome.set_result(result)
            except BaseException as error:  # noqa: BLE001  raised where the outcome is awaited
                outcome.set_exception(error)

        self._put(job)
        return await asyncio.wrap_future(outcome)

    def post(self, function: Callable[..., object], *args: Any) -> None:
        """From the loop: runs the function when a thread waits; nobody waits for it. It must not raise."""
        self._put(lambda: (function(*args), None)[1])

    def _put(self, job: _Job) -> None:
        if self._callers:
            self._callers[-1].put(job)
        else:
            self._waiting.append(job)
