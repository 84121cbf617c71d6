"""Which segments are too old, too many, or below the start of the log. Decides only; the log removes them."""

from collections.abc import Sequence

from ottla.config.topic_options import TopicOptions
from ottla.log.segment import Segment


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
    """The time of the newest record; that of the file where records tell nothing, or claim to be from the future.

    Otherwise one record stamped far ahead would keep its segment forever.
    """
    timestamp = segment.largest_timestamp()
    if 0 <= timestamp <= now_ms:
        return timestamp
    return min(segment.directory.disk.modified_ms(segment.path()), now_ms)
