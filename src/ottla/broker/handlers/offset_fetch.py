"""OffsetFetch (key 9), versions 1–10.

How far groups have read. Unknown groups, topics and partitions have no offset (-1), which is no error.
v2 all topics, group error · v5 leader epoch · v6 flexible · v7 require stable · v8 many groups · v9 member · v10 ids
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated import offset_fetch_request, offset_fetch_response
from ottla.protocol.generated.offset_fetch_request import OffsetFetchRequest
from ottla.protocol.generated.offset_fetch_response import GroupsTopics, GroupsTopicsPartitions, OffsetFetchResponse

_MANY_GROUPS_FROM = 8
_TOPIC_IDS_FROM = 10
_GROUP_ERROR_FROM = 2


@handles(ApiKey.OFFSET_FETCH, 1, 10)
async def offset_fetch(request: OffsetFetchRequest, context: Context) -> OffsetFetchResponse:
    if context.version >= _MANY_GROUPS_FROM:
        found = []
        pace = context.services.time_slices.pace()
        for group in request.groups:
            found.append(await _fetch(group, request.require_stable, context))
            await pace.step()
        return OffsetFetchResponse(groups=found)
    topics = request.topics
    asked = offset_fetch_request.Groups(
        group_id=request.group_id,
        topics=None
        if topics is None
        else [
            offset_fetch_request.GroupsTopics(name=topic.name, partition_indexes=topic.partition_indexes)
            for topic in topics
        ],
    )
    return _as_one_group(await _fetch(asked, request.require_stable, context), asked, context.version)


async def _fetch(
    group: offset_fetch_request.Groups, require_stable: bool, context: Context
) -> offset_fetch_response.Groups:
    unknown = _name_topics(group, context) if context.version >= _TOPIC_IDS_FROM else []
    try:
        host, shard = context.services.groups.shard_for(group.group_id)
        group_response = await host.run(lambda now: shard.fetch_offsets(group, require_stable=require_stable))
    except Refused as refused:
        return offset_fetch_response.Groups(group_id=group.group_id, error_code=refused.code)
    if context.version >= _TOPIC_IDS_FROM:
        group_response.topics = [topic for topic in group_response.topics if _give_id(topic, context)]
        if not group_response.error_code:
            group_response.topics += [_without_offsets(topic, ErrorCode.UNKNOWN_TOPIC_ID) for topic in unknown]
    return group_response


def _name_topics(group: offset_fetch_request.Groups, context: Context) -> list[offset_fetch_request.GroupsTopics]:
    """Offsets are stored by name. Takes the topics with unknown ids out of the request and gives them back."""
    known, unknown = [], []
    for topic in group.topics or []:
        found = context.services.metadata.image.topic_by_id(topic.topic_id)
        if found is None:
            unknown.append(topic)
        else:
            topic.name = found.name
            known.append(topic)
    if group.topics is not None:
        group.topics = known
    return unknown


def _give_id(topic: GroupsTopics, context: Context) -> bool:
    """A topic that was deleted meanwhile cannot be named by an id any more."""
    found = context.services.metadata.image.topic(topic.name)
    topic.topic_id = found.topic_id if found is not None else topic.topic_id
    return found is not None


def _without_offsets(topic: offset_fetch_request.GroupsTopics, code: ErrorCode) -> GroupsTopics:
    return GroupsTopics(
        topic_id=topic.topic_id,
        name=topic.name,
        partitions=[
            GroupsTopicsPartitions(partition_index=index, committed_offset=-1, metadata="", error_code=code)
            for index in topic.partition_indexes
        ],
    )


def _as_one_group(
    group_response: offset_fetch_response.Groups, asked: offset_fetch_request.Groups, version: int
) -> OffsetFetchResponse:
    topics = group_response.topics
    if group_response.error_code and version < _GROUP_ERROR_FROM:
        topics = [_without_offsets(topic, ErrorCode(group_response.error_code)) for topic in asked.topics or []]
    return OffsetFetchResponse(
        error_code=group_response.error_code,
        topics=[
            offset_fetch_response.Topics(
                name=topic.name,
                partitions=[
                    offset_fetch_response.Partitions(
                        partition_index=each.partition_index,
                        committed_offset=each.committed_offset,
                        committed_leader_epoch=each.committed_leader_epoch,
                        metadata=each.metadata,
                        error_code=each.error_code,
                    )
                    for each in topic.partitions
                ],
            )
            for topic in topics
        ],
    )
