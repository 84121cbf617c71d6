"""CreatePartitions (key 37), versions 0–3.

Adds partitions to topics; a topic never gets fewer. v2 flexible · v3 quota error
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.create_partitions_request import CreatePartitionsRequest
    from ottla.protocol.generated.create_partitions_response import CreatePartitionsResponse


@handles(ApiKey.CREATE_PARTITIONS, 0, 3)
async def create_partitions(request: CreatePartitionsRequest, context: Context) -> CreatePartitionsResponse:
    from ottla.protocol.generated.create_partitions_response import CreatePartitionsResponse, Results

    services = context.services
    try:
        services.faults.check_descriptors()
        response: CreatePartitionsResponse = await services.controller.create(
            request, context.version, context.principal
        )
        return response
    except Refused as refusal:
        return CreatePartitionsResponse(
            results=[Results(topic.name, refusal.code, refusal.message) for topic in request.topics]
        )
