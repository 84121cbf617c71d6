"""Codecs: round trips, limits, bombs, other people's variants."""

import gzip
import resource
import struct
import sys

import cramjam
import lz4.frame
import pytest
import zstandard

from ottla.records.compression import MAX_DECOMPRESSED_BYTES, MAX_GZIP_MEMBERS, Codec, compress, decompress
from ottla.records.errors import CorruptRecord, RecordsTooLarge
from ottla.records.snappy import XERIAL_MAGIC, compress_raw

CODECS = [Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD]
NOISE = bytes((i * i * 31 + i // 7) & 0xFF for i in range(200_000))


@pytest.mark.parametrize("codec", list(Codec))
@pytest.mark.parametrize("data", [b"", b"x", bytes(70_000), NOISE], ids=["empty", "one", "zeros", "noise"])
def test_data_come_back(codec: Codec, data: bytes) -> None:
    assert decompress(codec, compress(codec, data), len(data)) == data
    assert decompress(codec, memoryview(bytearray(compress(codec, memoryview(data))))) == data


@pytest.mark.parametrize(("codec", "level"), [(1, 1), (1, 9), (3, 1), (3, 12), (4, -5), (4, 19)])
def test_levels_are_heard(codec: int, level: int) -> None:
    assert decompress(codec, compress(codec, NOISE, level)) == NOISE


@pytest.mark.parametrize("codec", list(Codec))
def test_the_limit_is_exact(codec: Codec) -> None:
    packed = compress(codec, bytes(100_000))

    assert len(decompress(codec, packed, 100_000)) == 100_000
    with pytest.raises(RecordsTooLarge):
        decompress(codec, packed, 99_999)


@pytest.mark.parametrize("codec", CODECS)
def test_a_bomb_is_stopped_by_the_absolute_limit_whatever_the_caller_allows(codec: Codec) -> None:
    bomb = compress(codec, bytes(MAX_DECOMPRESSED_BYTES + 1))

    with pytest.raises(RecordsTooLarge):
        decompress(codec, bomb, 2**40)


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux only")
@pytest.mark.parametrize("codec", CODECS)
def test_a_bomb_is_stopped_before_it_takes_memory(codec: Codec) -> None:
    bomb = compress(codec, bytes(MAX_DECOMPRESSED_BYTES))
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for _ in range(3):
        with pytest.raises(RecordsTooLarge):
            decompress(codec, bomb, 1024 * 1024)

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib < 32 * 1024


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.SNAPPY, Codec.LZ4])
@pytest.mark.parametrize("cut", [1, 5, 1000])
def test_cut_data_are_corrupt(codec: Codec, cut: int) -> None:
    with pytest.raises(CorruptRecord):
        decompress(codec, compress(codec, NOISE)[:-cut])


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.LZ4, Codec.ZSTD])
def test_bytes_after_the_end_are_corrupt(codec: Codec) -> None:
    with pytest.raises(CorruptRecord):
        decompress(codec, compress(codec, NOISE) + b"tail")


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("junk", [b"\x00" * 30, b"\xff" * 30, b"no codec ever wrote this"])
def test_junk_is_corrupt(codec: Codec, junk: bytes) -> None:
    with pytest.raises(CorruptRecord):
        decompress(codec, junk + b"\xff\xff\xff\xff\xff")


@pytest.mark.parametrize("codec", [-1, 5, 7])
def test_unknown_codecs_are_corrupt(codec: int) -> None:
    with pytest.raises(CorruptRecord):
        decompress(codec, b"")
    with pytest.raises(ValueError, match="codec"):
        compress(codec, b"")


def test_gzip_members_are_one_stream() -> None:
    assert decompress(1, gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(NOISE)) == b"one " + NOISE


def test_the_limit_counts_all_gzip_members() -> None:
    with pytest.raises(RecordsTooLarge):
        decompress(1, gzip.compress(bytes(600)) * 2, 1000)


def test_a_flood_of_empty_gzip_members_is_refused() -> None:
    with pytest.raises(CorruptRecord, match="members"):
        decompress(1, gzip.compress(b"") * (MAX_GZIP_MEMBERS + 1))


def test_zstd_frames_are_one_stream() -> None:
    assert decompress(4, compress(4, b"one ") + compress(4, NOISE)) == b"one " + NOISE


def test_a_zstd_window_above_8_mib_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=24)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    packed = packer.compress(NOISE) + packer.flush()

    with pytest.raises(CorruptRecord, match="zstd"):
        decompress(4, packed)


def test_lz4_is_written_as_the_java_client_reads_it() -> None:
    info = lz4.frame.get_frame_info(compress(3, NOISE))

    assert info["block_size"] == 65_536
    assert not info["block_linked"]


def test_lz4_with_linked_blocks_and_sizes_is_read() -> None:
    packed = lz4.frame.compress(NOISE, block_linked=True, store_size=True, content_checksum=True, block_checksum=True)
    assert decompress(3, packed) == NOISE


def test_a_broken_lz4_checksum_is_corrupt() -> None:
    packed = bytearray(lz4.frame.compress(NOISE, content_checksum=True))
    packed[-1] ^= 1
    with pytest.raises(CorruptRecord):
        decompress(3, packed)


def test_snappy_is_written_in_xerial_framing_and_read_raw_too() -> None:
    assert compress(2, NOISE).startswith(XERIAL_MAGIC + struct.pack(">ii", 1, 1))
    assert decompress(2, compress_raw(NOISE)) == NOISE
    assert decompress(2, bytes(cramjam.snappy.compress_raw(NOISE))) == NOISE


def test_a_snappy_length_that_the_data_cannot_hold_is_refused_unread() -> None:
    claim = b"\x80\x80\x80\x10"  # 32 MiB in a few bytes
    with pytest.raises(CorruptRecord, match="claim"):
        decompress(2, claim + b"\x00" * 10)


@pytest.mark.parametrize("size", [0, -1, 2**31 - 1, 50])
def test_a_xerial_block_beyond_the_data_is_corrupt(size: int) -> None:
    framed = XERIAL_MAGIC + struct.pack(">iii", 1, 1, size) + b"\x00"
    with pytest.raises(CorruptRecord):
        decompress(2, framed)


def test_a_cut_xerial_header_is_corrupt() -> None:
    with pytest.raises(CorruptRecord):
        decompress(2, XERIAL_MAGIC + b"\x00\x00")
