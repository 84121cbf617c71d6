"""The four codecs of Kafka, with a hard limit on what they may unpack to.

The limit is absolute and not a ratio: honest logs reach 20:1, zeros reach 32,000:1. Each codec is unpacked in steps, or
its declared size is checked, so that the limit is found before the memory is taken. The libraries are imported when
first used: a broker that only moves batches never loads them.
"""

import zlib
from collections.abc import Callable
from enum import IntEnum
from typing import Final

from ottla.doors.disk import Buffer
from ottla.records import snappy
from ottla.records.errors import CorruptRecord, RecordsTooLarge

#: No caller can allow more than this.
MAX_DECOMPRESSED_BYTES: Final = 64 * 1024 * 1024
MAX_ZSTD_WINDOW_BYTES: Final = 8 * 1024 * 1024
#: Empty members cost 20 bytes each and make nothing; honest encoders write one.
MAX_GZIP_MEMBERS: Final = 4096

_INPUT_STEP_BYTES: Final = 16 * 1024
_OUTPUT_STEP_BYTES: Final = 1024 * 1024
_GZIP_WRAPPER: Final = 31
#: Blocks of 64 KiB that do not depend on each other: the Java client reads no other kind.
_LZ4_BLOCK_SIZE_ID: Final = 4


class Codec(IntEnum):
    """Bits 0-2 of a batch's attributes. The lower-case name is the one in configs and tools."""

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4

    @property
    def text(self) -> str:
        return self.name.lower()


def compress(codec: int, data: Buffer, level: int | None = None) -> bytes:
    """`data` as one compressed block. `level` as in compression.gzip.level and its siblings; None is the default."""
    if codec not in _COMPRESSORS:
        raise ValueError(f"unknown codec {codec}")
    return _COMPRESSORS[codec](data, level)


def decompress(codec: int, data: Buffer, max_bytes: int = MAX_DECOMPRESSED_BYTES) -> bytes:
    """Raises RecordsTooLarge above `max_bytes`, CorruptRecord for anything else that is wrong."""
    try:
        unpack = _DECOMPRESSORS[codec]
    except KeyError:
        raise CorruptRecord(f"unknown codec {codec}") from None
    return unpack(data, min(max_bytes, MAX_DECOMPRESSED_BYTES))


def _too_large(codec: Codec, max_bytes: int) -> RecordsTooLarge:
    return RecordsTooLarge(f"{codec.text} data unpack to more than {max_bytes} bytes")


def _copy(data: Buffer, level: int | None) -> bytes:
    return bytes(data)


def _copy_bounded(data: Buffer, max_bytes: int) -> bytes:
    if len(data) > max_bytes:
        raise _too_large(Codec.NONE, max_bytes)
    return bytes(data)


def _gzip_compress(data: Buffer, level: int | None) -> bytes:
    packer = zlib.compressobj(-1 if level is None else level, zlib.DEFLATED, _GZIP_WRAPPER)
    return packer.compress(data) + packer.flush()


def _gzip_decompress(data: Buffer, max_bytes: int) -> bytes:
    """Members one after another are one stream (RFC 1952)."""
    out = bytearray()
    rest = memoryview(data)
    for _ in range(MAX_GZIP_MEMBERS):
        rest = rest[_gzip_member(rest, out, max_bytes) :]
        if not rest:
            return bytes(out)
    raise CorruptRecord(f"more than {MAX_GZIP_MEMBERS} gzip members")


def _gzip_member(data: memoryview, out: bytearray, max_bytes: int) -> int:
    """Appends what one member holds to `out`; returns the size of the member."""
    unpacker = zlib.decompressobj(_GZIP_WRAPPER)
    position = 0
    try:
        while not unpacker.eof:
            step = data[position : position + _INPUT_STEP_BYTES]
            if not step:
                raise CorruptRecord("gzip data end too early")
            # One byte more than allowed shows that it is too much; 0 would mean no limit.
            out += unpacker.decompress(step, max_bytes - len(out) + 1)
            if len(out) > max_bytes:
                raise _too_large(Codec.GZIP, max_bytes)
            position += len(step)
    except zlib.error as error:
        raise CorruptRecord(f"gzip: {error}") from error
    return position - len(unpacker.unused_data)


def _lz4_compress(data: Buffer, level: int | None) -> bytes:
    import lz4.frame

    packed: bytes = lz4.frame.compress(
        data,
        compression_level=0 if level is None else level,
        block_size=_LZ4_BLOCK_SIZE_ID,
        block_linked=False,
        store_size=False,
    )
    return packed


def _lz4_decompress(data: Buffer, max_bytes: int) -> bytes:
    import lz4.frame

    unpacker = lz4.frame.LZ4FrameDecompressor()
    out = bytearray()
    step: Buffer = data
    try:
        while not unpacker.eof:
            made = unpacker.decompress(step, max_length=min(max_bytes - len(out) + 1, _OUTPUT_STEP_BYTES))
            out += made
            if len(out) > max_bytes:
                raise _too_large(Codec.LZ4, max_bytes)
            if not unpacker.eof and (unpacker.needs_input or not made):
                raise CorruptRecord("lz4 data end too early")
            step = b""
    except (RuntimeError, ValueError, MemoryError) as error:
        raise CorruptRecord(f"lz4: {error}") from error
    if unpacker.unused_data:
        raise CorruptRecord(f"{len(unpacker.unused_data)} bytes after the lz4 frame")
    return bytes(out)


def _zstd_compress(data: Buffer, level: int | None) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor(level=3 if level is None else level).compress(data)


def _zstd_decompress(data: Buffer, max_bytes: int) -> bytes:
    import zstandard

    out = bytearray()
    try:
        unpacker = zstandard.ZstdDecompressor(max_window_size=MAX_ZSTD_WINDOW_BYTES)
        with unpacker.stream_reader(data, read_across_frames=True) as stream:
            while step := stream.read(min(max_bytes - len(out) + 1, _OUTPUT_STEP_BYTES)):
                out += step
                if len(out) > max_bytes:
                    raise _too_large(Codec.ZSTD, max_bytes)
    except (zstandard.ZstdError, MemoryError) as error:
        raise CorruptRecord(f"zstd: {error}") from error
    return bytes(out)


def _snappy_compress(data: Buffer, level: int | None) -> bytes:
    return snappy.compress_xerial(data)


_COMPRESSORS: Final[dict[int, Callable[[Buffer, int | None], bytes]]] = {
    Codec.NONE: _copy,
    Codec.GZIP: _gzip_compress,
    Codec.SNAPPY: _snappy_compress,
    Codec.LZ4: _lz4_compress,
    Codec.ZSTD: _zstd_compress,
}

_DECOMPRESSORS: Final[dict[int, Callable[[Buffer, int], bytes]]] = {
    Codec.NONE: _copy_bounded,
    Codec.GZIP: _gzip_decompress,
    Codec.SNAPPY: snappy.decompress,
    Codec.LZ4: _lz4_decompress,
    Codec.ZSTD: _zstd_decompress,
}
