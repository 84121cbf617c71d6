"""Control records: markers and what the metadata quorum writes."""

from typing import TYPE_CHECKING

import pytest

from ottla.protocol.generated import voters_record
from ottla.protocol.generated.kraft_version_record import KRaftVersionRecord
from ottla.protocol.generated.leader_change_message import GrantingVoters, LeaderChangeMessage, Voters
from ottla.protocol.generated.snapshot_footer_record import SnapshotFooterRecord
from ottla.protocol.generated.snapshot_header_record import SnapshotHeaderRecord
from ottla.protocol.generated.voters_record import VotersRecord
from ottla.records.batch import read_header
from ottla.records.builder import Record
from ottla.records.control import (
    ControlType,
    EndTransactionMarker,
    build_control_batch,
    build_marker_batch,
    control_type,
    read_control,
    read_marker,
)
from ottla.records.errors import CorruptRecord
from ottla.records.reader import read_records

if TYPE_CHECKING:
    from ottla.records.control import ControlMessage

MESSAGES: "list[tuple[ControlMessage, ControlType]]" = [
    (
        LeaderChangeMessage(version=1, leader_id=2, voters=[Voters(voter_id=2, voter_directory_id=b"d" * 16)]),
        ControlType.LEADER_CHANGE,
    ),
    (
        LeaderChangeMessage(version=0, leader_id=2, granting_voters=[GrantingVoters(voter_id=3)]),
        ControlType.LEADER_CHANGE,
    ),
    (SnapshotHeaderRecord(last_contained_log_timestamp=99), ControlType.SNAPSHOT_HEADER),
    (SnapshotFooterRecord(), ControlType.SNAPSHOT_FOOTER),
    (KRaftVersionRecord(kraft_version=1), ControlType.KRAFT_VERSION),
    (VotersRecord(voters=[voters_record.Voters(voter_id=1, voter_directory_id=b"x" * 16)]), ControlType.VOTERS),
]


@pytest.mark.parametrize("is_commit", [True, False])
def test_a_marker_comes_back(is_commit: bool) -> None:
    batch = build_marker_batch(
        is_commit=is_commit, producer_id=8, producer_epoch=2, coordinator_epoch=31, timestamp_ms=1234
    )

    header = read_header(batch)
    (record,) = read_records(batch, 0, header)

    assert header.is_control
    assert header.is_transactional
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (8, 2, -1)
    assert read_marker(record) == EndTransactionMarker(is_commit, 31)
    assert read_control(record) == EndTransactionMarker(is_commit, 31)
    assert record.key == (b"\x00\x00\x00\x01" if is_commit else b"\x00\x00\x00\x00")
    assert record.value == b"\x00\x00\x00\x00\x00\x1f"


@pytest.mark.parametrize(("message", "kind"), MESSAGES)
def test_quorum_messages_come_back(message: "ControlMessage", kind: ControlType) -> None:
    batch = build_control_batch(message, timestamp_ms=5, leader_epoch=4)

    header = read_header(batch)
    (record,) = read_records(batch, 0, header)

    assert header.is_control
    assert not header.is_transactional
    assert header.leader_epoch == 4
    assert control_type(record.key) is kind
    assert read_marker(record) is None
    assert read_control(record) == message


def test_a_type_of_the_future_is_nothing() -> None:
    assert read_control(Record(0, 0, b"\x00\x00\x00\x07", b"")) is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (None, b""),
        (b"\x00\x00", b""),
        (b"\xff\xff\x00\x00", bytes(6)),
        (b"\x00\x00\x00\x00", None),
        (b"\x00\x00\x00\x01", b"\x00"),
        (b"\x00\x00\x00\x01", b"\xff\xff\x00\x00\x00\x00"),
        (b"\x00\x00\x00\x03", None),
        (b"\x00\x00\x00\x03", b"\xff\xff"),
    ],
)
def test_broken_control_records_are_corrupt(key: bytes | None, value: bytes | None) -> None:
    with pytest.raises(CorruptRecord):
        read_control(Record(0, 0, key, value))


def test_only_control_messages_make_control_records() -> None:
    with pytest.raises(TypeError):
        build_control_batch(object(), timestamp_ms=0)  # type: ignore[arg-type]
