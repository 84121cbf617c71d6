import logging

import pytest

from ottla.metadata import record_frame
from ottla.metadata.record_frame import MetadataRecordCodec, record_class
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.generated.partition_record import PartitionRecord
from ottla.protocol.generated.topic_record import TopicRecord

TYPES = sorted(record_frame._MODULES)


@pytest.mark.parametrize("record_type", TYPES)
def test_every_record_type_finds_its_class(record_type: int) -> None:
    assert record_type == record_class(record_type).RECORD_TYPE


@pytest.mark.parametrize("record_type", TYPES)
def test_every_record_survives_the_frame(record_type: int) -> None:
    codec = MetadataRecordCodec()
    record = record_class(record_type)()

    key, value = codec.encode(record)

    assert key is None
    assert value[:3] == bytes([1, record_type, record.MAX_VERSION])
    assert codec.decode(key, value) == record


def test_the_frame_is_the_one_apache_kafka_writes() -> None:
    # A TopicRecord of a real metadata log: frame 1, type 2, version 0, compact name, id, no tags.
    value = bytes.fromhex("01020004") + b"abc" + bytes(range(16)) + b"\0"

    assert MetadataRecordCodec().decode(None, value) == TopicRecord(name="abc", topic_id=bytes(range(16)))


def test_records_of_older_versions_are_read() -> None:
    record = PartitionRecord(partition_id=3, topic_id=b"t" * 16, replicas=[1, 2], isr=[1], leader=1)
    old = bytearray((1, 3, 0))
    record.encode(old, 0)

    assert MetadataRecordCodec().decode(None, bytes(old)) == record


@pytest.mark.parametrize("head", [(1, 29, 0), (1, 100, 0), (1, 2, 9), (1, 6, 0)])
def test_unknown_types_and_versions_are_skipped_with_a_line(
    head: tuple[int, int, int], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert MetadataRecordCodec().decode(None, bytes(head) + b"whatever") is None

    assert f"type {head[1]}" in caplog.text


@pytest.mark.parametrize("value", [None, b"", b"\x01", b"\x02\x02\x00", b"\xff\xff\xff\xff\xff\xff", b"\x01\x02\x00"])
def test_broken_frames_are_refused(value: bytes | None) -> None:
    with pytest.raises(RemoteProtocolError):
        MetadataRecordCodec().decode(None, value)


def test_bytes_after_the_record_are_refused() -> None:
    _, value = MetadataRecordCodec().encode(TopicRecord(name="a", topic_id=b"t" * 16))

    with pytest.raises(RemoteProtocolError, match="too many"):
        MetadataRecordCodec().decode(None, value + b"\0")
