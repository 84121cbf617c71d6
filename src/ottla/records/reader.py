"""From bytes to batches and records. Every length is checked against the bytes that are left before it is used."""

from collections.abc import Iterator

from ottla.doors.disk import Buffer
from ottla.records.batch import HEADER_SIZE, BatchHeader, header_problem, read_header
from ottla.records.compression import MAX_DECOMPRESSED_BYTES, decompress
from ottla.records.errors import CorruptRecord
from ottla.records.record import Headers, Record, read_varint


def iterate_batches(data: Buffer, *, allow_partial: bool = False) -> Iterator[tuple[int, BatchHeader]]:
    """Position and header of each batch. CRCs are not checked.

    With `allow_partial` a batch that is cut off at the end stops the walk (a fetch may end so); otherwise it is
    an error, as anything else is that cannot be a batch.
    """
    position, end = 0, len(data)
    while position < end:
        left = end - position
        if left < HEADER_SIZE and allow_partial:
            return
        header = read_header(data, position)
        problem = header_problem(header, left)
        if problem is not None:
            if allow_partial and header.size > left and header_problem(header, header.size) is None:
                return
            raise CorruptRecord(f"at byte {position}: {problem}")
        yield position, header
        position += header.size


def records_bytes(
    data: Buffer, position: int, header: BatchHeader, *, max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES
) -> bytes:
    """What follows the header, unpacked."""
    end = position + header.size
    if header.batch_length < HEADER_SIZE - 12 or end > len(data):
        raise CorruptRecord(f"batch of {header.size} bytes in {len(data) - position} bytes")
    packed = memoryview(data)[position + HEADER_SIZE : end]
    if not header.codec:
        return bytes(packed)
    if not packed and not header.record_count:
        return b""
    return decompress(header.codec, packed, max_decompressed_bytes)


def iterate_records(
    data: Buffer, position: int, header: BatchHeader, *, max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES
) -> Iterator[Record]:
    """The records of the batch at `position`. Raises CorruptRecord, and nothing else, wherever they make no sense."""
    body = records_bytes(data, position, header, max_decompressed_bytes=max_decompressed_bytes)
    try:
        yield from _walk(body, header)
    except IndexError as error:
        raise CorruptRecord("the records end too early") from error


def read_records(
    data: Buffer, position: int, header: BatchHeader, *, max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES
) -> list[Record]:
    return list(iterate_records(data, position, header, max_decompressed_bytes=max_decompressed_bytes))


def _walk(body: bytes, header: BatchHeader) -> Iterator[Record]:
    if header.record_count < 0:
        raise CorruptRecord(f"record count {header.record_count} is negative")
    base_offset, base_timestamp = header.base_offset, header.base_timestamp
    last_offset_delta = header.last_offset_delta
    append_time_ms = header.max_timestamp if header.uses_log_append_time else None
    position, end = 0, len(body)
    last_delta = -1
    for _ in range(header.record_count):
        size, start = read_varint(body, position)
        position = start + size
        if size <= 0 or position > end:
            raise CorruptRecord(f"a record of {size} bytes in {end - start} bytes")
        # start + 0 is the attributes byte, which means nothing yet.
        timestamp_delta, at = read_varint(body, start + 1, 64)
        delta, at = read_varint(body, at)
        if not last_delta < delta <= last_offset_delta:
            raise CorruptRecord(f"offset delta {delta} after {last_delta}, the batch ends at {last_offset_delta}")
        last_delta = delta
        key, at = _nullable_bytes(body, at, position)
        value, at = _nullable_bytes(body, at, position)
        headers: Headers = ()
        if body[at]:
            headers, at = read_headers(body, at, position)
        else:
            at += 1
        if at != position:
            raise CorruptRecord(f"a record of {size} bytes has fields of {at - start} bytes")
        timestamp_ms = base_timestamp + timestamp_delta if append_time_ms is None else append_time_ms
        yield Record(base_offset + delta, timestamp_ms, key, value, headers)
    if position != end:
        raise CorruptRecord(f"{end - position} bytes after the last record")


def _nullable_bytes(body: bytes, position: int, end: int) -> tuple[bytes | None, int]:
    size, position = read_varint(body, position)
    field_end = position + size
    if size >= 0 and field_end <= end:
        return body[position:field_end], field_end
    if size == -1:
        return None, position
    raise CorruptRecord(f"a field of {size} bytes in {end - position} bytes")


def read_headers(body: bytes, position: int, end: int) -> tuple[Headers, int]:
    count, position = read_varint(body, position)
    # A header takes at least two bytes.
    if not 0 <= count <= (end - position) // 2:
        raise CorruptRecord(f"{count} headers in {end - position} bytes")
    headers = []
    for _ in range(count):
        key, position = _nullable_bytes(body, position, end)
        if key is None:
            raise CorruptRecord("a header without a key")
        value, position = _nullable_bytes(body, position, end)
        # Header keys are text by agreement only. This keeps bytes that are none, through compaction and back.
        headers.append((key.decode("utf-8", "surrogateescape"), value))
    return tuple(headers), position
