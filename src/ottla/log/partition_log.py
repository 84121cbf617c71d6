"""The log of one partition: the only writer and reader of its directory.

Appending: check the batch by its header, set offset and epoch in place, one write, then the state in memory
(producers, leader epochs, indexes). Reading: find a position, return a part of a file. Both are here, with as few calls
as they need; all else is done by the parts in `partition/`, which share the LogState. Nothing here waits or has a
thread: fsync is handed out as a FlushJob, files to remove are handed out as paths.
"""

import errno
import struct
from collections.abc import Callable, Sequence
from typing import Final

from ottla.config.rows import MAX_LONG
from ottla.config.topic_options import TopicOptions
from ottla.doors.disk import Buffer, Disk
from ottla.log.partition.append_checks import Accepted, CheckedBatch, check_client_batch
from ottla.log.partition.append_rules import AppendOrigin, AppendRules, BatchRefused
from ottla.log.partition.flush import FlushJob, LogFlushes
from ottla.log.partition.follower_appends import FollowerAppends
from ottla.log.partition.invariants import StateDigest, check_invariants, state_digest
from ottla.log.partition.log_state import LogState
from ottla.log.partition.name_changes import NameChanges, NamesJob
from ottla.log.partition.reading import (
    LogRead,
    aborted_entries,
    end_offset_bound,
    position_of,
    read_closed,
    read_segment,
)
from ottla.log.partition.replacement import SegmentReplacement
from ottla.log.partition.retention import RetentionRules, SegmentRetention
from ottla.log.partition.roll import SegmentRoller
from ottla.log.partition.truncation import LogTruncation
from ottla.log.producers.older_batches import OlderBatches, TakesLong
from ottla.log.producers.producer_entry import ProducerBatch
from ottla.log.producers.replay import marker_in
from ottla.log.producers.verification import Verification
from ottla.log.recovery.leftovers import TruncationNote
from ottla.log.recovery.log_loader import load_log
from ottla.log.recovery.recovered_log import RecoveredLog
from ottla.log.segments import time_lookup
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_cache import SegmentCache
from ottla.log.segments.segment_swap import Steps, run_steps
from ottla.log.segments.time_lookup import TimeOffset
from ottla.log.segments.transaction_index import NO_LIMIT, AbortedTransaction
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.records.batch import (
    LENGTH_OVERHEAD,
    TRANSACTIONAL_BIT,
    BatchHeader,
    is_intact,
    patch_log_append_time,
    read_header,
)
from ottla.records.control import EndTransactionMarker

__all__ = ["AppendOrigin", "Appended", "BatchRefused", "LogRead", "PartitionLog"]

_CLIENT: Final = AppendOrigin.CLIENT
_BATCH_START: Final = struct.Struct(">qii")

#: Base offset and last offset of a batch, its log append time, and whether it is a duplicate that was appended before.
#: The time is -1 unless the topic stamps records itself (of a duplicate it is the timestamp, as in Kafka).
Appended = tuple[int, int, int, bool]
#: What a batch of this node adds to the state of its producer (a batch, or a marker), last offset delta, max timestamp.
_OwnBatch = tuple[ProducerBatch | None, tuple[BatchHeader, EndTransactionMarker] | None, int, int]


class PartitionLog(LogState):
    """Lives from `open` to `close`."""

    def __init__(self, found: RecoveredLog, now_ms: int) -> None:
        super().__init__(found)
        #: What opening found and repaired.
        self.recovery = found.report
        self.producers.find_older = OlderBatches(self.segments)
        #: Called when names should become durable soon, in a thread; without it, the first roll waits for them.
        self.on_names_wanted: Callable[[PartitionLog], None] | None = None
        #: Checked apart and about to be appended.
        self._checked: CheckedBatch | None = None
        self._names = NameChanges(self)
        self._roller = SegmentRoller(self, self._names, found.jitter_below)
        self._flushes = LogFlushes(self, self._names, has_new_metadata=found.has_new_metadata)
        self._retention = SegmentRetention(self, self._names, self._roller)
        self._replacement = SegmentReplacement(self, self._flushes)
        self._truncation = LogTruncation(self, self._names, self._roller, self._replacement)
        self._follower = FollowerAppends(self, self._roller, self._segment_begun)
        self.update_options(found.options, now_ms)

    @classmethod
    def open(
        cls,
        disk: Disk,
        directory: str,
        topic_partition: TopicPartition,
        options: TopicOptions,
        *,
        now_ms: int,
        clean: bool,
        recovery_point: int = 0,
        log_start_offset: int = 0,
        high_watermark: int | None = None,
        topic_id: bytes | None = None,
        cache: SegmentCache | None = None,
        jitter_below: Callable[[int], int] | None = None,
        has_lost_pages: bool = False,
    ) -> "PartitionLog":
        """Opens the log in `directory`, or starts one there.

        `clean`: it was closed cleanly; `has_lost_pages`: a disk error was seen since the machine was started.
        `topic_id` is written where the directory has none; compare `log.topic_id` with what you expect. `cache` is
        shared by all logs of a node; `jitter_below` is `Rng.below`.
        Raises CorruptLog and OSError.
        """
        found = load_log(
            disk,
            directory,
            topic_partition,
            options,
            recovery_point=recovery_point,
            log_start_offset=log_start_offset,
            high_watermark=high_watermark,
            clean=clean,
            topic_id=topic_id,
            cache=cache,
            jitter_below=jitter_below,
            has_lost_pages=has_lost_pages,
        )
        return cls(found, now_ms)

    def update_options(self, options: TopicOptions, now_ms: int) -> None:
        self.options = options
        #: Every append is flushed before it is visible: the high watermark follows the recovery point.
        self.flushes_before_ack = options.flush_messages == 1
        #: flush.messages is set to something larger: every so many records an ack waits for a flush.
        self.counts_to_flush = 1 < options.flush_messages < MAX_LONG
        self._rules = AppendRules(options)
        self._retention.rules = RetentionRules(options)
        self.producers.max_count = self.producers.verifications.max_count = options.ottla_producers_max
        self.segments.index_interval_bytes = options.index_interval_bytes
        self.segments.active.builder.interval_bytes = options.index_interval_bytes
        self._roller.restart(now_ms)

    @property
    def allows_deletion(self) -> bool:
        """Retention and DeleteRecords may take records away."""
        return "delete" in self.options.cleanup_policy or not self.options.cleanup_policy

    # appending

    def append_as_leader(
        self,
        batch: bytearray | memoryview,
        leader_epoch: int,
        now_ms: int,
        origin: AppendOrigin = _CLIENT,
        verification: Verification | None = None,
        transaction_version: int = 0,
    ) -> Appended:
        """Appends one batch, whose offset and epoch (and time, with LogAppendTime) are set in place.

        Raises Refused, and OSError when the disk does not take it; in both cases the log is as it was. TakesLong asks
        for `long_check` first. `verification`: what the coordinator was asked for, for a client's transactional batch.
        `transaction_version` is that of a marker's transaction.
        """
        if self.failure is not None:
            raise Refused(ErrorCode.KAFKA_STORAGE_ERROR, str(self.failure))
        rules = self._rules
        produced = marked = None
        if origin is _CLIENT:
            try:
                accepted = check_client_batch(batch, rules, now_ms)
            except TakesLong:
                accepted = self._take_checked(batch)
            batch, attributes, last_offset_delta, max_timestamp, producer_id, producer_epoch, sequence = accepted
            if producer_id >= 0:
                is_transactional = attributes & TRANSACTIONAL_BIT != 0
                produced = ProducerBatch(producer_id, producer_epoch, sequence, last_offset_delta, is_transactional)
                known = self.producers.check(produced, verification)
                if known is not None:
                    return known.base_offset, known.last_offset, known.timestamp, True
        else:
            produced, marked, last_offset_delta, max_timestamp = self._checked_own_batch(batch, transaction_version)
        base_offset = self.end_offset
        last_offset = base_offset + last_offset_delta
        size = len(batch)
        append_time_ms = -1
        if rules.uses_log_append_time:
            patch_log_append_time(batch, 0, size, now_ms)
            append_time_ms = max_timestamp = now_ms
        # Offset and epoch lie outside the CRC; the length between them stays as it is.
        _BATCH_START.pack_into(batch, 0, base_offset, size - LENGTH_OVERHEAD, leader_epoch)
        self._write(batch, size, base_offset, last_offset, max_timestamp, now_ms)
        self.end_offset = last_offset + 1
        if leader_epoch != self.epochs.latest:
            self.epochs.assign(leader_epoch, base_offset)
        if produced is not None:
            produced.place(base_offset, last_offset, max_timestamp)
            self.producers.add_batch(produced)
        elif marked is not None:
            self._note_marker(*marked, base_offset)
        return base_offset, last_offset, append_time_ms, False

    def long_check(self, batch: bytearray | memoryview, now_ms: int) -> tuple[bytearray | memoryview, AppendRules, int]:
        """What `check_apart` needs for a batch that takes long."""
        return batch, self._rules, now_ms

    def remember(self, checked: CheckedBatch) -> None:
        """The next append of this batch need not check it again, if nothing has changed."""
        self._checked = checked

    def _take_checked(self, batch: Buffer) -> Accepted:
        checked, self._checked = self._checked, None
        if checked is None or checked.data is not batch or checked.rules is not self._rules:
            raise TakesLong
        if isinstance(checked.outcome, Refused):
            raise checked.outcome
        return checked.outcome

    def _write(
        self, batch: Buffer, size: int, base_offset: int, last_offset: int, max_timestamp: int, now_ms: int
    ) -> None:
        active = self.segments.active
        if self._roller.rules.is_due(active, size, last_offset, max_timestamp, now_ms):
            active = self._roller.active_with_room(size)
        try:
            active.append(batch, size, base_offset, last_offset, max_timestamp)
        except OSError as error:
            self.write_failed(error)
            raise
        if active.size == size:
            self._segment_begun(active, now_ms)

    def _segment_begun(self, active: Segment, now_ms: int) -> None:
        """The first batch is in it."""
        self._roller.rules.watch(active, now_ms)
        if not self._names.has_durable_start and self.on_names_wanted is not None:
            self.on_names_wanted(self)

    def _checked_own_batch(self, batch: Buffer, transaction_version: int) -> _OwnBatch:
        """Batches that this node built itself."""
        header = read_header(batch)
        if header.size != len(batch) or not is_intact(batch, 0, header):
            raise BatchRefused(ErrorCode.CORRUPT_MESSAGE, f"a batch of {header.size} bytes in {len(batch)} bytes")
        produced = marked = None
        if header.producer_id >= 0:
            marker = marker_in(batch, 0, header) if header.is_control else None
            self.producers.check_coordinator(header, marker, transaction_version)
            if marker is not None:
                marked = header, marker
            elif not header.is_control:
                produced = ProducerBatch.stored(header)
        return produced, marked, header.last_offset_delta, header.max_timestamp

    def _note_marker(self, header: BatchHeader, marker: EndTransactionMarker, base_offset: int) -> None:
        done = self.producers.add_marker(header, marker, base_offset, self.high_watermark)
        if done is not None and done.is_aborted:
            self.segments.active.indexes.transactions.append(
                AbortedTransaction(done.producer_id, done.first_offset, done.last_offset, done.last_stable_offset)
            )

    def append_as_follower(self, data: Buffer, *, now_ms: int) -> Appended | None:
        """Appends batches as their leader has them. A batch that is incomplete at the end of `data` is left out.

        Every batch must be intact and continue the log (gaps are compaction's); otherwise nothing is appended.
        """
        if self.failure is not None:
            raise Refused(ErrorCode.KAFKA_STORAGE_ERROR, str(self.failure))
        base_offset = self._follower.append(data, now_ms)
        return None if base_offset is None else (base_offset, self.end_offset - 1, -1, False)

    def assign_leader_epoch(self, epoch: int) -> None:
        """This node leads from here on."""
        self.epochs.assign(epoch, self.end_offset)

    # reading

    def read(self, offset: int, max_bytes: int, *, end_offset: int, at_least_one_batch: bool) -> LogRead | None:
        """Batches from the one that holds `offset` on, up to `end_offset`, out of one segment; None without any.

        The last batch may be cut off by `max_bytes`. The first is whole or left out; with `at_least_one_batch` it is
        returned even if it is larger (KIP-74).
        """
        log_end_offset = self.end_offset
        if not self.log_start_offset <= offset <= log_end_offset:
            raise Refused(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"offset {offset} is not within {self.log_start_offset} to {log_end_offset} of {self.topic_partition}",
            )
        if offset >= end_offset:
            return None
        segments = self.segments
        segment = segments.active
        if offset < segment.base_offset:
            return read_closed(
                segments,
                offset,
                max_bytes,
                end_offset=end_offset,
                log_end_offset=log_end_offset,
                at_least_one_batch=at_least_one_batch,
            )
        end_position = segment.size if end_offset >= log_end_offset else position_of(segment, end_offset)
        return read_segment(segment, offset, end_position, max_bytes, at_least_one_batch)

    def read_bytes(
        self, offset: int, max_bytes: int, *, end_offset: int | None = None, at_least_one_batch: bool = True
    ) -> bytes:
        end_offset = self.end_offset if end_offset is None else end_offset
        found = self.read(offset, max_bytes, end_offset=end_offset, at_least_one_batch=at_least_one_batch)
        return b"" if found is None else found.file.read_at(found.position, found.size)

    def end_offset_of(self, read: LogRead) -> int:
        """What was read is below it; at the end of a segment, or of the log, by up to an index interval."""
        return end_offset_bound(self.segments, read, self.end_offset)

    def offset_for_time(self, timestamp_ms: int, end_offset: int) -> TimeOffset | None:
        """The first record that is at least that late, below `end_offset`: (timestamp, offset, leader epoch)."""
        return time_lookup.first_at_or_after(
            self.segments, timestamp_ms, log_start_offset=self.log_start_offset, end_offset=end_offset
        )

    def max_timestamp_offset(self) -> TimeOffset | None:
        """The first record with the largest timestamp."""
        if self.end_offset == self.log_start_offset:
            return None
        return time_lookup.largest(self.segments, self.log_start_offset)

    def end_offset_for_epoch(self, epoch: int) -> tuple[int, int]:
        """The largest epoch not above `epoch` and the offset where it ends; (-1, -1) when unknown."""
        return self.epochs.end_offset_for(epoch, self.end_offset)

    def aborted_transactions(self, from_offset: int, to_offset: int) -> list[tuple[int, int]]:
        """(producer id, first offset) of the aborted transactions that a reader of the range must skip, in order."""
        found = aborted_entries(self.segments, from_offset, to_offset)
        return sorted(((entry.producer_id, entry.first_offset) for entry in found), key=lambda item: item[1])

    def aborted_entries(self, from_offset: int, to_offset: int, limit: int = NO_LIMIT) -> list[AbortedTransaction]:
        """Aborted transactions that overlap the range, in order of their markers; the first so many."""
        return aborted_entries(self.segments, from_offset, to_offset, limit)

    # segments

    @property
    def may_roll_at_once(self) -> bool:
        """A roll need not wait for the device."""
        return self._roller.may_roll_at_once

    def roll(self) -> Segment:
        """Closes the active segment and starts a new one at the end offset. An empty one stays."""
        return self._roller.roll()

    def will_roll(self, now_ms: int) -> bool:
        """`roll_if_due` or `retire_segments` would roll."""
        return self._roller.is_due(now_ms) or (self.segments.active.size > 0 and self._retention.expires_all(now_ms))

    def roll_if_due(self, now_ms: int) -> bool:
        """Rolls when the first record is older than segment.ms, without waiting for the next one."""
        if not self._roller.is_due(now_ms):
            return False
        self._roller.roll()
        return True

    def retire_segments(self, now_ms: int) -> list[str]:
        """Takes away what retention does not keep; returns the paths of files to remove after a delay."""
        return run_steps(self._retention.steps(now_ms))

    def retirement_steps(self, now_ms: int) -> Steps[list[str]]:
        """The same for whoever must not wait. Between the steps the log may be used, and changed, as ever."""
        return self._retention.steps(now_ms)

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
        self.move_start(offset)
        return True

    def replacement_steps(self, old_bases: Sequence[int], new_bases: Sequence[int]) -> Steps[list[str] | None]:
        """See `SegmentReplacement.steps`. Between the steps the log may be used, and changed, as ever."""
        return self._replacement.steps(old_bases, new_bases)

    def truncate_to(self, offset: int) -> list[str]:
        """Ends the log at `offset`, or at the start of the batch that holds it; returns paths to remove later.

        When this goes below the recovery point, a note in the directory lowers the saved one until
        `recovery_point_saved` is called. Raises OSError; then the log must be opened again.
        """
        return self._truncation.truncate_to(offset)

    def truncate_fully_at(self, offset: int) -> list[str]:
        """Drops everything and starts again at `offset`; returns paths to remove later."""
        return self._truncation.truncate_fully_at(offset)

    def recovery_point_saved(self) -> None:
        """The checkpoint of the log directory has the recovery point of this log: the note of a truncation may go."""
        TruncationNote.remove(self.log_directory.disk, self.directory)

    # durability

    @property
    def is_flushing(self) -> bool:
        """A flush job was handed out and has not come back."""
        return self._flushes.is_running

    def needs_flush_before_ack(self) -> bool:
        """flush.messages is reached: a response must wait until the recovery point has passed the append."""
        return self.end_offset - self.recovery_point >= self.options.flush_messages

    def flush_due(self, now_ms: int) -> bool:
        """flush.ms has passed since this was first asked with unflushed records; `now_ms` is monotonic."""
        return self._flushes.is_due(now_ms)

    def flush_job(self) -> FlushJob | None:
        """What has to be synced as of now; None when nothing has. There may be one job at a time."""
        return self._flushes.job()

    def flush_done(self, job: FlushJob) -> None:
        self._flushes.done(job)

    def flush_postponed(self, job: FlushJob) -> None:
        self._flushes.postponed(job)

    def flush_failed(self, job: FlushJob, error: OSError) -> None:
        self._flushes.failed(error)

    def flush_ended(self, job: FlushJob, error: OSError | None) -> OSError | None:
        """Takes note of how it ended; gives the error back."""
        return self._flushes.ended(job, error)

    def names_job(self) -> NamesJob:
        return self._names.job()

    def names_synced(self, job: NamesJob) -> None:
        self._names.synced(job.changes)

    def names_failed(self, error: OSError) -> None:
        self._names.failed(error)

    # end

    def moved_to(self, directory: str) -> None:
        """The directory has another name now."""
        self.log_directory.path = directory

    def close(self, *, clean: bool) -> None:
        """With `clean` everything is made durable and a snapshot written, so that the next start trusts the files."""
        if clean and self.failure is None:
            job = self.flush_job()
            if job is not None:
                job.run()
                self.flush_done(job)
            self._flushes.close_cleanly()
        for segment in self.segments:
            segment.release()

    def release(self, reason: str) -> None:
        """The directory is not this log's any more: it was deleted, moved or lost. Readers may finish.

        Nothing of it stays open, it takes no more appends, and the result of a flush that is under way is ignored.
        """
        self.generation += 1
        if self.failure is None:
            self.failure = OSError(errno.ENOENT, reason, self.directory)
        for segment in self.segments:
            segment.release()

    # for tests and the simulator

    def check_invariants(self) -> None:
        """Reads the whole log."""
        check_invariants(self)

    def state_digest(self) -> StateDigest:
        return state_digest(self)
