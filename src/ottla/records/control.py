"""Control records: what the cluster itself writes between the data.

A control batch holds one record. Its key is int16 version 0, int16 type. The value of a transaction marker is int16
version 0, int32 coordinator epoch; the other types are flexible messages of the protocol whose first field is their
version.
"""

import struct
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ottla.records.builder import build_batch
from ottla.records.errors import CorruptRecord
from ottla.records.record import Record

if TYPE_CHECKING:
    from ottla.protocol.generated.kraft_version_record import KRaftVersionRecord
    from ottla.protocol.generated.leader_change_message import LeaderChangeMessage
    from ottla.protocol.generated.snapshot_footer_record import SnapshotFooterRecord
    from ottla.protocol.generated.snapshot_header_record import SnapshotHeaderRecord
    from ottla.protocol.generated.voters_record import VotersRecord

    ControlMessage: TypeAlias = (
        LeaderChangeMessage | SnapshotHeaderRecord | SnapshotFooterRecord | KRaftVersionRecord | VotersRecord
    )

_KEY: Final = struct.Struct(">hh")
_MARKER_VALUE: Final = struct.Struct(">hi")
_VERSION: Final = struct.Struct(">h")


class ControlType(IntEnum):
    ABORT = 0
    COMMIT = 1
    LEADER_CHANGE = 2
    SNAPSHOT_HEADER = 3
    SNAPSHOT_FOOTER = 4
    KRAFT_VERSION = 5
    VOTERS = 6


class EndTransactionMarker(NamedTuple):
    is_commit: bool
    coordinator_epoch: int


def control_type(key: bytes | None) -> ControlType | None:
    """What a control record is, by its key; None for a type that a later version may have added."""
    if key is None or len(key) < _KEY.size:
        raise CorruptRecord("the key of a control record is too short")
    version, number = _KEY.unpack_from(key)
    if version < 0:
        raise CorruptRecord(f"the key of a control record has version {version}")
    return ControlType(number) if 0 <= number <= ControlType.VOTERS else None


def marker_record(marker: EndTransactionMarker, timestamp_ms: int) -> Record:
    key = _KEY.pack(0, ControlType.COMMIT if marker.is_commit else ControlType.ABORT)
    return Record(0, timestamp_ms, key, _MARKER_VALUE.pack(0, marker.coordinator_epoch))


def build_marker_batch(
    *, is_commit: bool, producer_id: int, producer_epoch: int, coordinator_epoch: int, timestamp_ms: int
) -> bytearray:
    """The batch that ends a transaction of `producer_id` in one partition."""
    return build_batch(
        [marker_record(EndTransactionMarker(is_commit, coordinator_epoch), timestamp_ms)],
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        is_transactional=True,
        is_control=True,
    )


def read_marker(record: Record) -> EndTransactionMarker | None:
    """The transaction marker in a control record; None when it is another kind of control record."""
    kind = control_type(record.key)
    if kind is not ControlType.ABORT and kind is not ControlType.COMMIT:
        return None
    if record.value is None or len(record.value) < _MARKER_VALUE.size:
        raise CorruptRecord("the value of a transaction marker is too short")
    version, coordinator_epoch = _MARKER_VALUE.unpack_from(record.value)
    if version < 0:
        raise CorruptRecord(f"a transaction marker has version {version}")
    return EndTransactionMarker(kind is ControlType.COMMIT, coordinator_epoch)


def control_record(message: "ControlMessage", timestamp_ms: int) -> Record:
    """A record of one of the types 2-6; `message.version` is the version in which it is written."""
    key = _KEY.pack(0, _type_of(message))
    value = bytearray()
    message.encode(value, message.version)
    return Record(0, timestamp_ms, key, bytes(value))


def build_control_batch(message: "ControlMessage", *, timestamp_ms: int, leader_epoch: int = -1) -> bytearray:
    return build_batch([control_record(message, timestamp_ms)], leader_epoch=leader_epoch, is_control=True)


def read_control(record: Record) -> "EndTransactionMarker | ControlMessage | None":
    """The content of a control record; None for a type that a later version may have added."""
    kind = control_type(record.key)
    if kind is None:
        return None
    if kind is ControlType.ABORT or kind is ControlType.COMMIT:
        return read_marker(record)
    value = record.value
    if value is None or len(value) < _VERSION.size:
        raise CorruptRecord("the value of a control record is too short")
    message_class = _message_class(kind)
    # A newer version only adds tagged fields at the end, so it is read as the newest that is known.
    version = min(_VERSION.unpack_from(value)[0], message_class.MAX_VERSION)
    if version < message_class.MIN_VERSION:
        raise CorruptRecord(f"{message_class.__name__} in version {version}")
    message, _ = message_class.decode(value, 0, version)
    return message


def _type_of(message: "ControlMessage") -> ControlType:
    for kind in (
        ControlType.LEADER_CHANGE,
        ControlType.SNAPSHOT_HEADER,
        ControlType.SNAPSHOT_FOOTER,
        ControlType.KRAFT_VERSION,
        ControlType.VOTERS,
    ):
        if isinstance(message, _message_class(kind)):
            return kind
    raise TypeError(f"{type(message).__name__} is not a control message")


def _message_class(kind: ControlType) -> "type[ControlMessage]":
    """Imported when needed: brokers that only move data never read these."""
    from ottla.protocol.generated.kraft_version_record import KRaftVersionRecord
    from ottla.protocol.generated.leader_change_message import LeaderChangeMessage
    from ottla.protocol.generated.snapshot_footer_record import SnapshotFooterRecord
    from ottla.protocol.generated.snapshot_header_record import SnapshotHeaderRecord
    from ottla.protocol.generated.voters_record import VotersRecord

    classes: dict[ControlType, type[ControlMessage]] = {
        ControlType.LEADER_CHANGE: LeaderChangeMessage,
        ControlType.SNAPSHOT_HEADER: SnapshotHeaderRecord,
        ControlType.SNAPSHOT_FOOTER: SnapshotFooterRecord,
        ControlType.KRAFT_VERSION: KRaftVersionRecord,
        ControlType.VOTERS: VotersRecord,
    }
    return classes[kind]
