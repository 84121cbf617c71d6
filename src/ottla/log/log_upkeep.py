"""What a log needs beside appends and reads: new segments, retention, truncation, flushing, closing."""

import contextlib
import errno
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Final

from ottla.config.rows import MAX_LONG
from ottla.config.topic_options import TopicOptions
from ottla.log import truncation, truncation_note
from ottla.log.append_checks import AppendRules, larger_than_segment
from ottla.log.disk_errors import is_out_of_files
from ottla.log.file_names import PARTITION_METADATA, SWAP, TRANSACTION_INDEX
from ottla.log.flush import DirtySegment, FlushJob, NoRoom, run_together
from ottla.log.log_invariants import StateDigest, check_invariants, state_digest
from ottla.log.log_parts import LogParts
from ottla.log.log_reading import LogReading
from ottla.log.name_changes import NameChanges, NamesJob
from ottla.log.retention import RetentionRules, expired_count
from ottla.log.roll import RollRules
from ottla.log.segment import Segment
from ottla.log.segment_swap import Steps, discard_cleaned, prepare_swap, run_steps, swap_in
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused

#: A snapshot of the producers is written at a flush when this much was appended since the last one.
SNAPSHOT_INTERVAL_BYTES: Final = 8 * 1024 * 1024
#: Each has some small files open meanwhile.
_FLUSHED_TOGETHER: Final = 16


class LogUpkeep(LogReading):
    """The second layer of PartitionLog."""

    def __init__(self, parts: LogParts, now_ms: int) -> None:
        super().__init__(parts)
        #: Everything below is on the device.
        self.recovery_point = parts.recovery_point
        self.snapshots = parts.snapshots
        self._jitter_below = parts.jitter_below
        self._failure: OSError | None = None
        #: Raised by every truncation: a flush that was begun before it says nothing about what is there now.
        self._generation = 0
        is_flushed = parts.recovery_point > parts.segments.first_base_offset
        self._names = NameChanges(has_durable_start=is_flushed)
        #: Called when names should become durable soon, in a thread; without it, the first roll waits for them.
        self.on_names_wanted: Callable[[LogUpkeep], None] | None = None
        #: Bases of segments that are to replace others, while the device is waited for.
        self._prepared_swap: list[int] | None = None
        #: Files that were taken away by steps that did not come to their end: the next ones report them.
        self._taken_paths: list[str] = []
        self._was_flushed = False
        #: A flush job was handed out and has not come back.
        self.is_flushing = False
        self._has_new_metadata = parts.has_new_metadata
        self._unflushed_since_ms: int | None = None
        self._snapshot_at_bytes = 0
        self.update_options(parts.options, now_ms)

    @property
    def failure(self) -> OSError | None:
        """Why this log takes no more appends; None while it does."""
        return self._failure

    @property
    def is_failed(self) -> bool:
        return self._failure is not None

    @property
    def allows_deletion(self) -> bool:
        """Retention and DeleteRecords may take records away."""
        return "delete" in self.options.cleanup_policy or not self.options.cleanup_policy

    def update_options(self, options: TopicOptions, now_ms: int) -> None:
        self.options = options
        #: Every append is flushed before anybody hears of it: the high watermark follows the recovery point.
        self.flushes_before_ack = options.flush_messages == 1
        #: flush.messages is set to something larger: every so many records an ack waits for a flush.
        self.counts_to_flush = 1 < options.flush_messages < MAX_LONG
        self._rules = AppendRules(options)
        self._retention = RetentionRules(options)
        self.producers.most = options.ottla_producers_max
        self.segments.index_interval_bytes = options.index_interval_bytes
        self.segments.active.index_interval_bytes = options.index_interval_bytes
        self._start_roll_rules(now_ms)

    def _start_roll_rules(self, now_ms: int) -> None:
        jitter_ms = self.options.segment_jitter_ms
        chosen_ms = self._jitter_below(jitter_ms + 1) if self._jitter_below is not None and jitter_ms > 0 else 0
        self._roll_rules = RollRules(self.options, chosen_ms)
        self._roll_rules.watch(self.segments.active, now_ms)

    def assign_leader_epoch(self, epoch: int) -> None:
        """This node leads from here on."""
        self.epochs.assign(epoch, self.end_offset)

    def expire_producers(self, now_ms: int, expiration_ms: int) -> list[int]:
        """See `ProducerStates.expire`; `now_ms` is monotonic."""
        return self.producers.expire(now_ms, expiration_ms)

    def check_invariants(self) -> None:
        """For tests and the simulator; reads the whole log."""
        check_invariants(self)

    def state_digest(self) -> StateDigest:
        return state_digest(self)

    # segments

    def _active_with_room(self, size: int) -> Segment:
        if size > self._roll_rules.segment_bytes:
            raise larger_than_segment(size, self._roll_rules.segment_bytes)
        return self.roll()

    def _segment_begun(self, active: Segment, now_ms: int) -> None:
        """The first batch is in it."""
        self._roll_rules.watch(active, now_ms)
        if not self._names.has_durable_start and self.on_names_wanted is not None:
            self.on_names_wanted(self)

    def roll(self) -> Segment:
        """Closes the active segment and starts a new one at the end offset. An empty one stays."""
        active = self.segments.active
        if active.size == 0:
            return active
        if not self._names.has_durable_start:
            # A power loss may keep names in any order: never let the new segment survive the first one.
            self._sync_names()
        active.close_indexes()
        self.snapshots.write(self.end_offset, self.producers)
        fresh = self.segments.start(self.end_offset)
        self._names.changed()
        self._snapshot_at_bytes = 0
        self._start_roll_rules(0)
        with contextlib.suppress(OSError):
            self._drop_old_snapshots()
        return fresh

    # names

    @property
    def may_roll_at_once(self) -> bool:
        """A roll need not wait for the device."""
        return self._names.has_durable_start or self.segments.active.size == 0

    def names_job(self) -> NamesJob:
        return self._names.job(self._directory.disk, self._directory.path)

    def names_synced(self, job: NamesJob) -> None:
        self._names.synced(job.changes)

    def names_failed(self, error: OSError) -> None:
        """As after any failed fsync, the log takes no more appends; unless none could be begun."""
        if not is_out_of_files(error):
            self._failure = error

    def _sync_names(self) -> None:
        job = self.names_job()
        try:
            job.run()
        except OSError as error:
            self.names_failed(error)
            raise
        self.names_synced(job)

    # retention

    def will_roll(self, now_ms: int) -> bool:
        """`roll_if_due` or `retire_segments` would roll."""
        if self.segments.active.size == 0:
            return False
        return self._roll_rules.is_too_old(now_ms) or self._expired_count(now_ms) == len(self.segments)

    def roll_if_due(self, now_ms: int) -> bool:
        """Rolls when the first record is older than segment.ms, without waiting for the next one."""
        if self.segments.active.size == 0 or not self._roll_rules.is_too_old(now_ms):
            return False
        self.roll()
        return True

    def retire_segments(self, now_ms: int) -> list[str]:
        """Takes away what retention does not keep; returns the paths of files to remove after a delay."""
        return run_steps(self.retirement_steps(now_ms))

    def retirement_steps(self, now_ms: int) -> Steps[list[str]]:
        """The same for whoever must not wait. Between the steps the log may be used, and changed, as ever."""
        count = self._expired_count(now_ms)
        if count == 0:
            return self._report_taken()
        if count == len(self.segments):
            self.roll()
        start_offset = self.segments[count].base_offset
        generation = self._generation
        if not self._names.are_durable:
            # Of the segments that become the first ones a power loss must not keep a later one without an earlier.
            job = self.names_job()
            yield job.run
            self.names_synced(job)
            if generation != self._generation:
                return []
        if self.producers.entries and start_offset in self.snapshots.offsets:
            # Nothing else will know the producers of what goes.
            yield partial(self.snapshots.sync, start_offset)
            if generation != self._generation:
                return []
        # The start moves first: no reader may find a hole.
        self._move_start(max(start_offset, self.log_start_offset))
        while self._generation == generation and self._has_segment_below(start_offset):
            self._taken_paths += self.segments.remove_first(1)
            if self._has_segment_below(start_offset):
                # A power loss may keep names in any order: a segment that is gone before one that is not leaves a hole,
                # and recovery takes that for the end of the log.
                yield self._sync_own_directory
        if self._generation == generation:
            self._drop_old_snapshots()
        return self._report_taken()

    def _report_taken(self) -> list[str]:
        taken, self._taken_paths = self._taken_paths, []
        return taken

    def _has_segment_below(self, offset: int) -> bool:
        """The first segment ends there or before."""
        return len(self.segments) > 1 and self.segments[1].base_offset <= offset

    def _expired_count(self, now_ms: int) -> int:
        return expired_count(
            list(self.segments),
            [self.segments.end_offset_of(index, self.end_offset) for index in range(len(self.segments))],
            self._retention,
            now_ms=now_ms,
            high_watermark=self.high_watermark,
            log_start_offset=self.log_start_offset,
        )

    def advance_log_start_offset(self, offset: int) -> bool:
        """DeleteRecords: forgets what is below `offset`; the files go with the next `retire_segments`."""
        if offset > self.high_watermark:
            raise Refused(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"Cannot increment the log start offset to {offset} of partition {self.topic_partition} since it is "
                f"larger than the high watermark {self.high_watermark}",
            )
        if offset <= self.log_start_offset:
            return False
        self._move_start(offset)
        return True

    def _move_start(self, offset: int) -> None:
        self.log_start_offset = offset
        self.epochs.truncate_from_start(offset)
        if self.high_watermark < offset:
            self.advance_high_watermark(offset)

    def replace_segments(self, old_bases: Sequence[int], new_bases: Sequence[int]) -> list[str] | None:
        """Puts `.cleaned` segments in the place of closed ones; returns the paths of files to remove after a delay.

        None when an old one is not there any more (retention, truncation): then the cleaned files are removed.
        """
        return run_steps(self.replacement_steps(old_bases, new_bases))

    def replacement_steps(self, old_bases: Sequence[int], new_bases: Sequence[int]) -> Steps[list[str] | None]:
        """The same for whoever must not wait. Between the steps the log may be used, and changed, as ever."""
        old = self._closed_segments(old_bases)
        if old is None:
            discard_cleaned(self._directory, new_bases)
            return None
        self._flush_up_to(max(old_bases))
        sizes = [segment.size for segment in old]
        prepare_swap(self._directory, new_bases)
        self._prepared_swap = list(new_bases)
        yield self._sync_own_directory
        if self._prepared_swap is None or self._closed_segments(old_bases) != old or sizes != [s.size for s in old]:
            self._abandon_swap()
            return None
        self._prepared_swap = None
        fresh, paths = swap_in(self._directory, old, new_bases)
        self.segments.replace(list(old_bases), fresh)
        try:
            yield self._sync_own_directory
        except GeneratorExit:
            self._taken_paths += paths
            raise
        with contextlib.suppress(OSError):
            self._drop_old_snapshots()
        return paths

    def _closed_segments(self, bases: Sequence[int]) -> list[Segment] | None:
        closed = {segment.base_offset: segment for segment in self.segments.closed()}
        return [closed[base] for base in bases] if all(base in closed for base in bases) else None

    def _sync_own_directory(self) -> None:
        self._directory.disk.sync_directory(self._directory.path)

    def _abandon_swap(self) -> None:
        """The log is about to be, or was, cut: what compaction has prepared may hold what must not come back."""
        if self._prepared_swap is not None:
            discard_cleaned(self._directory, self._prepared_swap, SWAP)
            self._prepared_swap = None

    def _flush_up_to(self, last_base: int) -> None:
        """Compaction leaves gaps; recovery takes a gap above the recovery point for lost records."""
        end_offset = self.segments.end_offset_of(self.segments.index_of(last_base), self.end_offset)
        if end_offset > self.recovery_point:
            self._flush_now()

    def _flush_now(self) -> None:
        job = self.flush_job()
        error = None if job is None else self.flush_ended(job, run_together([job])[0])
        if error is not None:
            raise error

    def flush_ended(self, job: FlushJob, error: OSError | None) -> OSError | None:
        """Takes note of how it ended; gives the error back."""
        if error is None:
            self.flush_done(job)
        elif isinstance(error, NoRoom):
            self.flush_postponed(job)
        else:
            self.flush_failed(job, error)
        return error

    def _drop_old_snapshots(self) -> None:
        self.snapshots.keep_only([segment.base_offset for segment in self.segments])

    # truncation

    def truncate_to(self, offset: int) -> list[str]:
        """Ends the log at `offset`, or at the start of the batch that holds it; returns paths to remove later.

        When this goes below the recovery point, a note in the directory lowers the saved one until
        `recovery_point_saved` is called. Raises OSError; then the log must be opened again.
        """
        if offset >= self.end_offset:
            return []
        if offset < self.segments.first_base_offset:
            return self.truncate_fully_at(offset)
        try:
            return self._truncate(offset)
        except OSError as error:
            self._failure = error
            raise

    def _truncate(self, offset: int) -> list[str]:
        self._generation += 1
        self._abandon_swap()
        end_offset = truncation.batch_boundary(self.segments, offset)
        truncation.note_if_below(self._directory, end_offset, self.recovery_point)
        paths = truncation.cut_segments(self.segments, end_offset)
        self.end_offset = end_offset
        self._lower_offsets()
        self.epochs.truncate_from_end(self.end_offset)
        truncation.save_epochs(self._directory, self.epochs)
        truncation.rebuild_producers(
            self.segments, self.snapshots, self.producers, self.end_offset, self.high_watermark
        )
        self._sync_names()
        self._snapshot_at_bytes = 0
        self._start_roll_rules(0)
        return paths

    def _lower_offsets(self) -> None:
        self.high_watermark = min(self.high_watermark, self.end_offset)
        self.recovery_point = min(self.recovery_point, self.end_offset)
        self.log_start_offset = min(self.log_start_offset, self.end_offset)

    def truncate_fully_at(self, offset: int) -> list[str]:
        """Drops everything and starts again at `offset`; returns paths to remove later."""
        try:
            self._generation += 1
            self._abandon_swap()
            lowest = min(offset, self.segments.first_base_offset)
            truncation.note_if_below(self._directory, lowest, self.recovery_point)
            # First, and durably: one at `offset` would tell of producers that this log does not know.
            self.snapshots.remove_all()
            self._directory.disk.sync_directory(self._directory.path)
            paths = self.segments.remove_from(0)
            self.segments.start(offset)
            self.producers.load([])
            self.epochs.clear()
            truncation.save_epochs(self._directory, self.epochs)
            self._sync_names()
        except OSError as error:
            self._failure = error
            raise
        self.end_offset = self.log_start_offset = self.high_watermark = self.recovery_point = offset
        self._snapshot_at_bytes = 0
        self._start_roll_rules(0)
        return paths

    def recovery_point_saved(self) -> None:
        """The checkpoint of the log directory has the recovery point of this log: the note of a cut may go."""
        truncation_note.remove(self._directory.disk, self._directory.path)

    # flushing

    @property
    def unflushed_messages(self) -> int:
        return self.end_offset - self.recovery_point

    def needs_flush_before_ack(self) -> bool:
        """flush.messages is reached: a response must wait until the recovery point has passed the append."""
        return self.end_offset - self.recovery_point >= self.options.flush_messages

    def flush_due(self, now_ms: int) -> bool:
        """flush.ms has passed since this was first asked with un-flushed records; `now_ms` is monotonic."""
        if self.recovery_point >= self.end_offset:
            self._unflushed_since_ms = None
            return False
        if self._unflushed_since_ms is None:
            self._unflushed_since_ms = now_ms
        return now_ms - self._unflushed_since_ms >= self.options.flush_ms

    def flush_job(self) -> FlushJob | None:
        """What has to be synced as of now; None when nothing has. One job at a time, please."""
        if self.recovery_point >= self.end_offset or self._failure is not None:
            return None
        directory = self._directory
        job = FlushJob(directory.disk, directory.path, self.end_offset, self._generation)
        for segment in self.segments.between(self.recovery_point - 1, self.end_offset):
            if segment.synced_size < segment.size or segment.has_unsynced_indexes or not segment.transactions_synced:
                job.files.append(segment.file())
                self._add_index_files(job, segment)
                job.segments.append(DirtySegment(segment, segment.size, segment.index_writes))
        if self._has_new_metadata:
            job.files.append(directory.disk.open(f"{directory.path}/{PARTITION_METADATA}"))
        # From here on nothing can fail: what is noted as done belongs to this job.
        self._has_new_metadata = False
        if self.epochs.is_dirty:
            job.epochs = self.epochs.encoded()
            self.epochs.is_dirty = False
        job.has_new_names = not self._names.are_durable
        job.name_changes = self._names.count
        job.is_first = not self._was_flushed
        self._was_flushed = True
        self.is_flushing = True
        return job

    def _add_index_files(self, job: FlushJob, segment: Segment) -> None:
        segment.write_transaction_index()
        if segment.has_new_name:
            self._names.changed()
            segment.has_new_name = False
        disk = self._directory.disk
        if not segment.transactions_synced and segment.has_transaction_index:
            job.files.append(disk.open(segment.path(TRANSACTION_INDEX)))
        if not segment.is_active:
            # Once the recovery point has passed a segment its indexes are not checked any more.
            job.files += segment.index_files()

    def flush_done(self, job: FlushJob) -> None:
        self.is_flushing = False
        self._names.synced(job.name_changes)
        if job.generation != self._generation:
            self.epochs.is_dirty = True
            return
        for segment, size, index_writes in job.segments:
            segment.synced_size = max(segment.synced_size, size)
            if segment.index_writes == index_writes:
                segment.transactions_synced = True
                segment.has_unsynced_indexes = False
        self.recovery_point = max(self.recovery_point, job.end_offset)
        self._unflushed_since_ms = None
        self._directory.cache.trim()
        # Both only shorten the next recovery, so a full disk is no reason to stop.
        with contextlib.suppress(OSError):
            active = self.segments.active
            active.write_indexes()
            if active.size - self._snapshot_at_bytes >= SNAPSHOT_INTERVAL_BYTES:
                self._snapshot_at_bytes = active.size
                self.snapshots.write(self.end_offset, self.producers)
                self._drop_old_snapshots()

    def flush_postponed(self, job: FlushJob) -> None:
        """The next job does it all again. A second fsync after one that succeeded is harmless."""
        self.is_flushing = False
        self.epochs.is_dirty = True
        self._was_flushed = not job.is_first

    def flush_failed(self, job: FlushJob, error: OSError) -> None:
        """The log takes no more appends: what a failed fsync left behind cannot be known (never retried)."""
        self.is_flushing = False
        self._failure = error

    def close(self, *, clean: bool) -> None:
        """With `clean` everything is made durable and a snapshot written, so that the next start trusts the files."""
        if clean and self._failure is None:
            job = self.flush_job()
            if job is not None:
                job.run()
                self.flush_done(job)
            self._close_cleanly()
        for segment in self.segments:
            segment.release()

    def release(self, reason: str) -> None:
        """The directory is not this log's any more: it was deleted, moved or lost. Readers may finish.

        Nothing of it stays open, it takes no more appends, and a flush that is under way says nothing any more.
        """
        self._generation += 1
        if self._failure is None:
            self._failure = OSError(errno.ENOENT, reason, self.directory)
        for segment in self.segments:
            segment.release()

    def _close_cleanly(self) -> None:
        active = self.segments.active
        if active.size:
            active.close_indexes()
        for segment in self.segments:
            if segment.has_unsynced_indexes:
                for file in segment.index_files():
                    file.sync()
        if self.end_offset > self.segments.first_base_offset:
            self.snapshots.write(self.end_offset, self.producers)
            self._drop_old_snapshots()
        if self.epochs.is_dirty and self.end_offset > self.segments.first_base_offset:
            # An epoch in which nothing was written can be forgotten: the next leader brings a newer one. It is told
            # to whoever reads the files, but thousands of idle partitions must not each wait for the disk.
            has_data = self.epochs.starts[-1] < self.end_offset if self.epochs.starts else True
            truncation.save_epochs(self._directory, self.epochs, sync=has_data)


def flush_all(logs: Iterable[LogUpkeep]) -> list[tuple[LogUpkeep, OSError]]:
    """Waits for the device, for some of them at a time; gives those that have failed. What cannot begin is left out."""
    failed = []
    jobs = ((log, job) for log in list(logs) if (job := _flush_job_of(log)) is not None)
    while some := list(islice(jobs, _FLUSHED_TOGETHER)):
        outcomes = run_together([job for _, job in some])
        for (log, job), outcome in zip(some, outcomes, strict=True):
            error = log.flush_ended(job, outcome)
            if error is not None and log.is_failed:
                failed.append((log, error))
    return failed


def _flush_job_of(log: LogUpkeep) -> FlushJob | None:
    with contextlib.suppress(OSError):
        return log.flush_job()
    return None
