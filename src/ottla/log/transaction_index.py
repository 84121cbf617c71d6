"""Which transactions were aborted: `.txnindex`, 34-byte entries, made only when a transaction aborts."""

import struct
from typing import Final, NamedTuple

from ottla.doors.disk import Buffer

_ENTRY: Final = struct.Struct(">hqqqq")
ENTRY_SIZE: Final = _ENTRY.size
_VERSION: Final = 0


class AbortedTransaction(NamedTuple):
    """`last_offset` is that of the abort marker; `last_stable_offset` the one right after it was written."""

    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int


class TransactionIndex:
    """The aborted transactions whose markers are in one segment, in order of the markers."""

    __slots__ = ("entries", "written_count")

    def __init__(self) -> None:
        self.entries: list[AbortedTransaction] = []
        self.written_count = 0

    def append(self, entry: AbortedTransaction) -> None:
        self.entries.append(entry)

    def truncate(self, offset: int) -> bool:
        """Drops the entries whose markers are at `offset` or above. True when some of them are in the file."""
        while self.entries and self.entries[-1].last_offset >= offset:
            self.entries.pop()
        if self.written_count > len(self.entries):
            self.written_count = len(self.entries)
            return True
        return False

    def encoded_from(self, entry: int) -> bytes:
        return b"".join(_ENTRY.pack(_VERSION, *item) for item in self.entries[entry:])


def decode_transaction_index(data: Buffer, base_offset: int) -> tuple[TransactionIndex, bool]:
    """The entries up to the first that makes no sense, and whether that was the end of the data."""
    index = TransactionIndex()
    whole = len(data) // ENTRY_SIZE * ENTRY_SIZE
    is_sound = whole == len(data)
    last_offset = base_offset - 1
    for version, *fields in _ENTRY.iter_unpack(data[:whole]):
        entry = AbortedTransaction(*fields)
        if version != _VERSION or not max(entry.first_offset, last_offset) < entry.last_offset:
            is_sound = False
            break
        index.append(entry)
        last_offset = entry.last_offset
    index.written_count = len(index.entries)
    return index, is_sound
