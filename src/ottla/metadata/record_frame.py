"""How a metadata record stands in the log: uvarint frame version 1, uvarint type, uvarint version, flexible body.

The key is always null. Records are written in the highest version that `metadata.version` 30 (IBP 4.3) allows, which is
the highest version of every class here. Records of a type or version we do not know are skipped with a log line, so
that the log of a newer release can be read up to its `metadata.version`, which is refused (`MetadataStore`).
"""

import importlib
import logging
from typing import Any

from ottla.model.errors import RemoteProtocolError

_log = logging.getLogger(__name__)

FRAME_VERSION = 1

REGISTER_BROKER = 0
UNREGISTER_BROKER = 1
TOPIC = 2
PARTITION = 3
CONFIG = 4
PARTITION_CHANGE = 5
FENCE_BROKER = 7
UNFENCE_BROKER = 8
REMOVE_TOPIC = 9
DELEGATION_TOKEN = 10
USER_SCRAM_CREDENTIAL = 11
FEATURE_LEVEL = 12
CLIENT_QUOTA = 14
PRODUCER_IDS = 15
BROKER_REGISTRATION_CHANGE = 17
ACCESS_CONTROL_ENTRY = 18
REMOVE_ACCESS_CONTROL_ENTRY = 19
NO_OP = 20
ZK_MIGRATION_STATE = 21
REMOVE_USER_SCRAM_CREDENTIAL = 22
BEGIN_TRANSACTION = 23
END_TRANSACTION = 24
ABORT_TRANSACTION = 25
REMOVE_DELEGATION_TOKEN = 26
REGISTER_CONTROLLER = 27
CLEAR_ELR = 28

#: Type -> generated module; the class has the module's name in CamelCase. Imported when the first one is met.
_MODULES: dict[int, str] = {
    REGISTER_BROKER: "register_broker_record",
    UNREGISTER_BROKER: "unregister_broker_record",
    TOPIC: "topic_record",
    PARTITION: "partition_record",
    CONFIG: "config_record",
    PARTITION_CHANGE: "partition_change_record",
    FENCE_BROKER: "fence_broker_record",
    UNFENCE_BROKER: "unfence_broker_record",
    REMOVE_TOPIC: "remove_topic_record",
    DELEGATION_TOKEN: "delegation_token_record",
    USER_SCRAM_CREDENTIAL: "user_scram_credential_record",
    FEATURE_LEVEL: "feature_level_record",
    CLIENT_QUOTA: "client_quota_record",
    PRODUCER_IDS: "producer_ids_record",
    BROKER_REGISTRATION_CHANGE: "broker_registration_change_record",
    ACCESS_CONTROL_ENTRY: "access_control_entry_record",
    REMOVE_ACCESS_CONTROL_ENTRY: "remove_access_control_entry_record",
    NO_OP: "no_op_record",
    ZK_MIGRATION_STATE: "zk_migration_state_record",
    REMOVE_USER_SCRAM_CREDENTIAL: "remove_user_scram_credential_record",
    BEGIN_TRANSACTION: "begin_transaction_record",
    END_TRANSACTION: "end_transaction_record",
    ABORT_TRANSACTION: "abort_transaction_record",
    REMOVE_DELEGATION_TOKEN: "remove_delegation_token_record",
    REGISTER_CONTROLLER: "register_controller_record",
    CLEAR_ELR: "clear_elr_record",
}


def record_class(record_type: int) -> Any:
    """The generated class of a record type; KeyError when there is none."""
    name = _MODULES[record_type]
    module = importlib.import_module(f"ottla.protocol.generated.{name}")
    return getattr(module, "".join(part.capitalize() for part in name.split("_")))


class MetadataRecordCodec:
    """The `RecordCodec` of the metadata log. Holds no state but the classes it has met."""

    def __init__(self) -> None:
        self._classes: dict[int, Any] = {}

    def encode(self, record: Any) -> tuple[None, bytes]:
        # Types, versions and the frame version are all below 128: each is one byte as a uvarint.
        out = bytearray((FRAME_VERSION, record.RECORD_TYPE, record.MAX_VERSION))
        record.encode(out, record.MAX_VERSION)
        return None, bytes(out)

    def decode(self, key: bytes | None, value: bytes | None) -> Any | None:
        """The record; None when its type is unknown. Raises RemoteProtocolError for invalid bytes."""
        record_type, version, position = read_frame(value)
        assert value is not None
        found = self._class(record_type)
        if found is None or version > found.MAX_VERSION:
            _log.warning("skipped a metadata record of unknown type %d version %d", record_type, version)
            return None
        record, end = found.decode(value, position, version)
        if end != len(value):
            raise RemoteProtocolError(
                f"{len(value) - end} bytes too many after a metadata record of type {record_type}"
            )
        return record

    def _class(self, record_type: int) -> Any | None:
        found = self._classes.get(record_type)
        if found is None and record_type in _MODULES:
            found = self._classes[record_type] = record_class(record_type)
        return found


def read_frame(value: bytes | None) -> tuple[int, int, int]:
    """Type, version, and the position of the body."""
    if value is None:
        raise RemoteProtocolError("a metadata record without a value")
    frame_version, position = _uvarint(value, 0)
    record_type, position = _uvarint(value, position)
    version, position = _uvarint(value, position)
    if frame_version != FRAME_VERSION:
        raise RemoteProtocolError(f"metadata record frame version {frame_version}, only {FRAME_VERSION} is known")
    return record_type, version, position


def framed_record(value: bytes | None) -> tuple[Any, int]:
    """The record and its version. Raises RemoteProtocolError, for unknown types and versions too."""
    record_type, version, position = read_frame(value)
    if record_type not in _MODULES:
        raise RemoteProtocolError(f"unknown metadata record type {record_type}")
    record, _ = record_class(record_type).decode(value, position, version)
    return record, version


def _uvarint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(data) and shift < 35:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
    raise RemoteProtocolError("a metadata record with a broken frame")
