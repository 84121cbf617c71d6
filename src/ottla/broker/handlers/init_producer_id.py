"""InitProducerId (key 22), versions 0–5.

Gives an idempotent producer its id; for a transactional id the transaction coordinator decides.
v2 flexible · v3 resume · v4 PRODUCER_FENCED · v5 abortable errors
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.protocol.generated.init_producer_id_response import InitProducerIdResponse


@handles(ApiKey.INIT_PRODUCER_ID, 0, 5)
async def init_producer_id(request: InitProducerIdRequest, context: Context) -> InitProducerIdResponse:
    if (request.producer_id == -1) != (request.producer_epoch == -1):
        return _refused(ErrorCode.INVALID_REQUEST)
    if request.transactional_id is None:
        return await _new_producer(context)
    if not request.transactional_id:
        return _refused(ErrorCode.INVALID_REQUEST)
    try:
        await context.services.transactions.stock_producer_ids()
        host, shard = await context.services.transactions.free_shard_for(request.transactional_id)
        return await host.run(lambda now: shard.init_producer_id(request, context.version, now))
    except Refused as refusal:
        return _refused(refusal.code)


async def _new_producer(context: Context) -> InitProducerIdResponse:
    try:
        producer_id = await context.services.producer_ids.take()
    except Refused:
        # The controller does not know this broker yet, or cannot be reached: clients retry after this code.
        return _refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    return InitProducerIdResponse(producer_id=producer_id, producer_epoch=0)


def _refused(code: ErrorCode) -> InitProducerIdResponse:
    return InitProducerIdResponse(error_code=code, producer_id=-1, producer_epoch=-1)
