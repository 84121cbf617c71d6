"""Offsets that go away: OffsetDelete, deleted topics and groups, and expiry after a group has been empty (KIP-211)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from ottla.groups.operation import GroupOperation
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.classic_states import ClassicState
from ottla.groups.state.groups_state import Group
from ottla.groups.state.offset_store import CommittedOffset
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated import offset_delete_response
from ottla.protocol.generated.offset_commit_key import OffsetCommitKey
from ottla.protocol.generated.offset_delete_request import OffsetDeleteRequest
from ottla.protocol.generated.offset_delete_response import OffsetDeleteResponse

EXPIRY = ("offset expiry",)
#: The most records of one batch. What is left waits for the next one: other requests come between.
MAX_RECORDS_PER_OPERATION = 1_000

PartitionsByTopic: TypeAlias = Mapping[str, Collection[int]]


def delete_offsets(operation: GroupOperation, request: OffsetDeleteRequest) -> None:
    """Offsets of topics that members are subscribed to stay; what was never committed counts as deleted."""
    group = operation.state.find(request.group_id)
    try:
        if not request.group_id:
            raise Refused(ErrorCode.INVALID_GROUP_ID)
        if group is None:
            raise Refused(ErrorCode.GROUP_ID_NOT_FOUND)
        if isinstance(group, ClassicGroup):
            group.check_delete_offsets()
    except Refused as refused:
        operation.reply(OffsetDeleteResponse(error_code=refused.code))
        return
    response = OffsetDeleteResponse()
    for topic in request.topics:
        is_subscribed = group.is_subscribed_to(topic.name)
        code = ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC if is_subscribed else ErrorCode.NONE
        result = offset_delete_response.Topics(name=topic.name)
        for partition in topic.partitions:
            index = partition.partition_index
            result.partitions.append(offset_delete_response.Partitions(partition_index=index, error_code=code))
            if not is_subscribed:
                _remove_if_known(operation, request.group_id, topic.name, index)
        response.topics.append(result)
    operation.reply(response)


def _remove_if_known(operation: GroupOperation, group_id: str, topic: str, partition: int) -> None:
    offsets = operation.state.offsets
    if offsets.get(group_id, topic, partition) or offsets.is_pending(group_id, topic, partition):
        _remove(operation, group_id, topic, partition)


def _remove(operation: GroupOperation, group_id: str, topic: str, partition: int) -> None:
    operation.write(OffsetCommitKey(group=group_id, topic=topic, partition=partition), None)


def remove_all_offsets(operation: GroupOperation, group_id: str) -> None:
    offsets = operation.state.offsets
    for topic, partitions in offsets.of_group(group_id).items():
        for partition in partitions:
            _remove(operation, group_id, topic, partition)
    for key in offsets.pending_of_group(group_id):
        if offsets.get(*key) is None:
            _remove(operation, *key)


def partitions_deleted(operation: GroupOperation, gone: PartitionsByTopic) -> None:
    """A topic of the same name that is made later is another topic: it must not start at the old offsets."""
    for group_id in list(operation.state.offsets.group_ids()):
        for topic, partition in _held_by(operation, group_id, gone):
            _remove(operation, group_id, topic, partition)
        if len(operation.decision.records) >= MAX_RECORDS_PER_OPERATION:
            key = ("partitions deleted", *((topic, *partitions) for topic, partitions in gone.items()))
            operation.start(key, 0, partitions_deleted, gone)
            return


def _held_by(operation: GroupOperation, group_id: str, gone: PartitionsByTopic) -> Iterable[tuple[str, int]]:
    """Those of the partitions that the group has offsets of. Few groups know many of thousands of partitions.

    When it is the group's turn there may be offsets of a new topic of the name already: these stay.
    """
    offsets, topics = operation.state.offsets, operation.state.topics
    held = {
        (topic, partition): None
        for topic, partitions in offsets.of_group(group_id).items()
        if topic in gone
        for partition in partitions
        if partition in gone[topic]
    }
    for _, topic, partition in offsets.pending_of_group(group_id):
        if partition in gone.get(topic, ()):
            held[topic, partition] = None
    return [place for place in held if not offsets.has_any_of(topics.id_of(place[0]), group_id, *place)]


def forget_deleted_topics(operation: GroupOperation, group_ids: Sequence[str], start: int = 0) -> None:
    """Removes offsets of topics that are gone. Only after a load: later, `partitions_deleted` names them one by one.

    A commit is accepted only for a topic that exists, by a coordinator that knows no more of the cluster than the one
    that loads its shard: a topic that is missing now was deleted.
    """
    looked_count = 0
    for index in range(start, len(group_ids)):
        if looked_count >= MAX_RECORDS_PER_OPERATION or len(operation.decision.records) >= MAX_RECORDS_PER_OPERATION:
            operation.start(("deleted topics",), 0, forget_deleted_topics, group_ids, index)
            return
        looked_count += 1 + _forget_deleted_topics_of(operation, group_ids[index])


def _forget_deleted_topics_of(operation: GroupOperation, group_id: str) -> int:
    """How many offsets there were to look at."""
    topics, offsets = operation.state.topics, operation.state.offsets
    looked_count = 0
    for topic, partitions in offsets.of_group(group_id).items():
        topic_id = topics.id_of(topic)
        looked_count += len(partitions)
        for partition, offset in partitions.items():
            # An open transaction may have written for the new topic: the record that removes the one removes the other.
            is_kept = topic_id is not None and offsets.is_pending(group_id, topic, partition)
            if not is_kept and (topic_id is None or not offset.is_of(topic_id)):
                _remove(operation, group_id, topic, partition)
    for key in offsets.pending_of_group(group_id):
        if topics.id_of(key.topic) is None and offsets.get(*key) is None:
            _remove(operation, *key)
    return looked_count


def schedule_expiry(operation: GroupOperation) -> None:
    operation.start(EXPIRY, operation.state.settings.offsets_retention_check_interval_ms, expire_offsets)


def expire_offsets(operation: GroupOperation) -> None:
    """Runs every `offsets.retention.check.interval.ms`. An empty group whose offsets are all gone goes with them."""
    for group in list(operation.state.all_groups()):
        if _expire_group_offsets(operation, group) and group.is_empty():
            group.write_tombstones(operation.decision.records)
            if isinstance(group, ClassicGroup) and group.is_soft and not group.has_pending_members():
                del operation.state.groups[group.group_id]
        if len(operation.decision.records) >= MAX_RECORDS_PER_OPERATION:
            operation.start(EXPIRY, 0, expire_offsets)
            return
    schedule_expiry(operation)


def _expire_group_offsets(operation: GroupOperation, group: Group) -> bool:
    """True when no offset of the group remains."""
    offsets = operation.state.offsets
    remaining = bool(offsets.pending_of_group(group.group_id))
    for topic, partitions in offsets.of_group(group.group_id).items():
        is_kept = group.is_subscribed_to(topic)
        for partition, offset in partitions.items():
            if is_kept or not _is_expired(operation, group, topic, partition, offset):
                remaining = True
            else:
                _remove(operation, group.group_id, topic, partition)
    return not remaining


def _is_expired(operation: GroupOperation, group: Group, topic: str, partition: int, offset: CommittedOffset) -> bool:
    if operation.state.offsets.is_pending(group.group_id, topic, partition):
        return False
    unused_since_ms = _unused_since_ms(group, offset)
    if unused_since_ms is None:
        return False
    settings = operation.state.settings
    now_ms = settings.believed_ms(operation.now.wall_ms)
    if offset.expire_timestamp_ms != -1:
        return now_ms >= offset.expire_timestamp_ms
    return now_ms - unused_since_ms >= settings.offsets_retention_ms


def _unused_since_ms(group: Group, offset: CommittedOffset) -> int | None:
    """From when the retention of an offset counts; None while the group may still need it."""
    if not isinstance(group, ClassicGroup) or group.protocol_type is None:
        return offset.commit_timestamp_ms
    if group.state is ClassicState.EMPTY:
        # A tool may commit for a group that has been empty for long.
        return max(offset.commit_timestamp_ms, group.state_timestamp_ms)
    if group.state is ClassicState.STABLE and group.knows_its_topics():
        return offset.commit_timestamp_ms
    return None
