"""Where to start looking for an offset: `.index`, 8-byte entries (offset − base, position of its batch).

The offset is the last one of the batch, so the entry at or below an offset never points behind the batch that holds it.
"""

import sys
from array import array
from bisect import bisect_left, bisect_right
from typing import Final

ENTRY_SIZE: Final = 8


class OffsetIndex:
    """The index of one segment, in memory. `written_count` entries are in its file already."""

    __slots__ = ("offsets", "positions", "written_count")

    def __init__(self) -> None:
        self.offsets = array("i")
        self.positions = array("i")
        self.written_count = 0

    def __len__(self) -> int:
        return len(self.offsets)

    def append(self, relative_offset: int, position: int) -> None:
        self.offsets.append(relative_offset)
        self.positions.append(position)

    def lookup(self, relative_offset: int) -> int:
        """A position at or before the batch that holds the offset."""
        entry = bisect_right(self.offsets, relative_offset)
        return self.positions[entry - 1] if entry else 0

    def position_below(self, limit: int) -> int:
        """The greatest indexed position that is less than `limit`, or 0."""
        entry = bisect_left(self.positions, limit)
        return self.positions[entry - 1] if entry else 0

    def offset_from(self, position: int) -> int | None:
        """The offset of the first entry whose batch is at `position` or behind it."""
        entry = bisect_left(self.positions, position)
        return self.offsets[entry] if entry < len(self.positions) else None

    def truncate(self, relative_offset: int) -> bool:
        """Drops the entries of this offset and above. True when some of them are in the file."""
        keep = bisect_left(self.offsets, relative_offset)
        del self.offsets[keep:]
        del self.positions[keep:]
        if self.written_count > keep:
            self.written_count = keep
            return True
        return False

    def encoded_from(self, entry: int) -> bytes:
        both = array("i", bytes(ENTRY_SIZE * (len(self.offsets) - entry)))
        both[0::2] = self.offsets[entry:]
        both[1::2] = self.positions[entry:]
        if sys.byteorder == "little":
            both.byteswap()
        return both.tobytes()


def decode_offset_index(data: bytes, *, log_size: int) -> tuple[OffsetIndex, bool]:
    """The entries up to the first that is invalid, and whether that was the end of the data.

    Kafka makes the file of its active segment larger than it needs: zeros at the end are no damage.
    """
    index = entries_in(data)
    count = _rising_count(index.offsets, index.positions, log_size)
    del index.offsets[count:], index.positions[count:]
    index.written_count = count
    filling = ENTRY_SIZE * count
    is_sound = len(data) % ENTRY_SIZE == 0 and data.count(b"\0", filling) == len(data) - filling
    return index, is_sound


def entries_in(data: bytes) -> OffsetIndex:
    """All whole entries, whatever they are."""
    both = array("i")
    both.frombytes(data[: len(data) // ENTRY_SIZE * ENTRY_SIZE])
    if sys.byteorder == "little":
        both.byteswap()
    index = OffsetIndex()
    index.offsets, index.positions = both[0::2], both[1::2]
    return index


def _rising_count(offsets: "array[int]", positions: "array[int]", log_size: int) -> int:
    last_offset, last_position = -1, -1
    for count, (offset, position) in enumerate(zip(offsets, positions, strict=True)):
        # The first batch of a segment never gets an entry, so a position of 0 is filling.
        if offset <= last_offset or not max(last_position, 0) < position < log_size:
            return count
        last_offset, last_position = offset, position
    return len(offsets)
