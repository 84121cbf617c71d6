"""One segment: a `.log` file with record batches, and what is known of them. Its indexes are in `segment_indexes`."""

from typing import Final

from ottla.doors.disk import Buffer, File
from ottla.log.segments.batch_scan import FoundBatch, find_batch, scan_headers
from ottla.log.segments.index_builder import UNKNOWN, IndexBuilder
from ottla.log.segments.log_directory import LOG, LogDirectory
from ottla.log.segments.segment_indexes import SegmentIndexes
from ottla.model.errors import CorruptLog
from ottla.records.batch import BatchHeader

RECENT_BATCHES: Final = 16
#: A segment of this size begins to take space ahead.
SPACE_AHEAD_FROM_BYTES: Final = 8 * 1024 * 1024
#: At most this part of its size, and at most so many bytes: nobody should miss them.
_SPACE_AHEAD_PART: Final = 8
_SPACE_AHEAD_BYTES_MAX: Final = 16 * 1024 * 1024
_NEVER: Final = 1 << 62
#: Shared by all segments: the older generation is replaced, never changed.
_NO_BATCHES: Final[dict[int, int]] = {}


class Segment:
    """Owned by the SegmentList of one log. `size` is the only truth about how many bytes of the file count."""

    __slots__ = (
        "_earlier_batches",
        "_file",
        "_space_end",
        "base_offset",
        "builder",
        "directory",
        "indexes",
        "is_active",
        "is_broken",
        "is_released",
        "is_used",
        "recent_batches",
        "size",
        "synced_size",
    )

    def __init__(self, directory: LogDirectory, base_offset: int, size: int, index_interval_bytes: int) -> None:
        self.directory = directory
        self.base_offset = base_offset
        self.size = size
        self.is_active = False
        #: The file could not be cut back after a failed write: what stands behind `size` is garbage.
        self.is_broken = False
        self.is_released = False
        #: Bytes known to be on the device; everything when the segment was there at the start.
        self.synced_size = size
        self.is_used = True
        #: An append that ends behind it takes space ahead.
        self._space_end = SPACE_AHEAD_FROM_BYTES
        self._file: File | None = None
        self.indexes = SegmentIndexes(self)
        self.builder = IndexBuilder(base_offset, index_interval_bytes, self.indexes)
        self.builder.max_timestamp = UNKNOWN
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
        self.directory.cache.opened(self)
        return file

    def evict_file(self) -> bool:
        """The reference is dropped, not the file closed: a slow reader may still be sending from it."""
        if self._file is not None and self.synced_size < self.size:
            return False
        self._file = None
        return True

    def release(self) -> None:
        """The segment has left its log, or the log was closed or deleted: nothing of it stays open or in memory."""
        self.is_released = True
        self.is_active = False
        self._file = None
        self.indexes.release()
        self.forget_recent()
        self.directory.cache.released(self)

    def append(self, data: Buffer, size: int, base_offset: int, last_offset: int, max_timestamp: int) -> None:
        """Adds one batch, or raises OSError and is as it was."""
        position = self._write(data, size)
        self.builder.note(position, size, last_offset, max_timestamp)
        recent = self.recent_batches
        recent[base_offset] = position
        if len(recent) > RECENT_BATCHES:
            self.start_generation()

    def start_generation(self) -> None:
        self._earlier_batches = self.recent_batches
        self.recent_batches = {}

    def append_run(self, data: Buffer, batches: list[BatchHeader]) -> None:
        """Adds batches that follow each other in `data` with one write, or raises OSError and is as it was."""
        position = self._write(data, len(data))
        for header in batches:
            self.builder.note(position, header.size, header.last_offset, header.max_timestamp)
            position += header.size

    def _write(self, data: Buffer, size: int) -> int:
        """Adds bytes at the end and gives their position, or raises OSError and is as it was."""
        self.is_used = True
        file = self._file or self._open_file(to_append=True)
        position = self.size
        try:
            file.write_at(position, data)
        except OSError:
            self._cut_back(file, position)
            raise
        self.size = end = position + size
        if end > self._space_end:
            self._take_space_ahead(file)
        return position

    def _take_space_ahead(self, file: File) -> None:
        """A file system that finds a block for each page of an append takes half as long again (ADR 0048)."""
        size = min(self.size // _SPACE_AHEAD_PART, _SPACE_AHEAD_BYTES_MAX)
        # A disk that is full, or cannot do it, is not asked again.
        self._space_end = self.size + size if file.allocate(self.size, size) else _NEVER

    def _cut_back(self, file: File, size: int) -> None:
        try:
            file.truncate(size)
        except OSError:
            self.is_broken = True

    # finding things

    def find(self, offset: int) -> FoundBatch | None:
        """The batch that holds `offset` or, where compaction removed it, the next one in this segment."""
        start = self.indexes.position_before(offset)
        try:
            return find_batch(self.file(), start, self.size, offset)
        except CorruptLog:
            if start == 0 or self.is_active:
                raise
        # The index has no checksum: perhaps only it is damaged.
        offsets = self.indexes.rebuild()[0]
        return find_batch(self.file(), offsets.lookup(offset - self.base_offset), self.size, offset)

    def recent_position(self, base_offset: int) -> int | None:
        """Where one of the latest batches begins, without looking into the file."""
        position = self.recent_batches.get(base_offset)
        return position if position is not None else self._earlier_batches.get(base_offset)

    def largest_timestamp(self) -> int:
        """-1 when no record has one. Of a closed segment it is the last entry of the time index."""
        builder = self.builder
        if builder.max_timestamp == UNKNOWN:
            builder.max_timestamp, relative = self.indexes.last_time_entry()
            builder.max_timestamp_offset = self.base_offset + relative
        return builder.max_timestamp

    def start_timestamp(self) -> int:
        """Timestamp of the first batch, or -1."""
        builder = self.builder
        if builder.first_timestamp == UNKNOWN:
            first = next(scan_headers(self.file(), 0, self.size), None) if self.size else None
            if first is None:
                return -1
            builder.first_timestamp = first[1].max_timestamp
        return builder.first_timestamp

    # indexes

    @property
    def index_bytes(self) -> int:
        """What indexes take in memory, roughly."""
        return self.indexes.memory_bytes

    def evict_indexes(self) -> bool:
        return self.indexes.evict()

    def finish(self) -> None:
        """The segment gets no more batches: it gives back the space that it did not need, and the last entry of its
        time index holds its largest timestamp."""
        if self._space_end != SPACE_AHEAD_FROM_BYTES:
            self.file().truncate(self.size)
            self._space_end = SPACE_AHEAD_FROM_BYTES
        self.builder.note_latest()
        self.indexes.closed()

    def recount_tail(self) -> None:
        """After a cut: largest timestamp and the bytes behind the last index entry."""
        for position, header in scan_headers(self.file(), self.builder.resume(), self.size):
            self.builder.note_again(position, header.size, header.last_offset, header.max_timestamp)

    def forget_recent(self) -> None:
        self.recent_batches = {}
        self._earlier_batches = _NO_BATCHES
