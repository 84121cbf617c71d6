"""SyncGroup to a classic group: the leader brings the assignment, the others wait for it."""

from ottla.coordination.shard import Ticket
from ottla.groups.classic.rebalance import restart_session, sync_key
from ottla.groups.operation import GroupOperation
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.classic_member import ClassicMember
from ottla.groups.state.classic_states import ClassicState
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.group_metadata_key import GroupMetadataKey
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.protocol.generated.sync_group_response import SyncGroupResponse


def sync_group(operation: GroupOperation, group: ClassicGroup, request: SyncGroupRequest, ticket: Ticket) -> None:
    try:
        _check(group, request)
    except Refused as refused:
        operation.reply(SyncGroupResponse(error_code=refused.code))
        return
    member = group.members[request.member_id]
    group.pending_sync.pop(request.member_id, None)
    if group.state is ClassicState.STABLE:
        if not group.pending_sync:
            operation.stop(sync_key(group.group_id))
        restart_session(operation, group, member)
        operation.reply(synced(group, member.assignment))
        return
    # An earlier SyncGroup of the same member comes from a connection that it has abandoned.
    operation.respond(member.sync_ticket, SyncGroupResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS))
    member.sync_ticket = ticket
    operation.park()
    if group.leader_id == request.member_id:
        _assign(operation, group, request)


def _check(group: ClassicGroup, request: SyncGroupRequest) -> None:
    group.check_member(request.member_id, request.group_instance_id)
    group.check_generation(request.generation_id)
    if _differs(request.protocol_type, group.protocol_type) or _differs(request.protocol_name, group.protocol_name):
        raise Refused(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    if group.state is ClassicState.PREPARING_REBALANCE:
        raise Refused(ErrorCode.REBALANCE_IN_PROGRESS)


def _differs(named: str | None, chosen: str | None) -> bool:
    return named is not None and chosen is not None and named != chosen


def _assign(operation: GroupOperation, group: ClassicGroup, request: SyncGroupRequest) -> None:
    """Members that the leader forgot get no bytes. The group becomes STABLE when the record is applied."""
    assignments = {entry.member_id: bytes(entry.assignment) for entry in request.assignments}
    value = group.value(assignments, operation.now.wall_ms, generation=group.generation)
    operation.write(GroupMetadataKey(group=group.group_id), value)
    for member in group.members.values():
        if member.sync_ticket is not None:
            _hand_out(operation, group, member, assignments.get(member.member_id, b""))
    if not group.pending_sync:
        operation.stop(sync_key(group.group_id))


def _hand_out(operation: GroupOperation, group: ClassicGroup, member: ClassicMember, assignment: bytes) -> None:
    operation.respond(member.sync_ticket, synced(group, assignment))
    member.sync_ticket = None
    restart_session(operation, group, member)


def synced(group: ClassicGroup, assignment: bytes) -> SyncGroupResponse:
    return SyncGroupResponse(
        protocol_type=group.protocol_type, protocol_name=group.protocol_name, assignment=assignment
    )
