"""Where fetches wait: for news of their partitions, or until their time is up. (Kafka: DelayedOperationPurgatory.)

One timer and one callback of the event loop serve all of them. Most waits end with news after a few milliseconds, and a
timer for each of them would cost more than the response.
"""

import asyncio
from collections import deque
from heapq import heappop, heappush
from typing import Final, Protocol

from ottla.doors.clock import Clock

#: A deadline is late by up to this part of the wait, so that those of many idle consumers fall together.
_ROUNDED_BY: Final = 64
#: Times at which nobody waits any more may be so many more than the others.
_SPARE_TIMES: Final = 64


class DelayedFetch(Protocol):
    def look(self) -> None:
        """One of its partitions has news."""

    def time_is_up(self) -> None: ...


class FetchPurgatory:
    """Owned by the node."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        #: By the millisecond at which they are due. Without those that have left.
        self._waiting: dict[int, dict[DelayedFetch, None]] = {}
        #: A heap of these milliseconds, and of some at which nobody waits any more.
        self._times: list[int] = []
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms = 0
        self._with_news: deque[DelayedFetch] = deque()
        self._will_look = False

    def __len__(self) -> int:
        return sum(len(fetches) for fetches in self._waiting.values())

    def enter(self, fetch: DelayedFetch, max_wait_ms: int) -> int:
        """Gives the millisecond at which its time is up, to leave by."""
        step_ms = 1 + max_wait_ms // _ROUNDED_BY
        # Behind the end of the wait, never before it.
        due_ms = (self._clock.monotonic_ms() + max_wait_ms) // step_ms * step_ms + step_ms
        fetches = self._waiting.get(due_ms)
        if fetches is None:
            fetches = self._waiting[due_ms] = {}
            heappush(self._times, due_ms)
            if self._timer is None or due_ms < self._timer_ms:
                self._set_timer()
        fetches[fetch] = None
        return due_ms

    def leave(self, fetch: DelayedFetch, due_ms: int) -> None:
        fetches = self._waiting.get(due_ms)
        if fetches is not None:
            fetches.pop(fetch, None)
            if not fetches:
                del self._waiting[due_ms]
                if len(self._times) > 2 * len(self._waiting) + _SPARE_TIMES:
                    self._times = sorted(self._waiting)

    def note_news(self, fetch: DelayedFetch) -> None:
        """It looks soon, once. Not at once: the producer whose append we are in gets its response first."""
        self._with_news.append(fetch)
        if not self._will_look:
            self._will_look = True
            asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        fetches = self._with_news
        try:
            for _ in range(len(fetches)):
                fetches.popleft().look()
        finally:
            # Some came meanwhile, or a bug in one of them has left the others.
            self._will_look = bool(fetches)
            if fetches:
                asyncio.get_running_loop().call_soon(self._look)

    def _set_timer(self) -> None:
        """To the first time at which somebody waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        times = self._times
        while times and times[0] not in self._waiting:
            heappop(times)
        if times:
            self._timer_ms = times[0]
            delay_s = max(0, times[0] - self._clock.monotonic_ms()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._end_waits)

    def _end_waits(self) -> None:
        self._timer = None
        # Kept here: a response that goes out lets the connection's next fetch in, which may set the timer.
        due_ms = self._timer_ms
        fetches = self._waiting.get(due_ms, {})
        try:
            while fetches:
                fetch = next(iter(fetches))
                del fetches[fetch]
                fetch.time_is_up()
        finally:
            if not fetches and self._waiting.get(due_ms) is fetches:
                del self._waiting[due_ms]
            self._set_timer()
