"""Batches of aiokafka and kafka-python are read here, and ours there, in every codec."""

from typing import Any

import pytest
from aiokafka.record.default_records import DefaultRecordBatch as AiokafkaBatch
from aiokafka.record.default_records import DefaultRecordBatchBuilder as AiokafkaBuilder
from kafka.record.default_records import DefaultRecordBatch as KafkaPythonBatch
from kafka.record.default_records import DefaultRecordBatchBuilder as KafkaPythonBuilder

from ottla.records.batch import is_intact, read_header
from ottla.records.builder import Record, build_batch
from ottla.records.control import build_marker_batch
from ottla.records.reader import read_records

RECORDS = [
    Record(
        offset=index,
        timestamp_ms=1_700_000_000_000 + 3 * index,
        key=None if index % 4 == 0 else b"key-%d" % index,
        value=None if index % 5 == 0 else b"value %d " % index * (index % 90),
        headers=(("trace", b"\x01\x02"), ("none", None), ("ü", b""))[: index % 4],
    )
    for index in range(300)
]
# kafka-python reads snappy only through python-snappy, which is not among our dependencies.
PAIRS = [
    (package, codec)
    for package in ("aiokafka", "kafka-python")
    for codec in range(5)
    if (package, codec) != ("kafka-python", 2)
]
PACKAGES = {"aiokafka": (AiokafkaBuilder, AiokafkaBatch), "kafka-python": (KafkaPythonBuilder, KafkaPythonBatch)}


def _theirs(builder_class: Any, codec: int) -> bytes:
    builder = builder_class(
        magic=2,
        compression_type=codec,
        is_transactional=1,
        producer_id=42,
        producer_epoch=3,
        base_sequence=11,
        batch_size=10_000_000,
    )
    for record in RECORDS:
        assert builder.append(record.offset, record.timestamp_ms, record.key, record.value, list(record.headers))
    return bytes(builder.build())


@pytest.mark.parametrize(("package", "codec"), PAIRS)
def test_their_batches_are_read_here(package: str, codec: int) -> None:
    data = _theirs(PACKAGES[package][0], codec)

    header = read_header(data)

    assert is_intact(data, 0, header)
    assert header.codec == codec
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (42, 3, 11)
    assert header.is_transactional
    assert read_records(data, 0, header) == RECORDS


@pytest.mark.parametrize(("package", "codec"), PAIRS)
def test_our_batches_are_read_there(package: str, codec: int) -> None:
    data = build_batch(RECORDS, base_offset=0, codec=codec, producer_id=42, producer_epoch=3, base_sequence=11)

    batch = PACKAGES[package][1](bytes(data))

    assert batch.validate_crc()
    assert [
        Record(read.offset, read.timestamp, read.key, read.value, tuple(tuple(pair) for pair in read.headers))
        for read in batch
    ] == RECORDS


@pytest.mark.parametrize("package", PACKAGES)
def test_uncompressed_batches_are_byte_for_byte_theirs(package: str) -> None:
    ours = build_batch(
        RECORDS, leader_epoch=-1, producer_id=42, producer_epoch=3, base_sequence=11, is_transactional=True
    )
    theirs = bytearray(_theirs(PACKAGES[package][0], 0))
    theirs[12:16] = ours[12:16]  # the leader epoch is the broker's to set

    assert ours == theirs


def test_our_markers_are_read_there() -> None:
    data = build_marker_batch(is_commit=True, producer_id=5, producer_epoch=1, coordinator_epoch=9, timestamp_ms=77)

    batch = KafkaPythonBatch(bytes(data))
    (record,) = batch

    assert batch.is_control_batch
    assert batch.is_transactional
    assert (record.version, record.commit, record.abort) == (0, True, False)
