"""Finds the batches of a producer that a snapshot does not name.

Kafka's snapshots keep one batch of each producer, but five may have been in flight when the broker stopped. When the
first of them is sent again it must be known, or the producer gets OUT_OF_ORDER_SEQUENCE_NUMBER and cannot continue. So
the log is read backwards from the batch that is known, once, for a producer that asks for it.

Mostly that is one short step. What lies further back is read in many of them, so that others are served in between;
meanwhile the log may change (`ProducerStates.learn` looks whether the outcome still counts).
"""

from collections import deque
from typing import Final

from ottla.log.producers.producer_entry import REMEMBERED_BATCHES, ProducerBatch, ProducerEntry
from ottla.log.segments.batch_scan import scan_headers
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_list import SegmentList
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import BatchHeader, advance_sequence

#: What was in flight at the same time lies close together.
_LOOK_BACK_BYTES: Final = 8 * 1024 * 1024
#: An event loop waits for this: with the smallest batches it is a thousand of them.
_STEP_BYTES: Final = 64 * 1024


class OlderBatches:
    """Owned by a PartitionLog, whose segments it reads. Called by its ProducerStates."""

    __slots__ = ("_segments",)

    def __init__(self, segments: SegmentList) -> None:
        self._segments = segments

    def __call__(self, entry: ProducerEntry) -> "OlderSearch":
        return OlderSearch(self._segments, entry)


class _Stretch:
    """A piece of a segment that is read forwards, from an index entry on. `batches` are those of the producer in it."""

    __slots__ = ("batches", "end", "first_offset", "position", "segment")

    def __init__(self, segment: Segment, start: int, end: int) -> None:
        self.segment = segment
        self.position = start
        self.end = end
        self.first_offset = -1
        self.batches: deque[ProducerBatch] = deque(maxlen=4 * REMEMBERED_BATCHES)


class OlderSearch:
    """One search for one producer. `found` comes before the oldest batch of the entry, oldest first."""

    __slots__ = ("_before_offset", "_left_bytes", "_segments", "_stretch", "_wanted", "entry", "found", "oldest")

    def __init__(self, segments: SegmentList, entry: ProducerEntry) -> None:
        self.entry = entry
        self.oldest = entry.batches[0] if entry.batches else None
        self.found: list[ProducerBatch] = []
        self._segments = segments
        self._wanted = REMEMBERED_BATCHES - len(entry.batches)
        #: From here on everything has been looked at.
        self._before_offset = -1
        if self.oldest is not None and self.oldest.first_sequence >= 0:
            self._before_offset = self.oldest.base_offset
        self._left_bytes = _LOOK_BACK_BYTES
        self._stretch: _Stretch | None = None

    def run(self) -> list[ProducerBatch]:
        """To the end, here and now."""
        while not self.step():
            pass
        return self.found

    def step(self) -> bool:
        """Looks at some more of the log; True when that was all. Raises OSError and CorruptLog.

        There may be fewer than wanted: they are not there any more, or lie too far back.
        """
        step_bytes = _STEP_BYTES
        while step_bytes > 0:
            stretch = self._stretch
            if stretch is None or stretch.segment.is_released:
                stretch = self._stretch = self._next_stretch()
            if stretch is None:
                return True
            before = stretch.position
            self._read(stretch, step_bytes)
            if stretch.position == before:
                # The bytes are not a batch: whoever reads them for their own sake reports it.
                return True
            step_bytes -= stretch.position - before
            if stretch.position >= stretch.end:
                self._take(stretch)
        return False

    def _next_stretch(self) -> _Stretch | None:
        """None when there is nothing left to look for, or to look at."""
        while len(self.found) < self._wanted and self._before_offset > self._segments.first_base_offset:
            segment = self._segments[self._segments.index_of(self._before_offset - 1)]
            end = self._position_of(segment, self._before_offset)
            start = segment.indexes.position_below(max(end - _STEP_BYTES, 0))
            if end - start > self._left_bytes:
                return None
            if end > 0:
                self._left_bytes -= end - start
                return _Stretch(segment, start, end)
            self._before_offset = segment.base_offset
        return None

    def _position_of(self, segment: Segment, offset: int) -> int:
        """Where the batch of an offset begins; the end of the segment when it lies behind it."""
        found = segment.find(offset) if segment.size else None
        return segment.size if found is None else found.position

    def _read(self, stretch: _Stretch, step_bytes: int) -> None:
        stop = stretch.position + step_bytes
        for position, header in scan_headers(stretch.segment.file(), stretch.position, stretch.end):
            if stretch.first_offset < 0:
                stretch.first_offset = header.base_offset
            if self._is_wanted(header):
                stretch.batches.append(ProducerBatch.stored(header))
            stretch.position = position + header.size
            if stretch.position >= stop:
                return

    def _is_wanted(self, header: BatchHeader) -> bool:
        entry = self.entry
        return (
            header.producer_id == entry.producer_id
            and header.producer_epoch == entry.epoch
            and not header.is_control
            and header.base_sequence >= 0
        )

    def _take(self, stretch: _Stretch) -> None:
        """What continues the chain of sequences to the front."""
        assert self.oldest is not None
        for batch in reversed(stretch.batches):
            following = self.found[0] if self.found else self.oldest
            if batch.last_sequence == advance_sequence(following.first_sequence, -1):
                self.found.insert(0, batch)
        del self.found[: -self._wanted]
        self._before_offset = stretch.first_offset
        self._stretch = None


class TakesLong(Refused):
    """The batch has to be checked apart before it can be appended; so far nothing was done.

    With `search` the log has to be searched for earlier batches of its producer; otherwise its records are too many.
    """

    def __init__(self, search: OlderSearch | None = None) -> None:
        super().__init__(ErrorCode.UNKNOWN_SERVER_ERROR, "the batch cannot be checked in place")
        self.search = search
