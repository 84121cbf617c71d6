"""The three indexes of one segment, in memory or in their files.

Those of the active segment are kept in memory and reach their files at flush, roll and close; those of a closed segment
are searched in their files, or loaded where they are damaged. All can be rebuilt from the log file, and none is trusted
blindly.
"""

from typing import Final, Protocol

from ottla.doors.disk import File
from ottla.log.files.small_files import read_if_exists
from ottla.log.segments.batch_scan import scan_headers
from ottla.log.segments.index_builder import BuiltIndexes, IndexBuilder
from ottla.log.segments.log_directory import LOG, OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX, LogDirectory
from ottla.log.segments.offset_index import ENTRY_SIZE as OFFSET_ENTRY_SIZE
from ottla.log.segments.offset_index import OffsetIndex, decode_offset_index
from ottla.log.segments.segment_cache import CachedSegment
from ottla.log.segments.stored_index import BLOCK_BYTES, IndexDamaged, StoredOffsetIndex, stored_time_lookup
from ottla.log.segments.time_index import ENTRY_SIZE as TIME_ENTRY_SIZE
from ottla.log.segments.time_index import TimeIndex, decode_time_index, last_entry
from ottla.log.segments.transaction_index import ENTRY_SIZE as TRANSACTION_ENTRY_SIZE
from ottla.log.segments.transaction_index import AbortedTransaction, TransactionIndex, decode_transaction_index
from ottla.model.errors import CorruptLog

#: An entry of a transaction index as an object.
_TRANSACTION_BYTES: Final = 200


class IndexedSegment(CachedSegment, Protocol):
    """What the indexes ask of the segment that owns them."""

    base_offset: int
    size: int
    builder: IndexBuilder
    is_active: bool
    is_released: bool
    directory: LogDirectory

    def path(self, suffix: str) -> str: ...

    def file(self) -> File: ...


class SegmentIndexes:
    """Owned by a Segment."""

    __slots__ = (
        "_offsets",
        "_segment",
        "_stored_offsets",
        "_times",
        "_transactions",
        "has_index_file",
        "has_new_name",
        "has_transaction_index",
        "has_unsynced_files",
        "transactions_synced",
        "writes",
    )

    def __init__(self, segment: IndexedSegment) -> None:
        self._segment = segment
        self._offsets: OffsetIndex | None = None
        #: The same for a closed segment, unless it was damaged.
        self._stored_offsets: StoredOffsetIndex | None = None
        self._times: TimeIndex | None = None
        self._transactions: TransactionIndex | None = None
        self.has_transaction_index = False
        #: Was there when the log was opened.
        self.has_index_file = False
        self.transactions_synced = True
        #: The segment is closed, but the final files may not be on the device.
        self.has_unsynced_files = False
        #: The transaction index was created; its name may not be on the device.
        self.has_new_name = False
        #: Counts changes of the files that a flush must bring to the device; one under way has seen only some.
        self.writes = 0

    # finding things

    def position_before(self, offset: int) -> int:
        """A position at or before the batch that holds the offset, by the index."""
        try:
            return self._offset_lookup().lookup(offset - self._segment.base_offset)
        except IndexDamaged:
            return self._load()[0].lookup(offset - self._segment.base_offset)

    def position_below(self, limit: int) -> int:
        """The greatest position in the index that is less than `limit`, or 0."""
        try:
            return self._offset_lookup().position_below(limit)
        except IndexDamaged:
            return self._load()[0].position_below(limit)

    def position_before_time(self, timestamp_ms: int) -> int:
        """A position at or before the first record that is so late, by the indexes."""
        if self._times is not None:
            relative_offset = self._times.lookup(timestamp_ms)
        else:
            try:
                relative_offset = stored_time_lookup(
                    self._segment.directory.disk, self._segment.path(TIME_INDEX), timestamp_ms
                )
            except IndexDamaged:
                relative_offset = self._load()[1].lookup(timestamp_ms)
        return self.position_before(self._segment.base_offset + relative_offset)

    def end_offset_bound(self, position: int) -> int | None:
        """An offset that all batches before `position` are below: near it by the interval of the offset index.

        None when the index has no entry at or behind that position.
        """
        try:
            relative_offset = self._offset_lookup().offset_from(position)
        except IndexDamaged:
            relative_offset = self._load()[0].offset_from(position)
        return None if relative_offset is None else self._segment.base_offset + relative_offset

    def last_time_entry(self) -> tuple[int, int]:
        """The largest timestamp and its relative offset; (-1, 0) without any. Of a closed segment from its file."""
        return self._last_in_file() if self._times is None else self._times.last()

    def _last_in_file(self) -> tuple[int, int]:
        try:
            file = self._segment.directory.disk.open(self._segment.path(TIME_INDEX), read_only=True)
        except FileNotFoundError:
            return -1, 0
        size = file.size()
        if size >= TIME_ENTRY_SIZE and size % TIME_ENTRY_SIZE == 0:
            timestamp, offset = last_entry(file.read_at(size - TIME_ENTRY_SIZE, TIME_ENTRY_SIZE))
            if timestamp > 0 and offset >= 0:
                return timestamp, offset
        return self.times.last()

    # in memory

    def _offset_lookup(self) -> OffsetIndex | StoredOffsetIndex:
        """May raise IndexDamaged, as its responses may."""
        self._segment.is_used = True
        if self._offsets is not None:
            return self._offsets
        stored = self._stored_offsets
        if stored is None:
            may_be_empty = self._segment.size <= 2 * self._segment.builder.interval_bytes
            path = self._segment.path(OFFSET_INDEX)
            stored = StoredOffsetIndex(
                self._segment.directory.disk, path, log_size=self._segment.size, may_be_empty=may_be_empty
            )
            if not self._segment.is_released:
                self._stored_offsets = stored
                self._segment.directory.cache.loaded(self._segment)
        return stored

    @property
    def offsets(self) -> OffsetIndex:
        """All of it; to find something in the index of a closed segment, `position_before` and the like cost less."""
        self._segment.is_used = True
        index = self._offsets
        return index if index is not None else self._load()[0]

    @property
    def times(self) -> TimeIndex:
        self._segment.is_used = True
        index = self._times
        return index if index is not None else self._load()[1]

    @property
    def transactions(self) -> TransactionIndex:
        self._segment.is_used = True
        index = self._transactions
        if index is None:
            index = TransactionIndex()
            if self.has_transaction_index:
                data = read_if_exists(self._segment.directory.disk, self._segment.path(TRANSACTION_INDEX))
                index, _ = decode_transaction_index(data, self._segment.base_offset)
            if not self._segment.is_released:
                self._transactions = index
                if self.has_transaction_index and not self._segment.is_active:
                    self._segment.directory.cache.loaded(self._segment)
        return index

    @property
    def has_aborted_transactions(self) -> bool:
        """Without loading anything."""
        return self.has_transaction_index or bool(self._transactions)

    def aborted_transactions(self) -> list[AbortedTransaction]:
        return self.transactions.entries if self.has_aborted_transactions else []

    def _load(self) -> tuple[OffsetIndex, TimeIndex]:
        """Those of a closed segment. Damaged ones are rebuilt, in memory only."""
        disk = self._segment.directory.disk
        offsets, offsets_sound = decode_offset_index(
            read_if_exists(disk, self._segment.path(OFFSET_INDEX)), log_size=self._segment.size
        )
        times, times_sound = decode_time_index(read_if_exists(disk, self._segment.path(TIME_INDEX)))
        # Whatever holds records has at least the entry that is created when a segment closes.
        is_missing = self._segment.size > 0 and (
            not len(times) or (self._segment.size > 2 * self._segment.builder.interval_bytes and not len(offsets))
        )
        if is_missing or not (offsets_sound and times_sound):
            return self.rebuild()
        return self._keep(offsets, times)

    def _keep(self, offsets: OffsetIndex, times: TimeIndex) -> tuple[OffsetIndex, TimeIndex]:
        if not self._segment.is_released:
            self._offsets, self._times, self._stored_offsets = offsets, times, None
            self._segment.directory.cache.loaded(self._segment)
        return offsets, times

    def rebuild(self) -> tuple[OffsetIndex, TimeIndex]:
        return self._keep(*self._rebuilt())

    def _rebuilt(self) -> BuiltIndexes:
        segment = self._segment
        built = BuiltIndexes(OffsetIndex(), TimeIndex())
        builder = IndexBuilder(segment.base_offset, segment.builder.interval_bytes, built)
        for position, header in scan_headers(segment.file(), 0, segment.size) if segment.size else ():
            if not 0 <= header.last_offset - segment.base_offset < 2**31:
                raise CorruptLog(segment.path(LOG), position, f"offset {header.last_offset} does not belong here")
            builder.note(position, header.size, header.last_offset, header.max_timestamp)
        builder.note_latest()
        return built

    def evict(self) -> bool:
        index = self._transactions
        if self._segment.is_active or (index is not None and index.written_count < len(index)):
            return False
        self._offsets = self._stored_offsets = self._times = self._transactions = None
        return True

    def leave_to_files(self) -> None:
        """The segment is closed: places are looked up in the files, which have everything."""
        self._offsets = self._times = None
        if self._transactions:
            self._segment.directory.cache.loaded(self._segment)

    @property
    def memory_bytes(self) -> int:
        """What indexes take in memory, roughly."""
        entry_bytes = OFFSET_ENTRY_SIZE + TIME_ENTRY_SIZE
        transactions = self._transactions
        return (
            (0 if self._stored_offsets is None else BLOCK_BYTES)
            + (0 if self._offsets is None else entry_bytes * len(self._offsets))
            + (0 if transactions is None else _TRANSACTION_BYTES * len(transactions))
        )

    def start(self, offsets: OffsetIndex, times: TimeIndex, transactions: TransactionIndex | None = None) -> None:
        """The segment becomes active, or its indexes were rebuilt: from now on they live in memory."""
        self._offsets = offsets
        self._times = times
        self._transactions = transactions

    # files

    def write(self) -> None:
        """Brings the index files up to what is in memory. Raises OSError; then what is missing is still in memory."""
        self._write_tail(self.times, TIME_INDEX, TIME_ENTRY_SIZE)
        self._write_tail(self.offsets, OFFSET_INDEX, OFFSET_ENTRY_SIZE)
        self.write_transactions()

    @property
    def unwritten_count(self) -> int:
        """Places that are in memory only."""
        return len(self.offsets) - self.offsets.written_count

    def write_transactions(self) -> File | None:
        """The file, when something had to be written."""
        index = self._transactions
        if index is None or index.written_count == len(index):
            return None
        position = index.written_count * TRANSACTION_ENTRY_SIZE
        file = self._segment.directory.disk.open(self._segment.path(TRANSACTION_INDEX), create=True)
        file.write_at(position, index.encoded_from(index.written_count))
        self.has_new_name |= not self.has_transaction_index
        self.has_transaction_index = True
        self.transactions_synced = False
        self.writes += 1
        index.written_count = len(index)
        return file

    def _write_tail(self, index: OffsetIndex | TimeIndex, suffix: str, entry_size: int) -> None:
        if index.written_count == len(index):
            return
        file = self._segment.directory.disk.open(self._segment.path(suffix), create=True)
        file.write_at(index.written_count * entry_size, index.encoded_from(index.written_count))
        index.written_count = len(index)

    def trim_files(self, *, sync: bool = False) -> None:
        """Cuts the files to what is in memory; a missing one is created, because Kafka looks for both.

        With `sync` a power loss cannot bring back entries of batches that are gone.
        """
        sizes = [
            (OFFSET_INDEX, OFFSET_ENTRY_SIZE * self.offsets.written_count),
            (TIME_INDEX, TIME_ENTRY_SIZE * self.times.written_count),
        ]
        if self.has_transaction_index:
            sizes.append((TRANSACTION_INDEX, TRANSACTION_ENTRY_SIZE * self.transactions.written_count))
        for suffix, size in sizes:
            file = self._segment.directory.disk.open(self._segment.path(suffix), create=True)
            if file.size() != size:
                file.truncate(size)
            if sync:
                file.sync()

    def make_offset_file(self) -> None:
        """Of an empty segment nobody needs it, but Kafka takes a segment without one for damaged."""
        if self._segment.size == 0 and not self.has_index_file:
            self._segment.directory.disk.open(self._segment.path(OFFSET_INDEX), create=True).close()
            self.has_index_file = True

    def files(self) -> list[File]:
        """Those that every segment has, for a flush."""
        return [
            self._segment.directory.disk.open(self._segment.path(suffix), create=True)
            for suffix in (OFFSET_INDEX, TIME_INDEX)
        ]

    def closed(self) -> None:
        """The segment gets no more batches."""
        self.write()
        self.trim_files()
        self.has_unsynced_files = True
        self.writes += 1

    def release(self) -> None:
        """Nothing of them stays in memory."""
        self._offsets = self._stored_offsets = self._times = self._transactions = None
