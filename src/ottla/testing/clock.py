"""Time that a test can move: the real clocks plus an offset, for the broker and for the timers of its event loop."""

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from contextvars import Context
from typing import TypeVarTuple

if sys.platform == "linux":
    from ottla.runtime.event_loop import StreamLoop as _Loop
else:
    from asyncio import SelectorEventLoop as _Loop

_Ts = TypeVarTuple("_Ts")
#: A loop that schedules nothing new in so many rounds is idle; one that never rests is not waited for.
_IDLE_ROUNDS = 3
_MAX_ROUNDS = 10_000


class OffsetClock:
    """Implements `ottla.doors.clock.Clock`. Both clocks move together: to the broker, the time simply has passed."""

    def __init__(self) -> None:
        self.offset_ms = 0

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self.offset_ms

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000 + self.offset_ms


class OffsetLoop(_Loop):
    """The broker's own loop, with timers that follow an `OffsetClock`."""

    def __init__(self, clock: OffsetClock) -> None:
        self._clock = clock
        #: Grows with each callback and timer that is scheduled.
        self.scheduled_count = 0
        super().__init__()

    def time(self) -> float:
        return super().time() + self._clock.offset_ms / 1000

    def call_soon(
        self, callback: Callable[[*_Ts], object], *args: *_Ts, context: Context | None = None
    ) -> asyncio.Handle:
        self.scheduled_count += 1
        return super().call_soon(callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[[*_Ts], object], *args: *_Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        self.scheduled_count += 1
        return super().call_at(when, callback, *args, context=context)


class BrokerClock:
    """`broker.clock`: what a test sees of the broker's time."""

    def __init__(self, clock: OffsetClock, loop: OffsetLoop) -> None:
        self._clock = clock
        self._loop = loop
        self._lock = threading.Lock()

    def now_ms(self) -> int:
        """The broker's wall-clock time, in milliseconds since the epoch."""
        return self._clock.now_ms()

    def advance(self, *, hours: float = 0, minutes: float = 0, seconds: float = 0, ms: float = 0) -> None:
        """Moves the broker's time forward; returns when the timers that are due by then have run.

        What repeats (retention checks, say) runs once, not once for each interval. Time never goes back.
        """
        total_ms = round(((hours * 60 + minutes) * 60 + seconds) * 1000 + ms)
        if total_ms < 0:
            raise ValueError(f"{total_ms} ms: time cannot go back")
        with self._lock:
            asyncio.run_coroutine_threadsafe(self._advance(total_ms), self._loop).result()

    async def _advance(self, total_ms: int) -> None:
        self._clock.offset_ms += total_ms
        # Timers run in the order of their times: this one runs after all that are due.
        due: asyncio.Future[None] = self._loop.create_future()
        self._loop.call_at(self._loop.time(), due.set_result, None)
        await due
        await idle(self._loop)


async def idle(loop: OffsetLoop) -> None:
    """Returns when the loop has nothing left to do at once."""
    quiet = 0
    for _ in range(_MAX_ROUNDS):
        before = loop.scheduled_count
        await asyncio.sleep(0)
        # Our own callback is one of them.
        quiet = quiet + 1 if loop.scheduled_count - before <= 1 else 0
        if quiet == _IDLE_ROUNDS:
            return
