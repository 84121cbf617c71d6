"""Metadata (key 3), versions 0–13.

Brokers, controller and topics as this node's image knows them; creates missing topics when that is allowed.
v0 no topics = all · v1 null = all · v4 auto-create flag · v8 authorised operations · v10 topic ids · v12 ask by id
v13 top-level error
"""

from __future__ import annotations

from typing import Any

from ottla.broker.handlers.services import Context
from ottla.broker.requests.authorization import CLUSTER_OPERATIONS, NOT_ASKED, TOPIC_OPERATIONS
from ottla.broker.requests.deferred import settled
from ottla.broker.requests.registry import handles
from ottla.metadata.image import MetadataImage
from ottla.metadata.partition_registration import PartitionRegistration
from ottla.metadata.topics_image import TopicImage
from ottla.model.error_codes import ErrorCode
from ottla.model.steps import Steps
from ottla.model.topic import INTERNAL_TOPICS, NO_TOPIC_ID, name_problem
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.metadata_request import MetadataRequest
from ottla.protocol.generated.metadata_request import Topics as Wanted
from ottla.protocol.generated.metadata_response import Brokers, MetadataResponse, Partitions, Topics

#: Versions before it carry ids, but only in responses.
_BY_ID_FROM = 12


@handles(ApiKey.METADATA, 0, 13)
def metadata(request: MetadataRequest, context: Context) -> Any:
    wanted = _wanted(request, context.version)
    if wanted is not None:
        if context.version < _BY_ID_FROM and any(one.name is None or one.topic_id != NO_TOPIC_ID for one in wanted):
            return _refuse_all(wanted)
        may_create = request.allow_auto_topic_creation and context.services.config.options.auto_create_topics_enable
        missing = _creatable(wanted, context.services.metadata.image) if may_create else []
        if missing:
            return _create_and_respond(request, wanted, missing, context)
    return context.services.large_messages.in_slices(_response(request, wanted, context), context)


async def _create_and_respond(
    request: MetadataRequest, wanted: list[Wanted], missing: list[str], context: Context
) -> Any:
    refusals = await context.services.controller.auto_create(missing)
    return await settled(
        context.services.large_messages.in_slices(_response(request, wanted, context, refusals), context)
    )


def _wanted(request: MetadataRequest, version: int) -> list[Wanted] | None:
    """None: all topics."""
    if request.topics is None or (version == 0 and not request.topics):
        return None
    # A topic that is requested twice is in the response once.
    return list({(topic.name, topic.topic_id): topic for topic in request.topics}.values())


def _refuse_all(wanted: list[Wanted]) -> MetadataResponse:
    code = ErrorCode.INVALID_REQUEST
    return MetadataResponse(
        topics=[Topics(error_code=code, name=one.name or "", topic_id=one.topic_id) for one in wanted]
    )


def _creatable(wanted: list[Wanted], image: MetadataImage) -> list[str]:
    names = (topic.name for topic in wanted if topic.name is not None and topic.topic_id == NO_TOPIC_ID)
    return [name for name in names if image.topic(name) is None and name_problem(name) is None]


def _response(
    request: MetadataRequest,
    wanted: list[Wanted] | None,
    context: Context,
    refusals: dict[str, ErrorCode] | None = None,
) -> Steps[MetadataResponse]:
    services = context.services
    image = services.metadata.image
    listener = context.listener_name
    topics: list[Topics] = []
    if wanted is None:
        for _, topic in sorted(image.topics.by_name.items()):
            found = yield from _topic(topic, image, listener)
            topics.append(found)
    else:
        for one in wanted:
            found = yield from _wanted_topic(one, image, listener, refusals or {})
            topics.append(found)
    if request.include_topic_authorized_operations:
        for topic_response in topics:
            if topic_response.name is not None:
                topic_response.topic_authorized_operations = TOPIC_OPERATIONS
    return MetadataResponse(
        brokers=[
            Brokers(node_id=one.broker_id, host=endpoint.host, port=endpoint.port, rack=one.rack)
            for one in image.alive_brokers()
            if (endpoint := one.endpoint(listener)) is not None
        ],
        cluster_id=image.cluster_id,
        controller_id=services.metadata.node_id,
        topics=topics,
        cluster_authorized_operations=(
            CLUSTER_OPERATIONS if request.include_cluster_authorized_operations else NOT_ASKED
        ),
    )


def _wanted_topic(wanted: Wanted, image: MetadataImage, listener: str, refusals: dict[str, ErrorCode]) -> Steps[Topics]:
    if wanted.topic_id != NO_TOPIC_ID:
        by_id = image.topic_by_id(wanted.topic_id)
        if by_id is None:
            yield
            return Topics(error_code=ErrorCode.UNKNOWN_TOPIC_ID, name=None, topic_id=wanted.topic_id)
        return (yield from _topic(by_id, image, listener))
    name = wanted.name or ""
    topic = image.topic(name)
    if topic is not None:
        return (yield from _topic(topic, image, listener))
    yield
    if name_problem(name) is not None:
        return Topics(error_code=ErrorCode.INVALID_TOPIC_EXCEPTION, name=name)
    code = refusals.get(name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    return Topics(error_code=code, name=name, is_internal=name in INTERNAL_TOPICS)


def _topic(topic: TopicImage, image: MetadataImage, listener: str) -> Steps[Topics]:
    partitions = []
    for index, partition in sorted(topic.partitions.items()):
        partitions.append(_partition(index, partition, image, listener))
        yield
    return Topics(
        name=topic.name,
        topic_id=topic.topic_id,
        is_internal=topic.name in INTERNAL_TOPICS,
        partitions=partitions,
    )


def _partition(index: int, partition: PartitionRegistration, image: MetadataImage, listener: str) -> Partitions:
    code = image.leader_error(partition, listener)
    return Partitions(
        error_code=code,
        partition_index=index,
        leader_id=partition.leader if code is ErrorCode.NONE else -1,
        leader_epoch=partition.leader_epoch,
        replica_nodes=list(partition.replicas),
        isr_nodes=list(partition.isr),
        offline_replicas=[replica for replica in partition.replicas if not image.is_alive(replica)],
    )
