"""InitProducerId (key 22), versions 0–5.

Gives an idempotent producer its id; for a transactional id the transaction coordinator decides.
v2 flexible · v3 resume · v4 PRODUCER_FENCED · v5 abortable errors
"""

from __future__ import annotations

from ottla.broker.context import RequestContext
from ottla.broker.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.protocol.generated.init_producer_id_response import InitProducerIdResponse


@handles(ApiKey.INIT_PRODUCER_ID, 0, 5)
async def init_producer_id(request: InitProducerIdRequest, context: RequestContext) -> InitProducerIdResponse:
    if request.transactional_id is not None:
        return InitProducerIdResponse(error_code=ErrorCode.COORDINATOR_NOT_AVAILABLE, producer_id=-1, producer_epoch=-1)
    return InitProducerIdResponse(producer_id=await context.broker.producer_ids.take(), producer_epoch=0)
