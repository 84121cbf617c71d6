"""The member's own record, its regular expression, and the group epoch that rises with what an assignor would see."""

from ottla.groups.consumer.draft import Draft
from ottla.groups.consumer.regex import check_regex, matching_topics
from ottla.groups.consumer.target import metadata_hash
from ottla.groups.state.consumer_member import ConsumerMember
from ottla.protocol.generated.consumer_group_metadata_key import ConsumerGroupMetadataKey
from ottla.protocol.generated.consumer_group_metadata_value import ConsumerGroupMetadataValue
from ottla.protocol.generated.consumer_group_regular_expression_key import ConsumerGroupRegularExpressionKey
from ottla.protocol.generated.consumer_group_regular_expression_value import ConsumerGroupRegularExpressionValue


def update_group(draft: Draft, before: ConsumerMember, after: ConsumerMember) -> None:
    """Writes what is new about a member and raises the group epoch if an assignor would see a difference."""
    if after.topic_regex and after.topic_regex != before.topic_regex:
        # First: of a group that is not there nothing may stay behind when it is refused.
        check_regex(after.topic_regex)
    soft = draft.operation.state.soft(draft.group.group_id)
    are_topics_new = soft.topics_version != draft.operation.state.topics_version
    if after == before and not are_topics_new and draft.group.epoch > 0:
        # The usual heartbeat: nothing is new.
        return
    is_known = before.member_id in draft.group.members
    if not is_known or _metadata(after) != _metadata(before):
        draft.write(after.metadata_record(draft.group.group_id))
    has_changed = set(before.topic_names) != set(after.topic_names) or (is_known and before.rack_id != after.rack_id)
    if before.topic_regex != after.topic_regex or are_topics_new:
        has_changed |= refresh_regexes(draft)
    if has_changed or are_topics_new or draft.group.epoch == 0:
        raise_epoch(draft, is_needed=has_changed)
    if not draft.operation.decision.records:
        # Records count when they are in the log: the heartbeat after them finds nothing left to write.
        soft.topics_version = draft.operation.state.topics_version


def _metadata(member: ConsumerMember) -> tuple[object, ...]:
    return member._replace(epoch=0, previous_epoch=0, state=member.state, assigned={}, revoking={})


def refresh_regexes(draft: Draft) -> bool:
    """Looks the expressions of the group up in the present topics, forgets unused ones. True when one changed."""
    group, operation = draft.group, draft.operation
    used = dict.fromkeys(member.topic_regex for member in group.members.values() if member.topic_regex)
    has_changed = False
    for regex in used:
        topics = matching_topics(regex, operation.state.topics.names())
        known = group.regexes.get(regex)
        if known is None or known.topics != topics:
            has_changed |= bool(topics) or known is not None
            draft.put(
                ConsumerGroupRegularExpressionKey(group_id=group.group_id, regular_expression=regex),
                ConsumerGroupRegularExpressionValue(
                    topics=list(topics), version=operation.state.topics_version, timestamp=operation.now.wall_ms
                ),
            )
    for regex in list(draft.group.regexes):
        if regex not in used:
            has_changed = True
            key = ConsumerGroupRegularExpressionKey(group_id=group.group_id, regular_expression=regex)
            draft.put(key, None)
    return has_changed


def raise_epoch(draft: Draft, *, is_needed: bool) -> None:
    """A new group starts at epoch 1; what its first member subscribes to makes it 2."""
    group = draft.group
    hash_now = metadata_hash(group, draft.operation.state.topics)
    epoch = max(group.epoch, 1)
    if is_needed or hash_now != group.metadata_hash:
        epoch += 1
    if epoch != group.epoch or hash_now != group.metadata_hash:
        draft.put(
            ConsumerGroupMetadataKey(group_id=group.group_id),
            ConsumerGroupMetadataValue(epoch=epoch, metadata_hash=hash_now),
        )
