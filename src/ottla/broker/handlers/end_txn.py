"""EndTxn (key 26), versions 0–5.

Commits or aborts a transaction. Responds when the decision is committed; the markers follow on their own.
v2 PRODUCER_FENCED · v3 flexible · v4 abortable errors · v5 responds with the next producer id and epoch (TV2)
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.end_txn_request import EndTxnRequest
from ottla.protocol.generated.end_txn_response import EndTxnResponse


@handles(ApiKey.END_TXN, 0, 5)
async def end_txn(request: EndTxnRequest, context: Context) -> EndTxnResponse:
    if not request.transactional_id:
        return EndTxnResponse(error_code=ErrorCode.INVALID_REQUEST)
    services = context.services
    try:
        await services.transactions.stock_producer_ids()
        host, shard = await services.transactions.free_shard_for(request.transactional_id)
        return await host.run(lambda now: shard.end_transaction(request, context.version, now))
    except Refused as refusal:
        return EndTxnResponse(error_code=refusal.code)
