"""Goes over the records of a batch without making any: are they whole, do they have keys, how late are they?

For batches of compacted topics, on the event loop: each record costs its own time there, so this is one loop over
local variables in which the common lengths (one or two bytes) are read in place. `reader` says the same in clear.
"""

from typing import NamedTuple

from ottla.records.batch import BatchHeader
from ottla.records.errors import CorruptRecord
from ottla.records.reader import read_headers
from ottla.records.record import check_null_size, read_zigzag
from ottla.twins import compiled_twin

_twin = compiled_twin("ottla.records._key_walk")


class WalkedKeys(NamedTuple):
    #: The largest difference to the batch's base timestamp.
    latest_delta: int
    #: Which records, counted from 0, have no key.
    keyless: list[int]


def walk_keys(body: bytes, header: BatchHeader) -> WalkedKeys:
    """`body` is what follows the header, unpacked. Raises CorruptRecord where the records make no sense."""
    if _twin is not None:
        found = _twin.walk_good_records(body, header.record_count, header.last_offset_delta)
        if found is not None:
            return WalkedKeys(*found)
    try:
        return _walk(body, header.record_count, header.last_offset_delta)
    except IndexError as error:
        raise CorruptRecord("the records end too early") from error


def _walk(  # noqa: C901 - unrolled: a call for each number would take twice the time
    body: bytes, count: int, last_offset_delta: int
) -> WalkedKeys:
    end = len(body)
    latest, last_delta = -(1 << 63), -1
    keyless: list[int] = []
    record_end = 0
    for index in range(count):
        # Numbers are zigzag: 2 n for n >= 0, else an odd one. First how long the record is.
        size, at = body[record_end], record_end + 1
        if size >= 0x80:
            if (more := body[at]) < 0x80:
                size, at = size & 0x7F | more << 7, at + 1
            else:
                size, at = read_zigzag(body, record_end, 32)
        record_start = at
        record_end = at + (size >> 1)
        if size & 1 or not size or record_end > end:
            raise CorruptRecord(f"a record of {_number(size)} bytes in {end - record_start} bytes")
        # The attributes byte, which means nothing yet; the timestamp.
        timestamp, at = body[at + 1], at + 2
        if timestamp >= 0x80:
            if (more := body[at]) < 0x80:
                timestamp, at = timestamp & 0x7F | more << 7, at + 1
            else:
                timestamp, at = read_zigzag(body, at - 1, 64)
        timestamp = -(timestamp >> 1) - 1 if timestamp & 1 else timestamp >> 1
        if timestamp > latest:
            latest = timestamp
        # The offset.
        delta, at = body[at], at + 1
        if delta >= 0x80:
            if (more := body[at]) < 0x80:
                delta, at = delta & 0x7F | more << 7, at + 1
            else:
                delta, at = read_zigzag(body, at - 1, 32)
        delta = -1 if delta & 1 else delta >> 1
        if not last_delta < delta <= last_offset_delta:
            raise CorruptRecord(f"offset delta {delta} after {last_delta}, the batch ends at {last_offset_delta}")
        last_delta = delta
        # The key.
        size, at = body[at], at + 1
        if size >= 0x80:
            size, at = read_zigzag(body, at - 1, 32)
        if not size & 1:
            at += size >> 1
        else:
            check_null_size(size)
            keyless.append(index)
        # The value.
        size, at = body[at], at + 1
        if size >= 0x80:
            if (more := body[at]) < 0x80:
                size, at = size & 0x7F | more << 7, at + 1
            else:
                size, at = read_zigzag(body, at - 1, 32)
        if not size & 1:
            at += size >> 1
        else:
            check_null_size(size)
        # Mostly no headers.
        if at < record_end and body[at]:
            _, at = read_headers(body, at, record_end)
        else:
            at += 1
        if at != record_end:
            raise CorruptRecord(f"fields of {at - record_start} bytes in a record of {record_end - record_start}")
    if record_end != end:
        raise CorruptRecord(f"{end - record_end} bytes after the last record")
    return WalkedKeys(latest, keyless)


def _number(zigzag: int) -> int:
    return -(zigzag >> 1) - 1 if zigzag & 1 else zigzag >> 1
