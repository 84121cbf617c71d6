from typing import Any

import pytest

from ottla.metadata import quorum_state, snapshot_files
from ottla.metadata.checkpoint import build_checkpoint, parse_checkpoint
from ottla.metadata.image import EMPTY_IMAGE, MetadataImage
from ottla.metadata.image_builder import ImageBuilder
from ottla.metadata.quorum_state import QuorumState, format_state, parse_state
from ottla.metadata.snapshot import image_records
from ottla.model.errors import CorruptLog
from ottla.protocol.generated.access_control_entry_record import AccessControlEntryRecord
from ottla.protocol.generated.client_quota_record import ClientQuotaRecord, Entity
from ottla.protocol.generated.config_record import ConfigRecord
from ottla.protocol.generated.delegation_token_record import DelegationTokenRecord
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord
from ottla.protocol.generated.kraft_version_record import KRaftVersionRecord
from ottla.protocol.generated.partition_record import PartitionRecord
from ottla.protocol.generated.producer_ids_record import ProducerIdsRecord
from ottla.protocol.generated.register_broker_record import EndPoints, Features, RegisterBrokerRecord
from ottla.protocol.generated.register_controller_record import RegisterControllerRecord
from ottla.protocol.generated.topic_record import TopicRecord
from ottla.protocol.generated.user_scram_credential_record import UserScramCredentialRecord
from ottla.records.batch import HEADER_SIZE
from tests.support.memory_disk import MemoryDisk

A = b"a" * 16


def a_full_image() -> MetadataImage:
    records: list[Any] = [
        FeatureLevelRecord(name="group.version", feature_level=1),
        FeatureLevelRecord(name="metadata.version", feature_level=30),
        RegisterBrokerRecord(
            broker_id=1,
            broker_epoch=7,
            incarnation_id=A,
            end_points=[EndPoints("PLAINTEXT", "127.0.0.1", 9092, 0)],
            features=[Features("metadata.version", 7, 30)],
            rack="r1",
            fenced=False,
            log_dirs=[A],
            cordoned_log_dirs=[A],
        ),
        RegisterControllerRecord(controller_id=3, incarnation_id=A),
        TopicRecord(name="orders", topic_id=A),
        PartitionRecord(
            partition_id=0,
            topic_id=A,
            replicas=[1, 2, 3],
            isr=[1],
            removing_replicas=[3],
            adding_replicas=[2],
            leader=1,
            leader_epoch=4,
            partition_epoch=9,
            directories=[A, A, A],
            leader_recovery_state=1,
            eligible_leader_replicas=[2],
            last_known_elr=[3],
        ),
        ConfigRecord(resource_type=2, resource_name="orders", name="retention.ms", value="1"),
        ConfigRecord(resource_type=4, resource_name="", name="log.cleaner.threads", value="2"),
        ClientQuotaRecord(entity=[Entity("user", None)], key="producer_byte_rate", value=5.5, remove=False),
        ProducerIdsRecord(broker_id=1, broker_epoch=7, next_producer_id=4000),
        AccessControlEntryRecord(id=A, resource_type=2, resource_name="orders", principal="User:a", host="*"),
        UserScramCredentialRecord(name="u", mechanism=1, salt=b"s", stored_key=b"k", server_key=b"v", iterations=4096),
        DelegationTokenRecord(owner="User:a", token_id="token"),
    ]
    return image_of(records)


def image_of(records: list[Any], offset: int = 20) -> MetadataImage:
    builder = ImageBuilder(EMPTY_IMAGE)
    for record in records:
        builder.apply(record, offset, 5000)
    return builder.build()


def test_a_snapshot_loses_nothing() -> None:
    image = a_full_image()

    assert image_of(list(image_records(image))) == image


def test_the_metadata_version_comes_first() -> None:
    assert next(image_records(a_full_image())) == FeatureLevelRecord(name="metadata.version", feature_level=30)


def test_a_checkpoint_gives_back_its_records_and_control_messages() -> None:
    records = list(image_records(a_full_image()))
    version = KRaftVersionRecord(kraft_version=1)

    content = build_checkpoint(records, timestamp_ms=77, epoch=3, control_messages=[version])
    found = parse_checkpoint(bytes(content), "x.checkpoint")

    assert found.records == records
    assert found.timestamp_ms == 77
    assert found.control_messages == [version]


def test_a_large_image_is_cut_into_batches_with_rising_offsets() -> None:
    records = [FeatureLevelRecord(name=f"f{number}", feature_level=1) for number in range(2500)]

    content = bytes(build_checkpoint(records, timestamp_ms=1))

    assert parse_checkpoint(content, "x").records == records


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "noise"])
def test_a_damaged_checkpoint_is_refused(damage: str) -> None:
    content = bytearray(build_checkpoint(image_records(a_full_image()), timestamp_ms=1))
    if damage == "cut":
        del content[-(HEADER_SIZE + 5) :]
    elif damage == "flip":
        content[200] ^= 1
    else:
        content = bytearray() if damage == "empty" else bytearray(b"\x07" * 500)

    with pytest.raises(CorruptLog, match=r"x\.checkpoint"):
        parse_checkpoint(bytes(content), "x.checkpoint")


def test_the_newest_snapshot_is_loaded() -> None:
    disk = MemoryDisk()
    disk.make_directories("/m")
    image = a_full_image()
    snapshot_files.write(disk, "/m", EMPTY_IMAGE, 5, 1)
    path = snapshot_files.write(disk, "/m", image, 21, 2)

    found = snapshot_files.load_newest(disk, "/m")

    assert path == "/m/00000000000000000021-0000000002.checkpoint"
    assert found is not None
    assert (found.end_offset, found.epoch, found.timestamp_ms) == (21, 2, 5000)
    assert image_of(found.records) == image


def test_snapshots_tell_their_size_and_how_new_they_are() -> None:
    disk = MemoryDisk()
    disk.make_directories("/m")
    paths = [snapshot_files.write(disk, "/m", image, end, 1) for end, image in ((5, EMPTY_IMAGE), (21, a_full_image()))]

    found = snapshot_files.describe(disk, "/m")

    assert [(each.end_offset, each.path) for each in found] == [(5, paths[0]), (21, paths[1])]
    assert [each.size_bytes for each in found] == [disk.size(path) for path in paths]
    assert [each.timestamp_ms for each in found] == [EMPTY_IMAGE.timestamp_ms, 5000]


def test_an_unfinished_snapshot_is_not_seen() -> None:
    disk = MemoryDisk()
    disk.make_directories("/m")
    disk.open("/m/00000000000000000021-0000000002.checkpoint.part", create=True).close()

    assert snapshot_files.load_newest(disk, "/m") is None
    snapshot_files.remove_unfinished(disk, "/m")
    assert disk.list("/m") == []


def test_bootstrap_records_are_written_and_read() -> None:
    disk = MemoryDisk()
    disk.make_directories("/d")
    records = [FeatureLevelRecord(name="metadata.version", feature_level=30)]
    assert snapshot_files.load_bootstrap(disk, "/d") is None

    snapshot_files.write_bootstrap(disk, "/d", records, 5)

    assert snapshot_files.load_bootstrap(disk, "/d") == records


def test_the_quorum_state_of_apache_kafka_is_read_and_written_the_same() -> None:
    text = (
        '{"clusterId":"","leaderId":1,"leaderEpoch":2,"votedId":-1,"appliedOffset":0,'
        '"currentVoters":[{"voterId":1}],"data_version":0}'
    )

    state = parse_state(text)

    assert state == QuorumState(leader_id=1, leader_epoch=2, voter_ids=(1,))
    assert format_state(state) == text


def test_the_quorum_state_of_dynamic_voters_keeps_the_voted_directory() -> None:
    state = QuorumState(leader_id=-1, leader_epoch=9, voted_id=2, voted_directory_id=A, data_version=1)

    assert parse_state(format_state(state)) == state
    assert '"votedDirectoryId":"YWFhYWFhYWFhYWFhYWFhYQ"' in format_state(state)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"data_version":7}', '{"data_version":0,"leaderId":"x"}'])
def test_a_quorum_state_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(CorruptLog):
        parse_state(text)


def test_the_quorum_state_survives_on_disk() -> None:
    disk = MemoryDisk()
    disk.make_directories("/m")
    assert quorum_state.read(disk, "/m") is None

    for epoch in (1, 2):
        quorum_state.write(disk, "/m", QuorumState(leader_id=1, leader_epoch=epoch))

    found = quorum_state.read(disk, "/m")
    assert found is not None
    assert found.leader_epoch == 2
    assert disk.list("/m") == ["quorum-state"]
