"""ConsumerGroupHeartbeat: join, stay, change the subscription, give up and take partitions.

A heartbeat goes through four steps, each on the result of the one before: the member and its subscription, the group's
epoch, the target assignment, the member's own assignment.
"""

from ottla.groups.consumer.draft import Draft
from ottla.groups.consumer.epochs import update_group
from ottla.groups.consumer.leaving import leave_group
from ottla.groups.consumer.reconciliation import reconcile
from ottla.groups.consumer.static_members import replace_static_member
from ottla.groups.consumer.target import assign_if_due
from ottla.groups.consumer.timers import keep_rebalance_timer, restart_session
from ottla.groups.consumer.upgrade import open_for_consumer, release_waiting
from ottla.groups.member_ids import short_uuid
from ottla.groups.operation import Client, GroupOperation
from ottla.groups.state.consumer_member import (
    JOIN_EPOCH,
    LEAVE_EPOCH,
    STATIC_LEAVE_EPOCH,
    Assignment,
    ConsumerMember,
    EpochedAssignment,
)
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated import consumer_group_heartbeat_response as response_module
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from ottla.protocol.generated.consumer_group_heartbeat_response import ConsumerGroupHeartbeatResponse

#: From here on members bring their own id.
CLIENT_MAKES_ID = 1


def heartbeat(operation: GroupOperation, request: ConsumerGroupHeartbeatRequest, version: int, client: Client) -> None:
    try:
        check_request(request, version, operation.state.settings.assignors)
        if request.member_epoch < 0:
            leave_group(operation, request)
            operation.reply(
                ConsumerGroupHeartbeatResponse(member_id=request.member_id, member_epoch=request.member_epoch)
            )
        else:
            operation.reply(_Heartbeat(operation, request, client).run())
    except Refused as refused:
        operation.decision.records.clear()
        operation.decision.timers.clear()
        operation.decision.parked_responses.clear()
        operation.reply(ConsumerGroupHeartbeatResponse(error_code=refused.code, error_message=refused.message))


def check_request(request: ConsumerGroupHeartbeatRequest, version: int, assignors: tuple[str, ...]) -> None:
    may_lack_id = version < CLIENT_MAKES_ID and request.member_epoch == JOIN_EPOCH
    _require(request.member_id or may_lack_id, "MemberId can't be empty.")
    _require(request.group_id, "GroupId can't be empty.")
    _require(request.instance_id != "", "InstanceId can't be empty.")
    _require(request.rack_id != "", "RackId can't be empty.")
    if request.member_epoch == JOIN_EPOCH:
        has_subscription = request.subscribed_topic_names is not None or request.subscribed_topic_regex is not None
        _require(request.rebalance_timeout_ms != -1, "RebalanceTimeoutMs must be provided in first request.")
        _require(request.topic_partitions == [], "TopicPartitions must be empty when (re-)joining.")
        _require(
            has_subscription,
            "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.",
        )
    elif request.member_epoch == STATIC_LEAVE_EPOCH:
        _require(request.instance_id is not None, "InstanceId can't be null.")
    else:
        _require(request.member_epoch >= LEAVE_EPOCH, "MemberEpoch is invalid.")
    if request.server_assignor is not None and request.server_assignor not in assignors:
        raise Refused(
            ErrorCode.UNSUPPORTED_ASSIGNOR,
            f"ServerAssignor {request.server_assignor} is not supported. Supported assignors: {', '.join(assignors)}.",
        )


def _require(condition: object, message: str) -> None:
    if not condition:
        raise Refused(ErrorCode.INVALID_REQUEST, message)


def check_room(draft: Draft, member_id: str) -> None:
    limit = draft.operation.state.settings.consumer_max_size
    if len(draft.group.members) >= limit and member_id not in draft.group.members:
        raise Refused(
            ErrorCode.GROUP_MAX_SIZE_REACHED,
            f"The consumer group has reached its maximum capacity of {limit} members.",
        )


class _Heartbeat:
    """One request of a member that stays or joins. Lives for one operation."""

    __slots__ = ("client", "draft", "operation", "request")

    def __init__(self, operation: GroupOperation, request: ConsumerGroupHeartbeatRequest, client: Client) -> None:
        self.operation = operation
        self.request = request
        self.client = client
        self.draft: Draft

    def run(self) -> ConsumerGroupHeartbeatResponse:
        request = self.request
        self.draft = draft = open_for_consumer(self.operation, request.group_id, may_create=request.member_epoch == 0)
        check_room(draft, request.member_id)
        before = self._find_member()
        update_group(draft, before, self._updated(before))
        assign_if_due(draft, before.member_id)
        member = reconcile_member(draft, before.member_id, _owned(request))
        if draft.upgraded is not None:
            release_waiting(self.operation, draft.upgraded)
        restart_session(self.operation, draft.group, member)
        return self._response(before, member)

    def _find_member(self) -> ConsumerMember:
        group, request = self.draft.group, self.request
        is_joining = request.member_epoch == JOIN_EPOCH
        member_id = request.member_id or short_uuid(self.operation.state.rng)
        if request.instance_id is not None:
            if not is_joining:
                member = group.check_instance(request.member_id, request.instance_id)
                check_epoch(member, request.member_epoch, _owned(request))
                return member
            if group.static_member(request.instance_id) is not None:
                return replace_static_member(self.draft, request.instance_id, member_id)
        if is_joining:
            return group.members.get(member_id) or ConsumerMember(member_id)
        member = group.member(request.member_id)
        check_epoch(member, request.member_epoch, _owned(request))
        return member

    def _updated(self, member: ConsumerMember) -> ConsumerMember:
        """What is null in the request has not changed since the last one."""
        request = self.request
        names, regex = request.subscribed_topic_names, request.subscribed_topic_regex
        return member._replace(
            instance_id=member.instance_id if request.instance_id is None else request.instance_id,
            rack_id=member.rack_id if request.rack_id is None else request.rack_id,
            client_id=self.client.client_id,
            client_host=self.client.client_host,
            topic_names=member.topic_names if names is None else tuple(sorted(set(names))),
            topic_regex=member.topic_regex if regex is None else regex,
            rebalance_timeout_ms=member.rebalance_timeout_ms
            if request.rebalance_timeout_ms == -1
            else request.rebalance_timeout_ms,
            assignor=member.assignor if request.server_assignor is None else request.server_assignor,
            classic=None,
        )

    def _response(self, before: ConsumerMember, member: ConsumerMember) -> ConsumerGroupHeartbeatResponse:
        request = self.request
        is_full = (
            request.rebalance_timeout_ms != -1
            and (request.subscribed_topic_names is not None or request.subscribed_topic_regex is not None)
            and request.topic_partitions is not None
        )
        has_changed = _places(before.assigned) != _places(member.assigned)
        return ConsumerGroupHeartbeatResponse(
            member_id=member.member_id,
            member_epoch=member.epoch,
            heartbeat_interval_ms=self.operation.state.settings.heartbeat_interval_ms(request.group_id),
            assignment=_assignment(member) if is_full or has_changed or request.member_epoch == 0 else None,
        )


def reconcile_member(draft: Draft, member_id: str, owned: Assignment | None) -> ConsumerMember:
    group = draft.group
    before = group.members[member_id]
    after = reconcile(
        before,
        target=group.target.get(member_id, {}),
        target_epoch=group.assignment_epoch,
        owned=owned,
        is_free=group.is_free_for,
    )
    if after != before:
        draft.write(after.current_record(group.group_id))
        keep_rebalance_timer(draft.operation, group.group_id, before, after)
    return after


def check_epoch(member: ConsumerMember, epoch: int, owned: Assignment | None) -> None:
    """The epoch must be the member's; the one before is taken when only our last response can have been lost."""
    word = "greater" if epoch > member.epoch else "smaller"
    if epoch == member.epoch:
        return
    if epoch < member.epoch and epoch == member.previous_epoch and _is_subset(owned, member.assigned):
        return
    raise Refused(
        ErrorCode.FENCED_MEMBER_EPOCH,
        f"The consumer group member has a {word} member epoch ({epoch}) than the one known by the group coordinator "
        f"({member.epoch}). The member must abandon all its partitions and rejoin.",
    )


def _is_subset(owned: Assignment | None, assigned: EpochedAssignment) -> bool:
    if owned is None:
        return False
    return all(partitions <= assigned.get(topic_id, {}).keys() for topic_id, partitions in owned.items())


def _owned(request: ConsumerGroupHeartbeatRequest) -> Assignment | None:
    if request.topic_partitions is None:
        return None
    return {entry.topic_id: frozenset(entry.partitions) for entry in request.topic_partitions}


def _places(assigned: EpochedAssignment) -> dict[bytes, frozenset[int]]:
    return {topic_id: frozenset(epochs) for topic_id, epochs in assigned.items()}


def _assignment(member: ConsumerMember) -> response_module.Assignment:
    return response_module.Assignment(
        topic_partitions=[
            response_module.TopicPartitions(topic_id=topic_id, partitions=sorted(epochs))
            for topic_id, epochs in sorted(member.assigned.items())
        ]
    )
