"""OffsetForLeaderEpoch (key 23), versions 2–4.

Where a leader epoch ends in the log (KIP-101, KIP-320): a client finds out whether its position was truncated.
v3 replica id · v4 flexible
"""

from __future__ import annotations

from typing import Any

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.offset_for_leader_epoch_request import OffsetForLeaderEpochRequest, Partitions
from ottla.protocol.generated.offset_for_leader_epoch_response import (
    OffsetForLeaderEpochResponse,
)
from ottla.protocol.generated.offset_for_leader_epoch_response import Partitions as EpochEnd
from ottla.protocol.generated.offset_for_leader_epoch_response import Topics as TopicResponse


@handles(ApiKey.OFFSET_FOR_LEADER_EPOCH, 2, 4)
def offset_for_leader_epoch(request: OffsetForLeaderEpochRequest, context: Context) -> Any:
    return context.services.large_messages.in_slices(_ends(request, context), context)


def _ends(request: OffsetForLeaderEpochRequest, context: Context) -> Steps[OffsetForLeaderEpochResponse]:
    response = OffsetForLeaderEpochResponse()
    for topic in request.topics:
        topic_response = TopicResponse(topic=topic.topic)
        response.topics.append(topic_response)
        for wanted in topic.partitions:
            topic_response.partitions.append(_end_of(topic.topic, wanted, context))
            yield
    return response


def _end_of(topic: str, wanted: Partitions, context: Context) -> EpochEnd:
    try:
        leader = context.services.partitions.find(topic, wanted.partition)
        leader.check_epoch(wanted.current_leader_epoch)
    except Refused as refusal:
        return EpochEnd(partition=wanted.partition, error_code=refusal.code, leader_epoch=-1, end_offset=-1)
    epoch, end_offset = leader.log.end_offset_for_epoch(wanted.leader_epoch)
    return EpochEnd(partition=wanted.partition, leader_epoch=epoch, end_offset=end_offset)
