"""The bytes of records: how long each one is, and how it is written.

Each record is measured before any is written, so the memory is taken once and exactly, with room before it for the
header of the batch. `record_blocks` describes the layout. Compiled where that is possible (`record_writing.pxd`).
"""

from collections.abc import Sequence

from ottla.records import raw_bytes
from ottla.records.record import Headers, Record

#: What a batch can say of its own length.
BODY_BYTES_MAX = 0x7FFF_FFFF - 61
_INT64_MAX = 0x7FFF_FFFF_FFFF_FFFF


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
    records: Sequence[Record], base_offset: int, base_timestamp: int, keep_offsets: bool, room: int
) -> bytearray:
    """The records after `room` free bytes. They are numbered from 0, unless `keep_offsets` says to take their own."""
    sizes: list[int] = []
    names: list[list[bytes]] = []
    total = 0
    for index, (offset, timestamp, key, value, headers) in enumerate(records):
        delta = timestamp_delta_of(timestamp, base_timestamp)
        size = head_size(delta, offset - base_offset if keep_offsets else index)
        size += object_size(key) + object_size(value)
        if headers:
            names.append(header_names(headers))
            size += headers_size(headers, names[index])
        else:
            names.append([])
            size += 1
        sizes.append(size)
        total += number_size(size << 1) + size
    if total > BODY_BYTES_MAX:
        raise ValueError(f"{total} bytes of records are too many for one batch")
    data = bytearray(room + total)
    writer = RecordWriter()
    writer.out = memoryview(data)
    at = room
    for index, (offset, timestamp, key, value, headers) in enumerate(records):
        delta = offset - base_offset if keep_offsets else index
        at = writer.put_head(at, sizes[index], timestamp - base_timestamp, delta)
        at = writer.put_object(at, key)
        at = writer.put_object(at, value)
        at = writer.put_headers(at, headers, names[index]) if headers else at + 1
    return data


def header_names(headers: Headers) -> list[bytes]:
    return [name.encode("utf-8", "surrogateescape") for name, _ in headers]


def headers_size(headers: Headers, names: list[bytes]) -> int:
    """With the number that tells how many they are."""
    size = number_size(len(headers) << 1)
    for index, (_, value) in enumerate(headers):
        size += object_size(names[index]) + object_size(value)
    return size
