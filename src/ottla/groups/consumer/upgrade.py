"""A classic group becomes a consumer group, with its members inside.

`group.consumer.migration.policy` decides whether it may. An empty group may always change.
"""

from ottla.groups.classic.rebalance import join_key, stop_session, sync_key
from ottla.groups.consumer.draft import Draft
from ottla.groups.consumer.target import metadata_hash, target_record
from ottla.groups.consumer.timers import restart_session
from ottla.groups.consumer_protocol import by_topic_id, read_assignment, read_subscription
from ottla.groups.operation import GroupOperation
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.classic_member import ClassicMember
from ottla.groups.state.consumer_group import ConsumerGroup, group_not_found
from ottla.groups.state.consumer_member import ClassicSide, ConsumerMember
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.consumer_group_metadata_key import ConsumerGroupMetadataKey
from ottla.protocol.generated.consumer_group_metadata_value import ConsumerGroupMetadataValue
from ottla.protocol.generated.consumer_group_target_assignment_metadata_key import (
    ConsumerGroupTargetAssignmentMetadataKey,
)
from ottla.protocol.generated.consumer_group_target_assignment_metadata_value import (
    ConsumerGroupTargetAssignmentMetadataValue,
)
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.sync_group_response import SyncGroupResponse


def open_for_consumer(operation: GroupOperation, group_id: str, *, may_create: bool) -> Draft:
    """The group for a member with the consumer protocol; a classic group is turned into one if it may be."""
    group = operation.state.find(group_id)
    if isinstance(group, ConsumerGroup):
        return Draft(operation, group, group_id)
    if not may_create:
        raise group_not_found(group_id, group)
    if group is None:
        operation.state.check_room()
        return Draft(operation, None, group_id)
    if group.is_empty():
        return _from_empty(operation, group)
    if not _may_upgrade(operation, group):
        raise group_not_found(group_id, group)
    return _upgrade(operation, group)


def _from_empty(operation: GroupOperation, group: ClassicGroup) -> Draft:
    if not group.is_soft:
        group.write_tombstones(operation.decision.records)
    return Draft(operation, None, group.group_id)


def _may_upgrade(operation: GroupOperation, group: ClassicGroup) -> bool:
    settings = operation.state.settings
    return (
        settings.migration_policy.may_upgrade
        and group.uses_consumer_protocol()
        and len(group.members) < settings.consumer_max_size
        and all(_can_convert(operation, group, member) for member in group.members.values())
    )


def _can_convert(operation: GroupOperation, group: ClassicGroup, member: ClassicMember) -> bool:
    """Partitions that are not known to have an owner would be given to another: then two would read them."""
    return (
        read_subscription(_metadata(member, group)) is not None
        and read_assignment(member.assignment, operation.state.topics) is not None
    )


def _metadata(member: ClassicMember, group: ClassicGroup) -> bytes:
    chosen = member.metadata(group.protocol_name)
    return chosen or (member.protocols[0][1] if member.protocols else b"")


def _upgrade(operation: GroupOperation, group: ClassicGroup) -> Draft:
    """Members keep the partitions of their last assignment. `release_waiting` follows when nothing can be refused."""
    group.write_tombstones(operation.decision.records)
    draft = Draft(operation, None, group.group_id)
    draft.upgraded = group
    group_id = group.group_id
    held = _held_partitions(operation, group)
    members = [_converted(group, member, held[member.member_id]) for member in group.members.values()]
    for member in members:
        draft.write(member.metadata_record(group_id))
    draft.put(
        ConsumerGroupMetadataKey(group_id=group_id),
        ConsumerGroupMetadataValue(
            epoch=group.generation, metadata_hash=metadata_hash(draft.group, operation.state.topics)
        ),
    )
    for member in members:
        assigned = {topic_id: frozenset(epochs) for topic_id, epochs in member.assigned.items()}
        draft.write(target_record(group_id, member.member_id, assigned))
    draft.put(
        ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id),
        ConsumerGroupTargetAssignmentMetadataValue(
            assignment_epoch=group.generation, assignment_timestamp=operation.now.wall_ms
        ),
    )
    for member in members:
        draft.write(member.current_record(group_id))
        restart_session(operation, draft.group, member)
    return draft


def release_waiting(operation: GroupOperation, group: ClassicGroup) -> None:
    """After an upgrade: those that wait for a response of the classic group have to join again."""
    operation.stop(join_key(group.group_id))
    operation.stop(sync_key(group.group_id))
    for member_id in group.pending_members:
        stop_session(operation, group.group_id, member_id)
    for member in group.members.values():
        response = JoinGroupResponse(
            error_code=ErrorCode.REBALANCE_IN_PROGRESS, member_id=member.member_id, protocol_name=None
        )
        operation.respond(member.join_ticket, response)
        # Their sessions have begun already, as those of the consumer group.
        operation.respond(member.sync_ticket, SyncGroupResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS))
        member.join_ticket = member.sync_ticket = None


def _held_partitions(operation: GroupOperation, group: ClassicGroup) -> dict[str, dict[bytes, set[int]]]:
    """The last assignment, and what cooperative members had when they joined and nobody was assigned.

    They are about to revoke that, or are doing so: they join again when it is done.
    """
    topics = operation.state.topics
    held = {
        member.member_id: {
            topic_id: set(partitions)
            for topic_id, partitions in (read_assignment(member.assignment, topics) or {}).items()
        }
        for member in group.members.values()
    }
    taken = {(topic_id, each) for found in held.values() for topic_id in found for each in found[topic_id]}
    for member in group.members.values():
        subscription = read_subscription(_metadata(member, group))
        owned = {entry.topic: entry.partitions for entry in subscription.owned_partitions} if subscription else {}
        for topic_id, partitions in by_topic_id(owned, topics).items():
            for partition in partitions:
                if (topic_id, partition) not in taken:
                    taken.add((topic_id, partition))
                    held[member.member_id].setdefault(topic_id, set()).add(partition)
    return held


def _converted(group: ClassicGroup, member: ClassicMember, held: dict[bytes, set[int]]) -> ConsumerMember:
    subscription = read_subscription(_metadata(member, group))
    return ConsumerMember(
        member.member_id,
        epoch=group.generation,
        previous_epoch=group.generation,
        instance_id=member.instance_id,
        rack_id=subscription.rack_id if subscription else None,
        client_id=member.client_id,
        client_host=member.client_host,
        topic_names=tuple(sorted(set(subscription.topics))) if subscription else (),
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        classic=ClassicSide(member.session_timeout_ms, tuple(member.protocols)),
        assigned={
            topic_id: dict.fromkeys(sorted(partitions), group.generation) for topic_id, partitions in held.items()
        },
    )
