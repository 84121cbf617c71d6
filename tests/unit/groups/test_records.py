"""The bytes of `__consumer_offsets`, checked against records that Apache Kafka 4.3 wrote."""

import json
import struct
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.coordination.shard import RecordOrigin
from ottla.groups.records import GroupRecord, GroupRecordCodec
from ottla.groups.state.consumer_member import ConsumerMember, MemberState
from ottla.groups.topics import TopicInfo
from ottla.protocol.generated.consumer_group_current_member_assignment_value import (
    ConsumerGroupCurrentMemberAssignmentValue,
)
from ottla.protocol.generated.group_metadata_key import GroupMetadataKey
from ottla.protocol.generated.group_metadata_value import GroupMetadataValue, Members
from ottla.protocol.generated.offset_commit_key import OffsetCommitKey
from ottla.protocol.generated.offset_commit_value import OffsetCommitValue
from ottla.records.reader import iterate_batches, iterate_records
from ottla.records.record import Record
from tests.support.groups import GroupTest

CODEC = GroupRecordCodec()
DATA = Path(__file__).parents[2] / "data" / "kafka-4.3-data-dirs.tar.xz"


@pytest.mark.parametrize("metadata", ["", "höher", "m" * 126, "m" * 127, "é" * 63, "é" * 64, "x" * 5000])
@pytest.mark.parametrize("topic_id", [bytes(16), bytes(range(16))])
@pytest.mark.parametrize("expire_timestamp", [-1, 77])
def test_commits_have_the_bytes_of_the_general_encoder(metadata: str, topic_id: bytes, expire_timestamp: int) -> None:
    key = OffsetCommitKey(group="g", topic="orders", partition=3)
    value = OffsetCommitValue(
        offset=2**40, leader_epoch=7, metadata=metadata, commit_timestamp=1_700_000_000_000, topic_id=topic_id,
        expire_timestamp=expire_timestamp,
    )  # fmt: skip
    version = 4 if expire_timestamp == -1 else 1

    assert CODEC.encode(GroupRecord(key, value)) == (
        b"\x00\x01" + key.to_bytes(0),
        struct.pack(">h", version) + value.to_bytes(version),
    )


#: What Apache Kafka 4.3 writes for a member at epoch 3: all is well; partition 1 must be given up; it waits for others.
MEMBERS_OF_KAFKA = {
    MemberState.STABLE: "0000 00000003 00000002 00 01 01 00",
    MemberState.UNREVOKED_PARTITIONS: "0000 00000003 00000002 01 01 02"
    + "07" * 16
    + "02 00000001 01 00 05 02 00000003 00",
    MemberState.UNRELEASED_PARTITIONS: "0000 00000003 00000002 02 01 01 00",
}


@pytest.mark.parametrize("state", MEMBERS_OF_KAFKA)
def test_the_states_of_members_are_written_and_read_as_in_kafka(state: MemberState) -> None:
    written = bytes.fromhex(MEMBERS_OF_KAFKA[state])
    revoking = {b"\7" * 16: {1: 3}} if state is MemberState.UNREVOKED_PARTITIONS else {}
    member = ConsumerMember("m", epoch=3, previous_epoch=2, state=state, revoking=revoking)
    key, value = CODEC.encode(member.current_record("g"))

    assert value == written
    assert current_member(key, written) == member


@pytest.mark.parametrize(("number", "state"), [(1, 0), (2, 1), (3, 2)])
def test_the_numbers_that_we_gave_to_states_at_first_are_understood(number: int, state: int) -> None:
    kafkas = bytearray.fromhex(MEMBERS_OF_KAFKA[MemberState(state)])
    key, _ = CODEC.encode(ConsumerMember("m").current_record("g"))
    expected = current_member(key, bytes(kafkas))
    kafkas[10] = number

    assert current_member(key, bytes(kafkas)) == expected


def current_member(key: bytes, value: bytes) -> ConsumerMember:
    record = CODEC.decode(key, value)
    assert record is not None
    assert isinstance(record.value, ConsumerGroupCurrentMemberAssignmentValue)
    return ConsumerMember("m").with_current(record.value)


def records_of_kafka(directory: str) -> Iterator[Record]:
    """What Apache Kafka 4.3 wrote to `__consumer_offsets`, partition after partition."""
    with tarfile.open(DATA) as archive:
        for name in sorted(archive.getnames()):
            if name.startswith(f"{directory}/__consumer_offsets") and name.endswith(".log"):
                found = archive.extractfile(name)
                assert found is not None
                data = found.read()
                for position, header in iterate_batches(data):
                    if not header.is_control:
                        yield from iterate_records(data, position, header, max_decompressed_bytes=1 << 20)


@pytest.mark.parametrize("directory", ["clean", "unclean"])
def test_we_write_the_very_bytes_that_kafka_wrote(directory: str) -> None:
    count = 0
    for stored in records_of_kafka(directory):
        record = CODEC.decode(stored.key, stored.value)
        assert record is not None
        assert CODEC.encode(record) == (stored.key, stored.value)
        count += 1
    assert count > 0


@pytest.mark.parametrize("directory", ["clean", "unclean"])
def test_the_offsets_that_kafka_committed_are_served(directory: str) -> None:
    groups = GroupTest()
    topics: dict[str, TopicInfo] = {}
    for offset, stored in enumerate(records_of_kafka(directory)):
        record = CODEC.decode(stored.key, stored.value)
        assert record is not None
        groups.shard.apply(record, RecordOrigin(offset, stored.timestamp_ms))
        if isinstance(record.key, OffsetCommitKey) and isinstance(record.value, OffsetCommitValue):
            topics[record.key.topic] = TopicInfo(record.key.topic, record.value.topic_id, 1)
    groups.topics_become(*topics.values())

    for group_id, committed in manifest(directory)["offsets"].items():
        groups.group_id = group_id
        for name, expected in committed.items():
            topic, _, partition = name.rpartition("-")
            assert groups.committed(topic, int(partition)) == expected


def manifest(directory: str) -> dict[str, dict[str, dict[str, int]]]:
    with tarfile.open(DATA) as archive:
        found = archive.extractfile(f"{directory}-manifest.json")
        assert found is not None
        return dict(json.load(found))


def test_an_offset_commit_is_written_as_version_4() -> None:
    record = GroupRecord(
        OffsetCommitKey(group="g", topic="t", partition=3),
        OffsetCommitValue(offset=7, leader_epoch=2, metadata="m", commit_timestamp=9),
    )

    key, value = CODEC.encode(record)

    assert key == b"\0\1" + b"\0\1g" + b"\0\1t" + b"\0\0\0\3"
    assert value == b"\0\4" + struct.pack(">qi", 7, 2) + b"\2m" + struct.pack(">q", 9) + b"\0"
    assert CODEC.decode(key, value) == record


def test_an_offset_with_an_expiry_is_written_as_version_1() -> None:
    record = GroupRecord(
        OffsetCommitKey(group="g", topic="t", partition=0),
        OffsetCommitValue(offset=7, metadata="", commit_timestamp=9, expire_timestamp=100),
    )

    key, value = CODEC.encode(record)

    assert value is not None
    assert value[:2] == b"\0\1"
    assert CODEC.decode(key, value) == record


def test_a_classic_group_is_written_as_version_3() -> None:
    record = GroupRecord(
        GroupMetadataKey(group="g"),
        GroupMetadataValue(
            protocol_type="consumer", generation=3, protocol="range", leader="m", members=[Members(member_id="m")]
        ),
    )

    key, value = CODEC.encode(record)

    assert key == b"\0\2\0\1g"
    assert value is not None
    assert value[:2] == b"\0\3"
    assert CODEC.decode(key, value) == record


def test_a_tombstone_is_a_null_value() -> None:
    record = GroupRecord(GroupMetadataKey(group="g"), None)

    key, value = CODEC.encode(record)

    assert value is None
    assert CODEC.decode(key, value) == record


def test_legacy_keys_are_read_as_offset_commits() -> None:
    key = b"\0\0" + b"\0\1g" + b"\0\1t" + b"\0\0\0\3"
    value = b"\0\0" + struct.pack(">q", 7) + b"\0\1m" + struct.pack(">q", 9)

    record = CODEC.decode(key, value)

    assert record is not None
    assert record.key == OffsetCommitKey(group="g", topic="t", partition=3)
    assert isinstance(record.value, OffsetCommitValue)
    assert (record.value.offset, record.value.metadata, record.value.leader_epoch) == (7, "m", -1)


def test_records_of_kinds_we_do_not_serve_are_skipped() -> None:
    assert CODEC.decode(b"\0\x0a\0\1g\0\1m", b"\0\0") is None
    assert CODEC.decode(b"\0\x63", b"") is None
    assert CODEC.decode(None, b"") is None
    assert CODEC.decode(b"\0", b"") is None
