"""Heartbeats of classic members, and the ways to leave: LeaveGroup, the end of a session, an id that was never used."""

from ottla.groups.classic.group import ClassicGroup
from ottla.groups.classic.rebalance import (
    complete_join_if_all_joined,
    live_classic_group,
    rebalance_or_complete_join,
)
from ottla.groups.classic.sessions import restart_session, stop_session
from ottla.groups.classic.states import ClassicState
from ottla.groups.operation import GroupOperation
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated import leave_group_request
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.sync_group_response import SyncGroupResponse


def heartbeat(operation: GroupOperation, group: ClassicGroup, request: HeartbeatRequest) -> None:
    try:
        group.check_member(request.member_id, request.group_instance_id)
        group.check_generation(request.generation_id)
    except Refused as refused:
        operation.reply(HeartbeatResponse(error_code=refused.code))
        return
    restart_session(operation, group, group.members[request.member_id])
    is_rebalancing = group.state is ClassicState.PREPARING_REBALANCE
    operation.reply(HeartbeatResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS if is_rebalancing else ErrorCode.NONE))


def leave(
    operation: GroupOperation, group: ClassicGroup, members: list[leave_group_request.Members]
) -> list[ErrorCode]:
    """One code for each member that is to leave; a tool may name a static member by its instance id alone."""
    codes = [_leave_one(operation, group, member) for member in members]
    if ErrorCode.NONE in codes:
        if group.state in (ClassicState.STABLE, ClassicState.COMPLETING_REBALANCE):
            rebalance_or_complete_join(operation, group)
        else:
            complete_join_if_all_joined(operation, group)
    return codes


def _leave_one(operation: GroupOperation, group: ClassicGroup, member: leave_group_request.Members) -> ErrorCode:
    member_id, instance_id = member.member_id, member.group_instance_id
    if not member_id:
        member_id = group.static_members.get(instance_id or "", "")
        if not member_id:
            return ErrorCode.UNKNOWN_MEMBER_ID
    elif member_id not in group.pending_members:
        try:
            group.check_member(member_id, instance_id)
        except Refused as refused:
            return refused.code
    remove_member(operation, group, member_id)
    return ErrorCode.NONE


def remove_member(operation: GroupOperation, group: ClassicGroup, member_id: str) -> None:
    """Takes a member out and answers what it waits for: if it is alive after all, it will join anew."""
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


def session_ended(operation: GroupOperation, group_id: str, member_id: str) -> None:
    """No sign of life for the session timeout."""
    group = live_classic_group(operation, group_id)
    member = group.members.get(member_id) if group else None
    if group is None or member is None:
        return
    if member.is_awaiting and not member.is_new:
        # It waits for us. Its session goes on when it gets its response.
        return
    remove_member(operation, group, member_id)
    if group.state in (ClassicState.STABLE, ClassicState.COMPLETING_REBALANCE):
        rebalance_or_complete_join(operation, group)
    else:
        complete_join_if_all_joined(operation, group)


def pending_member_expired(operation: GroupOperation, group_id: str, member_id: str) -> None:
    group = live_classic_group(operation, group_id)
    if group is not None and group.pending_members.pop(member_id, None) is not None:
        complete_join_if_all_joined(operation, group)
