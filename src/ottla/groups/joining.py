"""JoinGroup, SyncGroup, Heartbeat and LeaveGroup: checks that hold for every group, then on to the group's own kind."""

from ottla.coordination.shard import ParkedResponse, Ticket
from ottla.groups.classic import membership
from ottla.groups.classic.joining import Joining, join_refused
from ottla.groups.classic.syncing import sync_group as sync_classic
from ottla.groups.consumer import classic_members
from ottla.groups.operation import Client, GroupOperation
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated import leave_group_request, leave_group_response
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.leave_group_request import LeaveGroupRequest
from ottla.protocol.generated.leave_group_response import LeaveGroupResponse
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.protocol.generated.sync_group_response import SyncGroupResponse

#: From here on SyncGroup must name protocol type and protocol (KIP-559).
NAMES_PROTOCOL = 5
#: From here on LeaveGroup has a list of members.
LEAVES_TOGETHER = 3


def join_group(
    operation: GroupOperation, request: JoinGroupRequest, version: int, client: Client, ticket: Ticket
) -> None:
    settings = operation.state.settings
    if not request.group_id:
        operation.reply(join_refused(ErrorCode.INVALID_GROUP_ID, request.member_id))
    elif not settings.min_session_timeout_ms <= request.session_timeout_ms <= settings.max_session_timeout_ms:
        operation.reply(join_refused(ErrorCode.INVALID_SESSION_TIMEOUT, request.member_id))
    elif sum(len(protocol.metadata) for protocol in request.protocols) > settings.max_member_bytes:
        operation.reply(join_refused(ErrorCode.INVALID_REQUEST, request.member_id))
    else:
        _join_existing_or_new(operation, request, version, client, ticket)


def _join_existing_or_new(
    operation: GroupOperation, request: JoinGroupRequest, version: int, client: Client, ticket: Ticket
) -> None:
    group = operation.state.find(request.group_id)
    if isinstance(group, ConsumerGroup) and not group.is_empty():
        if not classic_members.join(operation, group, request, version, client):
            _join_again(operation, request, version, client, ticket)
    elif not isinstance(group, ClassicGroup) and request.member_id:
        # A member of a group that is gone must not come back under its old id.
        operation.reply(join_refused(ErrorCode.UNKNOWN_MEMBER_ID, request.member_id))
    elif isinstance(group, ConsumerGroup):
        group.write_tombstones(operation.decision.records)
        _join_again(operation, request, version, client, ticket)
    elif group is None and not _has_room(operation):
        operation.reply(join_refused(ErrorCode.GROUP_MAX_SIZE_REACHED))
    else:
        joined = group or ClassicGroup(request.group_id)
        operation.state.groups[request.group_id] = joined
        Joining(operation, joined, request, version, client, ticket).run()
        if group is None and not joined.members and not joined.pending_members:
            # The very first request was refused: no trace of the group remains.
            del operation.state.groups[request.group_id]


def _has_room(operation: GroupOperation) -> bool:
    try:
        operation.state.check_room()
    except Refused:
        return False
    return True


def _join_again(
    operation: GroupOperation, request: JoinGroupRequest, version: int, client: Client, ticket: Ticket
) -> None:
    """The group becomes a classic one when the records of this operation are applied."""
    operation.park()
    operation.start(("join again", ticket), 0, _join_group_later, request, version, client, ticket)


def _join_group_later(
    operation: GroupOperation, request: JoinGroupRequest, version: int, client: Client, ticket: Ticket
) -> None:
    """The same request once more, after records that had to be applied first; its response is parked."""
    join_group(operation, request, version, client, ticket)
    operation.decision.parked = False
    if operation.decision.response is not None:
        operation.decision.parked_responses.append(ParkedResponse(ticket, operation.decision.response))
        operation.decision.response = None


def sync_group(operation: GroupOperation, request: SyncGroupRequest, version: int, ticket: Ticket) -> None:
    group = operation.state.find(request.group_id)
    if not request.group_id:
        operation.reply(SyncGroupResponse(error_code=ErrorCode.INVALID_GROUP_ID))
    elif version >= NAMES_PROTOCOL and (request.protocol_type is None or request.protocol_name is None):
        operation.reply(SyncGroupResponse(error_code=ErrorCode.INCONSISTENT_GROUP_PROTOCOL))
    elif isinstance(group, ConsumerGroup):
        classic_members.sync(operation, group, request)
    elif isinstance(group, ClassicGroup):
        sync_classic(operation, group, request, ticket)
    else:
        operation.reply(SyncGroupResponse(error_code=ErrorCode.UNKNOWN_MEMBER_ID))


def heartbeat(operation: GroupOperation, request: HeartbeatRequest) -> None:
    group = operation.state.find(request.group_id)
    if not request.group_id:
        operation.reply(HeartbeatResponse(error_code=ErrorCode.INVALID_GROUP_ID))
    elif isinstance(group, ConsumerGroup):
        classic_members.heartbeat(operation, group, request)
    elif isinstance(group, ClassicGroup):
        membership.heartbeat(operation, group, request)
    else:
        operation.reply(HeartbeatResponse(error_code=ErrorCode.UNKNOWN_MEMBER_ID))


def leave_group(operation: GroupOperation, request: LeaveGroupRequest, version: int) -> None:
    if not request.group_id:
        operation.reply(LeaveGroupResponse(error_code=ErrorCode.INVALID_GROUP_ID))
        return
    members = request.members
    if version < LEAVES_TOGETHER:
        members = [leave_group_request.Members(member_id=request.member_id)]
    group = operation.state.find(request.group_id)
    if isinstance(group, ConsumerGroup):
        codes = classic_members.leave(operation, group, members)
    elif isinstance(group, ClassicGroup):
        codes = membership.leave(operation, group, members)
    else:
        codes = [ErrorCode.UNKNOWN_MEMBER_ID] * len(members)
    if version < LEAVES_TOGETHER:
        operation.reply(LeaveGroupResponse(error_code=codes[0]))
        return
    operation.reply(
        LeaveGroupResponse(
            members=[
                leave_group_response.Members(
                    member_id=member.member_id, group_instance_id=member.group_instance_id, error_code=code
                )
                for member, code in zip(members, codes, strict=True)
            ]
        )
    )
