"""One member of a consumer group, as a value: a change makes a new one.

STABLE                  has all partitions of its target assignment
UNREVOKED_PARTITIONS    must revoke partitions before it may advance to the next epoch
UNRELEASED_PARTITIONS   is at the newest epoch, but some of its partitions still belong to others
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from ottla.groups.records import GroupRecord
from ottla.protocol.generated import consumer_group_current_member_assignment_value as current_value
from ottla.protocol.generated import consumer_group_member_metadata_value as metadata_value
from ottla.protocol.generated.consumer_group_current_member_assignment_key import (
    ConsumerGroupCurrentMemberAssignmentKey,
)
from ottla.protocol.generated.consumer_group_current_member_assignment_value import (
    ConsumerGroupCurrentMemberAssignmentValue,
)
from ottla.protocol.generated.consumer_group_member_metadata_key import ConsumerGroupMemberMetadataKey
from ottla.protocol.generated.consumer_group_member_metadata_value import ConsumerGroupMemberMetadataValue

#: Partitions by topic id.
Assignment: TypeAlias = Mapping[bytes, frozenset[int]]
#: Partitions by topic id, each with the epoch in which the member got it.
EpochedAssignment: TypeAlias = Mapping[bytes, Mapping[int, int]]

#: Never changed, so members can share it.
NOTHING: EpochedAssignment = {}

JOIN_EPOCH = 0
LEAVE_EPOCH = -1
STATIC_LEAVE_EPOCH = -2


class MemberState(IntEnum):
    """The numbers are those in the log."""

    STABLE = 0
    UNREVOKED_PARTITIONS = 1
    UNRELEASED_PARTITIONS = 2
    #: Written by a newer coordinator.
    UNKNOWN = 127


#: Number in the log, and whether there are partitions to revoke: that distinguishes Kafka's numbers from those that
#: Ottla wrote at first: it counted from 1.
_STATES = {
    (0, False): MemberState.STABLE,
    (1, True): MemberState.UNREVOKED_PARTITIONS,
    (2, False): MemberState.UNRELEASED_PARTITIONS,
    (1, False): MemberState.STABLE,
    (2, True): MemberState.UNREVOKED_PARTITIONS,
    (3, False): MemberState.UNRELEASED_PARTITIONS,
}


class ClassicSide(NamedTuple):
    """What is kept of a member that still speaks the classic protocol."""

    session_timeout_ms: int
    protocols: tuple[tuple[str, bytes], ...]


class ConsumerMember(NamedTuple):
    member_id: str
    epoch: int = 0
    previous_epoch: int = -1
    state: MemberState = MemberState.STABLE
    instance_id: str | None = None
    rack_id: str | None = None
    client_id: str = ""
    client_host: str = ""
    topic_names: tuple[str, ...] = ()
    topic_regex: str = ""
    rebalance_timeout_ms: int = -1
    assignor: str | None = None
    classic: ClassicSide | None = None
    assigned: EpochedAssignment = NOTHING
    revoking: EpochedAssignment = NOTHING

    def is_reconciled_to(self, epoch: int) -> bool:
        return self.state is MemberState.STABLE and self.epoch == epoch

    def epoch_of(self, topic_id: bytes, partition: int) -> int | None:
        """The epoch in which the member got a partition that it has, or is revoking."""
        epoch = self.assigned.get(topic_id, {}).get(partition)
        return self.revoking.get(topic_id, {}).get(partition) if epoch is None else epoch

    def metadata_record(self, group_id: str) -> GroupRecord:
        value = ConsumerGroupMemberMetadataValue(
            instance_id=self.instance_id,
            rack_id=self.rack_id,
            client_id=self.client_id,
            client_host=self.client_host,
            subscribed_topic_names=list(self.topic_names),
            subscribed_topic_regex=self.topic_regex,
            rebalance_timeout_ms=self.rebalance_timeout_ms,
            server_assignor=self.assignor,
            classic_member_metadata=_classic_value(self.classic),
        )
        return GroupRecord(ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=self.member_id), value)

    def with_metadata(self, value: ConsumerGroupMemberMetadataValue) -> "ConsumerMember":
        classic = value.classic_member_metadata
        return self._replace(
            instance_id=value.instance_id,
            rack_id=value.rack_id,
            client_id=value.client_id,
            client_host=value.client_host,
            topic_names=tuple(value.subscribed_topic_names),
            topic_regex=value.subscribed_topic_regex or "",
            rebalance_timeout_ms=value.rebalance_timeout_ms,
            assignor=value.server_assignor,
            classic=None
            if classic is None
            else ClassicSide(
                classic.session_timeout_ms,
                tuple((protocol.name, bytes(protocol.metadata)) for protocol in classic.supported_protocols),
            ),
        )

    def current_record(self, group_id: str) -> GroupRecord:
        value = ConsumerGroupCurrentMemberAssignmentValue(
            member_epoch=self.epoch,
            previous_member_epoch=self.previous_epoch,
            state=self.state,
            assigned_partitions=[
                current_value.AssignedPartitions(
                    topic_id=topic_id, partitions=list(epochs), assignment_epochs=list(epochs.values())
                )
                for topic_id, epochs in self.assigned.items()
            ],
            partitions_pending_revocation=[
                current_value.PartitionsPendingRevocation(
                    topic_id=topic_id, partitions=list(epochs), assignment_epochs=list(epochs.values())
                )
                for topic_id, epochs in self.revoking.items()
            ],
        )
        return GroupRecord(ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=self.member_id), value)

    def with_current(self, value: ConsumerGroupCurrentMemberAssignmentValue) -> "ConsumerMember":
        return self._replace(
            epoch=value.member_epoch,
            previous_epoch=value.previous_member_epoch,
            state=_state(value),
            assigned=_epoched(value.assigned_partitions, value.member_epoch),
            revoking=_epoched(value.partitions_pending_revocation, value.member_epoch),
        )


def _state(value: ConsumerGroupCurrentMemberAssignmentValue) -> MemberState:
    return _STATES.get((value.state, bool(value.partitions_pending_revocation)), MemberState.UNKNOWN)


def _epoched(
    entries: "list[current_value.AssignedPartitions] | list[current_value.PartitionsPendingRevocation]", epoch: int
) -> EpochedAssignment:
    """Before 4.3 the epochs were not written; then, or where they do not fit, the member's own is the best we know."""
    found: dict[bytes, dict[int, int]] = {}
    for entry in entries:
        epochs = entry.assignment_epochs
        if epochs is None or len(epochs) != len(entry.partitions):
            epochs = [epoch] * len(entry.partitions)
        found[entry.topic_id] = dict(zip(entry.partitions, epochs, strict=True))
    return found


def _classic_value(classic: ClassicSide | None) -> metadata_value.ClassicMemberMetadata | None:
    if classic is None:
        return None
    return metadata_value.ClassicMemberMetadata(
        session_timeout_ms=classic.session_timeout_ms,
        supported_protocols=[
            metadata_value.SupportedProtocols(name=name, metadata=metadata) for name, metadata in classic.protocols
        ],
    )
