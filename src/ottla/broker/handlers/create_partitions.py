"""CreatePartitions (key 37), versions 0–3.

Adds partitions to topics; a topic never gets fewer. v2 flexible · v3 quota error
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.context import RequestContext
    from ottla.protocol.generated.create_partitions_request import CreatePartitionsRequest
    from ottla.protocol.generated.create_partitions_response import CreatePartitionsResponse


@handles(ApiKey.CREATE_PARTITIONS, 0, 3)
async def create_partitions(request: CreatePartitionsRequest, context: RequestContext) -> CreatePartitionsResponse:
    return await context.broker.controller.create(lambda shard: shard.create_partitions(request))
