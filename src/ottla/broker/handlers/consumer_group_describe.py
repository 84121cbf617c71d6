"""ConsumerGroupDescribe (key 69), versions 0–1.

State, epochs, members and their assignments of consumer groups (KIP-848).
v1 member type
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.authorization import GROUP_OPERATIONS
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.consumer_group_describe_request import ConsumerGroupDescribeRequest
from ottla.protocol.generated.consumer_group_describe_response import ConsumerGroupDescribeResponse, Groups


@handles(ApiKey.CONSUMER_GROUP_DESCRIBE, 0, 1)
async def consumer_group_describe(
    request: ConsumerGroupDescribeRequest, context: Context
) -> ConsumerGroupDescribeResponse:
    found = []
    pace = context.services.time_slices.pace()
    for group_id in request.group_ids:
        found.append(await _describe(group_id, context))
        await pace.step()
    if request.include_authorized_operations:
        for group in found:
            if group.error_code == 0:
                group.authorized_operations = GROUP_OPERATIONS
    return ConsumerGroupDescribeResponse(groups=found)


async def _describe(group_id: str, context: Context) -> Groups:
    try:
        context.services.groups.check_consumer_protocol()
        host, shard = context.services.groups.shard_for(group_id)
        return await host.run(lambda now: shard.describe_consumer_group(group_id))
    except Refused as refused:
        return Groups(group_id=group_id, error_code=refused.code, error_message=refused.message)
