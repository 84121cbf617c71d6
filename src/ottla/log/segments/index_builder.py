"""When the indexes of a segment get entries: one for the offset and one for the time, after every so many bytes.

Appends, recovery, compaction and the repair of damaged indexes all note their batches here, in the order of the file.
"""

from typing import Final, NamedTuple, Protocol

from ottla.log.segments.offset_index import OffsetIndex
from ottla.log.segments.time_index import TimeIndex

UNKNOWN: Final = -2


class OffsetsAndTimes(Protocol):
    @property
    def offsets(self) -> OffsetIndex: ...

    @property
    def times(self) -> TimeIndex: ...


class BuiltIndexes(NamedTuple):
    offsets: OffsetIndex
    times: TimeIndex


class IndexBuilder:
    """Owned by a segment, or by whoever builds indexes anew."""

    __slots__ = (
        "_indexed_to",
        "_indexes",
        "base_offset",
        "bytes_since_entry",
        "first_timestamp",
        "interval_bytes",
        "max_timestamp",
        "max_timestamp_offset",
    )

    def __init__(self, base_offset: int, interval_bytes: int, indexes: OffsetsAndTimes) -> None:
        self._indexes = indexes
        self.base_offset = base_offset
        self.interval_bytes = interval_bytes
        self.bytes_since_entry = 0
        #: Batches up to this position have their entries.
        self._indexed_to = 0
        #: Of the first batch; decides when it is time to roll. UNKNOWN until somebody asks.
        self.first_timestamp = UNKNOWN
        #: The largest, -1 without one; UNKNOWN in a segment that was not read yet.
        self.max_timestamp = -1
        self.max_timestamp_offset = base_offset

    def note(self, position: int, size: int, last_offset: int, max_timestamp: int) -> None:
        """The next batch. An entry names the first batch behind the interval, and the largest timestamp up to it."""
        if max_timestamp > self.max_timestamp:
            self.max_timestamp = max_timestamp
            self.max_timestamp_offset = last_offset
        if position == 0:
            self.first_timestamp = max_timestamp
        if self.bytes_since_entry > self.interval_bytes:
            self._indexes.offsets.append(last_offset - self.base_offset, position)
            self.note_latest()
            self.bytes_since_entry = 0
        self.bytes_since_entry += size

    def note_latest(self) -> None:
        """The last entry of a time index holds the largest timestamp of the segment."""
        self._indexes.times.append_if_later(self.max_timestamp, self.max_timestamp_offset - self.base_offset)

    def restart(self) -> None:
        """The indexes are empty, and the first batch comes next."""
        self.max_timestamp = -1
        self.bytes_since_entry = self._indexed_to = 0

    def resume(self) -> int:
        """The indexes have entries already; gives the position from which the batches are to be noted again.

        The time index may lag behind: from its last entry on the batches give the largest timestamp.
        """
        self.max_timestamp, relative = self._indexes.times.last()
        self.max_timestamp_offset = self.base_offset + relative
        self.bytes_since_entry = 0
        offsets = self._indexes.offsets
        self._indexed_to = offsets.positions[-1] if len(offsets) else 0
        return offsets.lookup(relative)

    def note_again(self, position: int, size: int, last_offset: int, max_timestamp: int) -> None:
        """The next batch after `resume`. Only the largest timestamp may be missing of what has its entry already."""
        if position > self._indexed_to or not self._indexed_to:
            self.note(position, size, last_offset, max_timestamp)
            return
        if max_timestamp > self.max_timestamp:
            self.max_timestamp = max_timestamp
            self.max_timestamp_offset = last_offset
        if position == self._indexed_to:
            self.bytes_since_entry = size
