"""JoinGroup, SyncGroup, Heartbeat and LeaveGroup: checks that hold for every group, then on to the group's own kind."""

from ottla.coordination.shard import Answer, Ticket
from ottla.groups.classic import membership
from ottla.groups.classic.group import ClassicGroup
from ottla.groups.classic.joining import Joining, join_refused
from ottla.groups.classic.syncing import sync_group as sync_classic
from ottla.groups.client import Client
from ottla.groups.consumer import classic_members
from ottla.groups.consumer.group import ConsumerGroup
from ottla.groups.turn import Turn
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


def join_group(turn: Turn, request: JoinGroupRequest, version: int, client: Client, ticket: Ticket) -> None:
    settings = turn.state.settings
    if not request.group_id:
        turn.reply(join_refused(ErrorCode.INVALID_GROUP_ID, request.member_id))
    elif not settings.min_session_timeout_ms <= request.session_timeout_ms <= settings.max_session_timeout_ms:
        turn.reply(join_refused(ErrorCode.INVALID_SESSION_TIMEOUT, request.member_id))
    elif sum(len(protocol.metadata) for protocol in request.protocols) > settings.max_member_bytes:
        turn.reply(join_refused(ErrorCode.INVALID_REQUEST, request.member_id))
    else:
        _join_existing_or_new(turn, request, version, client, ticket)


def _join_existing_or_new(turn: Turn, request: JoinGroupRequest, version: int, client: Client, ticket: Ticket) -> None:
    group = turn.state.find(request.group_id)
    if isinstance(group, ConsumerGroup) and not group.is_empty():
        classic_members.join(turn, group, request, version, client, ticket)
    elif not isinstance(group, ClassicGroup) and request.member_id:
        # A member of a group that is gone must not come back under its old id.
        turn.reply(join_refused(ErrorCode.UNKNOWN_MEMBER_ID, request.member_id))
    elif isinstance(group, ConsumerGroup):
        group.write_tombstones(turn.decision.records)
        turn.park()
        turn.start(("join again", ticket), 0, join_group_later, request, version, client, ticket)
    elif group is None and not _has_room(turn):
        turn.reply(join_refused(ErrorCode.GROUP_MAX_SIZE_REACHED))
    else:
        joined = group or ClassicGroup(request.group_id)
        turn.state.groups[request.group_id] = joined
        Joining(turn, joined, request, version, client, ticket).run()
        if group is None and not joined.members and not joined.pending_members:
            # The very first request was refused: no trace of the group remains.
            del turn.state.groups[request.group_id]


def _has_room(turn: Turn) -> bool:
    try:
        turn.state.check_room()
    except Refused:
        return False
    return True


def join_group_later(turn: Turn, request: JoinGroupRequest, version: int, client: Client, ticket: Ticket) -> None:
    """The same request once more, after records that had to be applied first; its answer is parked."""
    join_group(turn, request, version, client, ticket)
    turn.decision.parked = False
    if turn.decision.response is not None:
        turn.decision.answers.append(Answer(ticket, turn.decision.response))
        turn.decision.response = None


def sync_group(turn: Turn, request: SyncGroupRequest, version: int, ticket: Ticket) -> None:
    group = turn.state.find(request.group_id)
    if not request.group_id:
        turn.reply(SyncGroupResponse(error_code=ErrorCode.INVALID_GROUP_ID))
    elif version >= NAMES_PROTOCOL and (request.protocol_type is None or request.protocol_name is None):
        turn.reply(SyncGroupResponse(error_code=ErrorCode.INCONSISTENT_GROUP_PROTOCOL))
    elif isinstance(group, ConsumerGroup):
        classic_members.sync(turn, group, request)
    elif isinstance(group, ClassicGroup):
        sync_classic(turn, group, request, ticket)
    else:
        turn.reply(SyncGroupResponse(error_code=ErrorCode.UNKNOWN_MEMBER_ID))


def heartbeat(turn: Turn, request: HeartbeatRequest) -> None:
    group = turn.state.find(request.group_id)
    if not request.group_id:
        turn.reply(HeartbeatResponse(error_code=ErrorCode.INVALID_GROUP_ID))
    elif isinstance(group, ConsumerGroup):
        classic_members.heartbeat(turn, group, request)
    elif isinstance(group, ClassicGroup):
        membership.heartbeat(turn, group, request)
    else:
        turn.reply(HeartbeatResponse(error_code=ErrorCode.UNKNOWN_MEMBER_ID))


def leave_group(turn: Turn, request: LeaveGroupRequest, version: int) -> None:
    if not request.group_id:
        turn.reply(LeaveGroupResponse(error_code=ErrorCode.INVALID_GROUP_ID))
        return
    members = request.members
    if version < LEAVES_TOGETHER:
        members = [leave_group_request.Members(member_id=request.member_id)]
    group = turn.state.find(request.group_id)
    if isinstance(group, ConsumerGroup):
        codes = classic_members.leave(turn, group, members)
    elif isinstance(group, ClassicGroup):
        codes = membership.leave(turn, group, members)
    else:
        codes = [ErrorCode.UNKNOWN_MEMBER_ID] * len(members)
    if version < LEAVES_TOGETHER:
        turn.reply(LeaveGroupResponse(error_code=codes[0]))
        return
    turn.reply(
        LeaveGroupResponse(
            members=[
                leave_group_response.Members(
                    member_id=member.member_id, group_instance_id=member.group_instance_id, error_code=code
                )
                for member, code in zip(members, codes, strict=True)
            ]
        )
    )
