"""Work in steps: a generator that yields where it may be interrupted, and returns its result.

Who runs it decides how many steps it takes at a time; what the work has read may have changed where it yields, unless
that is excluded by whoever runs it.
"""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, T]


def finished(steps: Steps[T]) -> T:
    """The result, without interruption."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: T = done.value
            return result
