"""Between the two protocols, with members inside: a classic group becomes a consumer group and back.

`group.consumer.migration.policy` says which way is allowed. An empty group may always change.
"""

from collections.abc import Collection, Iterable

from ottla.groups.classic.group import CONSUMER, ClassicGroup
from ottla.groups.classic.member import ClassicMember
from ottla.groups.classic.membership import session_ended
from ottla.groups.classic.rebalance import drop_assignments, join_key, live_classic_group, prepare_rebalance, sync_key
from ottla.groups.classic.sessions import session_key, stop_session
from ottla.groups.classic.states import ClassicState
from ottla.groups.consumer.draft import Draft
from ottla.groups.consumer.group import ConsumerGroup
from ottla.groups.consumer.member import ClassicSide, ConsumerMember
from ottla.groups.consumer.target import metadata_hash, target_record
from ottla.groups.consumer.timers import restart_session, stop_timers
from ottla.groups.consumer_protocol import read_assignment, read_subscription, read_version, write_assignment
from ottla.groups.operation import GroupOperation
from ottla.groups.records import GroupRecord
from ottla.groups.state import Group
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.consumer_group_metadata_key import ConsumerGroupMetadataKey
from ottla.protocol.generated.consumer_group_metadata_value import ConsumerGroupMetadataValue
from ottla.protocol.generated.consumer_group_target_assignment_metadata_key import (
    ConsumerGroupTargetAssignmentMetadataKey,
)
from ottla.protocol.generated.consumer_group_target_assignment_metadata_value import (
    ConsumerGroupTargetAssignmentMetadataValue,
)
from ottla.protocol.generated.group_metadata_key import GroupMetadataKey
from ottla.protocol.generated.join_group_response import JoinGroupResponse


def group_not_found(group_id: str, group: Group | None) -> Refused:
    text = f"Group {group_id} is not a consumer group." if group else f"Consumer group {group_id} not found."
    return Refused(ErrorCode.GROUP_ID_NOT_FOUND, text)


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
    members = [_converted(operation, group, member) for member in group.members.values()]
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
    """After an upgrade: those that wait for a response of the classic group are told to join again."""
    operation.stop(join_key(group.group_id))
    operation.stop(sync_key(group.group_id))
    for member_id in group.pending_members:
        stop_session(operation, group.group_id, member_id)
    for member in group.members.values():
        answer = JoinGroupResponse(
            error_code=ErrorCode.REBALANCE_IN_PROGRESS, member_id=member.member_id, protocol_name=None
        )
        operation.respond(member.join_ticket, answer)
        member.join_ticket = None
    if group.state is ClassicState.COMPLETING_REBALANCE:
        drop_assignments(operation, group, ErrorCode.REBALANCE_IN_PROGRESS)


def _converted(operation: GroupOperation, group: ClassicGroup, member: ClassicMember) -> ConsumerMember:
    subscription = read_subscription(_metadata(member, group))
    assigned = read_assignment(member.assignment, operation.state.topics) or {}
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
            topic_id: dict.fromkeys(sorted(partitions), group.generation) for topic_id, partitions in assigned.items()
        },
    )


def may_downgrade(operation: GroupOperation, group: ConsumerGroup, *, leaving: Collection[str]) -> bool:
    """Whether only classic members stay, and may become a classic group."""
    settings = operation.state.settings
    staying = [member for member in group.members.values() if member.member_id not in leaving]
    return (
        settings.migration_policy.may_downgrade
        and all(member.classic is not None for member in staying)
        and len(staying) <= settings.max_size
        and any(group.members[member_id].classic is None for member_id in leaving)
    )


def downgrade(operation: GroupOperation, group: ConsumerGroup, *, leaving: Collection[str]) -> None:
    """The last member with the consumer protocol goes. The others rebalance as soon as the records are applied."""
    staying = [member for member in group.members.values() if member.member_id not in leaving]
    _become_classic(operation, group, staying)
    if staying:
        operation.start(("rebalance after downgrade", group.group_id), 0, _rebalance_after_downgrade, group.group_id)


def downgrade_without_rebalance(
    operation: GroupOperation, group: ConsumerGroup, old_id: str, member: ConsumerMember
) -> str:
    """`member` takes the place of `old_id`, and everybody goes on with what it has. Gives the protocol of the group."""
    staying = [other for other in group.members.values() if other.member_id != old_id]
    return _become_classic(operation, group, [*staying, member])


def _become_classic(operation: GroupOperation, group: ConsumerGroup, members: Iterable[ConsumerMember]) -> str:
    for member_id in group.members:
        stop_timers(operation, group.group_id, member_id)
    group.write_tombstones(operation.decision.records)
    operation.state.forget_soft(group.group_id)
    classic = ClassicGroup(group.group_id)
    for member in members:
        classic.add(_classic_member(operation, member), CONSUMER)
    if not classic.members:
        return ""
    classic.protocol_name = classic.select_protocol()
    assignments = {member.member_id: member.assignment for member in classic.members.values()}
    value = classic.value(assignments, operation.now.wall_ms, generation=group.epoch)
    operation.decision.records.append(GroupRecord(GroupMetadataKey(group=group.group_id), value))
    for new in classic.members.values():
        key = session_key(group.group_id, new.member_id)
        operation.start(key, new.session_timeout_ms, session_ended, group.group_id, new.member_id)
    return classic.protocol_name


def _classic_member(operation: GroupOperation, member: ConsumerMember) -> ClassicMember:
    assert member.classic is not None
    version = read_version(member.classic.protocols[0][1]) or 0
    held = {topic_id: frozenset(epochs) for topic_id, epochs in member.assigned.items()}
    return ClassicMember(
        member.member_id,
        instance_id=member.instance_id,
        client_id=member.client_id,
        client_host=member.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        session_timeout_ms=member.classic.session_timeout_ms,
        protocols=list(member.classic.protocols),
        assignment=write_assignment(held, version, operation.state.topics),
    )


def _rebalance_after_downgrade(operation: GroupOperation, group_id: str) -> None:
    group = live_classic_group(operation, group_id)
    if group is not None and group.state is ClassicState.STABLE:
        prepare_rebalance(operation, group)
