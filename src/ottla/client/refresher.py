"""Keeps the cluster image fresh: one task that asks for metadata when it is due or somebody needs it.

Metadata that came and does not help (a topic is missing, a partition has no leader) is asked for again with back-off,
whoever wants it and however often. Only something that was never asked for, a new topic, does not wait for that.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from ottla.client.errors import ClientClosed, ClientError
from ottla.client.retrying import Backoff

_log = logging.getLogger(__name__)


class Refresher:
    """Owned by the Cluster. Attempts follow each other with a pause; failures back off.

    `fetch` says whether all that was asked for is there and can be used.
    """

    def __init__(self, fetch: Callable[[], Awaitable[bool]], *, backoff: Backoff, max_age_ms: int) -> None:
        self._fetch = fetch
        self._backoff = backoff
        self._max_age_ms = max_age_ms
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._news = asyncio.Event()
        self._is_complete = True
        self._is_closed = False
        #: Requests are numbered: an attempt serves only those from before it began.
        self._requested = 0
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []

    @property
    def requested(self) -> int:
        """The number of the last request."""
        return self._requested

    def request(self, *, is_new: bool = False) -> int:
        """Refreshes soon; nobody waits for it. `is_new`: for something that was not asked for before."""
        self._requested += 1
        self._run()
        self._wake.set()
        if is_new:
            self._news.set()
        return self._requested

    async def refreshed(self) -> None:
        """Waits for an attempt that begins after this call, and raises what it raised."""
        if self._is_closed:
            raise ClientClosed("the client is closed")
        self.request(is_new=self._is_complete)
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
            self._news.clear()
            await self._attempt()

    async def _attempt(self) -> None:
        """One fetch, and the pause after it."""
        serving = self._requested
        try:
            self._is_complete = await self._fetch()
        except ClientError as error:
            _log.debug("metadata cannot be refreshed: %s", error)
            self._finish(serving, error)
            # Metadata that is due and cannot be had is due again.
            self._wake.set()
            await asyncio.sleep(self._backoff.failed_ms() / 1000)
            return
        if self._is_complete:
            self._backoff.succeeded()
            pause_ms = self._backoff.pause_ms(1)
        else:
            self._wake.set()
            pause_ms = self._backoff.failed_ms()
        self._finish(serving, None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause_ms / 1000):
                await self._news.wait()

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
