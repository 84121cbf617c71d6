"""Long work on the event loop, a few milliseconds at a time, so that other clients are served in between.

Work of any length runs on the loop and sees the broker's state without locks; it must expect that the state changes
where it yields.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeVar

from ottla.doors.clock import Clock
from ottla.model.steps import Steps

T = TypeVar("T")

#: The first slice runs at once, within the request's own callback: it is short, because many may come together.
_FIRST_STEPS: Final = 200
_FIRST_MS: Final = 1
_SLICE_STEPS: Final = 2_000
_SLICE_MS: Final = 5
UNFINISHED: Final = object()


class Failed:
    """Takes the place of a result when the work raised."""

    __slots__ = ("error",)

    def __init__(self, error: Exception) -> None:
        self.error = error


class LongWork:
    """Work whose first slice was not enough. Lives until it is done or cancelled."""

    __slots__ = ("_receive", "_steps")

    def __init__(self, steps: Steps[Any], receive: Callable[[Any], None]) -> None:
        self._steps: Steps[Any] | None = steps
        self._receive = receive

    def cancel(self) -> None:
        """Nobody wants the result any more."""
        steps, self._steps = self._steps, None
        if steps is not None:
            steps.close()

    def run_slice(self, clock: Clock) -> bool:
        """Runs one slice. False: there is nothing left to do."""
        if self._steps is None:
            return False
        result = _run(self._steps, clock, _SLICE_STEPS, _SLICE_MS)
        if result is UNFINISHED:
            return True
        self._steps = None
        self._receive(result)
        return False


class TimeSlices:
    """Owned by the node. One slice of all long work per loop iteration: the more there is, the longer each takes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: deque[LongWork] = deque()
        self._is_due = False

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting)

    def start(self, steps: Steps[Any]) -> Any:
        """Runs the first slice. Gives the result, or UNFINISHED: then `resume` runs the rest."""
        return _run(steps, self._clock, _FIRST_STEPS, _FIRST_MS)

    def resume(self, steps: Steps[T], receive: Callable[[T | Failed], None]) -> LongWork:
        """Runs the rest in slices and gives the result to `receive`, never before this returns."""
        work = LongWork(steps, receive)
        self._waiting.append(work)
        self._schedule()
        return work

    async def finish(self, steps: Steps[T]) -> T:
        """The result, when all steps are done."""
        result: Any = self.start(steps)
        if result is UNFINISHED:
            done: asyncio.Future[T | Failed] = asyncio.get_running_loop().create_future()
            work = self.resume(steps, lambda result: None if done.done() else done.set_result(result))
            try:
                result = await done
            finally:
                work.cancel()
        if isinstance(result, Failed):
            raise result.error
        outcome: T = result
        return outcome

    def pace(self) -> "Pace":
        """For one coroutine."""
        return Pace(self, self._clock)

    async def wait_for_slice(self) -> None:
        """Waits for a time slice for the caller, behind all work that waits already."""
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(LongWork(_no_steps(), lambda _: None if granted.done() else granted.set_result(None)))
        self._schedule()
        await granted

    def _schedule(self) -> None:
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._run_next)

    def _run_next(self) -> None:
        self._is_due = False
        work = self._waiting.popleft()
        if work.run_slice(self._clock):
            self._waiting.append(work)
        if self._waiting:
            self._schedule()


class Pace:
    """Long work in a coroutine: it calls `step` after each of its steps, and yields to others now and then."""

    __slots__ = ("_clock", "_slices", "_steps_left", "_until_ms")

    def __init__(self, slices: TimeSlices, clock: Clock) -> None:
        self._slices = slices
        self._clock = clock
        self._steps_left = _FIRST_STEPS
        self._until_ms = clock.monotonic_ms() + _FIRST_MS

    async def step(self) -> None:
        self._steps_left -= 1
        if self._steps_left > 0 and self._clock.monotonic_ms() <= self._until_ms:
            return
        await self._slices.wait_for_slice()
        self._steps_left = _SLICE_STEPS
        self._until_ms = self._clock.monotonic_ms() + _SLICE_MS


def _no_steps() -> Steps[None]:
    yield from ()


def _run(steps: Steps[Any], clock: Clock, count: int, duration_ms: int) -> Any:
    """The result, or a Failed, or UNFINISHED after so many steps or so much time."""
    try:
        next(steps)
        until_ms = clock.monotonic_ms() + duration_ms
        for _ in range(count):
            next(steps)
            if clock.monotonic_ms() > until_ms:
                break
        return UNFINISHED
    except StopIteration as done:
        return done.value
    except Exception as error:  # noqa: BLE001 - a bug in the work of a request ends at its connection, see the pipeline
        return Failed(error)
