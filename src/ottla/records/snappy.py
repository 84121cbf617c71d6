"""Snappy as Kafka's clients use it: raw, or in the framing of the xerial library.

    xerial = 82 53 4e 41 50 50 59 00, int32 version 1, int32 compatible 1, then blocks: int32 size, raw snappy
Java writes the framing and reads both, librdkafka writes raw and reads both; so do we.
"""

import struct
from typing import Final

from ottla.doors.disk import Buffer
from ottla.records.errors import CorruptRecord, RecordsTooLarge

XERIAL_MAGIC: Final = b"\x82SNAPPY\x00"
_XERIAL_HEADER: Final = XERIAL_MAGIC + struct.pack(">ii", 1, 1)
_XERIAL_BLOCK_BYTES: Final = 32 * 1024
_BLOCK_SIZE: Final = struct.Struct(">i")
#: The densest element copies 64 bytes and takes 3: a larger claim is a lie, seen before memory is taken.
_MAX_RATIO: Final = 22
_LENGTH_BYTES_MAX: Final = 5


def compress_raw(data: Buffer) -> bytes:
    import cramjam

    return bytes(cramjam.snappy.compress_raw(data))


def compress_xerial(data: Buffer) -> bytes:
    out = bytearray(_XERIAL_HEADER)
    view = memoryview(data)
    for position in range(0, len(view), _XERIAL_BLOCK_BYTES):
        block = compress_raw(bytes(view[position : position + _XERIAL_BLOCK_BYTES]))
        out += _BLOCK_SIZE.pack(len(block))
        out += block
    return bytes(out)


def decompress(data: Buffer, max_bytes: int) -> bytes:
    view = memoryview(data)
    if bytes(view[: len(XERIAL_MAGIC)]) == XERIAL_MAGIC:
        return _decompress_xerial(view, max_bytes)
    return _decompress_raw(view, max_bytes)


def _decompress_xerial(data: memoryview, max_bytes: int) -> bytes:
    if len(data) < len(_XERIAL_HEADER):
        raise CorruptRecord("snappy: xerial header is cut off")
    out = bytearray()
    position = len(_XERIAL_HEADER)
    while position < len(data):
        if len(data) - position < _BLOCK_SIZE.size:
            raise CorruptRecord("snappy: xerial block size is cut off")
        (size,) = _BLOCK_SIZE.unpack_from(data, position)
        position += _BLOCK_SIZE.size
        if not 0 < size <= len(data) - position:
            raise CorruptRecord(f"snappy: xerial block of {size} bytes in {len(data) - position} bytes")
        out += _decompress_raw(data[position : position + size], max_bytes - len(out))
        position += size
    return bytes(out)


def _decompress_raw(data: memoryview, max_bytes: int) -> bytes:
    import cramjam

    declared = _declared_length(data)
    if declared > max_bytes:
        raise RecordsTooLarge(f"snappy data unpack to {declared} bytes, more than {max_bytes}")
    if declared > len(data) * _MAX_RATIO:
        raise CorruptRecord(f"snappy: {len(data)} bytes cannot hold the {declared} they claim")
    try:
        return bytes(cramjam.snappy.decompress_raw(bytes(data)))
    except cramjam.DecompressionError as error:
        raise CorruptRecord(f"snappy: {error}") from error


def _declared_length(data: memoryview) -> int:
    value = 0
    for index, byte in enumerate(data[:_LENGTH_BYTES_MAX]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value
    raise CorruptRecord("snappy: no length at the start")
