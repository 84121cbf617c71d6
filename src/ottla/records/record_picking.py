"""For compaction: the keys of a batch, and the batch without some of its records, as bytes.

Every record of a dirty log passes here, so each function is one loop over local variables in which the common lengths
(one or two bytes) are read in place; no object is made but the key. `reader` says the same in clear. Values and headers
are not looked into: what stays is copied as it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ottla.records.batch import HEADER, HEADER_SIZE, LENGTH_OVERHEAD, BatchHeader, patch_checksum
from ottla.records.compression import compress
from ottla.records.errors import CorruptRecord
from ottla.records.record import check_null_size, read_varint, read_zigzag


class BatchKeys(NamedTuple):
    """Of each record of a batch, in order."""

    keys: list[bytes | None]
    #: Differences to the base offset of the batch.
    deltas: list[int]
    #: Which records, counted from 0, have no value.
    tombstones: list[int]


def read_keys(body: bytes, header: BatchHeader) -> BatchKeys:
    """`body` is what follows the header, unpacked. Raises CorruptRecord where the records make no sense."""
    try:
        return _read_keys(body, header.record_count, header.last_offset_delta)
    except IndexError as error:
        raise CorruptRecord("the records end too early") from error


def _read_keys(  # noqa: C901 - unrolled: a call for each number would take twice the time
    body: bytes, count: int, last_offset_delta: int
) -> BatchKeys:
    keys: list[bytes | None] = []
    deltas: list[int] = []
    tombstones: list[int] = []
    add_key, add_delta = keys.append, deltas.append
    record_end, last_delta = 0, -1
    for index in range(count):
        # Numbers are zigzag: 2 n for n >= 0, else an odd one. First how long the record is.
        size, at = body[record_end], record_end + 1
        if size >= 0x80:
            if (more := body[at]) < 0x80:
                size, at = size & 0x7F | more << 7, at + 1
            else:
                size, at = read_zigzag(body, record_end)
        record_end = at + (size >> 1)
        # The attributes byte, which means nothing yet; the timestamp, which is not needed.
        if body[at + 1] < 0x80:
            at += 2
        elif body[at + 2] < 0x80:
            at += 3
        else:
            at = read_varint(body, at + 1, 64)[1]
        delta, at = body[at], at + 1
        if delta >= 0x80:
            if (more := body[at]) < 0x80:
                delta, at = delta & 0x7F | more << 7, at + 1
            else:
                delta, at = read_zigzag(body, at - 1)
        if delta & 1 or (delta := delta >> 1) <= last_delta:
            raise CorruptRecord(f"offset delta {delta} after {last_delta}")
        last_delta = delta
        add_delta(delta)
        # The key.
        key_size, at = body[at], at + 1
        if key_size >= 0x80:
            key_size, at = read_zigzag(body, at - 1)
        if key_size & 1:
            check_null_size(key_size)
            add_key(None)
        else:
            add_key(body[at : (at := at + (key_size >> 1))])
        # Of the value only whether there is one. This is also where a key that is too long shows.
        if at >= record_end or size & 1:
            raise CorruptRecord(f"a key up to byte {at} in a record up to byte {record_end}")
        if body[at] & 1:
            check_null_size(read_zigzag(body, at)[0])
            tombstones.append(index)
    _check_end(body, record_end, last_delta, last_offset_delta)
    return BatchKeys(keys, deltas, tombstones)


def _check_end(body: bytes, record_end: int, last_delta: int, last_offset_delta: int) -> None:
    if record_end != len(body):
        raise CorruptRecord(f"the records end at byte {record_end} of {len(body)}")
    if last_delta > last_offset_delta:
        raise CorruptRecord(f"offset delta {last_delta}, the batch ends at {last_offset_delta}")


def without_others(body: bytes, header: BatchHeader, wanted: Sequence[int]) -> bytearray:
    """The batch with only these of its records (counted from 0, in order). `read_keys` has found `body` to be sound.

    All fields of the header stay but length, count, CRC and, unless the broker has stamped the batch, the largest time.
    """
    kept, latest = _picked(body, wanted)
    max_timestamp = header.max_timestamp if header.uses_log_append_time else header.base_timestamp + latest
    packed = compress(header.codec, kept) if header.codec else kept
    changed = header._replace(
        batch_length=HEADER_SIZE - LENGTH_OVERHEAD + len(packed), max_timestamp=max_timestamp, record_count=len(wanted)
    )
    batch = bytearray(HEADER.pack(*changed))
    batch += packed
    patch_checksum(batch, 0, len(batch))
    return batch


def _picked(body: bytes, wanted: Sequence[int]) -> tuple[bytearray, int]:
    """The records as they stand there, and the largest difference to the base timestamp."""
    out = bytearray()
    latest = -(1 << 63)
    record_end = run_start = run_end = index = 0
    for next_wanted in wanted:
        while True:
            start = record_end
            size, at = body[start], start + 1
            if size >= 0x80:
                if (more := body[at]) < 0x80:
                    size, at = size & 0x7F | more << 7, at + 1
                else:
                    size, at = read_zigzag(body, start)
            record_end = at + (size >> 1)
            index += 1
            if index > next_wanted:
                break
        timestamp = read_varint(body, at + 1, 64)[0]
        if timestamp > latest:
            latest = timestamp
        if start != run_end:
            # Neighbours are copied at once.
            out += body[run_start:run_end]
            run_start = start
        run_end = record_end
    out += body[run_start:run_end]
    return out, latest
