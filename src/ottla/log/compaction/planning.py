"""Which logs to clean, how far, and in which groups. Decides only; `segment_cleaning` does the work.

Never touched: the active segment, anything at or above the last stable offset (so neither un-replicated records nor
open transactions), and records younger than min.compaction.lag.ms.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ottla.log.compaction.cleaning_plan import INT32_MAX, CleaningPlan, SegmentToClean
from ottla.log.partition_log import PartitionLog


class Dirtiness(NamedTuple):
    """How much there is to clean in one log."""

    first_dirty_offset: int
    end_offset: int
    clean_bytes: int
    dirty_bytes: int
    #: max.compaction.lag.ms has passed for some record.
    is_overdue: bool

    @property
    def ratio(self) -> float:
        total_bytes = self.clean_bytes + self.dirty_bytes
        return self.dirty_bytes / total_bytes if total_bytes else 0.0

    def deserves_cleaning(self, min_ratio: float) -> bool:
        if not self.dirty_bytes:
            return False
        return self.is_overdue or self.ratio > min_ratio


def measure(log: PartitionLog, cleaned_to: int | None, now_ms: int) -> Dirtiness:
    """`cleaned_to` is the checkpointed offset; what lies outside the log (re-created, truncated) counts for nothing."""
    segments = segments_of(log)
    if cleaned_to is None or not log.log_start_offset <= cleaned_to <= log.end_offset:
        cleaned_to = log.log_start_offset
    end_offset = _first_uncleanable(log, segments, cleaned_to, now_ms)
    clean_bytes = dirty_bytes = 0
    for segment in segments:
        if segment.end_offset <= cleaned_to:
            clean_bytes += segment.size_bytes
        elif segment.base_offset < end_offset:
            dirty_bytes += segment.size_bytes
    is_overdue = _is_overdue(log, segments, cleaned_to, end_offset, now_ms)
    return Dirtiness(cleaned_to, end_offset, clean_bytes, dirty_bytes, is_overdue)


def make_plan(log: PartitionLog, dirtiness: Dirtiness, now_ms: int, map_memory_bytes: int) -> CleaningPlan:
    options = log.options
    segments = [segment for segment in segments_of(log) if segment.base_offset < dirtiness.end_offset]
    segment_bytes = options.internal_segment_bytes or options.segment_bytes
    return CleaningPlan(
        log.topic_partition,
        log.topic_id,
        log.directory,
        tuple(grouped(segments, segment_bytes)),
        dirtiness.first_dirty_offset,
        dirtiness.end_offset,
        now_ms,
        options.delete_retention_ms,
        options.index_interval_bytes,
        map_memory_bytes,
        tuple(log.aborted_entries(segments[0].base_offset, dirtiness.end_offset)),
        _last_of_producers(log),
    )


def _last_of_producers(log: PartitionLog) -> dict[int, tuple[int, int]]:
    """A producer whose epoch was raised by a marker has no data in that epoch yet."""
    return {
        producer_id: (entry.batches[-1].last_offset if entry.batches else -1, entry.epoch)
        for producer_id, entry in log.producers.entries.items()
    }


def segments_of(log: PartitionLog) -> list[SegmentToClean]:
    """The closed segments: the active one has no end yet."""
    found = list(log.segments)
    return [
        SegmentToClean(segment.base_offset, following.base_offset, segment.size)
        for segment, following in pairwise(found)
    ]


def grouped(segments: Sequence[SegmentToClean], max_segment_bytes: int) -> list[tuple[SegmentToClean, ...]]:
    """Neighbours that fit into one segment together. One that is too large alone is a group of its own."""
    groups: list[list[SegmentToClean]] = []
    size_bytes = 0
    for segment in segments:
        if (
            groups
            and size_bytes + segment.size_bytes <= max_segment_bytes
            and segment.end_offset - groups[-1][0].base_offset <= INT32_MAX
        ):
            groups[-1].append(segment)
            size_bytes += segment.size_bytes
        else:
            groups.append([segment])
            size_bytes = segment.size_bytes
    return [tuple(group) for group in groups]


def _first_uncleanable(log: PartitionLog, segments: Sequence[SegmentToClean], dirty_from: int, now_ms: int) -> int:
    """The base offset of the first segment that must not be cleaned yet."""
    limit = min(log.last_stable_offset, log.high_watermark)
    newest_ms = now_ms - log.options.min_compaction_lag_ms
    end_offset = segments[0].base_offset if segments else log.log_start_offset
    for segment, details in zip(segments, log.segments, strict=False):
        if segment.end_offset > limit:
            break
        if (
            log.options.min_compaction_lag_ms > 0
            and segment.end_offset > dirty_from
            and details.largest_timestamp() > newest_ms
        ):
            break
        end_offset = segment.end_offset
    return end_offset


def _is_overdue(
    log: PartitionLog, segments: Sequence[SegmentToClean], dirty_from: int, end_offset: int, now_ms: int
) -> bool:
    oldest_ms = now_ms - log.options.max_compaction_lag_ms
    if oldest_ms <= 0:
        return False
    for segment, details in zip(segments, log.segments, strict=False):
        if segment.end_offset <= dirty_from or segment.base_offset >= end_offset:
            continue
        first_ms = details.start_timestamp()
        if 0 <= first_ms < oldest_ms:
            return True
    return False
