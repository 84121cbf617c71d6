"""FindCoordinator (key 10), versions 0–6.

Which broker coordinates a group (type 0), a transactional id (1) or a share-group partition (2).
v1 key type · v3 flexible · v4 many keys (the list replaces the single key) · v6 share keys
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.generated.find_coordinator_response import Coordinators, FindCoordinatorResponse

GROUP = 0
TRANSACTION = 1
_MANY_KEYS_FROM = 4


@handles(ApiKey.FIND_COORDINATOR, 0, 6)
async def find_coordinator(request: FindCoordinatorRequest, context: Context) -> FindCoordinatorResponse:
    if context.version >= _MANY_KEYS_FROM:
        found = []
        pace = context.services.time_slices.pace()
        for key in request.coordinator_keys:
            found.append(await _find(request.key_type, key, context))
            await pace.step()
        return FindCoordinatorResponse(coordinators=found)
    one = await _find(request.key_type, request.key, context)
    return FindCoordinatorResponse(
        error_code=one.error_code, error_message=one.error_message, node_id=one.node_id, host=one.host, port=one.port
    )


async def _find(key_type: int, key: str, context: Context) -> Coordinators:
    services = context.services
    try:
        coordinators = {0: services.groups, 1: services.transactions}.get(key_type)
        if coordinators is None:
            raise Refused(ErrorCode.INVALID_REQUEST, f"coordinator type {key_type} is not known")
        await coordinators.ensure_topic()
        partition = coordinators.partition_for(key)
        image = services.metadata.image
        registration = image.partition(coordinators.topic, partition) if partition is not None else None
        leader = image.broker(registration.leader) if registration is not None else None
        endpoint = leader.endpoint(context.listener_name) if leader is not None else None
        if leader is None or endpoint is None:
            raise Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    except Refused as refusal:
        message = refusal.message
        return Coordinators(key=key, node_id=-1, port=-1, error_code=refusal.code, error_message=message)
    return Coordinators(key=key, node_id=leader.broker_id, host=endpoint.host, port=endpoint.port)
