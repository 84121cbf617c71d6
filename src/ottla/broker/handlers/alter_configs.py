"""AlterConfigs (key 33), versions 0–2.

Replaces all settings of a resource; what is not named goes back to its default. Loggers cannot be changed this way.
v2 flexible
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.controller.config_changes import divide, joined
from ottla.broker.requests.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.alter_configs_request import AlterConfigsRequest
    from ottla.protocol.generated.alter_configs_response import AlterConfigsResponse


@handles(ApiKey.ALTER_CONFIGS, 0, 2)
async def alter_configs(request: AlterConfigsRequest, context: Context) -> AlterConfigsResponse:
    from ottla.protocol.generated.alter_configs_request import AlterConfigsRequest as Request
    from ottla.protocol.generated.alter_configs_response import AlterConfigsResponse, Responses

    finish = context.services.time_slices.finish
    divided = await finish(divide(request.resources, context.services.metadata.node_id, None))
    rest = Request(resources=[resource for _, resource in divided.forwarded], validate_only=request.validate_only)
    response = await context.services.controller.ask(rest, context.version, context.principal)
    outcomes = await finish(joined(divided, response.responses))
    return AlterConfigsResponse(responses=[Responses(*outcome) for outcome in outcomes])
