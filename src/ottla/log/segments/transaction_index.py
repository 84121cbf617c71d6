"""Which transactions were aborted: `.txnindex`, 34-byte entries, created only when a transaction aborts.

A partition may have hundreds of thousands of them, and every read_committed fetch asks for those that overlap what it
returns. So they are kept as one array for each field, and nothing here walks over all of them.
"""

import struct
import sys
from array import array
from bisect import bisect_left
from itertools import islice
from operator import lt
from typing import Final, NamedTuple

from ottla.doors.disk import Buffer

_ENTRY: Final = struct.Struct(">hqqqq")
ENTRY_SIZE: Final = _ENTRY.size
_VERSION: Final = 0
_VERSION_SIZE: Final = 2
#: So many entries share a note of the lowest first offset among them.
_BLOCK: Final = 256
NO_LIMIT: Final = sys.maxsize


class AbortedTransaction(NamedTuple):
    """`last_offset` is that of the abort marker; `last_stable_offset` the one right after it was written."""

    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int


class TransactionIndex:
    """The aborted transactions whose markers are in one segment, in order of the markers.

    Last offsets rise. Last stable offsets never fall: whoever is still open keeps them down, and nobody begins below.
    """

    __slots__ = ("_first_offsets", "_last_offsets", "_lowest", "_producer_ids", "_stable_offsets", "written_count")

    def __init__(self) -> None:
        self._producer_ids = array("q")
        self._first_offsets = array("q")
        self._last_offsets = array("q")
        self._stable_offsets = array("q")
        #: For each full block: the lowest first offset in it.
        self._lowest: list[int] = []
        self.written_count = 0

    def __len__(self) -> int:
        return len(self._last_offsets)

    @property
    def entries(self) -> list[AbortedTransaction]:
        return [self._entry(index) for index in range(len(self))]

    @property
    def last(self) -> AbortedTransaction:
        return self._entry(len(self) - 1)

    def _entry(self, index: int) -> AbortedTransaction:
        return AbortedTransaction(
            self._producer_ids[index],
            self._first_offsets[index],
            self._last_offsets[index],
            self._stable_offsets[index],
        )

    def append(self, entry: AbortedTransaction) -> None:
        self._producer_ids.append(entry.producer_id)
        self._first_offsets.append(entry.first_offset)
        self._last_offsets.append(entry.last_offset)
        self._stable_offsets.append(entry.last_stable_offset)

    def truncate(self, offset: int) -> bool:
        """Drops the entries whose markers are at `offset` or above. True when some of them are in the file."""
        self._cut(bisect_left(self._last_offsets, offset))
        if self.written_count > len(self):
            self.written_count = len(self)
            return True
        return False

    def _cut(self, count: int) -> None:
        for column in (self._producer_ids, self._first_offsets, self._last_offsets, self._stable_offsets):
            del column[count:]
        del self._lowest[count // _BLOCK :]

    # looking things up

    def overlapping(self, from_offset: int, to_offset: int, limit: int = NO_LIMIT) -> list[AbortedTransaction]:
        """The transactions with an offset in the range, in order of their markers; the first so many."""
        first = bisect_left(self._last_offsets, from_offset)
        # Whoever ended below the end of the range also began there. The others must be looked at, up to the marker
        # after which nobody was open that began below the end.
        open_at_end = max(first, bisect_left(self._last_offsets, to_offset))
        stop = min(len(self), bisect_left(self._stable_offsets, to_offset) + 1)
        found = list(range(first, min(open_at_end, first + limit)))
        if len(found) < limit:
            found += self._begun_below(to_offset, open_at_end, stop)
        return [self._entry(index) for index in found[:limit]]

    def is_last_for(self, to_offset: int) -> bool:
        """Whether no later segment has a transaction that began below `to_offset`."""
        return bool(self._stable_offsets) and self._stable_offsets[-1] >= to_offset

    def _begun_below(self, offset: int, start: int, stop: int) -> list[int]:
        """Entries from `start` to `stop`. One long transaction may enclose very many short ones: whole blocks of those
        are passed over.
        """
        found: list[int] = []
        while start < stop:
            block, at = divmod(start, _BLOCK)
            end = min(stop, start - at + _BLOCK)
            if at or end - start < _BLOCK or self._lowest_of(block) < offset:
                firsts = self._first_offsets[start:end]
                found += [index for index, first in enumerate(firsts, start) if first < offset]
            start = end
        return found

    def _lowest_of(self, block: int) -> int:
        """Of a full block. Noted when it is first asked for."""
        lowest, firsts = self._lowest, self._first_offsets
        while len(lowest) <= block:
            start = len(lowest) * _BLOCK
            lowest.append(min(firsts[start : start + _BLOCK]))
        return lowest[block]

    # the file

    def encoded_from(self, entry: int) -> bytes:
        return b"".join(_ENTRY.pack(_VERSION, *self._entry(index)) for index in range(entry, len(self)))

    @classmethod
    def of_columns(cls, data: bytes) -> "TransactionIndex":
        """Of whole entries, not checked."""
        index = cls()
        for number, column in enumerate(
            (index._producer_ids, index._first_offsets, index._last_offsets, index._stable_offsets)
        ):
            column.frombytes(_field(data, _VERSION_SIZE + 8 * number))
            if sys.byteorder == "little":
                column.byteswap()
        return index

    def sound_count(self, base_offset: int) -> int:
        """How many entries there are before the first that is invalid."""
        firsts, lasts = self._first_offsets, self._last_offsets
        if not lasts or (
            lasts[0] >= base_offset and all(map(lt, firsts, lasts)) and all(map(lt, lasts, islice(lasts, 1, None)))
        ):
            return len(self)
        last_offset = base_offset - 1
        for count, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
            if not max(first, last_offset) < last:
                return count
            last_offset = last
        return len(self)

    def keep(self, count: int) -> None:
        """The first so many, as they are in the file."""
        self._cut(count)
        self.written_count = count


def _field(data: bytes, position: int) -> bytearray:
    """One field of all entries, put together byte by byte: much faster than unpacking each entry."""
    field = bytearray(8 * (len(data) // ENTRY_SIZE))
    for byte in range(8):
        field[byte::8] = data[position + byte :: ENTRY_SIZE]
    return field


def decode_transaction_index(data: Buffer, base_offset: int) -> tuple[TransactionIndex, bool]:
    """The entries up to the first that is invalid, and whether that was the end of the data."""
    whole = bytes(data[: len(data) // ENTRY_SIZE * ENTRY_SIZE])
    index = TransactionIndex.of_columns(whole)
    count = min(index.sound_count(base_offset), _known_version_count(whole))
    is_sound = count * ENTRY_SIZE == len(data)
    index.keep(count)
    return index, is_sound


def _known_version_count(data: bytes) -> int:
    high, low = data[0::ENTRY_SIZE], data[1::ENTRY_SIZE]
    return len(high) - max(len(high.lstrip(b"\0")), len(low.lstrip(bytes([_VERSION]))))
