"""Waiting for a condition instead of sleeping."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def eventually(
    condition: Callable[[], T], *, within_s: float = 40, what: str | Callable[[], str] = "the condition"
) -> T:
    """What the condition returns, as soon as that is true; fails with `what` when it does not come in time."""
    deadline = time.monotonic() + within_s
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what if isinstance(what, str) else what()} did not come true within {within_s} s")
        time.sleep(0.02)
    return found
