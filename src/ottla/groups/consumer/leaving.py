"""Members that go: they leave, a static member steps aside, or the coordinator puts them out (fences them)."""

from collections.abc import Collection, Sequence

from ottla.groups.consumer.downgrade import downgrade, may_downgrade
from ottla.groups.consumer.draft import Draft
from ottla.groups.consumer.epochs import raise_epoch, refresh_regexes
from ottla.groups.consumer.static_members import write_member_tombstones
from ottla.groups.consumer.timer_keys import rebalance_key, stop_timers
from ottla.groups.operation import GroupOperation
from ottla.groups.state.consumer_group import ConsumerGroup, group_not_found
from ottla.groups.state.consumer_member import STATIC_LEAVE_EPOCH, ConsumerMember
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest


def leave_group(operation: GroupOperation, request: ConsumerGroupHeartbeatRequest) -> None:
    group = operation.state.find(request.group_id)
    if not isinstance(group, ConsumerGroup):
        raise group_not_found(request.group_id, group)
    draft = Draft(operation, group, group.group_id)
    if request.instance_id is None:
        member = group.member(request.member_id)
    else:
        member = group.check_instance(request.member_id, request.instance_id)
    if request.member_epoch == STATIC_LEAVE_EPOCH:
        _step_aside(draft, member)
    else:
        fence_members(draft, [member.member_id])


def _step_aside(draft: Draft, member: ConsumerMember) -> None:
    """It will come back soon: nothing is rebalanced until its session ends."""
    draft.operation.stop(rebalance_key(draft.group.group_id, member.member_id))
    draft.write(member._replace(epoch=STATIC_LEAVE_EPOCH, revoking={}).current_record(draft.group.group_id))


def fence_members(draft: Draft, member_ids: Sequence[str]) -> None:
    """Takes members out and raises the epoch, or makes the group classic when only classic members remain."""
    has_others = len(draft.group.members) > len(member_ids)
    if has_others and may_downgrade(draft.operation, draft.group, leaving=member_ids):
        downgrade(draft.operation, draft.group, leaving=member_ids)
        return
    remove_members(draft, member_ids)
    refresh_regexes(draft)
    raise_epoch(draft, is_needed=True)


def remove_members(draft: Draft, member_ids: Collection[str]) -> None:
    for member_id in member_ids:
        stop_timers(draft.operation, draft.group.group_id, member_id)
        write_member_tombstones(draft, member_id)
