"""Names in a log's directory that the device may not know yet: of files that were created or renamed.

A power loss may keep names in any order. A segment whose name is lost while that of a later one is kept leaves a gap,
and recovery takes a gap for the end of the log. Only the first segment leaves none: so its name must be durable before
there is a second one, and all names before the first segments are taken away. Whoever must not wait for the device runs
a job in a thread:

    job = names.job()
    job.run()                    in a thread
    names.synced(job.changes)    or names.failed(error)
"""

from typing import NamedTuple

from ottla.doors.disk import Disk
from ottla.log.files.disk_errors import is_out_of_files
from ottla.log.partition.log_state import LogState


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

    __slots__ = ("_log", "_synced_count", "count", "has_durable_start")

    def __init__(self, log: LogState) -> None:
        self._log = log
        self.count = 1
        self._synced_count = 0
        #: The name of the first segment is on the device.
        self.has_durable_start = log.recovery_point > log.segments.first_base_offset

    @property
    def are_durable(self) -> bool:
        return self._synced_count == self.count

    def changed(self) -> None:
        self.count += 1

    def job(self) -> NamesJob:
        directory = self._log.log_directory
        return NamesJob(directory.disk, directory.path, self.count)

    def synced(self, count: int) -> None:
        """The directory was synced after `count` changes."""
        self._synced_count = max(self._synced_count, count)
        self.has_durable_start = True

    def failed(self, error: OSError) -> None:
        """As after any failed fsync, the log takes no more appends; unless none could be begun."""
        if not is_out_of_files(error):
            self._log.failure = error

    def sync(self) -> None:
        """Waits for the device. Raises OSError."""
        job = self.job()
        try:
            job.run()
        except OSError as error:
            self.failed(error)
            raise
        self.synced(job.changes)
