"""The log of one partition: the only writer and reader of its directory.

Appending: check the batch by its header, set offset and epoch in place, one write, then the state in memory
(producers, leader epochs, indexes). Reading: find a position, answer with a part of a file. Nothing here waits or has
a thread: fsync is handed out as a FlushJob, files to remove are handed out as paths.
"""

import struct
from collections.abc import Callable
from typing import Final, NamedTuple

from ottla.config.topic_options import TopicOptions
from ottla.doors.disk import Buffer, Disk
from ottla.log.append_checks import (
    Accepted,
    AppendOrigin,
    AppendRules,
    BatchRefused,
    TakesLong,
    check_client_batch,
    in_forced_codec,
)
from ottla.log.log_reading import LogRead
from ottla.log.log_upkeep import LogUpkeep
from ottla.log.long_checks import CheckedBatch
from ottla.log.recovery import open_parts
from ottla.log.replay import fold_batch, marker_in
from ottla.log.segment import Segment
from ottla.log.segment_cache import SegmentCache
from ottla.log.transaction_index import AbortedTransaction
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.records.batch import (
    CONTROL_BIT,
    LENGTH_OVERHEAD,
    BatchHeader,
    is_intact,
    patch_log_append_time,
    read_header,
)
from ottla.records.control import EndTransactionMarker
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_batches

__all__ = ["AppendOrigin", "Appended", "BatchRefused", "LogRead", "PartitionLog"]

_CLIENT: Final = AppendOrigin.CLIENT
_PLACE: Final = struct.Struct(">qii")
_new: Final = tuple.__new__  # half the time of calling a NamedTuple


class Appended(NamedTuple):
    base_offset: int
    last_offset: int
    #: -1 unless the topic stamps records itself (or the batch is a duplicate: then its timestamp, as Kafka answers).
    log_append_time_ms: int
    is_duplicate: bool


class PartitionLog(LogUpkeep):
    """Lives from `open` to `close`. Offsets: log_start_offset <= last_stable_offset <= high_watermark <= end_offset."""

    #: Checked apart and about to be appended.
    _checked: CheckedBatch | None = None

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

        `clean` says that it was closed cleanly, `has_lost_pages` that a disk error was seen since the machine was
        started. `topic_id` is written where the directory has none; compare
        `log.topic_id` with what you expect. `cache` is shared by all logs of a node; `jitter_below` is `Rng.below`.
        Raises CorruptLog and OSError.
        """
        parts = open_parts(
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
        return cls(parts, now_ms)

    # appending

    def append_as_leader(
        self,
        batch: bytearray | memoryview,
        leader_epoch: int,
        now_ms: int,
        origin: AppendOrigin = _CLIENT,
        must_start_at_zero: bool = False,
        transaction_version: int = 0,
    ) -> Appended:
        """Appends one batch, whose offset and epoch (and time, if the topic says so) are set in place.

        Raises Refused, and OSError when the disk does not take it; in both cases the log is as it was. TakesLong asks
        for `long_check` first. With
        `must_start_at_zero` a producer that is not known here has to begin with sequence 0 (transactions, version 2).
        `transaction_version` is that of a marker's transaction.
        """
        if self._failure is not None:
            raise Refused(ErrorCode.KAFKA_STORAGE_ERROR, str(self._failure))
        rules = self._rules
        marker = header = None
        if origin is _CLIENT:
            try:
                accepted = check_client_batch(batch, rules, now_ms)
                if rules.forced_codec is not None:
                    batch, accepted = in_forced_codec(batch, accepted, rules)
            except TakesLong:
                batch, accepted = self._take_checked(batch)
            last_offset_delta, max_timestamp, producer_id = accepted
            if producer_id >= 0:
                header = read_header(batch)
                mark = self.producers.check(header, must_start_at_zero=must_start_at_zero)
                if mark is not None:
                    return Appended(mark.base_offset, mark.last_offset, mark.timestamp, True)
        else:
            header, marker = self._checked_own_batch(batch, transaction_version)
            last_offset_delta, max_timestamp = header.last_offset_delta, header.max_timestamp
            producer_id = header.producer_id
        base_offset = self.end_offset
        last_offset = base_offset + last_offset_delta
        size = len(batch)
        append_time_ms = -1
        if rules.uses_log_append_time:
            patch_log_append_time(batch, 0, size, now_ms)
            append_time_ms = max_timestamp = now_ms
        # Offset and epoch lie outside the CRC; the length between them stays as it is.
        _PLACE.pack_into(batch, 0, base_offset, size - LENGTH_OVERHEAD, leader_epoch)
        self._write(batch, size, base_offset, last_offset, max_timestamp, now_ms)
        self.end_offset = last_offset + 1
        if leader_epoch != self.epochs.latest:
            self.epochs.assign(leader_epoch, base_offset)
        if header is not None and producer_id >= 0:
            self._note_producer(header, marker, base_offset, max_timestamp)
        return _new(Appended, (base_offset, last_offset, append_time_ms, False))

    def long_check(self, batch: bytearray | memoryview, now_ms: int) -> tuple[bytearray | memoryview, AppendRules, int]:
        """What `check_apart` needs for a batch that takes long."""
        return batch, self._rules, now_ms

    def remember(self, checked: CheckedBatch) -> None:
        """The next append of this batch need not check it again, if nothing has changed."""
        self._checked = checked

    def _take_checked(self, batch: Buffer) -> tuple[bytearray | memoryview, Accepted]:
        checked, self._checked = self._checked, None
        if checked is None or checked.data is not batch or checked.rules is not self._rules:
            raise TakesLong
        if isinstance(checked.outcome, Refused):
            raise checked.outcome
        return checked.batch, checked.outcome

    def _write(
        self, batch: Buffer, size: int, base_offset: int, last_offset: int, max_timestamp: int, now_ms: int
    ) -> None:
        active = self.segments.active
        if self._roll_rules.is_due(active, size, last_offset, max_timestamp, now_ms):
            active = self._active_with_room(size)
        try:
            active.append(batch, size, base_offset, last_offset, max_timestamp)
        except OSError as error:
            self._write_failed(error)
            raise
        if active.size == size:
            self._segment_begun(active, now_ms)

    def _write_failed(self, error: OSError) -> None:
        if self.segments.active.is_broken:
            self._failure = error

    def _checked_own_batch(
        self, batch: Buffer, transaction_version: int
    ) -> tuple[BatchHeader, EndTransactionMarker | None]:
        """Batches that this node built itself."""
        header = read_header(batch)
        if header.size != len(batch) or not is_intact(batch, 0, header):
            raise BatchRefused(ErrorCode.CORRUPT_MESSAGE, f"a batch of {header.size} bytes in {len(batch)} bytes")
        if header.producer_id < 0:
            return header, None
        marker = marker_in(batch, 0, header) if header.is_control else None
        self.producers.check_coordinator(header, marker, transaction_version)
        return header, marker

    def _note_producer(
        self, header: BatchHeader, marker: EndTransactionMarker | None, base_offset: int, max_timestamp: int
    ) -> None:
        if marker is None:
            if not header.attributes & CONTROL_BIT:
                self.producers.add_batch(header, base_offset, max_timestamp)
            return
        done = self.producers.add_marker(header, marker, base_offset, self.high_watermark)
        if done is not None and done.is_aborted:
            self.segments.active.transaction_index.append(
                AbortedTransaction(done.producer_id, done.first_offset, done.last_offset, done.last_stable_offset)
            )

    def append_as_follower(self, data: Buffer, *, now_ms: int) -> Appended | None:
        """Appends batches as their leader has them. A batch that is cut off at the end of `data` is left out.

        Every batch must be intact and continue the log (gaps are compaction's); otherwise nothing is appended.
        """
        if self._failure is not None:
            raise Refused(ErrorCode.KAFKA_STORAGE_ERROR, str(self._failure))
        view = memoryview(data)
        found = self._continuing_batches(view)
        if not found:
            return None
        start = 0
        while start < len(found):
            start = self._append_run(view, found, start, now_ms)
        return Appended(found[0][1].base_offset, self.end_offset - 1, -1, False)

    def _continuing_batches(self, view: memoryview) -> list[tuple[int, BatchHeader]]:
        next_offset = self.end_offset
        found = []
        try:
            for position, header in iterate_batches(view, allow_partial=True):
                if header.base_offset < next_offset:
                    raise BatchRefused(
                        ErrorCode.OFFSET_OUT_OF_RANGE, f"batch at offset {header.base_offset}, expected {next_offset}"
                    )
                if not is_intact(view, position, header):
                    raise BatchRefused(ErrorCode.CORRUPT_MESSAGE, f"wrong checksum at offset {header.base_offset}")
                next_offset = header.next_offset
                found.append((position, header))
        except CorruptRecord as error:
            raise BatchRefused(ErrorCode.CORRUPT_MESSAGE, str(error)) from error
        return found

    def _append_run(self, view: memoryview, found: list[tuple[int, BatchHeader]], start: int, now_ms: int) -> int:
        """Writes as many batches as fit into one segment at once; returns the index of the next one."""
        position, first = found[start]
        roll_rules = self._roll_rules
        active = self.segments.active
        if roll_rules.is_due(active, first.size, first.last_offset, first.max_timestamp, now_ms):
            active = self._active_with_room(first.size)
        end, stop = position + first.size, start + 1
        while stop < len(found):
            header = found[stop][1]
            if roll_rules.is_due(
                active, end - position + header.size, header.last_offset, header.max_timestamp, now_ms
            ):
                break
            end += header.size
            stop += 1
        headers = [header for _, header in found[start:stop]]
        was_empty = active.size == 0
        try:
            active.append_run(view[position:end], headers)
        except OSError as error:
            self._write_failed(error)
            raise
        if was_empty:
            self._segment_begun(active, now_ms)
        for at, header in found[start:stop]:
            self._fold(active, view[at : at + header.size], header)
        return stop

    def _fold(self, active: Segment, batch: memoryview, header: BatchHeader) -> None:
        self.end_offset = header.next_offset
        if header.leader_epoch > self.epochs.latest:
            self.epochs.assign(header.leader_epoch, header.base_offset)
        fold_batch(self.producers, active, header, lambda: batch, self.high_watermark)
