"""ElectLeaders (key 43), versions 0–2.

Preferred or unclean elections. v1 election type and top-level error · v2 flexible
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.elect_leaders_request import ElectLeadersRequest
    from ottla.protocol.generated.elect_leaders_response import ElectLeadersResponse


@handles(ApiKey.ELECT_LEADERS, 0, 2)
async def elect_leaders(request: ElectLeadersRequest, context: Context) -> ElectLeadersResponse:
    response: ElectLeadersResponse = await context.services.controller.ask(request, context.version, context.principal)
    return response
