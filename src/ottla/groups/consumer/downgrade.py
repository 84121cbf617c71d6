"""A consumer group becomes a classic group, when its last member with the consumer protocol has gone.

`group.consumer.migration.policy` decides whether it may.
"""

from collections.abc import Collection, Iterable

from ottla.groups.classic.rebalance import live_classic_group, prepare_rebalance, session_ended, session_key
from ottla.groups.consumer.timer_keys import stop_timers
from ottla.groups.consumer_protocol import read_version, write_assignment
from ottla.groups.operation import GroupOperation
from ottla.groups.records import GroupRecord
from ottla.groups.state.classic_group import CONSUMER, ClassicGroup
from ottla.groups.state.classic_member import ClassicMember
from ottla.groups.state.classic_states import ClassicState
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.groups.state.consumer_member import ConsumerMember
from ottla.protocol.generated.group_metadata_key import GroupMetadataKey


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
    """`member` takes the place of `old_id`, and everybody keeps its assignment. Returns the protocol of the group."""
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
