"""DescribeProducers (key 61), version 0. The producers that partitions of this node remember, to find what hangs."""

from __future__ import annotations

from typing import Any

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.model.topic import name_problem
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.describe_producers_request import DescribeProducersRequest
from ottla.protocol.generated.describe_producers_response import (
    ActiveProducers,
    DescribeProducersResponse,
    Partitions,
    Topics,
)


@handles(ApiKey.DESCRIBE_PRODUCERS, 0, 0)
def describe_producers(request: DescribeProducersRequest, context: Context) -> Any:
    return context.services.large_messages.in_slices(_describe_all(request, context), context)


def _describe_all(request: DescribeProducersRequest, context: Context) -> Steps[DescribeProducersResponse]:
    response = DescribeProducersResponse()
    for topic in request.topics:
        topic_response = Topics(name=topic.name)
        response.topics.append(topic_response)
        for index in topic.partition_indexes:
            topic_response.partitions.append(_describe(topic.name, index, context))
            yield
    return response


def _describe(topic: str, index: int, context: Context) -> Partitions:
    try:
        problem = name_problem(topic)
        if problem is not None:
            raise Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic name is invalid: {problem}")
        producers = context.services.partitions.find(topic, index).log.producers
    except Refused as refusal:
        return Partitions(partition_index=index, error_code=refusal.code, error_message=refusal.message)
    return Partitions(
        partition_index=index,
        active_producers=[
            ActiveProducers(
                producer_id=entry.producer_id,
                producer_epoch=entry.epoch,
                last_sequence=entry.last_sequence,
                last_timestamp=entry.last_timestamp,
                coordinator_epoch=entry.coordinator_epoch,
                current_txn_start_offset=entry.open_offset,
            )
            for entry in producers.entries.values()
        ],
    )
