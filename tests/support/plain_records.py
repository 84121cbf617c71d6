"""Records written and read as plainly as can be: what the quick code is compared with."""

from collections.abc import Iterator, Sequence

from ottla.records.batch import BatchHeader
from ottla.records.errors import CorruptRecord
from ottla.records.record import Headers, Record


def plain_records(body: bytes, header: BatchHeader) -> list[Record] | None:
    """None where the bytes make no sense. `body` is what follows the header, unpacked."""
    try:
        return list(_Reader(body).records(header))
    except (CorruptRecord, IndexError):
        return None


def plain_body(records: Sequence[Record], base_offset: int, base_timestamp: int) -> bytes:
    """The records with the offsets and timestamps they have, as they follow the header of a batch."""
    out = b""
    for offset, timestamp, key, value, headers in records:
        record = (
            b"\x00" + varint(timestamp - base_timestamp) + varint(offset - base_offset) + _field(key) + _field(value)
        )
        record += varint(len(headers))
        for name, content in headers:
            record += _field(name.encode("utf-8", "surrogateescape")) + _field(content)
        out += varint(len(record)) + record
    return out


def varint(number: int) -> bytes:
    zigzag = 2 * number if number >= 0 else -2 * number - 1
    out = bytearray()
    while zigzag > 0x7F:
        out.append(zigzag & 0x7F | 0x80)
        zigzag >>= 7
    return bytes([*out, zigzag])


def _field(value: bytes | None) -> bytes:
    return varint(-1) if value is None else varint(len(value)) + value


class _Reader:
    def __init__(self, body: bytes) -> None:
        self._body = body
        self._at = 0

    def records(self, header: BatchHeader) -> Iterator[Record]:
        last_delta = -1
        for _ in range(header.record_count):
            size = self._number()
            end = self._at + size
            if size <= 0 or end > len(self._body):
                raise CorruptRecord("record size")
            self._at += 1
            timestamp = header.base_timestamp + self._number(64)
            if timestamp >> 63 not in (0, -1):
                raise CorruptRecord("timestamp")
            delta = self._number()
            if not last_delta < delta <= header.last_offset_delta:
                raise CorruptRecord("offset")
            last_delta = delta
            record = Record(
                header.base_offset + delta, timestamp, self._field(end), self._field(end), self._headers(end)
            )
            if self._at != end:
                raise CorruptRecord("fields")
            if header.uses_log_append_time:
                record = record._replace(timestamp_ms=header.max_timestamp)
            yield record
        if self._at != len(self._body):
            raise CorruptRecord("end")

    def _headers(self, end: int) -> Headers:
        count = self._number()
        if count < 0 or count > end - self._at:
            raise CorruptRecord("header count")
        headers = []
        for _ in range(count):
            name, value = self._field(end), self._field(end)
            if name is None:
                raise CorruptRecord("header name")
            headers.append((name.decode("utf-8", "surrogateescape"), value))
        return tuple(headers)

    def _field(self, end: int) -> bytes | None:
        size = self._number()
        if size == -1:
            return None
        start, self._at = self._at, self._at + size
        if size < 0 or self._at > end:
            raise CorruptRecord("field size")
        return self._body[start : self._at]

    def _number(self, bits: int = 32) -> int:
        number = shift = 0
        while True:
            byte = self._body[self._at]
            self._at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if number >> bits or shift > bits + 6:
            raise CorruptRecord("number")
        return (number >> 1) ^ -(number & 1)
