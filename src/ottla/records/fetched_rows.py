"""Rows of fetched batches, a limited number at a time: what columns are built from."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from ottla.records.batch import BatchHeader
from ottla.records.compression import MAX_DECOMPRESSED_BYTES
from ottla.records.errors import CorruptRecord
from ottla.records.fetched_batches import FetchedBatches
from ottla.records.reader import records_view
from ottla.records.record_blocks import RecordBlock, iterate_blocks
from ottla.records.record_columns import delta_at, row_at
from ottla.records.record_objects import check_ranges

#: Limit of what `take` returns, in bytes of records; one block may exceed it.
TAKE_BYTES: Final = 64 * 1024 * 1024


class Rows(NamedTuple):
    """Neighbouring rows of a block."""

    block: RecordBlock
    first: int
    last: int
    header: BatchHeader

    @property
    def row_count(self) -> int:
        return self.last - self.first

    @property
    def size(self) -> int:
        """Bytes of the whole block."""
        return self.block.end - self.block.start

    @property
    def next_offset(self) -> int:
        """Where reading continues. The last offsets of a batch may have no records."""
        block, header = self.block, self.header
        if self.last == block.rows and block.first_row + block.rows == header.record_count:
            return header.next_offset
        return header.base_offset + delta_at(block, self.last - 1) + 1


class FetchedRows:
    """Takes rows from one FetchedBatches, whose iteration it continues. Owned by the reader of that response."""

    def __init__(
        self,
        fetched: FetchedBatches,
        batches: Iterator[tuple[int, BatchHeader]] | None = None,
        *,
        max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES,
    ) -> None:
        self._fetched = fetched
        self._batches = iter(fetched) if batches is None else batches
        self._max_decompressed_bytes = max_decompressed_bytes
        self._rows = self._walk()
        self._rest: Rows | None = None
        self._damage: CorruptRecord | None = None
        self._is_within_batch = False
        #: The end of the last batch that was unpacked.
        self.read_bytes = 0

    @property
    def is_within_batch(self) -> bool:
        """Whether a batch was unpacked whose rows were not all taken."""
        return self._is_within_batch or self._rest is not None or self._damage is not None

    def take(self, max_rows: int, max_bytes: int = TAKE_BYTES) -> list[Rows]:
        """Up to so many rows; none at the end. Raises CorruptRecord when the rows before the damage were taken."""
        taken: list[Rows] = []
        row_count = size = 0
        while row_count < max_rows:
            rows = self._next(raises=not taken)
            if rows is None:
                break
            if taken and size + rows.size > max_bytes:
                self._rest = rows
                break
            if row_count + rows.row_count > max_rows:
                cut = rows.first + max_rows - row_count
                self._rest = rows._replace(first=cut)
                rows = rows._replace(last=cut)
            taken.append(rows)
            row_count += rows.row_count
            size += rows.size
        return taken

    def _next(self, *, raises: bool) -> Rows | None:
        rows, self._rest = self._rest, None
        if rows is not None:
            return rows
        if self._damage is None:
            try:
                return next(self._rows, None)
            except CorruptRecord as error:
                self._damage = error
        if raises:
            raise self._damage
        return None

    def _walk(self) -> Iterator[Rows]:
        fetched = self._fetched
        for position, header in self._batches:
            self.read_bytes = position + header.size
            body = records_view(fetched.data, position, header, max_decompressed_bytes=self._max_decompressed_bytes)
            first_delta = fetched.start_offset - header.base_offset
            end_delta = None if fetched.end_offset is None else fetched.end_offset - header.base_offset
            for block in iterate_blocks(body, header.record_count, header.last_offset_delta):
                self._is_within_batch = block.first_row + block.rows < header.record_count
                check_ranges(block, header.base_offset, header.base_timestamp)
                last = block.rows if end_delta is None else row_at(block, end_delta)
                rows = Rows(block, row_at(block, first_delta), last, header)
                if rows.row_count > 0:
                    yield rows
