"""IncrementalAlterConfigs (key 44), versions 0–1.

Sets, deletes, appends to or subtracts from single settings of topics, brokers, groups, metrics subscriptions and
loggers (KIP-339). v1 flexible
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ottla.broker.controller.config_changes import divide, joined
from ottla.broker.requests.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.incremental_alter_configs_request import IncrementalAlterConfigsRequest
    from ottla.protocol.generated.incremental_alter_configs_response import IncrementalAlterConfigsResponse


@handles(ApiKey.INCREMENTAL_ALTER_CONFIGS, 0, 1)
async def incremental_alter_configs(
    request: IncrementalAlterConfigsRequest, context: Context
) -> IncrementalAlterConfigsResponse:
    from ottla.protocol.generated.incremental_alter_configs_request import IncrementalAlterConfigsRequest as Request
    from ottla.protocol.generated.incremental_alter_configs_response import IncrementalAlterConfigsResponse, Responses

    def change_loggers(resource: Any) -> None:
        _change_loggers(resource, only_check=request.validate_only)

    finish = context.services.time_slices.finish
    divided = await finish(divide(request.resources, context.services.metadata.node_id, change_loggers))
    rest = Request(resources=[resource for _, resource in divided.forwarded], validate_only=request.validate_only)
    response = await context.services.controller.ask(rest, context.version, context.principal)
    outcomes = await finish(joined(divided, response.responses))
    return IncrementalAlterConfigsResponse(responses=[Responses(*outcome) for outcome in outcomes])


def _change_loggers(resource: Any, *, only_check: bool) -> None:
    from ottla.config.alter import Change, alter_loggers
    from ottla.runtime.log_levels import current_levels, set_levels

    changes = [Change(config.name, config.config_operation, config.value) for config in resource.configs]
    written = alter_loggers(changes, current_levels())
    if not only_check:
        set_levels(written)
