"""Waiting for a condition instead of sleeping."""

import time
from collections.abc import Callable


def eventually(condition: Callable[[], object], *, within_s: float = 20, what: str = "the condition") -> None:
    """Returns as soon as the condition holds; fails with `what` when it does not in time."""
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not come true within {within_s} s")
        time.sleep(0.02)
