"""Timers of consumer group members: the session, and the time a member has to give partitions up."""

from ottla.groups.consumer.draft import Draft
from ottla.groups.consumer.leaving import fence_members
from ottla.groups.consumer.timer_keys import classic_key, rebalance_key, session_key
from ottla.groups.operation import GroupOperation
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.groups.state.consumer_member import ConsumerMember, MemberState


def restart_session(operation: GroupOperation, group: ConsumerGroup, member: ConsumerMember) -> None:
    if member.classic is not None:
        timeout_ms = member.classic.session_timeout_ms
    else:
        timeout_ms = operation.state.settings.session_timeout_ms(group.group_id)
    operation.start(
        session_key(group.group_id, member.member_id), timeout_ms, _session_ended, group.group_id, member.member_id
    )


def keep_rebalance_timer(
    operation: GroupOperation, group_id: str, before: ConsumerMember, after: ConsumerMember
) -> None:
    """Runs while a member has partitions to revoke; a new epoch meanwhile restarts it."""
    if after.state is not MemberState.UNREVOKED_PARTITIONS:
        operation.stop(rebalance_key(group_id, after.member_id))
    elif (before.state, before.epoch) != (after.state, after.epoch):
        start_rebalance_timer(operation, group_id, after)


def start_rebalance_timer(operation: GroupOperation, group_id: str, member: ConsumerMember) -> None:
    operation.start(
        rebalance_key(group_id, member.member_id),
        member.rebalance_timeout_ms,
        _rebalance_time_over,
        group_id,
        member.member_id,
        member.epoch,
    )


def start_classic_timer(operation: GroupOperation, group_id: str, member: ConsumerMember) -> None:
    operation.start(
        classic_key(group_id, member.member_id),
        member.rebalance_timeout_ms,
        _session_ended,
        group_id,
        member.member_id,
    )


def _session_ended(operation: GroupOperation, group_id: str, member_id: str) -> None:
    group = operation.state.groups.get(group_id)
    if isinstance(group, ConsumerGroup) and member_id in group.members:
        _fence(operation, group, member_id)


def _rebalance_time_over(operation: GroupOperation, group_id: str, member_id: str, epoch: int) -> None:
    group = operation.state.groups.get(group_id)
    member = group.members.get(member_id) if isinstance(group, ConsumerGroup) else None
    if isinstance(group, ConsumerGroup) and member is not None and member.epoch == epoch:
        _fence(operation, group, member_id)


def _fence(operation: GroupOperation, group: ConsumerGroup, member_id: str) -> None:
    fence_members(Draft(operation, group, group.group_id), [member_id])
