"""JoinGroup to a classic group: new members, members that come back, static members that come back under a new id."""

from ottla.coordination.shard import Ticket
from ottla.groups.classic.rebalance import (
    complete_join_if_all_joined,
    joined,
    pending_member_expired,
    rebalance_or_complete_join,
    restart_session,
    session_key,
    stop_session,
)
from ottla.groups.member_ids import text_uuid
from ottla.groups.operation import Client, GroupOperation
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.classic_member import ClassicMember
from ottla.groups.state.classic_states import ClassicState
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.group_metadata_key import GroupMetadataKey
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.sync_group_response import SyncGroupResponse

#: From here on a member without id must come again with the id it is given (KIP-394).
REQUIRES_MEMBER_ID = 4
#: From here on a static leader that comes back need not assign (KIP-814).
SKIPS_ASSIGNMENT = 9


def join_refused(code: ErrorCode, member_id: str = "") -> JoinGroupResponse:
    return JoinGroupResponse(error_code=code, member_id=member_id, protocol_name=None)


class Joining:
    """One JoinGroup request. Lives for one operation."""

    __slots__ = ("client", "group", "operation", "protocols", "request", "ticket", "version")

    def __init__(
        self,
        operation: GroupOperation,
        group: ClassicGroup,
        request: JoinGroupRequest,
        version: int,
        client: Client,
        ticket: Ticket,
    ) -> None:
        self.operation = operation
        self.group = group
        self.request = request
        self.version = version
        self.client = client
        self.ticket = ticket
        self.protocols = [(protocol.name, protocol.metadata) for protocol in request.protocols]

    def run(self) -> None:
        member_id = self.request.member_id
        if not self._has_room(member_id):
            self.group.remove(member_id)
            stop_session(self.operation, self.group.group_id, member_id)
            self.operation.reply(join_refused(ErrorCode.GROUP_MAX_SIZE_REACHED))
        elif not self.group.supports(self.request.protocol_type, [name for name, _ in self.protocols]):
            self.operation.reply(join_refused(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, member_id))
        elif not member_id:
            self._join_without_id()
        elif member_id in self.group.pending_members:
            self._add(member_id)
        else:
            self._join_again(member_id)

    def _has_room(self, member_id: str) -> bool:
        group, limit = self.group, self.operation.state.settings.max_size
        if group.state is ClassicState.EMPTY:
            return True
        member = group.members.get(member_id)
        if group.state is ClassicState.PREPARING_REBALANCE:
            # Members that do not come again will be dropped, so those that have come are counted.
            is_in = member is not None and member.join_ticket is not None
            return is_in or group.joined_count() < limit
        return member is not None or len(group.members) < limit

    def _join_without_id(self) -> None:
        instance_id = self.request.group_instance_id
        named_after = self.client.client_id if instance_id is None else instance_id
        member_id = f"{named_after}-{text_uuid(self.operation.state.rng)}"
        if instance_id is not None:
            holder = self.group.static_members.get(instance_id)
            if holder is None:
                self._add(member_id)
            else:
                self._replace(holder, member_id)
        elif self.version >= REQUIRES_MEMBER_ID:
            self._remember(member_id)
        else:
            self._add(member_id)

    def _remember(self, member_id: str) -> None:
        group_id = self.group.group_id
        self.group.pending_members[member_id] = self.request.session_timeout_ms
        self.operation.start(
            session_key(group_id, member_id),
            self.request.session_timeout_ms,
            pending_member_expired,
            group_id,
            member_id,
        )
        self.operation.reply(join_refused(ErrorCode.MEMBER_ID_REQUIRED, member_id))

    def _add(self, member_id: str) -> None:
        group, request = self.group, self.request
        member = ClassicMember(
            member_id,
            instance_id=request.group_instance_id,
            client_id=self.client.client_id,
            client_host=self.client.client_host,
            rebalance_timeout_ms=self._rebalance_timeout_ms(),
            session_timeout_ms=request.session_timeout_ms,
            protocols=self.protocols,
        )
        member.is_new = True
        member.join_ticket = self.ticket
        self.operation.park()
        if group.is_initial_rebalance and group.state is ClassicState.PREPARING_REBALANCE:
            group.has_new_member = True
        group.add(member, request.protocol_type)
        # It cannot send heartbeats before it has its response, and a broken connection is not seen: a fixed time.
        restart_session(self.operation, group, member, self.operation.state.settings.new_member_join_timeout_ms)
        rebalance_or_complete_join(self.operation, group)

    def _rebalance_timeout_ms(self) -> int:
        timeout_ms = self.request.rebalance_timeout_ms
        return self.request.session_timeout_ms if self.version == 0 or timeout_ms < 0 else timeout_ms

    def _join_again(self, member_id: str) -> None:
        group = self.group
        try:
            group.check_member(member_id, self.request.group_instance_id)
        except Refused as refused:
            self.operation.reply(join_refused(refused.code, member_id))
            return
        member = group.members[member_id]
        is_changed = member.protocols != self.protocols
        if group.state is ClassicState.COMPLETING_REBALANCE and not is_changed:
            # The response was lost: the same again.
            self.operation.reply(joined(group, member))
        elif group.state is ClassicState.STABLE and not is_changed and group.leader_id != member_id:
            # Only the leader may ask for a rebalance without a change: it has seen one in the topics.
            response = joined(group, member)
            response.members = []
            self.operation.reply(response)
        else:
            self._update(member)
            rebalance_or_complete_join(self.operation, group)

    def _update(self, member: ClassicMember) -> None:
        # An earlier request of the same member can only come from a connection that it has abandoned.
        self.operation.respond(member.join_ticket, join_refused(ErrorCode.REBALANCE_IN_PROGRESS, member.member_id))
        member.protocols = self.protocols
        member.rebalance_timeout_ms = self._rebalance_timeout_ms()
        member.session_timeout_ms = self.request.session_timeout_ms
        member.join_ticket = self.ticket
        self.operation.park()

    def _replace(self, old_id: str, new_id: str) -> None:
        """A static member has restarted: its new id takes the place of the old, without a rebalance if possible."""
        group = self.group
        old_leader = group.leader_id
        member = group.members[old_id]
        self._fence(member, old_id)
        group.replace_static(old_id, new_id)
        stop_session(self.operation, group.group_id, old_id)
        member.client_id, member.client_host = self.client.client_id, self.client.client_host
        self._update(member)
        restart_session(self.operation, group, member)
        if group.state is ClassicState.STABLE and group.select_protocol() == group.protocol_name:
            member.join_ticket = None
            self._keep_generation(member, old_leader)
        elif group.state is ClassicState.PREPARING_REBALANCE:
            complete_join_if_all_joined(self.operation, group)
        else:
            # The leader may have got the old id already.
            rebalance_or_complete_join(self.operation, group)

    def _fence(self, member: ClassicMember, old_id: str) -> None:
        self.operation.respond(member.join_ticket, join_refused(ErrorCode.FENCED_INSTANCE_ID, old_id))
        self.operation.respond(member.sync_ticket, SyncGroupResponse(error_code=ErrorCode.FENCED_INSTANCE_ID))
        member.join_ticket = member.sync_ticket = None

    def _keep_generation(self, member: ClassicMember, old_leader: str | None) -> None:
        group = self.group
        assignments = {member.member_id: member.assignment for member in group.members.values()}
        value = group.value(assignments, self.operation.now.wall_ms, generation=group.generation)
        self.operation.write(GroupMetadataKey(group=group.group_id), value)
        response = joined(group, member)
        if self.version >= SKIPS_ASSIGNMENT:
            response.skip_assignment = bool(response.members)
        else:
            # An older client that is named leader would assign for nothing: it is given the old id.
            response.members = []
            response.leader = old_leader or ""
        self.operation.respond(self.ticket, response)
