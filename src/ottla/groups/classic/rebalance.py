"""The rebalance of a classic group: from "everybody must join again" to the responses that start a new generation.

The end of a member's session begins a rebalance, and a rebalance restarts sessions: so their timers are here too.
"""

from ottla.coordination.shard import StartTimer, TimerKey
from ottla.groups.operation import GroupOperation, timer
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.classic_member import ClassicMember
from ottla.groups.state.classic_states import ClassicState
from ottla.groups.state.groups_state import GroupsState
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import join_group_response
from ottla.protocol.generated.group_metadata_key import GroupMetadataKey
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.sync_group_response import SyncGroupResponse


def join_key(group_id: str) -> TimerKey:
    return ("join", group_id)


def sync_key(group_id: str) -> TimerKey:
    return ("sync", group_id)


def session_key(group_id: str, member_id: str) -> TimerKey:
    return ("session", group_id, member_id)


def live_classic_group(operation: GroupOperation, group_id: str) -> ClassicGroup | None:
    """Timers name a group by its id: it may have gone, or become a consumer group, since they were set."""
    group = operation.state.groups.get(group_id)
    return group if isinstance(group, ClassicGroup) else None


def rebalance_or_complete_join(operation: GroupOperation, group: ClassicGroup) -> None:
    """After any change of the membership: begins a rebalance, or sees whether the one under way can continue."""
    if group.state is ClassicState.PREPARING_REBALANCE:
        complete_join_if_all_joined(operation, group)
    else:
        prepare_rebalance(operation, group)


def complete_join_if_all_joined(operation: GroupOperation, group: ClassicGroup) -> None:
    # The first rebalance waits for its delay even when all known members are in: more of them are just starting.
    if group.state is ClassicState.PREPARING_REBALANCE and not group.is_initial_rebalance and group.have_all_joined():
        complete_join(operation, group.group_id)


def prepare_rebalance(operation: GroupOperation, group: ClassicGroup) -> None:
    if group.state is ClassicState.COMPLETING_REBALANCE:
        _refuse_syncs(operation, group)
    operation.stop(sync_key(group.group_id))
    group.is_initial_rebalance = group.state is ClassicState.EMPTY
    group.go_to(ClassicState.PREPARING_REBALANCE)
    if not group.is_initial_rebalance:
        _complete_join_or_wait(operation, group)
        return
    group.has_new_member = False
    delay_ms = operation.state.settings.initial_rebalance_delay_ms
    remaining_ms = max(group.rebalance_timeout_ms() - delay_ms, 0)
    # Also for no delay at all, as in Kafka: whoever has joined by the time the timer runs is in the first generation.
    operation.start(join_key(group.group_id), delay_ms, initial_delay_over, group.group_id, delay_ms, remaining_ms)


def initial_delay_over(operation: GroupOperation, group_id: str, delay_ms: int, remaining_ms: int) -> None:
    """Waits another delay when somebody joined during the last one, up to the rebalance timeout in all."""
    group = live_classic_group(operation, group_id)
    if group is None or group.state is not ClassicState.PREPARING_REBALANCE:
        return
    if not group.has_new_member or remaining_ms == 0:
        complete_join(operation, group_id)
        return
    group.has_new_member = False
    next_delay_ms = min(operation.state.settings.initial_rebalance_delay_ms, remaining_ms)
    operation.start(
        join_key(group_id),
        next_delay_ms,
        initial_delay_over,
        group_id,
        next_delay_ms,
        max(remaining_ms - delay_ms, 0),
    )


def _complete_join_or_wait(operation: GroupOperation, group: ClassicGroup) -> None:
    if group.have_all_joined():
        complete_join(operation, group.group_id)
    else:
        operation.start(join_key(group.group_id), group.rebalance_timeout_ms(), complete_join, group.group_id)


def complete_join(operation: GroupOperation, group_id: str) -> None:
    """All have joined, or the time is up: those who did not are out, the others form the next generation."""
    group = live_classic_group(operation, group_id)
    if group is None or group.state is not ClassicState.PREPARING_REBALANCE:
        return
    operation.stop(join_key(group_id))
    for member in list(group.members.values()):
        if member.join_ticket is None and member.instance_id is None:
            group.remove(member.member_id)
            stop_session(operation, group_id, member.member_id)
    if not group.elect_joined_leader() and group.members:
        # Only static members are left and none of them has come: wait until their sessions end.
        operation.start(join_key(group_id), group.rebalance_timeout_ms(), complete_join, group_id)
    elif group.members:
        _begin_generation(operation, group)
    else:
        write_empty(operation, group)


def write_empty(operation: GroupOperation, group: ClassicGroup) -> None:
    """Nobody is left. The group becomes EMPTY when the record is applied."""
    group.leader_id = group.protocol_name = None
    value = group.value({}, operation.now.wall_ms, generation=group.generation + 1)
    operation.write(GroupMetadataKey(group=group.group_id), value)


def _begin_generation(operation: GroupOperation, group: ClassicGroup) -> None:
    group.go_to(ClassicState.COMPLETING_REBALANCE)
    group.is_initial_rebalance = False
    group.generation += 1
    group.protocol_name = group.select_protocol()
    group.note_subscriptions()
    group.pending_sync = dict.fromkeys(group.members)
    for member in group.members.values():
        operation.respond(member.join_ticket, joined(group, member))
        member.join_ticket = None
        member.is_new = False
        restart_session(operation, group, member)
    operation.start(
        sync_key(group.group_id), group.rebalance_timeout_ms(), sync_time_over, group.group_id, group.generation
    )


def joined(group: ClassicGroup, member: ClassicMember) -> JoinGroupResponse:
    """The leader learns of all members, the others only who leads."""
    is_leader = group.leader_id == member.member_id
    return JoinGroupResponse(
        generation_id=group.generation,
        protocol_type=group.protocol_type,
        protocol_name=group.protocol_name,
        leader=group.leader_id or "",
        member_id=member.member_id,
        members=subscriptions(group) if is_leader else [],
    )


def subscriptions(group: ClassicGroup) -> list[join_group_response.Members]:
    return [
        join_group_response.Members(
            member_id=member.member_id,
            group_instance_id=member.instance_id,
            metadata=member.metadata(group.protocol_name),
        )
        for member in group.members.values()
    ]


def sync_time_over(operation: GroupOperation, group_id: str, generation: int) -> None:
    """Members that got their response to JoinGroup and never asked for their partitions are gone."""
    group = live_classic_group(operation, group_id)
    if group is None or group.generation != generation or not group.pending_sync:
        return
    if group.state not in (ClassicState.COMPLETING_REBALANCE, ClassicState.STABLE):
        return
    for member_id in list(group.pending_sync):
        group.remove(member_id)
        stop_session(operation, group_id, member_id)
    prepare_rebalance(operation, group)


def _refuse_syncs(operation: GroupOperation, group: ClassicGroup) -> None:
    """Members keep their last assignment: who cooperates reads on, and an upgrade must know of it."""
    for member in group.members.values():
        if member.sync_ticket is not None:
            operation.respond(member.sync_ticket, SyncGroupResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS))
            member.sync_ticket = None
            restart_session(operation, group, member)


# sessions and members that go


def restart_session(
    operation: GroupOperation, group: ClassicGroup, member: ClassicMember, timeout_ms: int | None = None
) -> None:
    operation.decision.timers.append(session_timer(operation.state, group, member, timeout_ms))


def session_timer(
    state: GroupsState, group: ClassicGroup, member: ClassicMember, timeout_ms: int | None = None
) -> StartTimer:
    group_id, member_id = group.group_id, member.member_id
    delay_ms = member.session_timeout_ms if timeout_ms is None else timeout_ms
    return timer(state, session_key(group_id, member_id), delay_ms, session_ended, group_id, member_id)


def stop_session(operation: GroupOperation, group_id: str, member_id: str) -> None:
    operation.stop(session_key(group_id, member_id))


def session_ended(operation: GroupOperation, group_id: str, member_id: str) -> None:
    """No sign of life for the session timeout."""
    group = live_classic_group(operation, group_id)
    if group is None:
        return
    member = group.members.get(member_id)
    if member is None:
        # It is out already, and the log has not taken the record: a full disk must not leave the group rebalancing.
        complete_join_if_all_joined(operation, group)
        return
    if member.is_awaiting and not member.is_new:
        # It waits for us. Its session timeout starts again with its response.
        return
    remove_member(operation, group, member_id)
    members_left(operation, group)


def pending_member_expired(operation: GroupOperation, group_id: str, member_id: str) -> None:
    group = live_classic_group(operation, group_id)
    if group is not None:
        # Also when it was forgotten before, but what followed could not be written.
        group.pending_members.pop(member_id, None)
        complete_join_if_all_joined(operation, group)


def remove_member(operation: GroupOperation, group: ClassicGroup, member_id: str) -> None:
    """Takes a member out and completes the request that it waits for: if it is alive after all, it will rejoin."""
    member = group.remove(member_id)
    stop_session(operation, group.group_id, member_id)
    if member is None:
        return
    operation.respond(
        member.join_ticket,
        JoinGroupResponse(error_code=ErrorCode.UNKNOWN_MEMBER_ID, member_id="", protocol_name=None),
    )
    operation.respond(member.sync_ticket, SyncGroupResponse(error_code=ErrorCode.UNKNOWN_MEMBER_ID))
    member.join_ticket = member.sync_ticket = None


def members_left(operation: GroupOperation, group: ClassicGroup) -> None:
    """Begins a rebalance without them, or sees whether the one under way waited for them alone."""
    if group.state in (ClassicState.STABLE, ClassicState.COMPLETING_REBALANCE):
        rebalance_or_complete_join(operation, group)
    else:
        complete_join_if_all_joined(operation, group)
