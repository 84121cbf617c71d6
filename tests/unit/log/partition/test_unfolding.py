"""Small packed batches that unfold to much: refused before the memory is taken, wherever records are read."""

import struct
import tracemalloc

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import patch_checksum
from ottla.records.builder import Record, build_batch
from ottla.records.compression import Codec
from tests.support.log_builders import (
    NOW_MS,
    append,
    log_with,
)

MIB = 1 << 20
CODECS = [Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD]


def zeros(size: int, codec: Codec) -> bytearray:
    return build_batch([Record(0, NOW_MS, b"key", bytes(size), ())], codec=codec)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("settings", [{"cleanup_policy": "compact"}, {"compression_type": "uncompressed"}])
def test_a_batch_that_unfolds_beyond_the_limit_is_refused(codec: Codec, settings: dict[str, str]) -> None:
    log = log_with(**settings, ottla_decompressed_batch_max_bytes=str(MIB), max_message_bytes=str(16 * MIB))

    append(log, zeros(MIB - 100, codec))
    bomb = zeros(32 * MIB, codec)
    tracemalloc.start()
    try:
        with pytest.raises(Refused) as refusal:
            append(log, bomb)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert refusal.value.code == ErrorCode.MESSAGE_TOO_LARGE
    assert peak < len(bomb) + 6 * MIB
    assert log.end_offset == 1


def test_nobody_reads_a_batch_whose_records_need_not_be_read() -> None:
    log = log_with(ottla_decompressed_batch_max_bytes=str(MIB))

    assert append(log, zeros(32 * MIB, Codec.ZSTD)).base_offset == 0


def test_a_batch_of_millions_of_records_is_refused_where_they_would_be_walked() -> None:
    batch = build_batch([Record(0, NOW_MS, b"key", b"value", ())], codec=Codec.ZSTD)
    count = 1_000_001
    struct.pack_into(">i", batch, 23, count - 1)
    struct.pack_into(">i", batch, 57, count)
    patch_checksum(batch, 0, len(batch))

    with pytest.raises(Refused, match="1000001 records in one batch") as refusal:
        append(log_with(cleanup_policy="compact"), batch)

    assert refusal.value.code == ErrorCode.MESSAGE_TOO_LARGE
