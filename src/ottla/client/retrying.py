"""Deadlines, and trying again until one of them, with pauses between the attempts."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ottla.client.errors import ClientError, TimedOut
from ottla.doors.clock import Clock
from ottla.doors.rng import Rng

T = TypeVar("T")
_JITTER_PERCENT = 20


class Deadline:
    """A moment on the monotonic clock."""

    __slots__ = ("_at_ms", "_clock", "timeout_ms")

    def __init__(self, clock: Clock, timeout_ms: int) -> None:
        self._clock = clock
        self.timeout_ms = timeout_ms
        self._at_ms = clock.monotonic_ms() + timeout_ms

    @property
    def left_ms(self) -> int:
        return max(0, self._at_ms - self._clock.monotonic_ms())

    @property
    def has_passed(self) -> bool:
        return self.left_ms == 0


class Backoff:
    """Exponential with jitter, as Kafka's clients do it: doubling, up to a limit, 20 % up or down.

    Counts the failures in a row; owned by whoever tries again.
    """

    __slots__ = ("_first_ms", "_max_ms", "_rng", "failures")

    def __init__(self, first_ms: int, max_ms: int, rng: Rng) -> None:
        self._first_ms = first_ms
        self._max_ms = max(first_ms, max_ms)
        self._rng = rng
        self.failures = 0

    def failed_ms(self) -> int:
        """Counts one more failure; how long to wait now."""
        self.failures += 1
        return self.pause_ms(self.failures)

    def pause_ms(self, failures: int) -> int:
        """How long to wait after this many failures in a row."""
        if failures < 1:
            return 0
        whole_ms = min(self._max_ms, self._first_ms << min(failures - 1, 30))
        spread_ms = whole_ms * _JITTER_PERCENT // 100
        jitter_ms = self._rng.below(2 * spread_ms + 1) - spread_ms if spread_ms else 0
        return min(self._max_ms, whole_ms + jitter_ms)

    def succeeded(self) -> None:
        self.failures = 0


async def retry(
    attempt: Callable[[], Awaitable[T]],
    *,
    deadline: Deadline,
    backoff: Backoff,
    what: str,
    on_retry: Callable[[ClientError], None] = lambda error: None,
    may_retry: Callable[[ClientError], bool] = lambda error: error.retriable,
) -> T:
    """Awaits `attempt()` until it succeeds, fails for good, or the deadline has passed: then TimedOut with the cause.

    `on_retry` hears of each error that will be retried, before the pause: to refresh metadata, forget a coordinator.
    """
    last: ClientError | None = None
    while True:
        try:
            async with asyncio.timeout(deadline.left_ms / 1000):
                return await attempt()
        except ClientError as error:
            if not may_retry(error):
                raise
            last = error
        except TimeoutError as error:
            raise timed_out(what, deadline, last) from (last or error)
        on_retry(last)
        pause_ms = backoff.failed_ms()
        if pause_ms >= deadline.left_ms:
            raise timed_out(what, deadline, last) from last
        await asyncio.sleep(pause_ms / 1000)


def timed_out(what: str, deadline: Deadline, cause: Exception | None) -> TimedOut:
    reason = f"; last error: {cause}" if cause is not None else ""
    return TimedOut(f"{what}: no success within {deadline.timeout_ms} ms{reason}")
