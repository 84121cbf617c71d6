"""AddOffsetsToTxn (key 25), versions 0–4.

Adds the partition of `__consumer_offsets` that keeps a group's offsets to a transaction.
v2 PRODUCER_FENCED · v3 flexible · v4 abortable errors
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from ottla.protocol.generated.add_offsets_to_txn_response import AddOffsetsToTxnResponse


@handles(ApiKey.ADD_OFFSETS_TO_TXN, 0, 4)
async def add_offsets_to_txn(request: AddOffsetsToTxnRequest, context: Context) -> AddOffsetsToTxnResponse:
    if not request.transactional_id:
        return AddOffsetsToTxnResponse(error_code=ErrorCode.INVALID_REQUEST)
    services = context.services
    try:
        await services.groups.ensure_topic()
        partition = services.groups.partition_for(request.group_id)
        if partition is None:
            raise Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        host, shard = await services.transactions.free_shard_for(request.transactional_id)
        return await host.run(lambda now: shard.add_offsets(request, context.version, now, partition))
    except Refused as refusal:
        return AddOffsetsToTxnResponse(error_code=refusal.code)
