"""ConsumerGroupHeartbeat (key 68), versions 0–1.

Every request of a member of a consumer group (KIP-848): join, stay, subscribe, revoke and take partitions, leave.
v1 the client makes the member id · regular expressions
"""

from __future__ import annotations

from functools import partial

from ottla.broker.coordinators.group_requests import ask, client_of
from ottla.broker.handlers.services import Context
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from ottla.protocol.generated.consumer_group_heartbeat_response import ConsumerGroupHeartbeatResponse


@handles(ApiKey.CONSUMER_GROUP_HEARTBEAT, 0, 1)
def consumer_group_heartbeat(
    request: ConsumerGroupHeartbeatRequest, context: Context
) -> ConsumerGroupHeartbeatResponse | Deferred:
    try:
        context.services.groups.check_consumer_protocol()
        host, shard = context.services.groups.shard_for(request.group_id)
    except Refused as refusal:
        return _refused(refusal)
    return ask(
        host.submit, partial(shard.consumer_group_heartbeat, request, context.version, client_of(context)), _refused
    )


def _refused(refusal: Refused) -> ConsumerGroupHeartbeatResponse:
    return ConsumerGroupHeartbeatResponse(error_code=refusal.code, error_message=refusal.message)
