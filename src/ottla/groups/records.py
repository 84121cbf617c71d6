"""The records of `__consumer_offsets` and their bytes, as Apache Kafka writes and reads them.

A key is its type as int16, then a body that is never flexible; a value is its version as int16, then the body; a null
value is a tombstone. Types that this shard does not serve (share and streams groups) are skipped.
"""

import struct
from dataclasses import dataclass

from ottla.model.errors import RemoteProtocolError
from ottla.protocol.generated.consumer_group_current_member_assignment_key import (
    ConsumerGroupCurrentMemberAssignmentKey,
)
from ottla.protocol.generated.consumer_group_current_member_assignment_value import (
    ConsumerGroupCurrentMemberAssignmentValue,
)
from ottla.protocol.generated.consumer_group_member_metadata_key import ConsumerGroupMemberMetadataKey
from ottla.protocol.generated.consumer_group_member_metadata_value import ConsumerGroupMemberMetadataValue
from ottla.protocol.generated.consumer_group_metadata_key import ConsumerGroupMetadataKey
from ottla.protocol.generated.consumer_group_metadata_value import ConsumerGroupMetadataValue
from ottla.protocol.generated.consumer_group_partition_metadata_key import ConsumerGroupPartitionMetadataKey
from ottla.protocol.generated.consumer_group_partition_metadata_value import ConsumerGroupPartitionMetadataValue
from ottla.protocol.generated.consumer_group_regular_expression_key import ConsumerGroupRegularExpressionKey
from ottla.protocol.generated.consumer_group_regular_expression_value import ConsumerGroupRegularExpressionValue
from ottla.protocol.generated.consumer_group_target_assignment_member_key import (
    ConsumerGroupTargetAssignmentMemberKey,
)
from ottla.protocol.generated.consumer_group_target_assignment_member_value import (
    ConsumerGroupTargetAssignmentMemberValue,
)
from ottla.protocol.generated.consumer_group_target_assignment_metadata_key import (
    ConsumerGroupTargetAssignmentMetadataKey,
)
from ottla.protocol.generated.consumer_group_target_assignment_metadata_value import (
    ConsumerGroupTargetAssignmentMetadataValue,
)
from ottla.protocol.generated.group_metadata_key import GroupMetadataKey
from ottla.protocol.generated.group_metadata_value import GroupMetadataValue
from ottla.protocol.generated.legacy_offset_commit_key import LegacyOffsetCommitKey
from ottla.protocol.generated.legacy_offset_commit_value import LegacyOffsetCommitValue
from ottla.protocol.generated.offset_commit_key import OffsetCommitKey
from ottla.protocol.generated.offset_commit_value import OffsetCommitValue
from ottla.protocol.message import Message

_INT16 = struct.Struct(">h")
#: What keys and values begin with.
_INT16_BYTES = [_INT16.pack(number) for number in range(17)]

#: Key type -> the classes of key and value. Keys all have version 0.
KINDS: dict[int, tuple[type[Message], type[Message]]] = {
    0: (LegacyOffsetCommitKey, LegacyOffsetCommitValue),
    1: (OffsetCommitKey, OffsetCommitValue),
    2: (GroupMetadataKey, GroupMetadataValue),
    3: (ConsumerGroupMetadataKey, ConsumerGroupMetadataValue),
    4: (ConsumerGroupPartitionMetadataKey, ConsumerGroupPartitionMetadataValue),
    5: (ConsumerGroupMemberMetadataKey, ConsumerGroupMemberMetadataValue),
    6: (ConsumerGroupTargetAssignmentMetadataKey, ConsumerGroupTargetAssignmentMetadataValue),
    7: (ConsumerGroupTargetAssignmentMemberKey, ConsumerGroupTargetAssignmentMemberValue),
    8: (ConsumerGroupCurrentMemberAssignmentKey, ConsumerGroupCurrentMemberAssignmentValue),
    16: (ConsumerGroupRegularExpressionKey, ConsumerGroupRegularExpressionValue),
}


@dataclass(slots=True)
class GroupRecord:
    """One record; `value` None removes what the key names."""

    key: Message
    value: Message | None


def value_version(value: Message) -> int:
    """The version that Kafka 4.3 writes, so that its tools and an older coordinator read our records."""
    if type(value) is OffsetCommitValue:
        # Only version 1 has room for the expiry that old clients may ask for.
        return 1 if value.expire_timestamp != -1 else 4
    return 3 if type(value) is GroupMetadataValue else 0


class GroupRecordCodec:
    """Between `GroupRecord` and the key and value bytes in the log."""

    def encode(self, record: GroupRecord) -> tuple[bytes, bytes | None]:
        key, value = record.key, record.value
        key_out = bytearray(_INT16_BYTES[key.RECORD_TYPE])
        key.encode(key_out, 0)
        if value is None:
            return bytes(key_out), None
        version = value_version(value)
        value_out = bytearray(_INT16_BYTES[version])
        value.encode(value_out, version)
        return bytes(key_out), bytes(value_out)

    def decode(self, key: bytes | None, value: bytes | None) -> GroupRecord | None:
        if key is None or len(key) < 2:
            return None
        kinds = KINDS.get(_INT16.unpack_from(key)[0])
        if kinds is None:
            return None
        decoded_key, _ = kinds[0].decode(key, 2, 0)
        if isinstance(decoded_key, LegacyOffsetCommitKey):
            decoded_key = OffsetCommitKey(
                group=decoded_key.group, topic=decoded_key.topic, partition=decoded_key.partition
            )
            kinds = KINDS[1]
        if value is None:
            return GroupRecord(decoded_key, None)
        return GroupRecord(decoded_key, _decode_value(kinds[1], value))


def _decode_value(kind: type[Message], value: bytes) -> Message:
    if len(value) < 2:
        raise RemoteProtocolError(f"{kind.__name__}: {len(value)} bytes are not a value")
    decoded, _ = kind.decode(value, 2, _INT16.unpack_from(value)[0])
    return decoded
