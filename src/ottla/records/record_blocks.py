"""Where the fields of a batch's records lie: the one walk over the bytes of records, which everything else builds on.

A `RecordBlock` holds, for up to a few thousand records, at which byte each field starts and how long it is. The walk
checks everything that can be checked: Python objects and Arrow columns are built from a block without a second look.

    record = varint size, int8 attributes, varlong timestamp delta, varint offset delta,
             varint key size, key, varint value size, value, varint header count, headers
    header = varint key size, key, varint value size, value

Numbers are zigzag: 2 n for n >= 0, else an odd one; so an odd size is a negative one, and 1 is -1, a null. This module
is compiled where that is possible (`record_blocks.pxd` has the types): one- and two-byte numbers are read in place,
because a call for each would take most of the time in either form. Reads past the end raise IndexError in both.
"""

from collections.abc import Iterator

from ottla.doors.disk import Buffer
from ottla.records.errors import CorruptRecord, RecordsTooLarge

#: Records of a block: its arrays take 40 bytes for each, however many there are in a batch.
BLOCK_ROWS = 4096
#: A size of one byte, attributes, two deltas, two sizes, a count.
RECORD_BYTES_MIN = 7
_INT32_MAX = 0x7FFF_FFFF
_INT64_MAX = 0x7FFF_FFFF_FFFF_FFFF
_INT64_MIN = -_INT64_MAX - 1


class RecordBlock:
    """Neighbouring records of one batch; arrays with an entry for each, in order. Never changes once it is read."""

    body: Buffer
    rows: int
    #: Which record of the batch the first one is, counted from 0.
    first_row: int
    #: The first byte, the byte after the last record, and the offset delta of that.
    start: int
    end: int
    last_delta: int
    #: Extremes of the timestamp deltas.
    earliest: int
    latest: int
    #: Whether any record has headers.
    has_headers: bool
    timestamp_deltas: memoryview
    record_at: memoryview
    offset_deltas: memoryview
    key_at: memoryview
    #: -1 where there is no key; the same for values.
    key_sizes: memoryview
    value_at: memoryview
    value_sizes: memoryview
    #: Where the first header starts, and how many there are.
    headers_at: memoryview
    header_counts: memoryview

    def read(self, body: Buffer, at: int, rows: int, first_row: int, last_delta: int, last_offset_delta: int) -> None:
        """Walks over `rows` records from byte `at` on. `last_delta` is the offset delta of the record before them."""
        numbers = memoryview(bytearray(32 * rows)).cast("i")
        self.body = body
        self.rows = rows
        self.first_row = first_row
        self.start = at
        self.has_headers = False
        self.timestamp_deltas = memoryview(bytearray(8 * rows)).cast("q")
        self.record_at = numbers[:rows]
        self.offset_deltas = numbers[rows : 2 * rows]
        self.key_at = numbers[2 * rows : 3 * rows]
        self.key_sizes = numbers[3 * rows : 4 * rows]
        self.value_at = numbers[4 * rows : 5 * rows]
        self.value_sizes = numbers[5 * rows : 6 * rows]
        self.headers_at = numbers[6 * rows : 7 * rows]
        self.header_counts = numbers[7 * rows :]
        self._walk(at, last_delta, last_offset_delta)

    def _walk(self, at: int, last_delta: int, last_offset_delta: int) -> None:  # noqa: C901
        body, end = self.body, len(self.body)
        record_at, timestamps, deltas = self.record_at, self.timestamp_deltas, self.offset_deltas
        earliest, latest = _INT64_MAX, _INT64_MIN
        for row in range(self.rows):
            record_at[row] = at
            size = body[at]
            at += 1
            if size >= 0x80:
                more = body[at]
                at += 1
                size = size & 0x7F | more << 7
                if more >= 0x80:
                    size, at = self.number_at(at - 2, 32)
            record_end = at + (size >> 1)
            if size & 1 or not size or record_end > end:
                raise CorruptRecord(f"a record of {from_zigzag(size)} bytes in {end - at} bytes")
            # One byte of attributes, which mean nothing yet.
            number = body[at + 1]
            at += 2
            if number >= 0x80:
                more = body[at]
                at += 1
                number = number & 0x7F | more << 7
                if more >= 0x80:
                    number, at = self.number_at(at - 2, 64)
            timestamp = from_zigzag(number)
            timestamps[row] = timestamp
            if timestamp > latest:
                latest = timestamp
            if timestamp < earliest:
                earliest = timestamp
            delta = body[at]
            at += 1
            if delta >= 0x80:
                more = body[at]
                at += 1
                delta = delta & 0x7F | more << 7
                if more >= 0x80:
                    delta, at = self.number_at(at - 2, 32)
            if delta & 1 or not last_delta < delta >> 1 <= last_offset_delta:
                raise CorruptRecord(
                    f"offset delta {from_zigzag(delta)} after {last_delta}, the batch ends at {last_offset_delta}"
                )
            last_delta = delta >> 1
            deltas[row] = last_delta
            at = self._walk_fields(row, at, record_end)
        self.end, self.last_delta, self.earliest, self.latest = at, last_delta, earliest, latest

    def _walk_fields(self, row: int, at: int, record_end: int) -> int:
        """Key, value and headers; returns `record_end`."""
        size = self.body[at]
        at += 1
        if size >= 0x80:
            size, at = self.number_at(at - 1, 32)
        self.key_at[row] = at
        if size & 1:
            self.key_sizes[row] = -1
            check_null_size(size)
        else:
            self.key_sizes[row] = size >> 1
            at += size >> 1
        if at > record_end:
            raise CorruptRecord(f"a key of {size >> 1} bytes up to byte {at}, in a record up to byte {record_end}")
        size = self.body[at]
        at += 1
        if size >= 0x80:
            more = self.body[at]
            at += 1
            size = size & 0x7F | more << 7
            if more >= 0x80:
                size, at = self.number_at(at - 2, 32)
        self.value_at[row] = at
        if size & 1:
            self.value_sizes[row] = -1
            check_null_size(size)
        else:
            self.value_sizes[row] = size >> 1
            at += size >> 1
        if at > record_end:
            raise CorruptRecord(f"a value of {size >> 1} bytes up to byte {at}, in a record up to byte {record_end}")
        if at < record_end and self.body[at]:
            at = self._walk_headers(row, at, record_end)
        else:
            at += 1
        if at != record_end:
            raise CorruptRecord(f"a record up to byte {record_end} has fields up to byte {at}")
        return at

    def _walk_headers(self, row: int, at: int, record_end: int) -> int:
        number, at = self.number_at(at, 32)
        count = from_zigzag(number)
        # A header takes two bytes or more.
        if count < 0 or count > (record_end - at) // 2:
            raise CorruptRecord(f"{count} headers in {record_end - at} bytes")
        self.has_headers = True
        self.headers_at[row] = at
        self.header_counts[row] = count
        for _ in range(count):
            key_size, at = self.field_at(at, record_end)
            if key_size < 0:
                raise CorruptRecord("a header without a key")
            value_size, at = self.field_at(at + key_size, record_end)
            if value_size > 0:
                at += value_size
        return at

    def field_at(self, at: int, end: int) -> tuple[int, int]:
        """Size and first byte of the field whose size stands at `at` and which must end by `end`; null is size -1."""
        number, at = self.number_at(at, 32)
        size = from_zigzag(number)
        if size < -1 or size > end - at:
            raise CorruptRecord(f"a field of {size} bytes in {end - at} bytes")
        return size, at

    def number_at(self, at: int, bits: int) -> tuple[int, int]:
        """The zigzag number at `at` as it stands there, and the byte after it."""
        number = shift = 0
        while True:
            byte = self.body[at]
            at += 1
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift >= bits:
                raise CorruptRecord(f"a varint of more than {bits} bits")
        if shift + 7 > bits and byte >> (bits - shift):
            raise CorruptRecord(f"a varint of more than {bits} bits")
        return number, at


def from_zigzag(number: int) -> int:
    """What a zigzag number stands for."""
    return (number >> 1) ^ -(number & 1)


def check_null_size(size: int) -> None:
    if size != 1:
        raise CorruptRecord(f"a field of {from_zigzag(size)} bytes")


def iterate_blocks(
    body: Buffer, count: int, last_offset_delta: int, block_rows: int = BLOCK_ROWS
) -> Iterator[RecordBlock]:
    """All records of a batch, whose unpacked bytes after the header are `body`.

    Raises CorruptRecord, and nothing else, where they make no sense; blocks before that have been yielded then.
    """
    left = count
    at, last_delta = 0, -1
    if len(body) > _INT32_MAX:
        raise RecordsTooLarge(f"{len(body)} bytes of records in one batch")
    if count < 0 or count > len(body) // RECORD_BYTES_MIN:
        raise CorruptRecord(f"{count} records in {len(body)} bytes")
    while left:
        block = RecordBlock()
        try:
            block.read(body, at, min(left, block_rows), count - left, last_delta, last_offset_delta)
        except IndexError as error:
            raise CorruptRecord("the records end too early") from error
        left -= block.rows
        at, last_delta = block.end, block.last_delta
        if not left and at != len(body):
            break
        yield block
    if at != len(body):
        raise CorruptRecord(f"{len(body) - at} bytes after the last record")
