"""Static members of consumer groups: the instance id stays, the member id changes with every restart."""

from ottla.groups.consumer.draft import Draft
from ottla.groups.consumer.target import target_record
from ottla.groups.consumer.timer_keys import stop_timers
from ottla.groups.state.consumer_member import STATIC_LEAVE_EPOCH, ConsumerMember, MemberState
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.consumer_group_current_member_assignment_key import (
    ConsumerGroupCurrentMemberAssignmentKey,
)
from ottla.protocol.generated.consumer_group_member_metadata_key import ConsumerGroupMemberMetadataKey
from ottla.protocol.generated.consumer_group_target_assignment_member_key import (
    ConsumerGroupTargetAssignmentMemberKey,
)


def check_released(member: ConsumerMember, new_id: str) -> None:
    if member.epoch != STATIC_LEAVE_EPOCH:
        raise Refused(
            ErrorCode.UNRELEASED_INSTANCE_ID,
            f"Static member {new_id} with instance id {member.instance_id} cannot join the group because the "
            f"instance id is owned by {member.member_id} member.",
        )


def replace_static_member(draft: Draft, instance_id: str, new_id: str, *, is_classic: bool = False) -> ConsumerMember:
    """The instance has come back: its new member id takes over assignment and target, the old one is gone.

    If both speak the consumer protocol, the old one must have left before (epoch -2); otherwise the new one takes over
    at once, as in a classic group.
    """
    group = draft.group
    old = group.static_member(instance_id)
    assert old is not None
    if not is_classic and old.classic is None:
        check_released(old, new_id)
    member = old._replace(member_id=new_id, epoch=0, previous_epoch=0, state=MemberState.STABLE, revoking={})
    if old.member_id != new_id:
        target = group.target.get(old.member_id, {})
        write_member_tombstones(draft, old.member_id)
        draft.write(member.metadata_record(group.group_id))
        draft.write(target_record(group.group_id, new_id, target))
        stop_timers(draft.operation, group.group_id, old.member_id)
    draft.write(member.current_record(group.group_id))
    return member


def write_member_tombstones(draft: Draft, member_id: str) -> None:
    group_id = draft.group.group_id
    draft.put(ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), None)
    draft.put(ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), None)
    draft.put(ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None)
