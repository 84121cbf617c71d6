"""Threads and helper processes that are none: the work runs on the loop, after a delay that the seed picks.

The work begins some time after it was ordered and its result arrives some time after it was done, so the loop sees
what it would see with a real thread: other things happened before and after.
"""

import asyncio
import pickle
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from ottla.doors.disk import Disk
from ottla.sim.disk_faults import SimulatedCrash
from ottla.sim.rng import SimRng

P = ParamSpec("P")
T = TypeVar("T")


class SimExecutor:
    def __init__(self, disk: Disk, rng: SimRng, *, max_delay_ms: int = 0) -> None:
        self._disk = disk
        self._rng = rng
        self.max_delay_ms = max_delay_ms
        #: What happens now happens in a thread or a helper process; else, on the event loop.
        self.is_working = False

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._later(lambda: work(*args, **kwargs))

    async def run_apart(self, work: Callable[Concatenate[Disk, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        def apart() -> T:
            # What cannot be pickled could not be sent to a real helper process.
            order = pickle.loads(pickle.dumps((work, args, kwargs)))
            result: T = pickle.loads(pickle.dumps(order[0](self._disk, *order[1], **order[2])))
            return result

        return await self._later(apart)

    def close(self) -> None:
        pass

    async def _later(self, work: Callable[[], T]) -> T:
        """Once begun, the work continues even if nobody waits for it any more, as in a thread."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[T] = loop.create_future()
        if self.max_delay_ms == 0:
            self._work(work, result, 0.0)
        else:
            loop.call_later(self._delay_s(), self._work, work, result, self._delay_s())
        return await result

    def _work(self, work: Callable[[], T], result: "asyncio.Future[T]", result_delay_s: float) -> None:
        set_outcome: Callable[[Any], None]
        outcome: Any
        self.is_working = True
        try:
            set_outcome, outcome = result.set_result, work()
        except SimulatedCrash:
            return
        except Exception as error:  # noqa: BLE001 - whatever the work raises belongs to who awaits it
            set_outcome, outcome = result.set_exception, error
        finally:
            self.is_working = False
        asyncio.get_running_loop().call_later(result_delay_s, _set_once, result, set_outcome, outcome)

    def _delay_s(self) -> float:
        return self._rng.below(self.max_delay_ms * 1000 + 1) / 2e6


def _set_once(result: "asyncio.Future[T]", set_outcome: Callable[[Any], None], outcome: Any) -> None:
    if not result.done():
        set_outcome(outcome)
