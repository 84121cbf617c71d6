"""Compacted segments take the place of those that they were created from, while the log takes appends."""

import contextlib
from collections.abc import Sequence

from ottla.log.partition.flush import LogFlushes
from ottla.log.partition.log_state import LogState
from ottla.log.segments.log_directory import SWAP
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_swap import Steps, discard_cleaned, prepare_swap, swap_in


class SegmentReplacement:
    """A part of PartitionLog."""

    __slots__ = ("_flushes", "_log", "_prepared")

    def __init__(self, log: LogState, flushes: LogFlushes) -> None:
        self._log = log
        self._flushes = flushes
        #: Bases of segments that are to replace others, while the device is waited for.
        self._prepared: list[int] | None = None

    def steps(self, old_bases: Sequence[int], new_bases: Sequence[int]) -> Steps[list[str] | None]:
        """Puts `.cleaned` segments in the place of closed ones; returns the paths of files to remove after a delay.

        None when an old one is not there any more (retention, truncation): then the cleaned files are removed. Between
        the steps the log may be used, and changed, as ever.
        """
        log = self._log
        old = self._closed_segments(old_bases)
        if old is None:
            discard_cleaned(log.log_directory, new_bases)
            return None
        self._flush_up_to(max(old_bases))
        sizes = [segment.size for segment in old]
        prepare_swap(log.log_directory, new_bases)
        self._prepared = list(new_bases)
        yield log.sync_directory
        if self._prepared is None or self._closed_segments(old_bases) != old or sizes != [s.size for s in old]:
            self.abandon()
            return None
        self._prepared = None
        fresh, paths = swap_in(log.log_directory, old, new_bases)
        log.segments.replace(list(old_bases), fresh)
        try:
            yield log.sync_directory
        except GeneratorExit:
            log.unreported_paths += paths
            raise
        with contextlib.suppress(OSError):
            log.snapshots.keep_for(log.segments)
        return paths

    def abandon(self) -> None:
        """The log is about to be, or was, truncated: what compaction has prepared may hold what must not come back."""
        if self._prepared is not None:
            discard_cleaned(self._log.log_directory, self._prepared, SWAP)
            self._prepared = None

    def _closed_segments(self, bases: Sequence[int]) -> list[Segment] | None:
        closed = {segment.base_offset: segment for segment in self._log.segments.closed()}
        return [closed[base] for base in bases] if all(base in closed for base in bases) else None

    def _flush_up_to(self, last_base: int) -> None:
        """Compaction leaves gaps; recovery takes a gap above the recovery point for lost records."""
        log = self._log
        end_offset = log.segments.end_offset_of(log.segments.index_of(last_base), log.end_offset)
        if end_offset > log.recovery_point:
            self._flushes.flush_now()
