"""Finds the batches of a producer that a snapshot does not name.

Kafka's snapshots keep one batch of each producer, but five may have been in flight when the broker stopped. When the
first of them is sent again it must be known, or the producer is told that it is out of order and cannot go on. So the
log is read backwards from the batch that is known, once, for a producer that asks for it.
"""

from typing import Final

from ottla.log.batch_scan import scan_headers
from ottla.log.producer_state import REMEMBERED_BATCHES, BatchMark, ProducerEntry
from ottla.log.segment import Segment
from ottla.log.segment_list import SegmentList
from ottla.records.batch import advance_sequence

#: What was in flight at the same time lies close together; an event loop waits for this reading.
_LOOK_BACK_BYTES: Final = 8 * 1024 * 1024
_STEP_BYTES: Final = 64 * 1024


class OlderBatches:
    """Owned by a PartitionLog, whose segments it reads. Called by its ProducerStates."""

    __slots__ = ("_segments",)

    def __init__(self, segments: SegmentList) -> None:
        self._segments = segments

    def __call__(self, entry: ProducerEntry) -> list[BatchMark]:
        """What comes before the oldest batch of the entry, oldest first; as many as are remembered together with it.

        Fewer when they are not there any more or lie too far back. Raises OSError.
        """
        oldest = entry.batches[0] if entry.batches else None
        wanted = REMEMBERED_BATCHES - len(entry.batches)
        found: list[BatchMark] = []
        if oldest is None or oldest.first_sequence < 0:
            return found
        left_bytes = _LOOK_BACK_BYTES
        for index in range(self._segments.index_of(oldest.base_offset), -1, -1):
            segment = self._segments[index]
            end = self._position_of(segment, oldest.base_offset)
            while end > 0 and len(found) < wanted and left_bytes > 0:
                start = segment.offset_index.position_below(max(end - _STEP_BYTES, 0))
                for mark in reversed(_marks(segment, start, end, entry)):
                    if mark.last_sequence == advance_sequence((found[0] if found else oldest).first_sequence, -1):
                        found.insert(0, mark)
                left_bytes -= end - start
                end = start
        return found[-wanted:] if wanted > 0 else []

    def _position_of(self, segment: Segment, offset: int) -> int:
        """Where the batch of an offset begins; the end of the segment when it lies behind it."""
        found = segment.find(offset) if segment.size else None
        return segment.size if found is None else found.position


def _marks(segment: Segment, start: int, end: int, entry: ProducerEntry) -> list[BatchMark]:
    marks = []
    for _, header in scan_headers(segment.file(), start, end):
        if header.producer_id != entry.producer_id or header.producer_epoch != entry.epoch or header.is_control:
            continue
        if header.base_sequence >= 0:
            marks.append(
                BatchMark(
                    header.base_sequence,
                    header.last_sequence,
                    header.base_offset,
                    header.last_offset,
                    header.max_timestamp,
                )
            )
    return marks
