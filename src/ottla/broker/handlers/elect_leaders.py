"""ElectLeaders (key 43), versions 0–2.

Preferred or unclean elections. v1 election type and top-level error · v2 flexible
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.context import RequestContext
    from ottla.protocol.generated.elect_leaders_request import ElectLeadersRequest
    from ottla.protocol.generated.elect_leaders_response import ElectLeadersResponse


@handles(ApiKey.ELECT_LEADERS, 0, 2)
async def elect_leaders(request: ElectLeadersRequest, context: RequestContext) -> ElectLeadersResponse:
    return await context.broker.controller.run(lambda shard, now: shard.elect_leaders(request, now))
