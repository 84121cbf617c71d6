"""Waiting for news, or for a time to pass, without a task of its own."""

import asyncio


class Wakeup:
    """One waiter at a time. News that come while nobody waits are kept for the next one."""

    __slots__ = ("_is_set", "_waiter")

    def __init__(self) -> None:
        self._is_set = False
        self._waiter: asyncio.Future[None] | None = None

    def set(self) -> None:
        self._is_set = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def wait(self, timeout_ms: float) -> bool:
        """Whether there were news."""
        if not self._is_set:
            loop = asyncio.get_running_loop()
            waiter = self._waiter = loop.create_future()
            timer = loop.call_later(timeout_ms / 1000, _finish, waiter)
            try:
                await waiter
            finally:
                timer.cancel()
                self._waiter = None
        had_news, self._is_set = self._is_set, False
        return had_news


def _finish(waiter: "asyncio.Future[None]") -> None:
    if not waiter.done():
        waiter.set_result(None)
