"""ConsumerGroupHeartbeat (key 68), versions 0–1.

Everything a member of a consumer group (KIP-848) ever says: join, stay, subscribe, give up and take partitions, leave.
v1 the client makes the member id · regular expressions
"""

from __future__ import annotations

from ottla.broker.context import RequestContext
from ottla.broker.group_requests import check_consumer_protocol, client_of
from ottla.broker.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from ottla.protocol.generated.consumer_group_heartbeat_response import ConsumerGroupHeartbeatResponse


@handles(ApiKey.CONSUMER_GROUP_HEARTBEAT, 0, 1)
async def consumer_group_heartbeat(
    request: ConsumerGroupHeartbeatRequest, context: RequestContext
) -> ConsumerGroupHeartbeatResponse:
    version, client = context.version, client_of(context)
    try:
        check_consumer_protocol(context)
        host, shard = context.broker.groups.shard_for(request.group_id)
        return await host.run(
            lambda now: shard.consumer_group_heartbeat(request, version=version, client=client, now=now)
        )
    except Refused as refused:
        return ConsumerGroupHeartbeatResponse(error_code=refused.code, error_message=refused.message)
