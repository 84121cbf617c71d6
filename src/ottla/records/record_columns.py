"""Columns in Arrow's layout from blocks of records: no Python object per record.

The caller measures the rows of each block, takes exactly the memory that they need, and fills it block after block.
Compiled where that is possible (`record_columns.pxd` has the types).

    binary column = int32 end of each row in the data, after a 0; data; a bit for each row that is not null
"""

from ottla.records import raw_bytes
from ottla.records.record_blocks import RecordBlock

#: What `timestamp[us]` can hold, in milliseconds: others become the nearest of these.
_TIMESTAMP_MS_MAX = 9_223_372_036_854_775
_TIMESTAMP_MS_MIN = -9_223_372_036_854_775


class BinaryColumn:
    """A column of bytes that is being filled. `rows`, `size` and `null_count` tell how far."""

    ends: memoryview
    data: memoryview
    validity: memoryview
    rows: int
    size: int
    null_count: int

    def start(self, ends: memoryview, data: memoryview, validity: memoryview) -> None:
        """`ends` has room for one number more than rows; `validity` is all zeros."""
        self.ends = ends
        self.data = data
        self.validity = validity
        self.rows = self.size = self.null_count = 0
        self.ends[0] = 0

    def add_keys(self, block: RecordBlock, first: int, last: int) -> None:
        for row in range(first, last):
            self.add(block, block.key_at[row], block.key_sizes[row])

    def add_values(self, block: RecordBlock, first: int, last: int) -> None:
        for row in range(first, last):
            self.add(block, block.value_at[row], block.value_sizes[row])

    def add(self, block: RecordBlock, at: int, size: int) -> None:
        row = self.rows
        if size < 0:
            self.null_count += 1
        else:
            self.validity[row >> 3] |= 1 << (row & 7)
            raw_bytes.copy_bytes(self.data, self.size, block.body, at, size)
            self.size += size
        self.rows = row + 1
        self.ends[row + 1] = self.size


def key_bytes(block: RecordBlock, first: int, last: int) -> int:
    """Of all keys of these rows."""
    total = 0
    for row in range(first, last):
        if block.key_sizes[row] > 0:
            total += block.key_sizes[row]
    return total


def value_bytes(block: RecordBlock, first: int, last: int) -> int:
    total = 0
    for row in range(first, last):
        if block.value_sizes[row] > 0:
            total += block.value_sizes[row]
    return total


def row_at(block: RecordBlock, offset_delta: int) -> int:
    """The first row with this offset delta or a larger one."""
    low, high = 0, block.rows
    while low < high:
        middle = (low + high) >> 1
        if block.offset_deltas[middle] < offset_delta:
            low = middle + 1
        else:
            high = middle
    return low


def delta_at(block: RecordBlock, row: int) -> int:
    """The offset delta of a row."""
    return block.offset_deltas[row]


def fill_offsets(block: RecordBlock, first: int, last: int, base_offset: int, out: memoryview, at: int) -> None:
    for row in range(first, last):
        out[at] = base_offset + block.offset_deltas[row]
        at += 1


def fill_timestamps(block: RecordBlock, first: int, last: int, base_timestamp: int, out: memoryview, at: int) -> None:
    """In microseconds."""
    for row in range(first, last):
        out[at] = microseconds(base_timestamp + block.timestamp_deltas[row])
        at += 1


def fill_stamp(first: int, last: int, append_time_ms: int, out: memoryview, at: int) -> None:
    """The same time for all rows, in microseconds."""
    stamp = microseconds(append_time_ms)
    for _ in range(first, last):
        out[at] = stamp
        at += 1


def microseconds(timestamp_ms: int) -> int:
    if timestamp_ms > _TIMESTAMP_MS_MAX:
        timestamp_ms = _TIMESTAMP_MS_MAX
    elif timestamp_ms < _TIMESTAMP_MS_MIN:
        timestamp_ms = _TIMESTAMP_MS_MIN
    return timestamp_ms * 1000


class HeaderSizes:
    """What the headers of some rows need."""

    count: int
    name_bytes: int
    value_bytes: int

    def __init__(self) -> None:
        self.count = self.name_bytes = self.value_bytes = 0

    def add(self, block: RecordBlock, first: int, last: int) -> None:
        for row in range(first, last):
            at = block.headers_at[row]
            self.count += block.header_counts[row]
            for _ in range(block.header_counts[row]):
                size, at = block.field_at(at, block.end)
                self.name_bytes += size
                size, at = block.field_at(at + size, block.end)
                if size > 0:
                    self.value_bytes += size
                    at += size


class HeaderColumn:
    """A column of lists of headers that is being filled: null for a record without any."""

    ends: memoryview
    validity: memoryview
    names: BinaryColumn
    values: BinaryColumn
    rows: int
    null_count: int

    def start(self, ends: memoryview, validity: memoryview, names: BinaryColumn, values: BinaryColumn) -> None:
        self.ends = ends
        self.validity = validity
        self.names = names
        self.values = values
        self.rows = self.null_count = 0
        self.ends[0] = 0

    def add_rows(self, block: RecordBlock, first: int, last: int) -> None:
        for row in range(first, last):
            if block.header_counts[row]:
                self.validity[self.rows >> 3] |= 1 << (self.rows & 7)
                self._add_headers(block, block.headers_at[row], block.header_counts[row])
            else:
                self.null_count += 1
            self.rows += 1
            self.ends[self.rows] = self.names.rows

    def _add_headers(self, block: RecordBlock, at: int, count: int) -> None:
        for _ in range(count):
            size, at = block.field_at(at, block.end)
            self.names.add(block, at, size)
            size, at = block.field_at(at + size, block.end)
            self.values.add(block, at, size)
            if size > 0:
                at += size
