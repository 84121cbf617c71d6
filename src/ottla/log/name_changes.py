"""Names in a log's directory that the device may not know yet: of files that were created or renamed.

A power loss may keep names in any order. A segment whose name is lost while that of a later one is kept leaves a gap,
and recovery takes a gap for the end of the log. Only the first segment leaves none: so its name must be durable before
there is a second one, and all names before the first segments are taken away. Whoever must not wait for the device runs
a job in a thread:

    job = names.job(disk, path)
    job.run()                    in a thread
    names.synced(job.changes)
"""

from typing import NamedTuple

from ottla.doors.disk import Disk


class NamesJob(NamedTuple):
    disk: Disk
    path: str
    #: How many there were: those that come later are for the next job.
    changes: int

    def run(self) -> None:
        """Raises OSError."""
        self.disk.sync_directory(self.path)


class NameChanges:
    """Owned by one log. What was there when it was opened may not be durable."""

    __slots__ = ("_count", "_synced_count", "has_durable_start")

    def __init__(self, *, has_durable_start: bool) -> None:
        self._count = 1
        self._synced_count = 0
        #: The name of the first segment is on the device.
        self.has_durable_start = has_durable_start

    @property
    def count(self) -> int:
        return self._count

    @property
    def are_durable(self) -> bool:
        return self._synced_count == self._count

    def changed(self) -> None:
        self._count += 1

    def synced(self, count: int) -> None:
        """The directory was synced after `count` changes."""
        self._synced_count = max(self._synced_count, count)
        self.has_durable_start = True

    def job(self, disk: Disk, path: str) -> NamesJob:
        return NamesJob(disk, path, self._count)
