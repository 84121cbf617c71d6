"""Keeps the cluster image fresh: one task that asks for metadata when it is due or somebody needs it."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from ottla.client.backoff import Backoff
from ottla.client.errors import ClientClosed, ClientError

_log = logging.getLogger(__name__)


class Refresher:
    """Owned by the Cluster. Attempts follow each other with a pause, which grows while they fail or change nothing."""

    def __init__(self, fetch: Callable[[], Awaitable[bool]], *, backoff: Backoff, max_age_ms: int) -> None:
        """`fetch` tells whether everything is there: a topic without a leader, or one that is missing, is not."""
        self._fetch = fetch
        self._backoff = backoff
        self._max_age_ms = max_age_ms
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._is_closed = False
        #: Requests are numbered: an attempt serves only those from before it began.
        self._requested = 0
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []

    def request(self) -> None:
        """Refreshes soon; nobody waits for it."""
        self._requested += 1
        self._run()
        self._wake.set()

    async def refreshed(self) -> None:
        """Waits for an attempt that begins after this call, and raises what it raised."""
        if self._is_closed:
            raise ClientClosed("the client is closed")
        self.request()
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append((self._requested, waiter))
        await waiter

    async def close(self) -> None:
        self._is_closed = True
        self._finish(self._requested, ClientClosed("the client is closed"))
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def _run(self) -> None:
        if self._task is None and not self._is_closed:
            self._task = asyncio.get_running_loop().create_task(self._refresh_forever(), name="refresh metadata")

    async def _refresh_forever(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._max_age_ms / 1000):
                    await self._wake.wait()
            self._wake.clear()
            serving = self._requested
            is_complete = await self._attempt(serving)
            if is_complete:
                self._backoff.succeeded()
                pause_ms = self._backoff.pause_ms(1)
            else:
                pause_ms = self._backoff.failed_ms()
                self._wake.set()
            # A wish for something new need not wait: only the same question is not asked again at once.
            if self._requested == serving or not is_complete:
                await asyncio.sleep(pause_ms / 1000)

    async def _attempt(self, serving: int) -> bool:
        try:
            is_complete = await self._fetch()
        except ClientError as error:
            _log.debug("metadata cannot be refreshed: %s", error)
            self._finish(serving, error)
            return False
        self._finish(serving, None)
        return is_complete

    def _finish(self, serving: int, error: ClientError | None) -> None:
        served = [waiter for number, waiter in self._waiters if number <= serving]
        self._waiters = [(number, waiter) for number, waiter in self._waiters if number > serving]
        for waiter in served:
            if waiter.done():
                continue
            if error is None:
                waiter.set_result(None)
            else:
                waiter.set_exception(error)
