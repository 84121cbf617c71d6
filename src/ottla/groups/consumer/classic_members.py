"""Members with the classic protocol inside a consumer group: their requests are served from its state.

Nothing is parked. JoinGroup takes the next step of the member's reconciliation, SyncGroup reads the result, and a
heartbeat responds REBALANCE_IN_PROGRESS when there is another step to take. Nobody is leader: the coordinator assigns.
"""

from ottla.groups.classic.joining import REQUIRES_MEMBER_ID, join_refused
from ottla.groups.consumer.downgrade import downgrade, downgrade_without_rebalance, may_downgrade
from ottla.groups.consumer.draft import Draft
from ottla.groups.consumer.epochs import update_group
from ottla.groups.consumer.heartbeat import check_room, reconcile_member
from ottla.groups.consumer.leaving import fence_members
from ottla.groups.consumer.static_members import replace_static_member
from ottla.groups.consumer.target import assign_if_due, is_assignment_due
from ottla.groups.consumer.timer_keys import classic_key
from ottla.groups.consumer.timers import restart_session, start_classic_timer
from ottla.groups.consumer_protocol import by_topic_id, read_subscription, read_version, write_assignment
from ottla.groups.member_ids import short_uuid, text_uuid
from ottla.groups.operation import Client, GroupOperation
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.groups.state.consumer_member import ClassicSide, ConsumerMember, MemberState
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated import leave_group_request
from ottla.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.protocol.generated.sync_group_response import SyncGroupResponse

CONSUMER = "consumer"


def join(
    operation: GroupOperation,
    group: ConsumerGroup,
    request: JoinGroupRequest,
    version: int,
    client: Client,
) -> bool:
    """False when the group becomes a classic one first: then the same request has to be tried again."""
    draft = Draft(operation, group, group.group_id)
    member_id = request.member_id
    try:
        check_room(draft, member_id)
        _check_protocols(group, request)
        if not member_id and request.group_instance_id is None and version >= REQUIRES_MEMBER_ID:
            operation.reply(join_refused(ErrorCode.MEMBER_ID_REQUIRED, short_uuid(operation.state.rng)))
            return True
        subscription = _subscription(request)
        if _downgrades(operation, group, request):
            return _joined_by_downgrade(draft, request, subscription, version, client)
        before = _find_member(draft, request)
    except Refused as refused:
        operation.decision.records.clear()
        operation.decision.timers.clear()
        operation.reply(join_refused(refused.code))
        return True
    update_group(draft, before, _updated(before, request, subscription, client, version))
    assign_if_due(draft, before.member_id)
    owned = {entry.topic: entry.partitions for entry in subscription.owned_partitions}
    member = reconcile_member(draft, before.member_id, by_topic_id(owned, operation.state.topics))
    restart_session(operation, draft.group, member)
    operation.state.soft(group.group_id).asked_to_join.pop(member.member_id, None)
    start_classic_timer(operation, group.group_id, member)
    operation.reply(
        JoinGroupResponse(
            generation_id=member.epoch,
            protocol_type=CONSUMER,
            protocol_name=request.protocols[0].name,
            member_id=member.member_id,
        )
    )
    return True


def _downgrades(operation: GroupOperation, group: ConsumerGroup, request: JoinGroupRequest) -> bool:
    """A static member comes back that was the last with the consumer protocol, and the group may become classic."""
    holder = group.static_member(request.group_instance_id) if request.group_instance_id else None
    if holder is None or holder.classic is not None or request.member_id:
        return False
    return may_downgrade(operation, group, leaving=[holder.member_id])


def _take_over(operation: GroupOperation, group: ConsumerGroup, old: ConsumerMember, new: ConsumerMember) -> None:
    """The static member reads on where it was; nobody else notices."""
    member_id = f"{new.instance_id}-{text_uuid(operation.state.rng)}"
    name = downgrade_without_rebalance(operation, group, old.member_id, new._replace(member_id=member_id))
    operation.reply(
        JoinGroupResponse(generation_id=group.epoch, protocol_type=CONSUMER, protocol_name=name, member_id=member_id)
    )


def _joined_by_downgrade(
    draft: Draft,
    request: JoinGroupRequest,
    subscription: ConsumerProtocolSubscription,
    version: int,
    client: Client,
) -> bool:
    """The static member that comes back was the last with the consumer protocol: first the group becomes classic.

    False when it has to join then, because its subscription has changed.
    """
    group, operation = draft.group, draft.operation
    holder = group.members[group.static_members[request.group_instance_id or ""]]
    if group.may_go_on_with(holder, subscription.topics):
        _take_over(operation, group, holder, _updated(holder, request, subscription, client, version))
        return True
    downgrade(operation, group, leaving=[holder.member_id])
    return False


def _check_protocols(group: ConsumerGroup, request: JoinGroupRequest) -> None:
    """It must share one with all classic members, also with itself as it was: they may become a classic group."""
    names = [protocol.name for protocol in request.protocols]
    for other in group.members.values():
        if other.classic is not None:
            names = [name for name in names if name in dict(other.classic.protocols)]
    if request.protocol_type != CONSUMER or not names:
        raise Refused(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)


def _subscription(request: JoinGroupRequest) -> ConsumerProtocolSubscription:
    subscription = read_subscription(bytes(request.protocols[0].metadata))
    if subscription is None:
        raise Refused(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    return subscription


def _find_member(draft: Draft, request: JoinGroupRequest) -> ConsumerMember:
    group, instance_id, member_id = draft.group, request.group_instance_id, request.member_id
    if instance_id is not None:
        if member_id:
            return group.check_instance(member_id, instance_id)
        member_id = f"{instance_id}-{short_uuid(draft.operation.state.rng)}"
        if group.static_member(instance_id) is not None:
            return replace_static_member(draft, instance_id, member_id, is_classic=True)
    member_id = member_id or short_uuid(draft.operation.state.rng)
    return group.members.get(member_id) or ConsumerMember(member_id)


def _updated(
    member: ConsumerMember,
    request: JoinGroupRequest,
    subscription: ConsumerProtocolSubscription,
    client: Client,
    version: int,
) -> ConsumerMember:
    timeout_ms = request.rebalance_timeout_ms
    return member._replace(
        instance_id=request.group_instance_id or member.instance_id,
        rack_id=subscription.rack_id or member.rack_id,
        client_id=client.client_id,
        client_host=client.client_host,
        topic_names=tuple(sorted(set(subscription.topics))),
        topic_regex="",
        rebalance_timeout_ms=request.session_timeout_ms if version == 0 or timeout_ms < 0 else timeout_ms,
        assignor=None,
        classic=ClassicSide(
            request.session_timeout_ms,
            tuple((protocol.name, bytes(protocol.metadata)) for protocol in request.protocols),
        ),
    )


def _classic_member(group: ConsumerGroup, member_id: str, instance_id: str | None, generation: int) -> ConsumerMember:
    if instance_id is not None:
        group.check_instance(member_id, instance_id)
    member = group.member(member_id)
    if member.classic is None:
        raise Refused(ErrorCode.UNKNOWN_MEMBER_ID)
    if member.epoch != generation:
        raise Refused(ErrorCode.ILLEGAL_GENERATION)
    return member


def sync(operation: GroupOperation, group: ConsumerGroup, request: SyncGroupRequest) -> None:
    try:
        member = _classic_member(group, request.member_id, request.group_instance_id, request.generation_id)
        assert member.classic is not None
        name, metadata = member.classic.protocols[0]
        if request.protocol_type not in (None, CONSUMER) or request.protocol_name not in (None, name):
            raise Refused(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
        if group.assignment_epoch > member.epoch and member.state is not MemberState.UNREVOKED_PARTITIONS:
            _ask_to_join(operation, group, member)
            raise Refused(ErrorCode.REBALANCE_IN_PROGRESS)
    except Refused as refused:
        operation.reply(SyncGroupResponse(error_code=refused.code))
        return
    operation.stop(classic_key(group.group_id, member.member_id))
    restart_session(operation, group, member)
    held = {topic_id: frozenset(epochs) for topic_id, epochs in member.assigned.items()}
    operation.reply(
        SyncGroupResponse(
            protocol_type=CONSUMER,
            protocol_name=name,
            assignment=write_assignment(held, read_version(metadata) or 0, operation.state.topics),
        )
    )


def heartbeat(operation: GroupOperation, group: ConsumerGroup, request: HeartbeatRequest) -> None:
    try:
        member = _classic_member(group, request.member_id, request.group_instance_id, request.generation_id)
    except Refused as refused:
        operation.reply(HeartbeatResponse(error_code=refused.code))
        return
    restart_session(operation, group, member)
    if _should_join_again(operation, group, member):
        _ask_to_join(operation, group, member)
        operation.reply(HeartbeatResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS))
    else:
        operation.reply(HeartbeatResponse())


def _ask_to_join(operation: GroupOperation, group: ConsumerGroup, member: ConsumerMember) -> None:
    """It has its rebalance timeout to join again, from the first response that asks for it, heartbeats or not."""
    asked = operation.state.soft(group.group_id).asked_to_join
    if member.member_id not in asked:
        asked[member.member_id] = None
        start_classic_timer(operation, group.group_id, member)


def _should_join_again(operation: GroupOperation, group: ConsumerGroup, member: ConsumerMember) -> bool:
    """There is a newer target, or a better one is due, or partitions must be revoked, or awaited ones are free."""
    return (
        member.epoch < group.assignment_epoch
        or is_assignment_due(Draft(operation, group, group.group_id))
        or member.state is MemberState.UNREVOKED_PARTITIONS
        or (member.state is MemberState.UNRELEASED_PARTITIONS and not group.awaits_others(member))
    )


def leave(
    operation: GroupOperation, group: ConsumerGroup, members: list[leave_group_request.Members]
) -> list[ErrorCode]:
    codes: list[ErrorCode] = []
    gone: list[str] = []
    for member in members:
        try:
            member_id = _leaving_member(group, member, gone)
        except Refused as refused:
            codes.append(refused.code)
            continue
        codes.append(ErrorCode.NONE)
        gone.append(member_id)
    if gone:
        fence_members(Draft(operation, group, group.group_id), gone)
    return codes


def _leaving_member(group: ConsumerGroup, member: leave_group_request.Members, gone: list[str]) -> str:
    member_id, instance_id = member.member_id, member.group_instance_id
    if not member_id and instance_id is not None:
        member_id = group.static_members.get(instance_id, "")
    elif instance_id is not None:
        group.check_instance(member_id, instance_id)
    if member_id in gone:
        raise Refused(ErrorCode.UNKNOWN_MEMBER_ID)
    return group.member(member_id).member_id
