"""DeleteGroups (key 42), versions 0–2.

Deletes groups without members, with their offsets.
v2 flexible
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.delete_groups_request import DeleteGroupsRequest
from ottla.protocol.generated.delete_groups_response import DeleteGroupsResponse, Results


@handles(ApiKey.DELETE_GROUPS, 0, 2)
async def delete_groups(request: DeleteGroupsRequest, context: Context) -> DeleteGroupsResponse:
    response = DeleteGroupsResponse()
    pace = context.services.time_slices.pace()
    for group_id in dict.fromkeys(request.groups_names):
        response.results += await _delete(group_id, context)
        await pace.step()
    return response


async def _delete(group_id: str, context: Context) -> list[Results]:
    try:
        host, shard = context.services.groups.shard_for(group_id)
        deleted = await host.run(lambda now: shard.delete_groups([group_id], now=now))
    except Refused as refused:
        return [Results(group_id=group_id, error_code=refused.code)]
    return deleted.results
