"""OffsetFetch for one group. The handler converts versions before 8 (one group) and after 9 (topic ids)."""

from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.groups.state.groups_state import GroupsState
from ottla.groups.state.offset_store import CommittedOffset
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated import offset_fetch_request, offset_fetch_response
from ottla.protocol.generated.offset_fetch_response import GroupsTopicsPartitions

NO_OFFSET = CommittedOffset(-1, -1, "", -1)


def fetch_offsets(
    state: GroupsState, request: offset_fetch_request.Groups, *, require_stable: bool
) -> offset_fetch_response.Groups:
    """Unknown groups, topics and partitions have no offset (-1); that is not an error. Topics None means all."""
    group = state.find(request.group_id)
    if isinstance(group, ConsumerGroup):
        try:
            group.check_fetch(request.member_id, request.member_epoch)
        except Refused as refused:
            return offset_fetch_response.Groups(group_id=request.group_id, error_code=refused.code)
    response = offset_fetch_response.Groups(group_id=request.group_id)
    if request.topics is None:
        # What only an open transaction has written is not an offset yet, not even one to wait for.
        for name, partitions in state.offsets.of_group(request.group_id).items():
            topic_id = state.topics.id_of(name)
            known = [index for index, offset in partitions.items() if offset.is_of(topic_id)]
            if known:
                response.topics.append(_topic(state, request.group_id, name, bytes(16), known, require_stable))
    else:
        for topic in request.topics:
            response.topics.append(
                _topic(state, request.group_id, topic.name, topic.topic_id, topic.partition_indexes, require_stable)
            )
    return response


def _topic(
    state: GroupsState, group_id: str, name: str, topic_id: bytes, partitions: list[int], require_stable: bool
) -> offset_fetch_response.GroupsTopics:
    """An offset that was committed for a deleted topic of this name is none of the topic that has the name now."""
    present_id = state.topics.id_of(name)
    rows = []
    for partition in partitions:
        if require_stable and state.offsets.is_pending(group_id, name, partition):
            offset, code = NO_OFFSET, ErrorCode.UNSTABLE_OFFSET_COMMIT
        else:
            found = state.offsets.get(group_id, name, partition)
            offset = found if found is not None and found.is_of(present_id) else NO_OFFSET
            code = ErrorCode.NONE
        rows.append(
            GroupsTopicsPartitions(
                partition_index=partition,
                committed_offset=offset.offset,
                committed_leader_epoch=offset.leader_epoch,
                metadata=offset.metadata,
                error_code=code,
            )
        )
    return offset_fetch_response.GroupsTopics(topic_id=topic_id, name=name, partitions=rows)
