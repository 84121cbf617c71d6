"""When the active segment is full, and how the next one is started."""

import contextlib
from collections.abc import Callable
from typing import Final

from ottla.config.topic_options import TopicOptions
from ottla.log.partition.append_checks import larger_than_segment
from ottla.log.partition.log_state import LogState
from ottla.log.partition.name_changes import NameChanges
from ottla.log.segments import offset_index, time_index
from ottla.log.segments.segment import Segment

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
        if active.size + size > self.segment_bytes or last_offset - active.base_offset > _RELATIVE_OFFSET_MAX:
            return True
        # A record from the future must not make the segments of today roll one by one.
        if max_timestamp > self.roll_at_ms and now_ms > self.roll_at_ms:
            return True
        return self.may_fill_index and len(active.indexes.offsets) >= self._entries_max

    def is_too_old(self, now_ms: int) -> bool:
        return now_ms > self.roll_at_ms


class SegmentRoller:
    """A part of PartitionLog. `jitter_below` is `Rng.below`; `restart` must be called before it is used."""

    __slots__ = ("_jitter_below", "_log", "_names", "rules")

    def __init__(self, log: LogState, names: NameChanges, jitter_below: Callable[[int], int] | None) -> None:
        self._log = log
        self._names = names
        self._jitter_below = jitter_below
        self.rules: RollRules

    def restart(self, now_ms: int = _NEVER_MS) -> None:
        """There is another active segment, or there are other options.

        Where the time is not known, a first record from the future is believed.
        """
        options = self._log.options
        jitter_ms = options.segment_jitter_ms
        chosen_ms = self._jitter_below(jitter_ms + 1) if self._jitter_below is not None and jitter_ms > 0 else 0
        self.rules = RollRules(options, chosen_ms)
        self.rules.watch(self._log.segments.active, now_ms)

    @property
    def may_roll_at_once(self) -> bool:
        """A roll need not wait for the device."""
        return self._names.has_durable_start or self._log.segments.active.size == 0

    def is_due(self, now_ms: int) -> bool:
        """The first record is older than segment.ms."""
        return self._log.segments.active.size > 0 and self.rules.is_too_old(now_ms)

    def active_with_room(self, size: int) -> Segment:
        """A new active segment. Raises Refused when no segment has room for so many bytes."""
        if size > self.rules.segment_bytes:
            raise larger_than_segment(size, self.rules.segment_bytes)
        return self.roll()

    def roll(self) -> Segment:
        """Closes the active segment and starts a new one at the end offset. An empty one stays."""
        log = self._log
        active = log.segments.active
        if active.size == 0:
            return active
        if not self._names.has_durable_start:
            # A power loss may keep names in any order: never let the new segment survive the first one.
            self._names.sync()
        active.finish()
        log.snapshots.write(log.end_offset, log.producers)
        fresh = log.segments.start(log.end_offset)
        self._names.changed()
        log.snapshots.written_at_bytes = 0
        self.restart()
        with contextlib.suppress(OSError):
            log.snapshots.keep_for(log.segments)
        return fresh
