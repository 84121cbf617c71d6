"""Waiting for a condition instead of sleeping."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_STEP_S = 0.02


def eventually(
    condition: Callable[[], T | None], *, within_s: float = 40, what: str | Callable[[], str] = "the condition"
) -> T:
    """What the condition returns, as soon as that is true; fails with `what` when it does not come in time."""
    deadline = time.monotonic() + within_s
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what if isinstance(what, str) else what()} did not come true within {within_s} s")
        time.sleep(_STEP_S)
    return found


async def until(
    condition: Callable[[], T | None], *, within_s: float = 120, step_s: float = _STEP_S, what: str = "the condition"
) -> T:
    """The same in an event loop, whose other tasks go on meanwhile; in a simulated one the time is virtual."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + within_s
    while not (found := condition()):
        if loop.time() > deadline:
            raise AssertionError(f"{what} did not come true within {within_s} s")
        await asyncio.sleep(step_s)
    return found
