"""CreateTopics (key 19), versions 2–7.

Creates topics through the controller; the response is sent when the records are committed and the partitions of
this node are open.
v4 partitions and replication factor may be -1 · v5 returns the configs, flexible · v7 topic ids
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.create_topics_request import CreateTopicsRequest
    from ottla.protocol.generated.create_topics_response import CreateTopicsResponse


@handles(ApiKey.CREATE_TOPICS, 2, 7)
async def create_topics(request: CreateTopicsRequest, context: Context) -> CreateTopicsResponse:
    from ottla.controller.topics import refused_topic
    from ottla.protocol.generated.create_topics_response import CreateTopicsResponse

    services = context.services
    try:
        services.faults.check_descriptors()
        response: CreateTopicsResponse = await services.controller.create(request, context.version, context.principal)
        return response
    except Refused as refusal:
        return CreateTopicsResponse(topics=[refused_topic(topic.name, refusal) for topic in request.topics])
