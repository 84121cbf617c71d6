"""When the active segment is full."""

from typing import Final

from ottla.config.topic_options import TopicOptions
from ottla.log import offset_index, time_index
from ottla.log.segment import Segment

_RELATIVE_OFFSET_MAX: Final = 2**31 - 1
_NEVER_MS: Final = 1 << 62


class RollRules:
    """Kafka's rules: by size, by the age of the first record, when an index is full, when offsets do not fit."""

    __slots__ = ("_age_ms_max", "_entries_max", "may_fill_index", "roll_at_ms", "segment_bytes")

    def __init__(self, options: TopicOptions, jitter_ms: int) -> None:
        self.segment_bytes = options.internal_segment_bytes or options.segment_bytes
        self._age_ms_max = options.segment_ms - min(jitter_ms, options.segment_ms)
        self._entries_max = min(
            options.segment_index_bytes // offset_index.ENTRY_SIZE, options.segment_index_bytes // time_index.ENTRY_SIZE
        )
        # With usual settings the segment is full long before its index: then the hot path need not look.
        self.may_fill_index = self._entries_max * (options.index_interval_bytes + 1) < self.segment_bytes
        self.roll_at_ms = _NEVER_MS

    def watch(self, active: Segment, now_ms: int) -> None:
        """Notes when `active` will be too old. A first record from the future counts as written now."""
        if active.size == 0:
            self.roll_at_ms = _NEVER_MS
            return
        first_ms = active.start_timestamp()
        start_ms = min(first_ms, now_ms) if first_ms >= 0 else now_ms
        self.roll_at_ms = min(start_ms + self._age_ms_max, _NEVER_MS)

    def is_due(self, active: Segment, size: int, last_offset: int, max_timestamp: int, now_ms: int) -> bool:
        """Whether a batch of `size` bytes up to `last_offset` must go into a new segment."""
        return (
            active.size + size > self.segment_bytes
            # A record from the future must not make the segments of today roll one by one.
            or (max_timestamp if max_timestamp < now_ms else now_ms) > self.roll_at_ms
            or last_offset - active.base_offset > _RELATIVE_OFFSET_MAX
            or (self.may_fill_index and len(active.offset_index) >= self._entries_max)
        )

    def is_too_old(self, now_ms: int) -> bool:
        return now_ms > self.roll_at_ms
