"""The bytes of records, from objects or from columns in Arrow's layout: how long each one is, and how it is written.

Objects are measured before any is written, so the memory is taken once and exactly, with room before it for the header
of the batch. Rows of a `ColumnSet` are measured and written in one pass, up to the size of a batch, without a Python
object per record. `record_blocks` describes the layout. Compiled where that is possible (`record_writing.pxd` has the
types).
"""

from collections.abc import Mapping, Sequence

from ottla.records import raw_bytes
from ottla.records.record import Headers

#: What a batch can say of its own length.
BODY_BYTES_MAX = 0x7FFF_FFFF - 61
_INT64_MAX = 0x7FFF_FFFF_FFFF_FFFF
#: A size or a count, of up to 32 bits.
_SIZE_BYTES_MAX = 5
#: Of a record beside its key, value and headers: five sizes, attributes, a timestamp delta.
_OVERHEAD_MAX = 5 * _SIZE_BYTES_MAX + 1 + 10


class RecordWriter:
    """Writes the fields of records into `out`. Positions go in and out of its methods, so callers keep them at hand."""

    out: memoryview

    def put_number(self, at: int, number: int) -> int:
        while number >= 0x80:
            self.out[at] = number & 0x7F | 0x80
            number >>= 7
            at += 1
        self.out[at] = number
        return at + 1

    def put_head(self, at: int, size: int, timestamp_delta: int, offset_delta: int) -> int:
        """What comes before the key. `size` is that of the record without the number that tells it."""
        at = self.put_number(at, size << 1)
        self.out[at] = 0
        at = self.put_number(at + 1, to_zigzag(timestamp_delta))
        return self.put_number(at, to_zigzag(offset_delta))

    def put_object(self, at: int, value: bytes | None) -> int:
        """A key or a value."""
        if value is None:
            self.out[at] = 1
            return at + 1
        size = len(value)
        if size < 64:
            self.out[at] = size << 1
            at += 1
        else:
            at = self.put_number(at, size << 1)
        raw_bytes.put_bytes(self.out, at, value)
        return at + size

    def put_headers(self, at: int, headers: Headers, names: list[bytes]) -> int:
        at = self.put_number(at, len(names) << 1)
        for index, (_, value) in enumerate(headers):
            at = self.put_object(at, names[index])
            at = self.put_object(at, value)
        return at


def to_zigzag(number: int) -> int:
    """Small negative numbers stay short: 2 n for n >= 0, else an odd one."""
    if number >= 0:
        positive = number
        return positive << 1
    positive = -(number + 1)
    return positive << 1 | 1


def number_size(number: int) -> int:
    size = 1
    while number >= 0x80:
        number >>= 7
        size += 1
    return size


def field_size(size: int) -> int:
    """Of a key or a value with the number that tells its size; a null has size -1."""
    if size < 0:
        return 1
    return size + 1 if size < 64 else size + number_size(size << 1)


def object_size(value: bytes | None) -> int:
    return 1 if value is None else field_size(len(value))


def head_size(timestamp_delta: int, offset_delta: int) -> int:
    return 1 + number_size(to_zigzag(timestamp_delta)) + number_size(to_zigzag(offset_delta))


def timestamp_delta_of(timestamp: int, base_timestamp: int) -> int:
    """The difference, where it fits its 64 bits."""
    if (base_timestamp < 0 and timestamp > _INT64_MAX + base_timestamp) or (
        base_timestamp > 0 and timestamp < base_timestamp - _INT64_MAX
    ):
        raise ValueError(f"timestamps {timestamp} and {base_timestamp} are too far apart for one batch")
    return timestamp - base_timestamp


def encode_records(
    timestamps: list[int],
    keys: list[bytes | None],
    values: list[bytes | None],
    headers: Mapping[int, Headers],
    offset_deltas: Sequence[int] | None,
    base_timestamp: int,
    room: int,
) -> bytearray:
    """The records after `room` free bytes. Without `offset_deltas` they are numbered from 0."""
    sizes: list[int] = []
    names = {index: header_names(some) for index, some in headers.items()}
    total = 0
    for index in range(len(values)):
        delta = timestamp_delta_of(timestamps[index], base_timestamp)
        size = head_size(delta, index if offset_deltas is None else offset_deltas[index])
        size += object_size(keys[index]) + object_size(values[index])
        size += headers_size(headers[index], names[index]) if names and index in names else 1
        sizes.append(size)
        total += number_size(size << 1) + size
    if total > BODY_BYTES_MAX:
        raise ValueError(f"{total} bytes of records are too many for one batch")
    data = bytearray(room + total)
    writer = RecordWriter()
    writer.out = memoryview(data)
    at = room
    for index in range(len(values)):
        offset_delta = index if offset_deltas is None else offset_deltas[index]
        at = writer.put_head(at, sizes[index], timestamps[index] - base_timestamp, offset_delta)
        at = writer.put_object(at, keys[index])
        at = writer.put_object(at, values[index])
        at = writer.put_headers(at, headers[index], names[index]) if names and index in names else at + 1
    return data


def header_names(headers: Headers) -> list[bytes]:
    return [name.encode("utf-8", "surrogateescape") for name, _ in headers]


def headers_size(headers: Headers, names: list[bytes]) -> int:
    """With the number that tells how many they are."""
    size = number_size(len(headers) << 1)
    for index, (_, value) in enumerate(headers):
        size += object_size(names[index]) + object_size(value)
    return size


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

    def bytes_in(self, first: int, last: int) -> int:
        """Of all rows from `first` up to and without `last`."""
        return 0 if self.is_absent else self.ends[self.first + last] - self.ends[self.first + first]

    def put(self, writer: RecordWriter, at: int, row: int, size: int) -> int:
        """Size, which is that of `size_at`, and bytes of a key or value; returns the position after it."""
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
        size = number_size((self.ends[row + 1] - self.ends[row]) << 1)
        for index in range(self.ends[row], self.ends[row + 1]):
            name_size = self.names.size_at(index)
            if name_size < 0:
                raise ValueError(f"row {row} has a header without a key")
            size += field_size(name_size) + field_size(self.values.size_at(index))
        return size

    def bytes_max(self, first: int, last: int) -> int:
        """What the headers of these rows may take, without the numbers that tell how many they are."""
        if self.is_absent:
            return 0
        begin, end = self.ends[first], self.ends[last]
        return self.names.bytes_in(begin, end) + self.values.bytes_in(begin, end) + 2 * _SIZE_BYTES_MAX * (end - begin)

    def put(self, writer: RecordWriter, at: int, row: int) -> int:
        if self.is_absent:
            writer.out[at] = 0
            return at + 1
        at = writer.put_number(at, (self.ends[row + 1] - self.ends[row]) << 1)
        for index in range(self.ends[row], self.ends[row + 1]):
            at = self.names.put(writer, at, index, self.names.size_at(index))
            at = self.values.put(writer, at, index, self.values.size_at(index))
        return at


class ColumnSet:
    """Rows to be written. All columns have `rows` rows; timestamps are in milliseconds."""

    rows: int
    timestamps: memoryview
    keys: BinarySource
    values: BinarySource
    headers: HeaderSource
    #: Of the batch that `encode` has written last: the row after it, and its timestamps.
    last: int
    base_timestamp: int
    max_timestamp: int
    #: Bytes of its records; where not even the first row fits, those of that row.
    body_size: int

    def start(
        self, rows: int, timestamps: memoryview, keys: BinarySource, values: BinarySource, headers: HeaderSource
    ) -> None:
        self.rows = rows
        self.timestamps = timestamps
        self.keys = keys
        self.values = values
        self.headers = headers
        self.last = self.body_size = self.base_timestamp = self.max_timestamp = 0

    def encode(self, first: int, bytes_max: int, room: int) -> bytearray:
        """As many rows from `first` on as fit into `bytes_max`, after `room` free bytes."""
        data = bytearray(room + min(bytes_max, BODY_BYTES_MAX, self._bytes_max(first)))
        writer = RecordWriter()
        writer.out = memoryview(data)
        base_timestamp = max_timestamp = self.timestamps[first]
        at, end = room, len(data)
        row = first
        size_max = 0
        while row < self.rows:
            timestamp = self.timestamps[row]
            delta = timestamp_delta_of(timestamp, base_timestamp)
            key_size, value_size = self.keys.size_at(row), self.values.size_at(row)
            size = head_size(delta, row - first) + field_size(key_size) + field_size(value_size)
            size += self.headers.size_at(row)
            record_end = at + number_size(size << 1) + size
            if record_end > end:
                size_max = record_end - at
                break
            at = writer.put_head(at, size, delta, row - first)
            at = self.keys.put(writer, at, row, key_size)
            at = self.values.put(writer, at, row, value_size)
            at = self.headers.put(writer, at, row)
            if at != record_end:
                raise IndexError(f"row {row} ends at byte {at}, measured was {record_end}")
            if timestamp > max_timestamp:
                max_timestamp = timestamp
            row += 1
        self.last, self.base_timestamp, self.max_timestamp = row, base_timestamp, max_timestamp
        self.body_size = at - room if row > first else size_max
        # The bytes can be cut once nothing refers to them.
        writer.out = memoryview(bytearray())
        del data[at:]
        return data

    def _bytes_max(self, first: int) -> int:
        """What the rows from `first` on may take."""
        size = self.keys.bytes_in(first, self.rows) + self.values.bytes_in(first, self.rows)
        return size + self.headers.bytes_max(first, self.rows) + _OVERHEAD_MAX * (self.rows - first)
