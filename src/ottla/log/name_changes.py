"""Names in a log's directory that the device may not know yet: of files that were created or renamed.

A power loss may keep names in any order. So that no segment survives the one before it, a new one is created only when
all names are durable. `sync` waits for the device; whoever must not wait runs a job in a thread:

    job = names.job()
    job.run()                    in a thread
    names.synced(job.changes)
"""

from typing import NamedTuple

from ottla.doors.disk import Disk


class NamesJob(NamedTuple):
    disk: Disk
    path: str
    #: How many changes there were: those that come later are for the next job.
    changes: int

    def run(self) -> None:
        """Raises OSError."""
        self.disk.sync_directory(self.path)


class NameChanges:
    """Owned by one log. Nothing is known to be durable when it is opened."""

    __slots__ = ("_count", "_synced_count")

    def __init__(self) -> None:
        self._count = 1
        self._synced_count = 0

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

    def job(self, disk: Disk, path: str) -> NamesJob:
        return NamesJob(disk, path, self._count)
