"""UnregisterBroker (key 64), version 0. Makes the cluster forget a broker that will not come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.unregister_broker_request import UnregisterBrokerRequest
    from ottla.protocol.generated.unregister_broker_response import UnregisterBrokerResponse


@handles(ApiKey.UNREGISTER_BROKER, 0, 0)
async def unregister_broker(request: UnregisterBrokerRequest, context: Context) -> UnregisterBrokerResponse:
    from ottla.protocol.generated.unregister_broker_response import UnregisterBrokerResponse

    try:
        response: UnregisterBrokerResponse = await context.services.controller.ask(
            request, context.version, context.principal
        )
    except Refused as refusal:
        return UnregisterBrokerResponse(error_code=refusal.code, error_message=refusal.message)
    return response
