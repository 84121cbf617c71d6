"""Writes the output of compaction: `.cleaned` files of one group of segments, with their indexes."""

import contextlib
import posixpath

from ottla.doors.disk import Buffer, Disk, File
from ottla.log.compaction.cleaning_plan import INT32_MAX
from ottla.log.segments.index_builder import BuiltIndexes, IndexBuilder
from ottla.log.segments.log_directory import (
    CLEANED,
    LOG,
    OFFSET_INDEX,
    SEGMENT_SUFFIXES,
    TIME_INDEX,
    TRANSACTION_INDEX,
    file_name,
)
from ottla.log.segments.offset_index import OffsetIndex
from ottla.log.segments.time_index import TimeIndex
from ottla.log.segments.transaction_index import AbortedTransaction, TransactionIndex
from ottla.records.batch import read_header

_WRITE_BYTES = 1024 * 1024


class CleanedSegmentWriter:
    """One segment, or more in the rare case that rewritten batches outgrow what an index can address."""

    def __init__(self, disk: Disk, directory: str, base_offset: int, index_interval_bytes: int) -> None:
        self._disk = disk
        self._directory = directory
        self._index_interval_bytes = index_interval_bytes
        self.base_offsets: list[int] = []
        # The segment being written; `_begin` resets it for each of them.
        self._base_offset: int
        self._file: File
        self._pending: bytearray
        self._position: int
        self._indexes: BuiltIndexes
        self._builder: IndexBuilder
        self._transactions: TransactionIndex
        self._begin(base_offset)

    def append(self, batch: Buffer) -> None:
        header = read_header(batch)
        size = len(batch)
        if self._position + size > INT32_MAX or header.last_offset - self._base_offset > INT32_MAX:
            self._end()
            self._begin(header.base_offset)
        self._builder.note(self._position, size, header.last_offset, header.max_timestamp)
        self._pending += batch
        self._position += size
        if len(self._pending) >= _WRITE_BYTES:
            self._write_pending()

    def note_aborted(self, entry: AbortedTransaction) -> None:
        self._transactions.append(entry)

    def finish(self) -> None:
        """Everything is on the device, but for the names: syncing the directory is the caller's."""
        self._end()

    def abandon(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()
        for base_offset in self.base_offsets:
            remove_cleaned(self._disk, self._directory, base_offset)

    def _begin(self, base_offset: int) -> None:
        self._base_offset = base_offset
        self.base_offsets.append(base_offset)
        remove_cleaned(self._disk, self._directory, base_offset)
        self._file = self._disk.open(self._path(LOG), create=True)
        self._pending = bytearray()
        self._position = 0
        self._indexes = BuiltIndexes(OffsetIndex(), TimeIndex())
        self._builder = IndexBuilder(base_offset, self._index_interval_bytes, self._indexes)
        self._transactions = TransactionIndex()

    def _end(self) -> None:
        self._write_pending()
        self._file.sync()
        self._file.close()
        self._builder.note_latest()
        self._write_index(OFFSET_INDEX, self._indexes.offsets.encoded_from(0))
        self._write_index(TIME_INDEX, self._indexes.times.encoded_from(0))
        if len(self._transactions):
            self._write_index(TRANSACTION_INDEX, self._transactions.encoded_from(0))

    def _write_pending(self) -> None:
        self._file.write_at(self._position - len(self._pending), self._pending)
        self._pending = bytearray()

    def _write_index(self, suffix: str, data: bytes) -> None:
        file = self._disk.open(self._path(suffix), create=True)
        try:
            file.write_at(0, data)
            file.sync()
        finally:
            file.close()

    def _path(self, suffix: str) -> str:
        return posixpath.join(self._directory, file_name(self._base_offset, suffix + CLEANED))


def remove_cleaned(disk: Disk, directory: str, base_offset: int) -> None:
    """Removes what an unfinished or unwanted cleaning has written."""
    for suffix in SEGMENT_SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            disk.remove(posixpath.join(directory, file_name(base_offset, suffix + CLEANED)))
