"""A consumer group (KIP-848). Everything here is hard state: it changes by applying records and in no other way.

group epoch        rises when members, subscriptions or topics change
assignment epoch   the group epoch for which the target assignment was computed
member epoch       how far a member has come
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import NamedTuple, TypeAlias

from ottla.groups.records import GroupRecord
from ottla.groups.state.consumer_member import (
    LEAVE_EPOCH,
    Assignment,
    ConsumerMember,
    EpochedAssignment,
)
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
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
from ottla.protocol.message import Message

#: Decides for one partition of an accepted commit, by topic, topic id and index, whether its offset may be taken.
PartitionCheck: TypeAlias = Callable[[str, bytes, int], ErrorCode]

#: OffsetCommit from here on knows the error codes of member epochs.
KNOWS_MEMBER_EPOCHS = 9


class ConsumerState(Enum):
    EMPTY = "Empty"
    ASSIGNING = "Assigning"
    RECONCILING = "Reconciling"
    STABLE = "Stable"


class ResolvedRegex(NamedTuple):
    """The topics that a regular expression matched when it was last looked at."""

    topics: tuple[str, ...]
    version: int
    timestamp_ms: int


class ConsumerGroup:
    """Owned by the state of the shard. `owners` follows from the members: who has a partition, or is giving it up."""

    __slots__ = (
        "assignment_epoch",
        "assignment_timestamp_ms",
        "epoch",
        "group_id",
        "members",
        "metadata_hash",
        "owners",
        "regexes",
        "static_members",
        "target",
    )

    def __init__(self, group_id: str) -> None:
        self.group_id = group_id
        self.epoch = 0
        self.metadata_hash = 0
        self.assignment_epoch = 0
        self.assignment_timestamp_ms = 0
        self.members: dict[str, ConsumerMember] = {}
        self.static_members: dict[str, str] = {}
        self.target: dict[str, Assignment] = {}
        self.regexes: dict[str, ResolvedRegex] = {}
        self.owners: dict[tuple[bytes, int], str] = {}

    def copy(self) -> "ConsumerGroup":
        twin = ConsumerGroup(self.group_id)
        twin.epoch = self.epoch
        twin.metadata_hash = self.metadata_hash
        twin.assignment_epoch = self.assignment_epoch
        twin.assignment_timestamp_ms = self.assignment_timestamp_ms
        twin.members = dict(self.members)
        twin.static_members = dict(self.static_members)
        twin.target = dict(self.target)
        twin.regexes = dict(self.regexes)
        twin.owners = dict(self.owners)
        return twin

    # -- questions

    def is_empty(self) -> bool:
        return not self.members

    @property
    def state(self) -> ConsumerState:
        if not self.members:
            return ConsumerState.EMPTY
        if self.epoch > self.assignment_epoch:
            return ConsumerState.ASSIGNING
        if all(member.is_reconciled_to(self.assignment_epoch) for member in self.members.values()):
            return ConsumerState.STABLE
        return ConsumerState.RECONCILING

    def static_member(self, instance_id: str) -> ConsumerMember | None:
        return self.members.get(self.static_members.get(instance_id, ""))

    def topics_of(self, member: ConsumerMember) -> list[str]:
        regex = self.regexes.get(member.topic_regex) if member.topic_regex else None
        return list(dict.fromkeys((*member.topic_names, *(regex.topics if regex else ()))))

    def subscribed_topics(self) -> list[str]:
        return sorted({topic for member in self.members.values() for topic in self.topics_of(member)})

    def is_subscribed_to(self, topic: str) -> bool:
        return any(topic in self.topics_of(member) for member in self.members.values())

    def is_free_for(self, member_id: str, topic_id: bytes, partition: int) -> bool:
        return self.owners.get((topic_id, partition), member_id) == member_id

    def awaits_others(self, member: ConsumerMember) -> bool:
        """Whether a partition of its target still belongs to somebody else."""
        return any(
            not self.is_free_for(member.member_id, topic_id, partition)
            for topic_id, partitions in self.target.get(member.member_id, {}).items()
            for partition in partitions
        )

    def may_go_on_with(self, static: ConsumerMember, topics: Iterable[str]) -> bool:
        """Whether all have what they should have, if the static member comes back with a subscription to `topics`."""
        has = {topic_id: frozenset(epochs) for topic_id, epochs in static.assigned.items()}
        return (
            self.epoch == self.assignment_epoch
            and has == self.target.get(static.member_id, {})
            and set(topics) == set(self.topics_of(static))
            and all(
                member.is_reconciled_to(self.epoch)
                for member in self.members.values()
                if member.member_id != static.member_id
            )
        )

    # -- checks of requests; they raise Refused

    def member(self, member_id: str) -> ConsumerMember:
        found = self.members.get(member_id)
        if found is None:
            raise Refused(ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member_id} is not a member of group {self.group_id}.")
        return found

    def check_instance(self, member_id: str, instance_id: str) -> ConsumerMember:
        holder = self.static_member(instance_id)
        if holder is None:
            raise Refused(ErrorCode.UNKNOWN_MEMBER_ID, f"Instance id {instance_id} is unknown.")
        if holder.member_id != member_id:
            raise Refused(
                ErrorCode.FENCED_INSTANCE_ID,
                f"Static member {member_id} with instance id {instance_id} was fenced by member {holder.member_id}.",
            )
        return holder

    def check_commit(self, member_id: str, instance_id: str | None, epoch: int, version: int) -> PartitionCheck | None:
        """None: every partition may be committed."""
        if epoch < 0 and not self.members:
            return None
        member = self.member(member_id)
        if member.classic is None and version < KNOWS_MEMBER_EPOCHS:
            raise Refused(ErrorCode.UNSUPPORTED_VERSION)
        if epoch == member.epoch:
            return None
        if member.classic is not None:
            raise Refused(ErrorCode.ILLEGAL_GENERATION)
        if epoch > member.epoch or epoch < 0:
            raise Refused(ErrorCode.STALE_MEMBER_EPOCH)

        def may_commit(topic: str, topic_id: bytes, partition: int) -> ErrorCode:
            # The member's epoch has moved on, but it has had this partition all the time since (KIP-1251).
            since = member.epoch_of(topic_id, partition)
            return ErrorCode.STALE_MEMBER_EPOCH if since is None or epoch < since else ErrorCode.NONE

        return may_commit

    def check_transactional_commit(self, member_id: str, instance_id: str | None, epoch: int) -> None:
        """Older clients send no group metadata; then nothing is checked (KIP-447)."""
        if epoch < 0 and (not self.members or (not member_id and instance_id is None)):
            return
        if self.member(member_id).epoch != epoch:
            raise Refused(ErrorCode.ILLEGAL_GENERATION)

    def check_fetch(self, member_id: str | None, epoch: int) -> None:
        if member_id is None and epoch < 0:
            return
        member = self.member(member_id or "")
        if member.epoch != epoch:
            is_classic = member.classic is not None
            raise Refused(ErrorCode.ILLEGAL_GENERATION if is_classic else ErrorCode.STALE_MEMBER_EPOCH)

    def check_delete(self) -> None:
        if self.members:
            raise Refused(ErrorCode.NON_EMPTY_GROUP)

    # -- records

    def write_tombstones(self, records: list[GroupRecord]) -> None:
        """Members before the group, so that a replay never sees a member of no group."""
        group_id = self.group_id
        keys: list[Message] = [
            ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id)
            for member_id in self.members
        ]
        keys += [
            ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id) for member_id in self.target
        ]
        keys.append(ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id))
        keys += [ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member_id) for member_id in self.members]
        keys += [
            ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=regex) for regex in self.regexes
        ]
        # Kafka before 4.1 wrote it; left alone it would bring the group back to life there.
        keys.append(ConsumerGroupPartitionMetadataKey(group_id=group_id))
        keys.append(ConsumerGroupMetadataKey(group_id=group_id))
        records += [GroupRecord(key, None) for key in keys]

    # -- apply

    def apply(self, record: GroupRecord) -> None:
        key, value = record.key, record.value
        if isinstance(key, ConsumerGroupMetadataKey):
            assert isinstance(value, ConsumerGroupMetadataValue)
            self.epoch, self.metadata_hash = value.epoch, value.metadata_hash
        elif isinstance(key, ConsumerGroupMemberMetadataKey):
            assert value is None or isinstance(value, ConsumerGroupMemberMetadataValue)
            self._apply_metadata(key.member_id, value)
        elif isinstance(key, ConsumerGroupCurrentMemberAssignmentKey):
            assert value is None or isinstance(value, ConsumerGroupCurrentMemberAssignmentValue)
            self._apply_current(key.member_id, value)
        elif isinstance(key, ConsumerGroupTargetAssignmentMemberKey):
            assert value is None or isinstance(value, ConsumerGroupTargetAssignmentMemberValue)
            self._apply_target(key.member_id, value)
        elif isinstance(key, ConsumerGroupTargetAssignmentMetadataKey):
            assert value is None or isinstance(value, ConsumerGroupTargetAssignmentMetadataValue)
            self._apply_assignment_epoch(value)
        elif isinstance(key, ConsumerGroupRegularExpressionKey):
            assert value is None or isinstance(value, ConsumerGroupRegularExpressionValue)
            self._apply_regex(key.regular_expression, value)

    def _apply_metadata(self, member_id: str, value: ConsumerGroupMemberMetadataValue | None) -> None:
        old = self.members.get(member_id)
        if old is not None and old.instance_id is not None and self.static_members.get(old.instance_id) == member_id:
            del self.static_members[old.instance_id]
        if value is None:
            if old is not None:
                self._disown(old)
                del self.members[member_id]
            return
        member = (old or ConsumerMember(member_id)).with_metadata(value)
        self.members[member_id] = member
        if member.instance_id is not None:
            self.static_members[member.instance_id] = member_id

    def _apply_current(self, member_id: str, value: ConsumerGroupCurrentMemberAssignmentValue | None) -> None:
        old = self.members.get(member_id)
        if old is not None:
            self._disown(old)
        if value is None:
            if old is not None:
                self.members[member_id] = old._replace(
                    epoch=LEAVE_EPOCH, previous_epoch=LEAVE_EPOCH, assigned={}, revoking={}
                )
            return
        member = (old or ConsumerMember(member_id)).with_current(value)
        self.members[member_id] = member
        for held in (member.assigned, member.revoking):
            for topic_id, partition in _each(held):
                self.owners[topic_id, partition] = member_id

    def _disown(self, member: ConsumerMember) -> None:
        for held in (member.assigned, member.revoking):
            for place in _each(held):
                # A static member's new id may have taken the partition over already.
                if self.owners.get(place) == member.member_id:
                    del self.owners[place]

    def _apply_target(self, member_id: str, value: ConsumerGroupTargetAssignmentMemberValue | None) -> None:
        if value is None:
            self.target.pop(member_id, None)
        else:
            self.target[member_id] = {entry.topic_id: frozenset(entry.partitions) for entry in value.topic_partitions}

    def _apply_assignment_epoch(self, value: ConsumerGroupTargetAssignmentMetadataValue | None) -> None:
        self.assignment_epoch = 0 if value is None else value.assignment_epoch
        self.assignment_timestamp_ms = 0 if value is None else value.assignment_timestamp

    def _apply_regex(self, regex: str, value: ConsumerGroupRegularExpressionValue | None) -> None:
        if value is None:
            self.regexes.pop(regex, None)
        else:
            self.regexes[regex] = ResolvedRegex(tuple(value.topics), value.version, value.timestamp)

    def hard_state(self) -> object:
        return (
            self.epoch,
            self.metadata_hash,
            self.assignment_epoch,
            self.assignment_timestamp_ms,
            self.members,
            self.static_members,
            self.target,
            self.regexes,
            self.owners,
        )


def _each(held: EpochedAssignment) -> Iterable[tuple[bytes, int]]:
    return ((topic_id, partition) for topic_id, partitions in held.items() for partition in partitions)


def group_not_found(group_id: str, group: object | None) -> Refused:
    text = f"Group {group_id} is not a consumer group." if group else f"Consumer group {group_id} not found."
    return Refused(ErrorCode.GROUP_ID_NOT_FOUND, text)
