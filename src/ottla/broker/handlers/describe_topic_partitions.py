"""DescribeTopicPartitions (key 75), version 0.

Topics with their partitions, page by page: the response ends at a limit and names where to continue (KIP-966).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ottla.broker.requests.authorization import TOPIC_OPERATIONS
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.steps import Steps
from ottla.model.topic import INTERNAL_TOPICS, name_problem
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.metadata.image import MetadataImage
    from ottla.metadata.partition_registration import PartitionRegistration
    from ottla.metadata.topics_image import TopicImage
    from ottla.protocol.generated.describe_topic_partitions_request import DescribeTopicPartitionsRequest
    from ottla.protocol.generated.describe_topic_partitions_response import (
        DescribeTopicPartitionsResponse,
        Partitions,
        Topics,
    )


@handles(ApiKey.DESCRIBE_TOPIC_PARTITIONS, 0, 0)
def describe_topic_partitions(request: DescribeTopicPartitionsRequest, context: Context) -> Any:
    return context.services.large_messages.in_slices(_describe(request, context), context)


def _describe(request: DescribeTopicPartitionsRequest, context: Context) -> Steps[DescribeTopicPartitionsResponse]:
    from ottla.protocol.generated.describe_topic_partitions_response import (
        DescribeTopicPartitionsResponse,
        NextCursor,
        Topics,
    )

    image = context.services.metadata.image
    names = sorted({topic.name: None for topic in request.topics} or image.topics.by_name)
    first_index = 0
    if request.cursor is not None:
        if request.cursor.partition_index < 0 or (request.topics and request.cursor.topic_name not in names):
            refused = [Topics(error_code=ErrorCode.INVALID_REQUEST, name=topic.name) for topic in request.topics]
            return DescribeTopicPartitionsResponse(topics=refused)
        names = [name for name in names if name >= request.cursor.topic_name]
        if names and names[0] == request.cursor.topic_name:
            first_index = request.cursor.partition_index
    left = max(
        1, min(request.response_partition_limit, context.services.config.options.max_request_partition_size_limit)
    )
    described: list[Topics] = []
    for name in names:
        topic = image.topic(name)
        if left == 0:
            cursor = NextCursor(topic_name=name, partition_index=0)
            return DescribeTopicPartitionsResponse(topics=described, next_cursor=cursor)
        yield
        if topic is None:
            described.append(_missing(name))
            continue
        page, next_index = _page(topic, image, context.listener_name, first_index, left)
        described.append(page)
        first_index, left = 0, left - len(page.partitions)
        if next_index is not None:
            cursor = NextCursor(topic_name=name, partition_index=next_index)
            return DescribeTopicPartitionsResponse(topics=described, next_cursor=cursor)
    return DescribeTopicPartitionsResponse(topics=described)


def _missing(name: str) -> Topics:
    from ottla.protocol.generated.describe_topic_partitions_response import Topics

    code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if name_problem(name) is None else ErrorCode.INVALID_TOPIC_EXCEPTION
    is_internal = name in INTERNAL_TOPICS
    return Topics(error_code=code, name=name, is_internal=is_internal, topic_authorized_operations=TOPIC_OPERATIONS)


def _page(
    topic: TopicImage, image: MetadataImage, listener: str, first_index: int, limit: int
) -> tuple[Topics, int | None]:
    """Up to `limit` partitions from `first_index` on, and the index of the next one if there is any."""
    from ottla.protocol.generated.describe_topic_partitions_response import Topics

    indexes = [index for index in sorted(topic.partitions) if index >= first_index]
    page = Topics(
        name=topic.name,
        topic_id=topic.topic_id,
        is_internal=topic.name in INTERNAL_TOPICS,
        partitions=[_partition(index, topic.partitions[index], image, listener) for index in indexes[:limit]],
        topic_authorized_operations=TOPIC_OPERATIONS,
    )
    return page, indexes[limit] if len(indexes) > limit else None


def _partition(index: int, partition: PartitionRegistration, image: MetadataImage, listener: str) -> Partitions:
    from ottla.protocol.generated.describe_topic_partitions_response import Partitions

    code = image.leader_error(partition, listener)
    return Partitions(
        error_code=code,
        partition_index=index,
        leader_id=partition.leader if code is ErrorCode.NONE else -1,
        leader_epoch=partition.leader_epoch,
        replica_nodes=list(partition.replicas),
        isr_nodes=list(partition.isr),
        eligible_leader_replicas=list(partition.eligible_leader_replicas),
        last_known_elr=list(partition.last_known_elr),
        offline_replicas=[replica for replica in partition.replicas if not image.is_alive(replica)],
    )
