"""Indexes of a closed segment, searched where they are: in their files.

An index of a full segment has a quarter of a million entries. To load it takes a tenth of a second and megabytes, to
search it in its file some reads of a few bytes. Of the offset index one block stays in memory: a sequential reader
through the segment finds its next places there.

The files have no checksum. What a search touches must rise and fit the log file, or the index is `IndexDamaged`: then
it is rebuilt from the log. A wrong position that is not noticed here is noticed by whoever reads there.
"""

import struct
from array import array
from bisect import bisect_left
from itertools import pairwise
from operator import lt
from typing import Final

from ottla.doors.disk import Disk, File
from ottla.log.segments import offset_index, time_index
from ottla.log.segments.offset_index import OffsetIndex, entries_in

BLOCK_ENTRIES: Final = 512
#: A block in memory with all around it.
BLOCK_BYTES: Final = 6 * 1024
_OFFSET_ENTRY: Final = struct.Struct(">ii")
_TIME_ENTRY: Final = struct.Struct(">qi")
_NO_KEY: Final = 1 << 62
_OFFSET, _POSITION = 0, 1


class IndexDamaged(Exception):
    """The file is missing, or holds what cannot be right."""


class StoredOffsetIndex:
    """Gives the responses that an `OffsetIndex` of the same file would give. Owned by a Segment."""

    __slots__ = ("_block", "_count", "_disk", "_first", "_following", "_log_size", "_path")

    def __init__(self, disk: Disk, path: str, *, log_size: int, may_be_empty: bool) -> None:
        self._disk = disk
        self._path = path
        self._log_size = log_size
        file = _opened(disk, path)
        size = file.size()
        self._count = size // offset_index.ENTRY_SIZE
        if size % offset_index.ENTRY_SIZE or (not size and not may_be_empty):
            raise IndexDamaged(f"{path}: {size} bytes")
        #: Entries from number `_first` on, and the one behind them.
        self._first = 0
        self._block = OffsetIndex()
        self._following: tuple[int, int] = (_NO_KEY, _NO_KEY)
        if self._count:
            self._read_block(file, 0)
            offset, position = self._entry(file, self._count - 1)
            if offset < 0 or not 0 < position < log_size:
                # Zeros, where Apache Kafka did not come to cut the file.
                raise IndexDamaged(f"{path}: the last entry is {offset} -> {position}")

    def lookup(self, relative_offset: int) -> int:
        """A position at or before the batch that holds the offset."""
        rank = self._rank(_OFFSET, relative_offset + 1)
        return self._at(rank - 1)[_POSITION] if rank else 0

    def position_below(self, limit: int) -> int:
        """The greatest indexed position that is less than `limit`, or 0."""
        rank = self._rank(_POSITION, limit)
        return self._at(rank - 1)[_POSITION] if rank else 0

    def offset_from(self, position: int) -> int | None:
        """The offset of the first entry whose batch is at `position` or behind it."""
        rank = self._rank(_POSITION, position)
        return self._at(rank)[_OFFSET] if rank < self._count else None

    def _at(self, number: int) -> tuple[int, int]:
        """An entry of the block, or the one behind it."""
        within = number - self._first
        if within == len(self._block):
            return self._following
        return self._block.offsets[within], self._block.positions[within]

    def _rank(self, column: int, key: int) -> int:
        """How many entries are below `key`. The last of these and the first of the others are at hand afterwards."""
        block = self._block
        keys = block.positions if column else block.offsets
        if len(keys) and (keys[0] < key or self._first == 0) and key <= self._following[column]:
            return self._first + bisect_left(keys, key)
        if not self._count:
            return 0
        file = _opened(self._disk, self._path)
        low, high = 0, (self._count - 1) // BLOCK_ENTRIES
        while low < high:
            middle = (low + high + 1) // 2
            if self._entry(file, middle * BLOCK_ENTRIES)[column] < key:
                low = middle
            else:
                high = middle - 1
        self._read_block(file, low * BLOCK_ENTRIES)
        keys = self._block.positions if column else self._block.offsets
        return self._first + bisect_left(keys, key)

    def _entry(self, file: File, number: int) -> tuple[int, int]:
        data = file.read_at(number * offset_index.ENTRY_SIZE, offset_index.ENTRY_SIZE)
        if len(data) < offset_index.ENTRY_SIZE:
            raise IndexDamaged(f"{self._path}: shorter than it was")
        offset, position = _OFFSET_ENTRY.unpack(data)
        return offset, position

    def _read_block(self, file: File, first: int) -> None:
        count = min(BLOCK_ENTRIES + 1, self._count - first)
        size = count * offset_index.ENTRY_SIZE
        data = file.read_at(first * offset_index.ENTRY_SIZE, size)
        if len(data) < size:
            raise IndexDamaged(f"{self._path}: shorter than it was")
        block = entries_in(data)
        offsets, positions = block.offsets, block.positions
        if not (_rises(offsets) and _rises(positions) and offsets[0] >= 0 and positions[0] > 0):
            raise IndexDamaged(f"{self._path}: entries from {first} on do not rise")
        if positions[-1] >= self._log_size:
            raise IndexDamaged(f"{self._path}: {positions[-1]} is behind the end of the log")
        following = (_NO_KEY, _NO_KEY)
        if count > BLOCK_ENTRIES:
            following = (offsets.pop(), positions.pop())
        self._first, self._block, self._following = first, block, following


def _rises(values: "array[int]") -> bool:
    return all(map(lt, values, values[1:]))


def stored_time_lookup(disk: Disk, path: str, timestamp_ms: int) -> int:
    """What `TimeIndex.lookup` of the file gives: a relative offset at or below the first record that is so late."""
    file = _opened(disk, path)
    size = file.size()
    if not size or size % time_index.ENTRY_SIZE:
        raise IndexDamaged(f"{path}: {size} bytes")
    low, high = 0, size // time_index.ENTRY_SIZE
    while low < high:
        middle = (low + high) // 2
        if _time_entry(file, middle)[0] < timestamp_ms:
            low = middle + 1
        else:
            high = middle
    first = max(low - 2, 0)
    near = [_time_entry(file, number) for number in range(first, min(low + 1, size // time_index.ENTRY_SIZE))]
    if any(not (a[0] < b[0] and a[1] < b[1]) for a, b in pairwise(near)) or near[0][1] < 0:
        raise IndexDamaged(f"{path}: entries from {first} on do not rise")
    return near[low - 1 - first][1] if low else 0


def _time_entry(file: File, number: int) -> tuple[int, int]:
    data = file.read_at(number * time_index.ENTRY_SIZE, time_index.ENTRY_SIZE)
    if len(data) < time_index.ENTRY_SIZE:
        raise IndexDamaged(f"{file.path}: shorter than it was")
    timestamp, offset = _TIME_ENTRY.unpack(data)
    if timestamp == offset == 0:
        raise IndexDamaged(f"{file.path}: filled with zeros")
    return timestamp, offset


def _opened(disk: Disk, path: str) -> File:
    try:
        return disk.open(path, read_only=True)
    except FileNotFoundError as error:
        raise IndexDamaged(f"{path}: missing") from error
