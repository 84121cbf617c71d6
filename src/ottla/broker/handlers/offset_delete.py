"""OffsetDelete (key 47), version 0.

Forgets offsets of topics that the group does not read any more. Never flexible.
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated import offset_delete_request
from ottla.protocol.generated.offset_delete_request import OffsetDeleteRequest
from ottla.protocol.generated.offset_delete_response import OffsetDeleteResponse, Partitions, Topics


@handles(ApiKey.OFFSET_DELETE, 0, 0)
async def offset_delete(request: OffsetDeleteRequest, context: Context) -> OffsetDeleteResponse:
    whole = request.topics
    request.topics = [_existing(topic, context) for topic in whole]
    try:
        host, shard = context.services.groups.shard_for(request.group_id)
        response = await host.run(lambda now: shard.delete_offsets(request, now=now))
    except Refused as refused:
        return OffsetDeleteResponse(error_code=refused.code)
    if response.error_code:
        return response
    codes = {
        (topic.name, each.partition_index): each.error_code for topic in response.topics for each in topic.partitions
    }
    return OffsetDeleteResponse(
        topics=[_topic_response(topic, codes) for topic in whole if _is_in_response(topic, context)]
    )


def _existing(topic: offset_delete_request.Topics, context: Context) -> offset_delete_request.Topics:
    image = context.services.metadata.image
    partitions = [each for each in topic.partitions if image.partition(topic.name, each.partition_index) is not None]
    return offset_delete_request.Topics(name=topic.name, partitions=partitions)


def _is_in_response(topic: offset_delete_request.Topics, context: Context) -> bool:
    """A topic without partitions is no part of the response, unless it is the topic that does not exist."""
    return bool(topic.partitions) or context.services.metadata.image.topic(topic.name) is None


def _topic_response(topic: offset_delete_request.Topics, codes: dict[tuple[str, int], int]) -> Topics:
    """Every partition that was asked for, in its place; one without a code does not exist."""
    missing = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return Topics(
        name=topic.name,
        partitions=[
            Partitions(
                partition_index=each.partition_index,
                error_code=codes.get((topic.name, each.partition_index), missing),
            )
            for each in topic.partitions
        ],
    )
