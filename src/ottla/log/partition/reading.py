"""Reads of a log: parts of its files by offset, and the aborted transactions that a reader has to skip."""

from ottla.doors.disk import File, FileSlice
from ottla.log.segments.batch_scan import batch_size_at
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_list import SegmentList
from ottla.log.segments.transaction_index import NO_LIMIT, AbortedTransaction


class LogRead(FileSlice):
    """The batches that a read found: a part of the file of one segment."""

    __slots__ = ("segment",)

    def __init__(self, file: File, position: int, size: int, segment: Segment) -> None:
        self.file = file
        self.position = position
        self.size = size
        self.segment = segment


def read_segment(
    segment: Segment, offset: int, end_position: int, max_bytes: int, at_least_one_batch: bool
) -> LogRead | None:
    """None when nothing fits, or no batch of the segment reaches `offset`."""
    position = segment.recent_position(offset)
    first_size = 0
    if position is None:
        found = segment.find(offset)
        if found is None:
            return None
        position, first_size, _ = found
    size = end_position - position
    if size <= 0:
        return None
    file = segment.file()
    if size > max_bytes:
        first_size = first_size or batch_size_at(file, position)
        if first_size <= max_bytes:
            size = max_bytes
        elif at_least_one_batch:
            size = min(size, first_size)
        else:
            return None
    return LogRead(file, position, size, segment)


def read_closed(
    segments: SegmentList,
    offset: int,
    max_bytes: int,
    *,
    end_offset: int,
    log_end_offset: int,
    at_least_one_batch: bool,
) -> LogRead | None:
    """Of the segment that holds `offset`, which is not the active one, or the first with batches behind it."""
    index = segments.index_of(offset)
    while index < len(segments):
        segment = segments[index]
        if segment.base_offset >= end_offset:
            break
        is_whole = end_offset >= segments.end_offset_of(index, log_end_offset)
        end_position = segment.size if is_whole else position_of(segment, end_offset)
        found = read_segment(segment, offset, end_position, max_bytes, at_least_one_batch)
        if found is not None or segment.find(offset) is not None:
            return found
        # Compaction took everything from the offset to the end of this segment.
        index += 1
    return None


def position_of(segment: Segment, offset: int) -> int:
    position = segment.recent_position(offset)
    if position is not None:
        return position
    found = segment.find(offset)
    return found.position if found is not None else segment.size


def end_offset_bound(segments: SegmentList, read: LogRead, log_end_offset: int) -> int:
    """What was read is below it; at the end of a segment, or of the log, by up to an index interval."""
    bound = read.segment.indexes.end_offset_bound(read.position + read.size)
    if bound is not None:
        return bound
    return segments.end_offset_of(segments.index_of(read.segment.base_offset), log_end_offset)


def aborted_entries(
    segments: SegmentList, from_offset: int, to_offset: int, limit: int = NO_LIMIT
) -> list[AbortedTransaction]:
    """Aborted transactions that overlap the range, in order of their markers; the first so many. A marker may be in
    a later segment.
    """
    found: list[AbortedTransaction] = []
    for segment in segments[max(segments.index_of(from_offset), 0) :]:
        if segment.indexes.has_aborted_transactions:
            index = segment.indexes.transactions
            found += index.overlapping(from_offset, to_offset, limit - len(found))
            if index.is_last_for(to_offset) or len(found) == limit:
                break
    return found
