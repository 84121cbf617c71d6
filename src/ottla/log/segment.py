"""One segment: a `.log` file with record batches, and the indexes into it.

The indexes of the active segment are kept in memory and reach their files at flush, roll and close; those of a closed
segment are loaded when a reader needs them. All of them can be rebuilt from the log file, and none is trusted blindly.
"""

from typing import Final

from ottla.doors.disk import Buffer, Disk, File
from ottla.log.batch_scan import FoundBatch, find_batch, scan_headers
from ottla.log.file_names import LOG, OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX, file_name
from ottla.log.offset_index import ENTRY_SIZE as OFFSET_ENTRY_SIZE
from ottla.log.offset_index import OffsetIndex, decode_offset_index
from ottla.log.segment_cache import SegmentCache
from ottla.log.stored_index import BLOCK_BYTES, IndexDamaged, StoredOffsetIndex, stored_time_lookup
from ottla.log.time_index import ENTRY_SIZE as TIME_ENTRY_SIZE
from ottla.log.time_index import TimeIndex, decode_time_index, last_entry
from ottla.log.transaction_index import ENTRY_SIZE as TRANSACTION_ENTRY_SIZE
from ottla.log.transaction_index import AbortedTransaction, TransactionIndex, decode_transaction_index
from ottla.model.errors import CorruptLog
from ottla.records.batch import BatchHeader

UNKNOWN: Final = -2
RECENT_BATCHES: Final = 16
#: An entry of a transaction index as an object.
_TRANSACTION_BYTES: Final = 200
#: Shared by all segments: the older generation is replaced, never changed.
_NO_BATCHES: Final[dict[int, int]] = {}


class LogDirectory:
    """The directory that the segments of one partition share; its path changes when the partition is moved."""

    __slots__ = ("cache", "disk", "path")

    def __init__(self, disk: Disk, path: str, cache: SegmentCache) -> None:
        self.disk = disk
        self.path = path
        self.cache = cache

    def file_path(self, offset: int, suffix: str) -> str:
        return f"{self.path}/{file_name(offset, suffix)}"


class Segment:
    """Owned by the SegmentList of one log. `size` is the only truth about how many bytes of the file count."""

    __slots__ = (
        "_earlier_batches",
        "_file",
        "_offset_index",
        "_stored_offsets",
        "_time_index",
        "_transaction_index",
        "base_offset",
        "bytes_since_entry",
        "descriptor",
        "directory",
        "first_timestamp",
        "has_index_file",
        "has_new_name",
        "has_transaction_index",
        "has_unsynced_indexes",
        "index_interval_bytes",
        "index_writes",
        "is_active",
        "is_broken",
        "is_released",
        "is_used",
        "max_timestamp",
        "max_timestamp_offset",
        "recent_batches",
        "size",
        "synced_size",
        "transactions_synced",
    )

    def __init__(self, directory: LogDirectory, base_offset: int, size: int, index_interval_bytes: int) -> None:
        self.directory = directory
        self.base_offset = base_offset
        self.size = size
        self.index_interval_bytes = index_interval_bytes
        self.is_active = False
        #: The file could not be cut back after a failed write: what stands behind `size` is garbage.
        self.is_broken = False
        self.is_released = False
        #: Bytes known to be on the device; everything when the segment was there at the start.
        self.synced_size = size
        self.transactions_synced = True
        #: Closed, but the final index files may not be on the device.
        self.has_unsynced_indexes = False
        #: The transaction index was created; its name may not be on the device.
        self.has_new_name = False
        #: Counts changes of index files that a flush must bring to the device; one under way has seen only some.
        self.index_writes = 0
        self.bytes_since_entry = 0
        #: Largest timestamp; UNKNOWN until somebody asks, -1 without records.
        self.max_timestamp = UNKNOWN
        self.max_timestamp_offset = base_offset
        #: Timestamp of the first batch; decides when it is time to roll.
        self.first_timestamp = UNKNOWN
        self.has_transaction_index = False
        #: Was there when the log was opened.
        self.has_index_file = False
        self.is_used = True
        self._file: File | None = None
        #: The kernel's number of that file, where it has one. Nobody closes the file while it is referred to here.
        self.descriptor: int | None = None
        self._offset_index: OffsetIndex | None = None
        #: The same for a closed segment, unless it was damaged.
        self._stored_offsets: StoredOffsetIndex | None = None
        self._time_index: TimeIndex | None = None
        self._transaction_index: TransactionIndex | None = None
        # Base offset -> position of the latest batches, in two generations: readers at the tail need no search.
        self.recent_batches: dict[int, int] = {}
        self._earlier_batches = _NO_BATCHES

    def path(self, suffix: str = LOG) -> str:
        return self.directory.file_path(self.base_offset, suffix)

    # the log file

    def file(self) -> File:
        """To be read or synced."""
        self.is_used = True
        return self._file or self._open_file()

    def _open_file(self, *, to_append: bool = False) -> File:
        """What is appended to has to stay open until it is flushed; raises OSError when there is no room for that."""
        is_kept = not self.is_released and self.directory.cache.make_room()
        if to_append and not is_kept:
            raise self.directory.cache.refusal()
        file = self.directory.disk.open(self.path(), create=self.is_active)
        if not is_kept:
            # Closes with its last reference.
            return file
        self._file = file
        self.descriptor = file.descriptor()
        self.directory.cache.opened(self)
        return file

    def evict_file(self) -> bool:
        """The reference is dropped, not the file closed: a slow reader may still be sending from it."""
        if self._file is not None and self.synced_size < self.size:
            return False
        self._file = self.descriptor = None
        return True

    def release(self) -> None:
        """The segment has left its log, or the log was closed or deleted: nothing of it stays open or in memory."""
        self.is_released = True
        self.is_active = False
        self._file = self.descriptor = None
        self._offset_index = self._stored_offsets = self._time_index = self._transaction_index = None
        self.forget_recent()
        self.directory.cache.released(self)

    def append(self, data: Buffer, size: int, base_offset: int, last_offset: int, max_timestamp: int) -> None:
        """Adds one batch, or raises OSError and is as it was."""
        self.is_used = True
        file = self._file or self._open_file(to_append=True)
        position = self.size
        try:
            file.write_at(position, data)
        except OSError:
            self._cut_back(file, position)
            raise
        self.size = position + size
        if position == 0 or self.bytes_since_entry > self.index_interval_bytes:
            self.note_batch(position, size, base_offset, last_offset, max_timestamp)
        else:
            # The common case of `note_batch`, without the call.
            if max_timestamp > self.max_timestamp:
                self.max_timestamp = max_timestamp
                self.max_timestamp_offset = last_offset
            self.bytes_since_entry += size
        recent = self.recent_batches
        recent[base_offset] = position
        if len(recent) > RECENT_BATCHES:
            self.start_generation()

    def start_generation(self) -> None:
        self._earlier_batches = self.recent_batches
        self.recent_batches = {}

    def append_run(self, data: Buffer, batches: list[BatchHeader]) -> None:
        """Adds batches that follow each other in `data` with one write, or raises OSError and is as it was."""
        self.is_used = True
        file = self._file or self._open_file(to_append=True)
        position = self.size
        try:
            file.write_at(position, data)
        except OSError:
            self._cut_back(file, position)
            raise
        self.size = position + len(data)
        for header in batches:
            self.note_batch(position, header.size, header.base_offset, header.last_offset, header.max_timestamp)
            position += header.size

    def _cut_back(self, file: File, size: int) -> None:
        try:
            file.truncate(size)
        except OSError:
            self.is_broken = True

    def note_batch(self, position: int, size: int, base_offset: int, last_offset: int, max_timestamp: int) -> None:
        """Index entries for a batch that is in the file."""
        if max_timestamp > self.max_timestamp:
            self.max_timestamp = max_timestamp
            self.max_timestamp_offset = last_offset
        if position == 0:
            self.first_timestamp = max_timestamp
        if self.bytes_since_entry > self.index_interval_bytes:
            self.offset_index.append(last_offset - self.base_offset, position)
            self.time_index.append_if_later(self.max_timestamp, self.max_timestamp_offset - self.base_offset)
            self.bytes_since_entry = 0
        self.bytes_since_entry += size

    # finding things

    def find(self, offset: int) -> FoundBatch | None:
        """The batch that holds `offset` or, where compaction removed it, the next one in this segment."""
        start = self.position_before(offset)
        try:
            return find_batch(self.file(), start, self.size, offset)
        except CorruptLog:
            if start == 0 or self.is_active:
                raise
        # The index has no checksum: perhaps only it is damaged.
        offsets = self._rebuild_indexes()[0]
        return find_batch(self.file(), offsets.lookup(offset - self.base_offset), self.size, offset)

    def position_before(self, offset: int) -> int:
        """A position at or before the batch that holds the offset, by the index."""
        try:
            return self._offset_lookup().lookup(offset - self.base_offset)
        except IndexDamaged:
            return self._load_indexes()[0].lookup(offset - self.base_offset)

    def position_below(self, limit: int) -> int:
        """The greatest position in the index that is less than `limit`, or 0."""
        try:
            return self._offset_lookup().position_below(limit)
        except IndexDamaged:
            return self._load_indexes()[0].position_below(limit)

    def position_before_time(self, timestamp_ms: int) -> int:
        """A position at or before the first record that is so late, by the indexes."""
        if self._time_index is not None:
            relative_offset = self._time_index.lookup(timestamp_ms)
        else:
            try:
                relative_offset = stored_time_lookup(self.directory.disk, self.path(TIME_INDEX), timestamp_ms)
            except IndexDamaged:
                relative_offset = self._load_indexes()[1].lookup(timestamp_ms)
        return self.position_before(self.base_offset + relative_offset)

    def end_offset_bound(self, position: int) -> int | None:
        """An offset that all batches before `position` are below: near it by the interval of the offset index.

        None when the index has no entry at or behind that position.
        """
        try:
            relative_offset = self._offset_lookup().offset_from(position)
        except IndexDamaged:
            relative_offset = self._load_indexes()[0].offset_from(position)
        return None if relative_offset is None else self.base_offset + relative_offset

    def recent_position(self, base_offset: int) -> int | None:
        """Where one of the latest batches begins, without looking into the file."""
        position = self.recent_batches.get(base_offset)
        return position if position is not None else self._earlier_batches.get(base_offset)

    def largest_timestamp(self) -> int:
        """-1 when no record has one. Of a closed segment it is the last entry of the time index."""
        if self.max_timestamp == UNKNOWN:
            self.max_timestamp, self.max_timestamp_offset = self._read_largest_timestamp()
        return self.max_timestamp

    def _read_largest_timestamp(self) -> tuple[int, int]:
        if self._time_index is None:
            timestamp, offset = self._last_time_entry()
        else:
            timestamp, offset = self._time_index.last()
        return timestamp, self.base_offset + offset

    def _last_time_entry(self) -> tuple[int, int]:
        try:
            file = self.directory.disk.open(self.path(TIME_INDEX), read_only=True)
        except FileNotFoundError:
            return -1, 0
        size = file.size()
        if size >= TIME_ENTRY_SIZE and size % TIME_ENTRY_SIZE == 0:
            timestamp, offset = last_entry(file.read_at(size - TIME_ENTRY_SIZE, TIME_ENTRY_SIZE))
            if timestamp > 0 and offset >= 0:
                return timestamp, offset
        return self.time_index.last()

    def start_timestamp(self) -> int:
        """Timestamp of the first batch, or -1."""
        if self.first_timestamp == UNKNOWN:
            first = next(scan_headers(self.file(), 0, self.size), None) if self.size else None
            if first is None:
                return -1
            self.first_timestamp = first[1].max_timestamp
        return self.first_timestamp

    # indexes

    def _offset_lookup(self) -> OffsetIndex | StoredOffsetIndex:
        """May raise IndexDamaged, as its responses may."""
        self.is_used = True
        if self._offset_index is not None:
            return self._offset_index
        stored = self._stored_offsets
        if stored is None:
            may_be_empty = self.size <= 2 * self.index_interval_bytes
            path = self.path(OFFSET_INDEX)
            stored = StoredOffsetIndex(self.directory.disk, path, log_size=self.size, may_be_empty=may_be_empty)
            if not self.is_released:
                self._stored_offsets = stored
                self.directory.cache.loaded(self)
        return stored

    @property
    def offset_index(self) -> OffsetIndex:
        """All of it; to find something in the index of a closed segment, `position_before` and the like cost less."""
        self.is_used = True
        index = self._offset_index
        return index if index is not None else self._load_indexes()[0]

    @property
    def time_index(self) -> TimeIndex:
        self.is_used = True
        index = self._time_index
        return index if index is not None else self._load_indexes()[1]

    @property
    def transaction_index(self) -> TransactionIndex:
        self.is_used = True
        index = self._transaction_index
        if index is None:
            index = TransactionIndex()
            if self.has_transaction_index:
                data = read_whole(self.directory.disk, self.path(TRANSACTION_INDEX))
                index, _ = decode_transaction_index(data, self.base_offset)
            if not self.is_released:
                self._transaction_index = index
                if self.has_transaction_index and not self.is_active:
                    self.directory.cache.loaded(self)
        return index

    @property
    def has_aborted_transactions(self) -> bool:
        """Without loading anything."""
        return self.has_transaction_index or bool(self._transaction_index)

    def aborted_transactions(self) -> list[AbortedTransaction]:
        return self.transaction_index.entries if self.has_aborted_transactions else []

    def _load_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        """Those of a closed segment. Damaged ones are built anew, in memory only."""
        disk = self.directory.disk
        offsets, offsets_sound = decode_offset_index(read_whole(disk, self.path(OFFSET_INDEX)), log_size=self.size)
        times, times_sound = decode_time_index(read_whole(disk, self.path(TIME_INDEX)))
        # Whatever holds records has at least the entry that is created when a segment closes.
        is_missing = self.size > 0 and (
            not len(times) or (self.size > 2 * self.index_interval_bytes and not len(offsets))
        )
        if is_missing or not (offsets_sound and times_sound):
            return self._rebuild_indexes()
        return self._keep_indexes(offsets, times)

    def _keep_indexes(self, offsets: OffsetIndex, times: TimeIndex) -> tuple[OffsetIndex, TimeIndex]:
        if not self.is_released:
            self._offset_index, self._time_index, self._stored_offsets = offsets, times, None
            self.directory.cache.loaded(self)
        return offsets, times

    def _rebuild_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        return self._keep_indexes(*self._rebuilt_indexes())

    def _rebuilt_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        offsets, times = OffsetIndex(), TimeIndex()
        since_entry, latest, latest_offset = 0, -1, 0
        for position, header in scan_headers(self.file(), 0, self.size) if self.size else ():
            relative = header.last_offset - self.base_offset
            if not 0 <= relative < 2**31:
                raise CorruptLog(self.path(), position, f"offset {header.last_offset} does not belong here")
            if header.max_timestamp > latest:
                latest, latest_offset = header.max_timestamp, relative
            if since_entry > self.index_interval_bytes:
                offsets.append(relative, position)
                times.append_if_later(latest, latest_offset)
                since_entry = 0
            since_entry += header.size
        times.append_if_later(latest, latest_offset)
        return offsets, times

    def evict_indexes(self) -> bool:
        index = self._transaction_index
        if self.is_active or (index is not None and index.written_count < len(index)):
            return False
        self._offset_index = self._stored_offsets = self._time_index = self._transaction_index = None
        return True

    def leave_indexes_to_files(self) -> None:
        """The segment is closed: places are looked up in the files, which have everything."""
        self._offset_index = self._time_index = None
        if self._transaction_index:
            self.directory.cache.loaded(self)

    @property
    def index_bytes(self) -> int:
        """What indexes take in memory, roughly."""
        entry_bytes = OFFSET_ENTRY_SIZE + TIME_ENTRY_SIZE
        transactions = self._transaction_index
        return (
            (0 if self._stored_offsets is None else BLOCK_BYTES)
            + (0 if self._offset_index is None else entry_bytes * len(self._offset_index))
            + (0 if transactions is None else _TRANSACTION_BYTES * len(transactions))
        )

    def start_indexes(
        self, offsets: OffsetIndex, times: TimeIndex, transactions: TransactionIndex | None = None
    ) -> None:
        """The segment becomes active, or its indexes were rebuilt: from now on they live in memory."""
        self._offset_index = offsets
        self._time_index = times
        self._transaction_index = transactions

    def write_indexes(self) -> None:
        """Brings the index files up to what is in memory. Raises OSError; then what is missing is still in memory."""
        self._write_tail(self.time_index, TIME_INDEX, TIME_ENTRY_SIZE)
        self._write_tail(self.offset_index, OFFSET_INDEX, OFFSET_ENTRY_SIZE)
        self.write_transaction_index()

    def write_transaction_index(self) -> File | None:
        """The file, when something had to be written."""
        index = self._transaction_index
        if index is None or index.written_count == len(index):
            return None
        position = index.written_count * TRANSACTION_ENTRY_SIZE
        file = self.directory.disk.open(self.path(TRANSACTION_INDEX), create=True)
        file.write_at(position, index.encoded_from(index.written_count))
        self.has_new_name |= not self.has_transaction_index
        self.has_transaction_index = True
        self.transactions_synced = False
        self.index_writes += 1
        index.written_count = len(index)
        return file

    def _write_tail(self, index: OffsetIndex | TimeIndex, suffix: str, entry_size: int) -> None:
        if index.written_count == len(index):
            return
        file = self.directory.disk.open(self.path(suffix), create=True)
        file.write_at(index.written_count * entry_size, index.encoded_from(index.written_count))
        index.written_count = len(index)

    def trim_index_files(self, *, sync: bool = False) -> None:
        """Cuts the files to what is in memory; a missing one is created, because Kafka looks for both.

        With `sync` a power loss cannot bring back entries of batches that are gone.
        """
        sizes = [
            (OFFSET_INDEX, OFFSET_ENTRY_SIZE * self.offset_index.written_count),
            (TIME_INDEX, TIME_ENTRY_SIZE * self.time_index.written_count),
        ]
        if self.has_transaction_index:
            sizes.append((TRANSACTION_INDEX, TRANSACTION_ENTRY_SIZE * self.transaction_index.written_count))
        for suffix, size in sizes:
            file = self.directory.disk.open(self.path(suffix), create=True)
            if file.size() != size:
                file.truncate(size)
            if sync:
                file.sync()

    def close_indexes(self) -> None:
        """The segment gets no more batches: the last entry of its time index says how late it reaches."""
        if self.max_timestamp >= 0:
            self.time_index.append_if_later(self.max_timestamp, self.max_timestamp_offset - self.base_offset)
        self.write_indexes()
        self.trim_index_files()
        self.has_unsynced_indexes = True
        self.index_writes += 1

    def make_index_file(self) -> None:
        """Of an empty segment nobody needs it, but Kafka takes a segment without one for damaged."""
        if self.size == 0 and not self.has_index_file:
            self.directory.disk.open(self.path(OFFSET_INDEX), create=True).close()
            self.has_index_file = True

    def index_files(self) -> list[File]:
        """Those that every segment has, for a flush."""
        return [self.directory.disk.open(self.path(suffix), create=True) for suffix in (OFFSET_INDEX, TIME_INDEX)]

    def recount_tail(self) -> None:
        """After a cut: largest timestamp and the bytes behind the last index entry."""
        self.max_timestamp, relative = self.time_index.last()
        self.max_timestamp_offset = self.base_offset + relative
        last_position = self.offset_index.positions[-1] if len(self.offset_index) else 0
        self.bytes_since_entry = 0
        start = min(self.offset_index.lookup(relative), last_position)
        for position, header in scan_headers(self.file(), start, self.size):
            if header.max_timestamp > self.max_timestamp:
                self.max_timestamp, self.max_timestamp_offset = header.max_timestamp, header.last_offset
            if position >= last_position:
                self.bytes_since_entry += header.size

    def forget_recent(self) -> None:
        self.recent_batches = {}
        self._earlier_batches = _NO_BATCHES


def read_whole(disk: Disk, path: str) -> bytes:
    """All bytes of a file; none when it does not exist."""
    try:
        file = disk.open(path, read_only=True)
    except FileNotFoundError:
        return b""
    return file.read_at(0, file.size())
