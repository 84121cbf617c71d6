"""One step of a member towards its target assignment.

    a newer target --> revoke what is not in it:   UNREVOKED_PARTITIONS, at the old epoch, until the member has
                       take what is free of it:    STABLE when that is all, else UNRELEASED_PARTITIONS, at the new epoch

A partition is free when nobody has it and nobody is still revoking it: so it never has two owners.
"""

from collections.abc import Callable

from ottla.groups.state.consumer_member import Assignment, ConsumerMember, MemberState
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused


def reconcile(
    member: ConsumerMember,
    *,
    target: Assignment,
    target_epoch: int,
    owned: Assignment | None,
    is_free: Callable[[str, bytes, int], bool],
) -> ConsumerMember:
    """The member after one more step. `owned` is what the member reports; None when it reports nothing."""
    if member.state is MemberState.STABLE and member.epoch == target_epoch:
        return member
    if member.state is MemberState.UNREVOKED_PARTITIONS:
        if _still_has_revoked(member, owned):
            return member
        # What it revoked is free now. If a newer target takes more from it, that is another epoch on the way.
        return _next(_at_epoch(member, member.epoch + 1), target, target_epoch, owned, is_free)
    if member.state is MemberState.UNKNOWN and owned != {}:
        raise Refused(
            ErrorCode.FENCED_MEMBER_EPOCH,
            "The consumer group member is in a unknown state. The member must abandon all its partitions and rejoin.",
        )
    return _next(member, target, target_epoch, owned, is_free)


def _still_has_revoked(member: ConsumerMember, owned: Assignment | None) -> bool:
    if owned is None:
        return True
    return any(
        partition in owned.get(topic_id, ())
        for topic_id, partitions in member.revoking.items()
        for partition in partitions
    )


def _next(
    member: ConsumerMember,
    target: Assignment,
    target_epoch: int,
    owned: Assignment | None,
    is_free: Callable[[str, bytes, int], bool],
) -> ConsumerMember:
    kept: dict[bytes, dict[int, int]] = {}
    revoked: dict[bytes, dict[int, int]] = {}
    for topic_id, epochs in member.assigned.items():
        wanted = target.get(topic_id, frozenset())
        for partition, epoch in epochs.items():
            side = kept if partition in wanted else revoked
            side.setdefault(topic_id, {})[partition] = epoch
    candidate = member._replace(assigned=kept, revoking=revoked)
    if revoked and _still_has_revoked(candidate, owned):
        return candidate._replace(state=MemberState.UNREVOKED_PARTITIONS)
    has_unreleased = False
    for topic_id in sorted(target):
        for partition in sorted(target[topic_id]):
            if partition in kept.get(topic_id, {}):
                continue
            if is_free(member.member_id, topic_id, partition):
                kept.setdefault(topic_id, {})[partition] = target_epoch
            else:
                has_unreleased = True
    state = MemberState.UNRELEASED_PARTITIONS if has_unreleased else MemberState.STABLE
    return _at_epoch(candidate._replace(state=state, revoking={}), target_epoch)


def _at_epoch(member: ConsumerMember, epoch: int) -> ConsumerMember:
    if member.epoch == epoch:
        return member
    return member._replace(epoch=epoch, previous_epoch=member.epoch)
