"""Where to start looking for a timestamp: `.timeindex`, 12-byte entries (largest timestamp so far, offset − base).

Timestamps rise. The offset is the last one of the batch that holds the timestamp. When a segment closes it gets one
more entry, so that its largest timestamp can be read from the end of the file.
"""

import struct
from array import array
from bisect import bisect_left
from typing import Final

from ottla.doors.disk import Buffer

ENTRY_SIZE: Final = 12
_ENTRY: Final = struct.Struct(">qi")


class TimeIndex:
    __slots__ = ("offsets", "timestamps", "written_count")

    def __init__(self) -> None:
        self.timestamps = array("q")
        self.offsets = array("i")
        self.written_count = 0

    def __len__(self) -> int:
        return len(self.offsets)

    def append_if_later(self, timestamp_ms: int, relative_offset: int) -> None:
        if timestamp_ms > (self.timestamps[-1] if self.timestamps else -1):
            self.timestamps.append(timestamp_ms)
            self.offsets.append(relative_offset)

    def lookup(self, timestamp_ms: int) -> int:
        """A relative offset at or below the first record that is at least that late."""
        entry = bisect_left(self.timestamps, timestamp_ms)
        return self.offsets[entry - 1] if entry else 0

    def last(self) -> tuple[int, int]:
        """Largest timestamp and its relative offset; (-1, 0) when there is none."""
        return (self.timestamps[-1], self.offsets[-1]) if self.timestamps else (-1, 0)

    def truncate(self, relative_offset: int) -> bool:
        """Drops the entries of this offset and above. True when some of them are in the file."""
        keep = bisect_left(self.offsets, relative_offset)
        del self.timestamps[keep:]
        del self.offsets[keep:]
        if self.written_count > keep:
            self.written_count = keep
            return True
        return False

    def encoded_from(self, entry: int) -> bytes:
        return b"".join(map(_ENTRY.pack, self.timestamps[entry:], self.offsets[entry:]))


def decode_time_index(data: bytes) -> tuple[TimeIndex, bool]:
    """The entries up to the first that is invalid, and whether that was the end of the data (or only filling)."""
    index = TimeIndex()
    whole = len(data) // ENTRY_SIZE * ENTRY_SIZE
    last_timestamp, last_offset, at = -1, -1, 0
    for timestamp, offset in _ENTRY.iter_unpack(data[:whole]):
        if timestamp <= last_timestamp or offset <= last_offset or timestamp == offset == 0:
            break
        index.timestamps.append(timestamp)
        index.offsets.append(offset)
        last_timestamp, last_offset = timestamp, offset
        at += ENTRY_SIZE
    index.written_count = len(index)
    return index, whole == len(data) and data.count(b"\0", at) == len(data) - at


def last_entry(data: Buffer) -> tuple[int, int]:
    """The entry at the end of a closed index."""
    timestamp, offset = _ENTRY.unpack_from(data)
    return timestamp, offset
