"""Making a log durable without stopping it.

job = log.flush_job()      on the event loop: what has to be synced, as of now
job.run()                  in a thread: the fsyncs; touches nothing of the log but the files
                           (run_together: those of many logs)
log.flush_done(job)        on the event loop: the recovery point moves
log.flush_failed(job, e)   or the log has failed forever: after a failed fsync the kernel may have dropped the
                           pages and called them clean, so trying again would prove nothing
log.flush_postponed(job)   or, after NoRoom, it is retried later: a small file could not be written, but no
                           fsync has failed
"""

import contextlib
import posixpath
from collections.abc import Sequence
from typing import NamedTuple

from ottla.doors.disk import Disk, File
from ottla.log.clean_shutdown import DiskErrorNote
from ottla.log.disk_errors import is_out_of_files, passes
from ottla.log.file_names import LEADER_EPOCHS
from ottla.log.segment import Segment


class NoRoom(OSError):
    """There is no room for a small file, on the disk or among the open ones; what was there is untouched."""


class DirtySegment(NamedTuple):
    """`size` and `index_writes` as of the beginning of the job: what comes later is for the next one."""

    segment: Segment
    size: int
    index_writes: int


class FlushJob:
    """One flush of one log up to `end_offset`."""

    __slots__ = (
        "directory",
        "disk",
        "end_offset",
        "epochs",
        "files",
        "generation",
        "has_new_names",
        "is_first",
        "name_changes",
        "segments",
    )

    def __init__(self, disk: Disk, directory: str, end_offset: int, generation: int) -> None:
        self.disk = disk
        self.directory = directory
        self.end_offset = end_offset
        #: Changes when the log is truncated; a job of an older generation says nothing about what is there now.
        self.generation = generation
        self.segments: list[DirtySegment] = []
        self.files: list[File] = []
        #: Files were made or renamed: the directory has to be synced too.
        self.has_new_names = False
        #: The number of changes of names that are durable when this is done.
        self.name_changes = 0
        #: The log's directory may be new itself: until its name is durable, nothing in it is.
        self.is_first = False
        self.epochs: bytes | None = None

    @property
    def has_files_only(self) -> bool:
        """Nothing is to be done but to sync `files`."""
        return self.epochs is None and not self.has_new_names and not self.is_first

    def run(self) -> None:
        """Raises OSError; one that leaves doubt about the device is noted for the next start first."""
        error = run_together([self])[0]
        if error is not None:
            raise error

    def finish(self, outcomes: Sequence[OSError | None]) -> OSError | None:
        """The files have been synced, with these outcomes."""
        try:
            for outcome in outcomes:
                if outcome is not None:
                    raise outcome
            self._sync_names()
        except OSError as error:
            if is_out_of_files(error):
                return NoRoom(error.errno, error.strerror, error.filename)
            # Here, and not when the event loop hears of it: the process may be killed in between.
            if not isinstance(error, (NoRoom, FileNotFoundError)):
                DiskErrorNote.leave(self.disk, posixpath.dirname(self.directory))
            return error
        return None

    def _sync_names(self) -> None:
        if self.epochs is not None:
            write_synced(self.disk, f"{self.directory}/{LEADER_EPOCHS}", self.epochs)
        if self.epochs is not None or self.has_new_names:
            self.disk.sync_directory(self.directory)
        if self.is_first:
            self.disk.sync_directory(posixpath.dirname(self.directory))


def run_together(jobs: list[FlushJob]) -> list[OSError | None]:
    """Runs jobs on one disk, which syncs their files together; what became of each."""
    outcomes = jobs[0].disk.sync_all([file for job in jobs for file in job.files])
    finished: list[OSError | None] = []
    position = 0
    for job in jobs:
        stop = position + len(job.files)
        finished.append(job.finish(outcomes[position:stop]))
        position = stop
    return finished


def write_synced(disk: Disk, path: str, data: bytes) -> None:
    replace_file(disk, path, data, sync=True)


def replace_file(disk: Disk, path: str, data: bytes, *, sync: bool) -> None:
    """Replaces a small file: after a kill, and with `sync` after power loss, it has its old content or its new one."""
    temporary = path + ".tmp"
    with contextlib.suppress(FileNotFoundError):
        disk.remove(temporary)
    file = _written(disk, temporary, data)
    try:
        if sync:
            file.sync()
    finally:
        file.close()
    disk.rename(temporary, path)


def _written(disk: Disk, path: str, data: bytes) -> File:
    """A new file, still open, not synced: up to here a full disk has harmed nothing."""
    file: File | None = None
    try:
        file = disk.open(path, create=True)
        file.write_at(0, data)
    except OSError as error:
        if file is not None:
            file.close()
        if passes(error):
            raise NoRoom(error.errno, error.strerror, path) from error
        raise
    return file
