"""Offsets by timestamp."""

from typing import NamedTuple

from ottla.log.segments.batch_scan import scan_headers
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_list import SegmentList
from ottla.model.errors import CorruptLog
from ottla.records.batch import BatchHeader
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_records
from ottla.records.record import Record


class TimeOffset(NamedTuple):
    timestamp: int
    offset: int
    leader_epoch: int


def first_at_or_after(
    segments: SegmentList, timestamp_ms: int, *, log_start_offset: int, end_offset: int
) -> TimeOffset | None:
    """The first record that is at least that late, below `end_offset`."""
    for segment in segments:
        if segment.base_offset >= end_offset:
            break
        if segment.size == 0 or segment.largest_timestamp() < timestamp_ms:
            continue
        found = _first_in_segment(segment, timestamp_ms, log_start_offset)
        if found is not None:
            return found if found.offset < end_offset else None
    return None


def _first_in_segment(segment: Segment, timestamp_ms: int, log_start_offset: int) -> TimeOffset | None:
    start = segment.indexes.position_before_time(timestamp_ms)
    for position, header in scan_headers(segment.file(), start, segment.size):
        if header.max_timestamp < timestamp_ms or header.last_offset < log_start_offset:
            continue
        for record in _records(segment, position, header):
            if record.timestamp_ms >= timestamp_ms and record.offset >= log_start_offset:
                return TimeOffset(record.timestamp_ms, record.offset, header.leader_epoch)
    return None


def largest(segments: SegmentList, log_start_offset: int) -> TimeOffset | None:
    """The record with the largest timestamp; the first of them if there are several."""
    best: Segment | None = None
    for segment in segments:
        if segment.size and (best is None or segment.largest_timestamp() > best.largest_timestamp()):
            best = segment
    if best is None or best.largest_timestamp() < 0:
        return None
    found = best.find(best.builder.max_timestamp_offset)
    if found is None:
        return None
    first = next(scan_headers(best.file(), found.position, best.size), None)
    if first is None:
        raise CorruptLog(best.path(), found.position, "the bytes are not a record batch")
    header = first[1]
    records = [record for record in _records(best, found.position, header) if record.offset >= log_start_offset]
    if not records:
        return TimeOffset(header.max_timestamp, header.last_offset, header.leader_epoch)
    latest = max(records, key=lambda record: record.timestamp_ms)
    return TimeOffset(latest.timestamp_ms, latest.offset, header.leader_epoch)


def _records(segment: Segment, position: int, header: BatchHeader) -> list[Record]:
    try:
        return list(iterate_records(segment.file().read_at(position, header.size), 0, header))
    except CorruptRecord as error:
        raise CorruptLog(segment.path(), position, str(error)) from error
