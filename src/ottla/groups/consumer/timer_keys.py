"""The timers that a member of a consumer group may have; started in `timers`, stopped here."""

from ottla.coordination.shard import TimerKey
from ottla.groups.operation import GroupOperation


def session_key(group_id: str, member_id: str) -> TimerKey:
    return ("session", group_id, member_id)


def rebalance_key(group_id: str, member_id: str) -> TimerKey:
    return ("rebalance", group_id, member_id)


def classic_key(group_id: str, member_id: str) -> TimerKey:
    """For a classic member: it must join, or sync, within its rebalance timeout."""
    return ("classic", group_id, member_id)


def stop_timers(operation: GroupOperation, group_id: str, member_id: str) -> None:
    operation.stop(session_key(group_id, member_id))
    operation.stop(rebalance_key(group_id, member_id))
    operation.stop(classic_key(group_id, member_id))
