"""The bytes of records from columns in Arrow's layout: no Python object per record.

The rows of a column set are cut into batches: `fit` tells how many rows from a given one on fit into so many bytes,
`encode` writes them. Compiled where that is possible (`column_writing.pxd` has the types).
"""

from ottla.records import raw_bytes, record_writing
from ottla.records.record_writing import BODY_BYTES_MAX, RecordWriter


class BinarySource:
    """A binary column, as it lies in Arrow's buffers, from which rows are written. Without `start` it is all nulls."""

    ends: memoryview
    data: memoryview
    validity: memoryview
    #: Which row of the buffers is row 0 here.
    first: int
    is_absent: bool
    has_nulls: bool

    def __init__(self) -> None:
        self.is_absent = True

    def start(self, ends: memoryview, data: memoryview, first: int) -> None:
        """Row n lies between entries n and n + 1 of `ends`."""
        self.ends = ends
        self.data = data
        self.first = first
        self.is_absent = self.has_nulls = False

    def set_validity(self, validity: memoryview) -> None:
        """A bit for each row that is not null."""
        self.validity = validity
        self.has_nulls = True

    def size_at(self, row: int) -> int:
        """-1 for a null."""
        if self.is_absent:
            return -1
        row += self.first
        if self.has_nulls and not self.validity[row >> 3] >> (row & 7) & 1:
            return -1
        return self.ends[row + 1] - self.ends[row]

    def put(self, writer: RecordWriter, at: int, row: int) -> int:
        """Size and bytes of a key or value; returns the position after it."""
        size = self.size_at(row)
        if size < 0:
            writer.out[at] = 1
            return at + 1
        at = writer.put_number(at, size << 1)
        raw_bytes.copy_bytes(writer.out, at, self.data, self.ends[self.first + row], size)
        return at + size


class HeaderSource:
    """A column of lists of headers. Without `start` no row has any."""

    ends: memoryview
    names: BinarySource
    values: BinarySource
    is_absent: bool

    def __init__(self) -> None:
        self.is_absent = True

    def start(self, ends: memoryview, names: BinarySource, values: BinarySource) -> None:
        """The headers of row n lie between entries n and n + 1 of `ends`; for a null both are the same."""
        self.ends = ends
        self.names = names
        self.values = values
        self.is_absent = False

    def size_at(self, row: int) -> int:
        """Of all headers of the row, with the number that tells how many they are."""
        if self.is_absent:
            return 1
        size = record_writing.number_size((self.ends[row + 1] - self.ends[row]) << 1)
        for index in range(self.ends[row], self.ends[row + 1]):
            name_size = self.names.size_at(index)
            if name_size < 0:
                raise ValueError(f"row {row} has a header without a key")
            size += record_writing.field_size(name_size) + record_writing.field_size(self.values.size_at(index))
        return size

    def put(self, writer: RecordWriter, at: int, row: int) -> int:
        if self.is_absent:
            writer.out[at] = 0
            return at + 1
        at = writer.put_number(at, (self.ends[row + 1] - self.ends[row]) << 1)
        for index in range(self.ends[row], self.ends[row + 1]):
            at = self.names.put(writer, at, index)
            at = self.values.put(writer, at, index)
        return at


class ColumnSet:
    """Rows to be written. All columns have `rows` rows; timestamps are in milliseconds."""

    rows: int
    timestamps: memoryview
    keys: BinarySource
    values: BinarySource
    headers: HeaderSource
    #: Of each row that `fit` has measured, without the number that tells it.
    sizes: memoryview
    #: Of the rows that the last `fit` has found room for.
    body_size: int
    base_timestamp: int
    max_timestamp: int

    def start(
        self, rows: int, timestamps: memoryview, keys: BinarySource, values: BinarySource, headers: HeaderSource
    ) -> None:
        self.rows = rows
        self.timestamps = timestamps
        self.keys = keys
        self.values = values
        self.headers = headers
        self.sizes = memoryview(bytearray(4 * rows)).cast("i")
        self.body_size = self.base_timestamp = self.max_timestamp = 0

    def fit(self, first: int, bytes_max: int) -> int:
        """The row after the last one that fits. It is `first` when not even that does; `body_size` is its size then."""
        base_timestamp = self.timestamps[first]
        self.base_timestamp = self.max_timestamp = base_timestamp
        total = 0
        bytes_max = min(bytes_max, BODY_BYTES_MAX)
        for row in range(first, self.rows):
            size = self._measure(row, row - first, base_timestamp)
            row_size = record_writing.number_size(size << 1) + size
            if total + row_size > bytes_max:
                self.body_size = total if row > first else row_size
                return row
            total += row_size
            self.sizes[row] = size
            if self.timestamps[row] > self.max_timestamp:
                self.max_timestamp = self.timestamps[row]
        self.body_size = total
        return self.rows

    def _measure(self, row: int, offset_delta: int, base_timestamp: int) -> int:
        delta = record_writing.timestamp_delta_of(self.timestamps[row], base_timestamp)
        size = record_writing.head_size(delta, offset_delta)
        size += record_writing.field_size(self.keys.size_at(row))
        size += record_writing.field_size(self.values.size_at(row))
        return size + self.headers.size_at(row)

    def encode(self, first: int, last: int, room: int) -> bytearray:
        """The rows that the last `fit` has found, after `room` free bytes."""
        data = bytearray(room + self.body_size)
        writer = RecordWriter()
        writer.out = memoryview(data)
        base_timestamp = self.base_timestamp
        at = room
        for row in range(first, last):
            at = writer.put_head(at, self.sizes[row], self.timestamps[row] - base_timestamp, row - first)
            at = self.keys.put(writer, at, row)
            at = self.values.put(writer, at, row)
            at = self.headers.put(writer, at, row)
        if at != len(data):
            raise IndexError(f"rows {first} to {last} take {at - room} bytes, measured were {self.body_size}")
        return data
