"""Heartbeat and LeaveGroup of classic members."""

from ottla.groups.classic.rebalance import members_left, remove_member, restart_session
from ottla.groups.operation import GroupOperation
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.classic_states import ClassicState
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated import leave_group_request
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse


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
        members_left(operation, group)
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
