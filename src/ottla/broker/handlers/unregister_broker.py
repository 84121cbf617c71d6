"""UnregisterBroker (key 64), version 0. Makes the cluster forget a broker that will not come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.context import RequestContext
    from ottla.protocol.generated.unregister_broker_request import UnregisterBrokerRequest
    from ottla.protocol.generated.unregister_broker_response import UnregisterBrokerResponse


@handles(ApiKey.UNREGISTER_BROKER, 0, 0)
async def unregister_broker(request: UnregisterBrokerRequest, context: RequestContext) -> UnregisterBrokerResponse:
    from ottla.protocol.generated.unregister_broker_response import UnregisterBrokerResponse

    broker_id = request.broker_id
    try:
        await context.broker.controller.run(lambda shard, now: shard.unregister_broker(broker_id, now))
    except Refused as refusal:
        return UnregisterBrokerResponse(error_code=refusal.code, error_message=refusal.message)
    return UnregisterBrokerResponse(error_message=None)
