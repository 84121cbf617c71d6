"""ListGroups (key 16), versions 0–5.

The groups that this broker coordinates; a client asks all brokers.
v3 flexible · v4 state and state filter · v5 type and type filter
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.list_groups_request import ListGroupsRequest
from ottla.protocol.generated.list_groups_response import ListGroupsResponse


@handles(ApiKey.LIST_GROUPS, 0, 5)
async def list_groups(request: ListGroupsRequest, context: Context) -> ListGroupsResponse:
    response = ListGroupsResponse()
    for host, shard in context.services.groups.shards():
        try:
            response.groups += await host.run(
                lambda now, shard=shard: shard.list_groups(  # type: ignore[misc]
                    states=request.states_filter, types=request.types_filter
                )
            )
        except Refused as refused:
            # Groups of the other shards are listed all the same.
            response.error_code = refused.code
    return response
