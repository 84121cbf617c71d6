"""Heartbeat (key 12), versions 0–4.

Keeps a classic-group member alive. Responds at once; never waits for a rebalance.
v1 throttle time · v3 group instance id · v4 flexible
"""

from __future__ import annotations

from functools import partial

from ottla.broker.coordinators.group_requests import ask
from ottla.broker.handlers.services import Context
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse


@handles(ApiKey.HEARTBEAT, 0, 4)
def heartbeat(request: HeartbeatRequest, context: Context) -> HeartbeatResponse | Deferred:
    try:
        host, shard = context.services.groups.shard_for(request.group_id)
    except Refused as refusal:
        return _refused(refusal)
    return ask(host.submit, partial(shard.heartbeat, request), _refused)


def _refused(refusal: Refused) -> HeartbeatResponse:
    if refusal.code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
        # The member may well be known when the shard is loaded: it must not give up its partitions for this.
        return HeartbeatResponse()
    return HeartbeatResponse(error_code=refusal.code)
