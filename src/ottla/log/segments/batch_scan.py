"""Walks the batches in a segment file by their headers, in bounded reads."""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from ottla.doors.disk import File
from ottla.model.errors import CorruptLog
from ottla.records.batch import HEADER_SIZE, MAGIC, BatchHeader, checksum, header_problem, read_header

#: One read of this size usually holds all headers between two index entries.
LOOK_BYTES: Final = 4096
SCAN_BYTES: Final = 1 << 20
#: base offset, length, magic, last offset delta: what it takes to find an offset.
_BATCH_BOUNDS: Final = struct.Struct(">qi4xb6xi")


class FoundBatch(NamedTuple):
    position: int
    size: int
    base_offset: int


def find_batch(file: File, start: int, end_position: int, offset: int) -> FoundBatch | None:
    """The first batch from `start` on whose last offset is not below `offset`.

    `start` is 0 or what an index gave for the offset. Raises CorruptLog when that, or the file, cannot be right.
    """
    bounds_size = _BATCH_BOUNDS.size
    position = start
    while position < end_position:
        chunk = file.read_at(position, min(LOOK_BYTES, end_position - position))
        at, limit = 0, len(chunk) - bounds_size
        while at <= limit:
            base_offset, length, magic, delta = _BATCH_BOUNDS.unpack_from(chunk, at)
            if magic != MAGIC or length < HEADER_SIZE - 12:
                raise CorruptLog(file.path, position + at, "the bytes are not a record batch")
            if base_offset + delta >= offset:
                if start and base_offset > offset and position + at == start:
                    raise CorruptLog(file.path, start, f"the index gave this position for offset {offset}")
                return FoundBatch(position + at, length + 12, base_offset)
            at += length + 12
        if at == 0:
            raise CorruptLog(file.path, position, f"{len(chunk)} bytes are not a batch")
        position += at
    return None


def scan_headers(file: File, position: int, end_position: int) -> Iterator[tuple[int, BatchHeader]]:
    """Position and header of each batch; only headers are read where batches are large.

    Ends early, without an error, where the bytes cannot be a batch: the caller compares the position that it reached.
    """
    while position + HEADER_SIZE <= end_position:
        chunk = file.read_at(position, min(LOOK_BYTES, end_position - position))
        at, limit = 0, len(chunk) - HEADER_SIZE
        if limit < 0:
            return
        while at <= limit:
            header = read_header(chunk, at)
            if header_problem(header, end_position - position - at) is not None:
                return
            yield position + at, header
            at += header.batch_length + 12
        position += at


class CheckedBatches:
    """Like `scan_headers`, but reads all bytes and checks each CRC. `problem`: why it stopped before the end."""

    def __init__(self, file: File, position: int, end_position: int) -> None:
        self._file = file
        self._end_position = end_position
        self.position = position
        self.problem: str | None = None

    def __iter__(self) -> Iterator[tuple[int, BatchHeader, memoryview]]:
        """Position, header and bytes of each batch that is intact; `position` is then the one after it."""
        while self.position < self._end_position and self.problem is None:
            chunk = memoryview(self._file.read_at(self.position, min(SCAN_BYTES, self._end_position - self.position)))
            at = 0
            while (size := self._intact_size(chunk, at)) > 0:
                batch = chunk[at : at + size]
                position, self.position = self.position, self.position + size
                at += size
                yield position, read_header(batch), batch
            if at == 0 and self.problem is None:
                yield from self._large_batch(chunk)

    def _intact_size(self, chunk: memoryview, at: int) -> int:
        """Bytes of the batch at `at`; 0 when it is not all in this chunk, or is no good (then `problem` is set)."""
        left = self._end_position - self.position
        if left < HEADER_SIZE:
            self.problem = f"{left} bytes are less than a header" if left else None
            return 0
        if len(chunk) - at < HEADER_SIZE:
            return 0
        header = read_header(chunk, at)
        self.problem = header_problem(header, left)
        if self.problem is not None or header.size > len(chunk) - at:
            return 0
        if checksum(chunk, at, header.size) != header.crc:
            self.problem = "the checksum is wrong"
            return 0
        return header.size

    def _large_batch(self, chunk: memoryview) -> Iterator[tuple[int, BatchHeader, memoryview]]:
        header = read_header(chunk)
        batch = memoryview(self._file.read_at(self.position, header.size))
        if len(batch) < header.size or checksum(batch, 0, header.size) != header.crc:
            self.problem = "the checksum is wrong"
            return
        position, self.position = self.position, self.position + header.size
        yield position, header, batch


def batch_size_at(file: File, position: int) -> int:
    return int.from_bytes(file.read_at(position + 8, 4), "big") + 12
