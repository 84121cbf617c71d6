"""The target assignment: what every member should have, computed by the group's assignor when the group has changed."""

import hashlib
from collections.abc import Mapping

from ottla.groups.consumer.assignors.range import assign_ranges
from ottla.groups.consumer.assignors.subject import Assignor, Subscriber
from ottla.groups.consumer.assignors.uniform import assign_uniformly
from ottla.groups.consumer.draft import Draft
from ottla.groups.records import GroupRecord
from ottla.groups.settings import GroupSettings
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.groups.state.consumer_member import Assignment
from ottla.groups.topics import TopicInfo, Topics
from ottla.protocol.generated import consumer_group_target_assignment_member_value as target_value
from ottla.protocol.generated.consumer_group_target_assignment_member_key import (
    ConsumerGroupTargetAssignmentMemberKey,
)
from ottla.protocol.generated.consumer_group_target_assignment_metadata_key import (
    ConsumerGroupTargetAssignmentMetadataKey,
)
from ottla.protocol.generated.consumer_group_target_assignment_metadata_value import (
    ConsumerGroupTargetAssignmentMetadataValue,
)

#: Kafka's names for the assignors, as clients ask for them and operators list them.
ASSIGNORS: Mapping[str, Assignor] = {"uniform": assign_uniformly, "range": assign_ranges}


def preferred_assignor(group: ConsumerGroup, settings: GroupSettings) -> str:
    """The one that most members ask for; of equals, and when nobody asks, the first of the broker's list."""
    votes = dict.fromkeys(settings.assignors, 0)
    for member in group.members.values():
        if member.assignor in votes:
            votes[member.assignor] += 1
    return max(votes, key=votes.__getitem__)


def is_assignment_due(draft: Draft) -> bool:
    """The group has changed, and the last assignment is old enough that changes are gathered (KIP-1263)."""
    group, operation = draft.group, draft.operation
    if group.epoch <= group.assignment_epoch:
        return False
    assigned_at_ms = operation.state.soft(group.group_id).assigned_at_ms
    interval_ms = operation.state.settings.assignment_interval_ms(group.group_id)
    return assigned_at_ms is None or operation.now.monotonic_ms - assigned_at_ms >= interval_ms


def assign_if_due(draft: Draft, member_id: str) -> None:
    """`member_id` is the member that has come: it does not wait when it would keep reading what it does not want."""
    if is_assignment_due(draft) or _has_unwanted_topic(draft, member_id):
        assign(draft)


def _has_unwanted_topic(draft: Draft, member_id: str) -> bool:
    group = draft.group
    if group.epoch <= group.assignment_epoch:
        return False
    found = (draft.operation.state.topics.by_name(name) for name in group.topics_of(group.members[member_id]))
    wanted = {topic.topic_id for topic in found if topic is not None}
    return any(topic_id not in wanted for topic_id in group.target.get(member_id, ()))


def assign(draft: Draft) -> None:
    group, operation = draft.group, draft.operation
    topics = operation.state.topics
    assignor = ASSIGNORS[preferred_assignor(group, operation.state.settings)]
    infos = subscribed_topic_infos(group, topics)
    result = assignor(_subscribers(group, {topic.name: topic.topic_id for topic in infos}), infos)
    for member_id in list(group.members):
        new = result.get(member_id, {})
        if group.target.get(member_id) != new:
            draft.write(target_record(group.group_id, member_id, new))
    draft.put(
        ConsumerGroupTargetAssignmentMetadataKey(group_id=group.group_id),
        ConsumerGroupTargetAssignmentMetadataValue(
            assignment_epoch=group.epoch, assignment_timestamp=operation.now.wall_ms
        ),
    )
    operation.state.soft(group.group_id).assigned_at_ms = operation.now.monotonic_ms


def target_record(group_id: str, member_id: str, assignment: Assignment) -> GroupRecord:
    return GroupRecord(
        ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id),
        target_value.ConsumerGroupTargetAssignmentMemberValue(
            topic_partitions=[
                target_value.TopicPartitions(topic_id=topic_id, partitions=sorted(partitions))
                for topic_id, partitions in sorted(assignment.items())
            ]
        ),
    )


def subscribed_topic_infos(group: ConsumerGroup, topics: Topics) -> list[TopicInfo]:
    found = (topics.by_name(name) for name in group.subscribed_topics())
    return [topic for topic in found if topic is not None]


def _subscribers(group: ConsumerGroup, ids: Mapping[str, bytes]) -> list[Subscriber]:
    return [
        Subscriber(
            member.member_id,
            member.instance_id,
            member.rack_id,
            frozenset(ids[name] for name in group.topics_of(member) if name in ids),
            group.target.get(member.member_id, {}),
        )
        for _, member in sorted(group.members.items())
    ]


def metadata_hash(group: ConsumerGroup, topics: Topics) -> int:
    """Changes when a subscribed topic appears, goes, grows or moves between racks. 0 without topics, as in Kafka."""
    infos = subscribed_topic_infos(group, topics)
    if not infos:
        return 0
    digest = hashlib.blake2b(digest_size=8)
    for topic in infos:
        racks = [sorted(topic.racks_of(partition)) for partition in range(topic.partition_count)]
        digest.update(f"{topic.name}\0{topic.topic_id.hex()}\0{racks}\0".encode())
    return int.from_bytes(digest.digest(), "big", signed=True)
