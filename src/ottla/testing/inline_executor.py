"""An Executor without threads and helper processes: the work runs where it is asked for.

On a disk in memory nothing blocks, and a test broker with one thread has nothing to leak.
"""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from ottla.doors.disk import Disk

P = ParamSpec("P")
T = TypeVar("T")


class InlineExecutor:
    """Implements `ottla.doors.executor.Executor`."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return work(*args, **kwargs)

    async def run_apart(self, work: Callable[Concatenate[Disk, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return work(self._disk, *args, **kwargs)
