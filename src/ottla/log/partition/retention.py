"""Which segments are too old, too many, or below the start of the log, and how they are taken away."""

from collections.abc import Sequence
from functools import partial

from ottla.config.topic_options import TopicOptions
from ottla.log.partition.log_state import LogState
from ottla.log.partition.name_changes import NameChanges
from ottla.log.partition.roll import SegmentRoller
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_swap import Steps


class RetentionRules:
    __slots__ = ("deletes", "retention_bytes", "retention_ms")

    def __init__(self, options: TopicOptions) -> None:
        self.deletes = "delete" in options.cleanup_policy
        self.retention_ms = options.retention_ms
        self.retention_bytes = options.retention_bytes


def expired_count(
    segments: Sequence[Segment],
    end_offsets: Sequence[int],
    rules: RetentionRules,
    *,
    now_ms: int,
    high_watermark: int,
    log_start_offset: int,
) -> int:
    """How many of the oldest segments may go. One whose records are not all below the high watermark never may."""
    surplus_bytes = sum(segment.size for segment in segments) - rules.retention_bytes
    count = 0
    for segment, end_offset in zip(segments, end_offsets, strict=True):
        is_last = count == len(segments) - 1
        if end_offset > high_watermark or (is_last and segment.size == 0):
            break
        is_surplus = rules.deletes and rules.retention_bytes >= 0 and surplus_bytes >= segment.size
        is_below_start = not is_last and end_offset <= log_start_offset
        if not (is_surplus or is_below_start or (rules.deletes and is_too_old(segment, rules.retention_ms, now_ms))):
            break
        surplus_bytes -= segment.size
        count += 1
    return count


def is_too_old(segment: Segment, retention_ms: int, now_ms: int) -> bool:
    return retention_ms >= 0 and now_ms - newest_ms(segment, now_ms) > retention_ms


def newest_ms(segment: Segment, now_ms: int) -> int:
    """The time of the newest record; that of the file where records have no timestamp, or one in the future.

    Otherwise one record stamped far ahead would keep its segment forever.
    """
    timestamp = segment.largest_timestamp()
    if 0 <= timestamp <= now_ms:
        return timestamp
    return min(segment.directory.disk.modified_ms(segment.path()), now_ms)


class SegmentRetention:
    """A part of PartitionLog. `rules` must be set before it is used."""

    __slots__ = ("_log", "_names", "_roller", "rules")

    def __init__(self, log: LogState, names: NameChanges, roller: SegmentRoller) -> None:
        self._log = log
        self._names = names
        self._roller = roller
        self.rules: RetentionRules

    def expires_all(self, now_ms: int) -> bool:
        """Also the active segment may go: then it is closed first."""
        return self._expired_count(now_ms) == len(self._log.segments)

    def steps(self, now_ms: int) -> Steps[list[str]]:
        """Takes away what retention does not keep; returns the paths of files to remove after a delay.

        Between the steps the log may be used, and changed, as ever.
        """
        log = self._log
        count = self._expired_count(now_ms)
        if count == 0:
            return self._reported()
        if count == len(log.segments):
            self._roller.roll()
        start_offset = log.segments[count].base_offset
        generation = log.generation
        if not self._names.are_durable:
            # Of the segments that become the first ones a power loss must not keep a later one without an earlier.
            job = self._names.job()
            yield job.run
            self._names.synced(job.changes)
            if generation != log.generation:
                return []
        if log.producers.entries and start_offset in log.snapshots.offsets:
            # Nothing else will know the producers of what goes.
            yield partial(log.snapshots.sync, start_offset)
            if generation != log.generation:
                return []
        # The start moves first: no reader may find a hole.
        log.move_start(max(start_offset, log.log_start_offset))
        while log.generation == generation and self._has_segment_below(start_offset):
            log.unreported_paths += log.segments.remove_first(1)
            if self._has_segment_below(start_offset):
                # A power loss may keep names in any order: a segment that is gone before one that is not leaves a hole,
                # and recovery takes that for the end of the log.
                yield log.sync_directory
        if log.generation == generation:
            log.snapshots.keep_for(log.segments)
        return self._reported()

    def _reported(self) -> list[str]:
        paths, self._log.unreported_paths = self._log.unreported_paths, []
        return paths

    def _has_segment_below(self, offset: int) -> bool:
        """The first segment ends there or before."""
        segments = self._log.segments
        return len(segments) > 1 and segments[1].base_offset <= offset

    def _expired_count(self, now_ms: int) -> int:
        log = self._log
        return expired_count(
            list(log.segments),
            [log.segments.end_offset_of(index, log.end_offset) for index in range(len(log.segments))],
            self.rules,
            now_ms=now_ms,
            high_watermark=log.high_watermark,
            log_start_offset=log.log_start_offset,
        )
