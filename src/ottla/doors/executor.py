"""Work that must not run on the event loop."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from ottla.doors.disk import Disk

P = ParamSpec("P")
T = TypeVar("T")


class Executor(Protocol):
    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """In a thread: for calls that release the GIL (fsync, cold reads, compression of large blocks)."""

    async def run_apart(self, work: Callable[Concatenate[Disk, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """In a helper process, with a disk of its own: for work that holds the GIL (compaction, recovery scans).

        `work` must be a module-level function; arguments and result must be picklable. Raises ChildProcessError, which
        is an OSError, when the helper is killed; the next work gets another one.
        """
