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
from typing import Final, NamedTuple

from ottla.doors.disk import Disk, File
from ottla.log.files import partition_metadata
from ottla.log.files.disk_errors import DiskErrorNote, NoRoom, is_out_of_files
from ottla.log.files.small_files import write_synced
from ottla.log.partition.log_state import LogState
from ottla.log.partition.name_changes import NameChanges
from ottla.log.segments.log_directory import LEADER_EPOCHS, TRANSACTION_INDEX
from ottla.log.segments.segment import Segment

#: A snapshot of the producers is written at a flush when this much was appended since the last one.
SNAPSHOT_INTERVAL_BYTES: Final = 8 * 1024 * 1024
#: Where each append is flushed, indexes are written when so many entries are new: each write opens two files. What is
#: missing after a crash is read from the headers of the batches, 64 KiB of them with the default interval.
INDEX_ENTRIES_MIN: Final = 16


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
        #: Changes when the log is truncated; the result of a job of an older generation is ignored.
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
            # Here, and not when the event loop gets the result: the process may be killed in between.
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


class LogFlushes:
    """A part of PartitionLog: what is to be synced, and how far the recovery point has come."""

    __slots__ = ("_has_new_metadata", "_log", "_names", "_unflushed_since_ms", "_was_flushed", "is_running")

    def __init__(self, log: LogState, names: NameChanges, *, has_new_metadata: bool) -> None:
        self._log = log
        self._names = names
        self._has_new_metadata = has_new_metadata
        self._was_flushed = False
        self._unflushed_since_ms: int | None = None
        #: A job was handed out and has not come back.
        self.is_running = False

    def is_due(self, now_ms: int) -> bool:
        """flush.ms has passed since this was first asked with unflushed records; `now_ms` is monotonic."""
        log = self._log
        if log.recovery_point >= log.end_offset:
            self._unflushed_since_ms = None
            return False
        if self._unflushed_since_ms is None:
            self._unflushed_since_ms = now_ms
        return now_ms - self._unflushed_since_ms >= log.options.flush_ms

    def job(self) -> FlushJob | None:
        """What has to be synced as of now; None when nothing has. There may be one job at a time."""
        log = self._log
        if log.recovery_point >= log.end_offset or log.failure is not None:
            return None
        directory = log.log_directory
        job = FlushJob(directory.disk, directory.path, log.end_offset, log.generation)
        for segment in log.segments.between(log.recovery_point - 1, log.end_offset):
            if (
                segment.synced_size < segment.size
                or segment.indexes.has_unsynced_files
                or not segment.indexes.transactions_synced
            ):
                job.files.append(segment.file())
                self._add_index_files(job, segment)
                job.segments.append(DirtySegment(segment, segment.size, segment.indexes.writes))
        if self._has_new_metadata:
            job.files.append(directory.disk.open(f"{directory.path}/{partition_metadata.FILE_NAME}"))
        # From here on nothing can fail: what is noted as done belongs to this job.
        self._has_new_metadata = False
        if log.epochs.is_dirty:
            job.epochs = log.epochs.encoded()
            log.epochs.is_dirty = False
        job.has_new_names = not self._names.are_durable
        job.name_changes = self._names.count
        job.is_first = not self._was_flushed
        self._was_flushed = True
        self.is_running = True
        return job

    def _add_index_files(self, job: FlushJob, segment: Segment) -> None:
        segment.indexes.write_transactions()
        if segment.indexes.has_new_name:
            self._names.changed()
            segment.indexes.has_new_name = False
        if not segment.indexes.transactions_synced and segment.indexes.has_transaction_index:
            job.files.append(self._log.log_directory.disk.open(segment.path(TRANSACTION_INDEX)))
        if not segment.is_active:
            # Once the recovery point has passed a segment its indexes are not checked any more.
            job.files += segment.indexes.files()

    def done(self, job: FlushJob) -> None:
        log = self._log
        self.is_running = False
        self._names.synced(job.name_changes)
        if job.generation != log.generation:
            log.epochs.is_dirty = True
            return
        for segment, size, index_writes in job.segments:
            segment.synced_size = max(segment.synced_size, size)
            if segment.indexes.writes == index_writes:
                segment.indexes.transactions_synced = True
                segment.indexes.has_unsynced_files = False
        log.recovery_point = max(log.recovery_point, job.end_offset)
        self._unflushed_since_ms = None
        log.log_directory.cache.trim()
        # Both only shorten the next recovery, so a full disk is no reason to stop.
        with contextlib.suppress(OSError):
            self._shorten_recovery()

    def _shorten_recovery(self) -> None:
        log = self._log
        active = log.segments.active
        if not log.flushes_before_ack or active.indexes.unwritten_count >= INDEX_ENTRIES_MIN:
            active.indexes.write()
        if active.size - log.snapshots.written_at_bytes >= SNAPSHOT_INTERVAL_BYTES:
            log.snapshots.written_at_bytes = active.size
            log.snapshots.write(log.end_offset, log.producers)
            log.snapshots.keep_for(log.segments)

    def postponed(self, job: FlushJob) -> None:
        """The next job does it all again. A second fsync after one that succeeded is harmless."""
        self.is_running = False
        self._log.epochs.is_dirty = True
        self._was_flushed = not job.is_first

    def failed(self, error: OSError) -> None:
        """The log takes no more appends: what a failed fsync left behind cannot be known (never retried)."""
        self.is_running = False
        self._log.failure = error

    def ended(self, job: FlushJob, error: OSError | None) -> OSError | None:
        """Takes note of how it ended; gives the error back."""
        if error is None:
            self.done(job)
        elif isinstance(error, NoRoom):
            self.postponed(job)
        else:
            self.failed(error)
        return error

    def flush_now(self) -> None:
        """Waits for the device. Raises OSError."""
        job = self.job()
        error = None if job is None else self.ended(job, run_together([job])[0])
        if error is not None:
            raise error

    def close_cleanly(self) -> None:
        """Indexes, snapshot and leader epochs reach their files. Everything else is flushed. Raises OSError."""
        log = self._log
        active = log.segments.active
        if active.size:
            active.finish()
        for segment in log.segments:
            if segment.indexes.has_unsynced_files:
                for file in segment.indexes.files():
                    file.sync()
        if log.end_offset > log.segments.first_base_offset:
            log.snapshots.write(log.end_offset, log.producers)
            log.snapshots.keep_for(log.segments)
        if log.epochs.is_dirty and log.end_offset > log.segments.first_base_offset:
            # An epoch in which nothing was written can be forgotten: the next leader brings a newer one. It is written
            # for whoever reads the files, but thousands of idle partitions must not each wait for the disk.
            has_data = log.epochs.starts[-1] < log.end_offset if log.epochs.starts else True
            log.save_epochs(sync=has_data)
