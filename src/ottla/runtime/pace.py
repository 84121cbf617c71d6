"""How fast background work may read and write, in a process of its own: it waits."""

import time
from collections.abc import Callable

#: Waits shorter than this are saved up: sleeping is not that exact.
_MIN_WAIT_S = 0.01


class Pace:
    """Bytes of one piece of work. Time in which nothing was done is not made up for later."""

    def __init__(
        self,
        bytes_per_second: float,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._bytes_per_second = bytes_per_second
        self._now = now
        self._sleep = sleep
        self._due = now()

    def spend(self, size: int) -> None:
        now = self._now()
        self._due = max(self._due, now) + size / self._bytes_per_second
        if self._due - now >= _MIN_WAIT_S:
            self._sleep(self._due - now)
