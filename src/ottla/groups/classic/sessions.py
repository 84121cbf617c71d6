"""Session timers of classic members: started by every sign of life, on monotonic time."""

from ottla.coordination.shard import TimerKey
from ottla.groups.classic.group import ClassicGroup
from ottla.groups.classic.member import ClassicMember
from ottla.groups.operation import GroupOperation


def session_key(group_id: str, member_id: str) -> TimerKey:
    return ("session", group_id, member_id)


def restart_session(
    operation: GroupOperation, group: ClassicGroup, member: ClassicMember, timeout_ms: int | None = None
) -> None:
    # The end of a session may start a rebalance, and a rebalance starts sessions.
    from ottla.groups.classic.membership import session_ended

    operation.start(
        session_key(group.group_id, member.member_id),
        member.session_timeout_ms if timeout_ms is None else timeout_ms,
        session_ended,
        group.group_id,
        member.member_id,
    )


def stop_session(operation: GroupOperation, group_id: str, member_id: str) -> None:
    operation.stop(session_key(group_id, member_id))
