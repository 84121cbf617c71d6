"""What can be asked of a log: parts of its files by offset, offsets by time, epochs, aborted transactions."""

from typing import NamedTuple

from ottla.doors.disk import FileSlice
from ottla.log import time_lookup
from ottla.log.batch_scan import batch_size_at
from ottla.log.log_parts import LogParts
from ottla.log.older_batches import OlderBatches
from ottla.log.segment import Segment
from ottla.log.time_lookup import TimeOffset
from ottla.log.transaction_index import NO_LIMIT, AbortedTransaction
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused


class LogRead(NamedTuple):
    """Parts of the files of one segment; None without any."""

    slices: list[FileSlice]
    size: int
    segment: Segment | None = None


class LogReading:
    """The first of four layers of PartitionLog; changes nothing but the high watermark."""

    def __init__(self, parts: LogParts) -> None:
        self.topic_partition = parts.topic_partition
        self.topic_id = parts.topic_id
        #: What opening found and repaired.
        self.recovery = parts.report
        self.log_start_offset = parts.log_start_offset
        self.end_offset = parts.end_offset
        self.high_watermark = parts.high_watermark
        self.epochs = parts.epochs
        self.producers = parts.producers
        self.producers.find_older = OlderBatches(parts.segments)
        self.segments = parts.segments
        self._directory = parts.directory

    @property
    def directory(self) -> str:
        return self._directory.path

    def moved_to(self, directory: str) -> None:
        """The directory has another name now."""
        self._directory.path = directory

    @property
    def size_bytes(self) -> int:
        return self.segments.size_bytes

    @property
    def last_stable_offset(self) -> int:
        """Below it every transaction is decided: the end for read_committed readers."""
        offset = self.producers.first_unstable_offset
        if offset >= self.high_watermark:
            return self.high_watermark
        return offset if offset > self.log_start_offset else self.log_start_offset

    def advance_high_watermark(self, offset: int) -> bool:
        """True when it moved. Never goes back, never passes the end."""
        if offset > self.end_offset:
            offset = self.end_offset
        if offset <= self.high_watermark:
            return False
        self.high_watermark = offset
        if self.producers.undecided:
            self.producers.on_high_watermark(offset)
        return True

    # reading

    def read(self, offset: int, max_bytes: int, *, end_offset: int, at_least_one_batch: bool) -> LogRead:
        """Batches from the one that holds `offset` on, up to `end_offset`, out of one segment.

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
            return LogRead([], 0)
        segment = self.segments.active
        if offset < segment.base_offset:
            return self._read_closed(offset, max_bytes, end_offset, at_least_one_batch)
        end_position = segment.size if end_offset >= log_end_offset else self._position_of(segment, end_offset)
        return _read_segment(segment, offset, end_position, max_bytes, at_least_one_batch) or LogRead([], 0)

    def _read_closed(self, offset: int, max_bytes: int, end_offset: int, at_least_one_batch: bool) -> LogRead:
        index = self.segments.index_of(offset)
        while index < len(self.segments):
            segment = self.segments[index]
            if segment.base_offset >= end_offset:
                break
            is_whole = end_offset >= self.segments.end_offset_of(index, self.end_offset)
            end_position = segment.size if is_whole else self._position_of(segment, end_offset)
            found = _read_segment(segment, offset, end_position, max_bytes, at_least_one_batch)
            if found is not None:
                return found
            # Compaction took everything from the offset to the end of this segment.
            index += 1
        return LogRead([], 0)

    def _position_of(self, segment: Segment, offset: int) -> int:
        position = segment.recent_position(offset)
        if position is not None:
            return position
        found = segment.find(offset)
        return found.position if found is not None else segment.size

    def read_bytes(
        self, offset: int, max_bytes: int, *, end_offset: int | None = None, at_least_one_batch: bool = True
    ) -> bytes:
        end_offset = self.end_offset if end_offset is None else end_offset
        found = self.read(offset, max_bytes, end_offset=end_offset, at_least_one_batch=at_least_one_batch)
        return b"".join(part.file.read_at(part.position, part.size) for part in found.slices)

    # looking things up

    def offset_for_time(self, timestamp_ms: int, end_offset: int) -> TimeOffset | None:
        """The first record that is at least that late, below `end_offset`: (timestamp, offset, leader epoch)."""
        return time_lookup.first_at_or_after(
            self.segments, timestamp_ms, log_start_offset=self.log_start_offset, end_offset=end_offset
        )

    def max_timestamp_offset(self) -> TimeOffset | None:
        """The first record with the largest timestamp."""
        return (
            time_lookup.largest(self.segments, self.log_start_offset)
            if self.end_offset > self.log_start_offset
            else None
        )

    def end_offset_for_epoch(self, epoch: int) -> tuple[int, int]:
        """The largest epoch not above `epoch` and the offset where it ends; (-1, -1) when that cannot be said."""
        return self.epochs.end_offset_for(epoch, self.end_offset)

    def aborted_transactions(self, from_offset: int, to_offset: int) -> list[tuple[int, int]]:
        """(producer id, first offset) of the aborted transactions that a reader of the range must skip, in order."""
        found = self.aborted_entries(from_offset, to_offset)
        return sorted(((entry.producer_id, entry.first_offset) for entry in found), key=lambda item: item[1])

    def aborted_entries(self, from_offset: int, to_offset: int, limit: int = NO_LIMIT) -> list[AbortedTransaction]:
        """Aborted transactions that overlap the range, in order of their markers; the first so many. A marker may be in
        a later segment.
        """
        found: list[AbortedTransaction] = []
        for segment in self.segments[max(self.segments.index_of(from_offset), 0) :]:
            if segment.has_aborted_transactions:
                index = segment.transaction_index
                found += index.overlapping(from_offset, to_offset, limit - len(found))
                if index.is_last_for(to_offset) or len(found) == limit:
                    break
        return found

    def end_offset_of(self, read: LogRead) -> int:
        """What was read is below it; at the end of a segment, or of the log, by up to an index interval."""
        if read.segment is None:
            return self.log_start_offset
        last = read.slices[-1]
        bound = read.segment.end_offset_bound(last.position + last.size)
        if bound is not None:
            return bound
        return self.segments.end_offset_of(self.segments.index_of(read.segment.base_offset), self.end_offset)


def _read_segment(
    segment: Segment, offset: int, end_position: int, max_bytes: int, at_least_one_batch: bool
) -> LogRead | None:
    """None when no batch of the segment reaches `offset`."""
    position = segment.recent_position(offset)
    first_size = 0
    if position is None:
        found = segment.find(offset)
        if found is None:
            return None
        position, first_size, _ = found
    size = end_position - position
    if size <= 0:
        return LogRead([], 0)
    file = segment.file()
    if size > max_bytes:
        first_size = first_size or batch_size_at(file, position)
        if first_size <= max_bytes:
            size = max_bytes
        elif at_least_one_batch:
            size = min(size, first_size)
        else:
            return LogRead([], 0)
    return LogRead([FileSlice(file, position, size)], size, segment)
