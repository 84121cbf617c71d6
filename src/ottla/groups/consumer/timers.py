"""Timers of consumer group members: the session, and the time a member has to give partitions up."""

from ottla.coordination.shard import TimerKey
from ottla.groups.consumer.group import ConsumerGroup
from ottla.groups.consumer.member import ConsumerMember, MemberState
from ottla.groups.turn import Turn


def session_key(group_id: str, member_id: str) -> TimerKey:
    return ("session", group_id, member_id)


def rebalance_key(group_id: str, member_id: str) -> TimerKey:
    return ("rebalance", group_id, member_id)


def classic_key(group_id: str, member_id: str) -> TimerKey:
    """For a classic member: it must join, or sync, within its rebalance timeout."""
    return ("classic", group_id, member_id)


def restart_session(turn: Turn, group: ConsumerGroup, member: ConsumerMember) -> None:
    if member.classic is not None:
        timeout_ms = member.classic.session_timeout_ms
    else:
        timeout_ms = turn.state.settings.session_timeout_ms(group.group_id)
    turn.start(
        session_key(group.group_id, member.member_id), timeout_ms, _session_ended, group.group_id, member.member_id
    )


def keep_rebalance_timer(turn: Turn, group_id: str, before: ConsumerMember, after: ConsumerMember) -> None:
    """Runs while a member has partitions to give up; a new epoch on the way begins it anew."""
    if after.state is not MemberState.UNREVOKED_PARTITIONS:
        turn.stop(rebalance_key(group_id, after.member_id))
    elif (before.state, before.epoch) != (after.state, after.epoch):
        start_rebalance_timer(turn, group_id, after)


def start_rebalance_timer(turn: Turn, group_id: str, member: ConsumerMember) -> None:
    turn.start(
        rebalance_key(group_id, member.member_id),
        member.rebalance_timeout_ms,
        _rebalance_time_over,
        group_id,
        member.member_id,
        member.epoch,
    )


def start_classic_timer(turn: Turn, group_id: str, member: ConsumerMember) -> None:
    turn.start(
        classic_key(group_id, member.member_id),
        member.rebalance_timeout_ms,
        _session_ended,
        group_id,
        member.member_id,
    )


def stop_timers(turn: Turn, group_id: str, member_id: str) -> None:
    turn.stop(session_key(group_id, member_id))
    turn.stop(rebalance_key(group_id, member_id))
    turn.stop(classic_key(group_id, member_id))


def _session_ended(turn: Turn, group_id: str, member_id: str) -> None:
    group = turn.state.groups.get(group_id)
    if isinstance(group, ConsumerGroup) and member_id in group.members:
        _fence(turn, group, member_id)


def _rebalance_time_over(turn: Turn, group_id: str, member_id: str, epoch: int) -> None:
    group = turn.state.groups.get(group_id)
    member = group.members.get(member_id) if isinstance(group, ConsumerGroup) else None
    if isinstance(group, ConsumerGroup) and member is not None and member.epoch == epoch:
        _fence(turn, group, member_id)


def _fence(turn: Turn, group: ConsumerGroup, member_id: str) -> None:
    # Fencing stops timers, timers fence.
    from ottla.groups.consumer.draft import Draft
    from ottla.groups.consumer.leaving import fence_members

    fence_members(Draft(turn, group, group.group_id), [member_id])
