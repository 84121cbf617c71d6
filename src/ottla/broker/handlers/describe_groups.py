"""DescribeGroups (key 15), versions 0–6.

State and members of classic groups. A group that is not there is Dead; version 6 also has the code GROUP_ID_NOT_FOUND.
v3 authorised operations · v4 instance id · v5 flexible · v6 error message
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.authorization import GROUP_OPERATIONS
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.describe_groups_request import DescribeGroupsRequest
from ottla.protocol.generated.describe_groups_response import DescribeGroupsResponse, Groups


@handles(ApiKey.DESCRIBE_GROUPS, 0, 6)
async def describe_groups(request: DescribeGroupsRequest, context: Context) -> DescribeGroupsResponse:
    found = []
    pace = context.services.time_slices.pace()
    for group_id in request.groups:
        found.append(await _describe(group_id, context))
        await pace.step()
    if request.include_authorized_operations:
        for group in found:
            if group.error_code == 0:
                group.authorized_operations = GROUP_OPERATIONS
    return DescribeGroupsResponse(groups=found)


async def _describe(group_id: str, context: Context) -> Groups:
    try:
        host, shard = context.services.groups.shard_for(group_id)
        return await host.run(lambda now: shard.describe_group(group_id, version=context.version))
    except Refused as refused:
        return Groups(group_id=group_id, error_code=refused.code, error_message=refused.message)
