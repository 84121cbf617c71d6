"""DescribeTransactions (key 65), version 0. The state of transactional ids that this node coordinates."""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.describe_transactions_request import DescribeTransactionsRequest
from ottla.protocol.generated.describe_transactions_response import DescribeTransactionsResponse, TransactionStates


@handles(ApiKey.DESCRIBE_TRANSACTIONS, 0, 0)
async def describe_transactions(request: DescribeTransactionsRequest, context: Context) -> DescribeTransactionsResponse:
    described = []
    pace = context.services.time_slices.pace()
    for transactional_id in request.transactional_ids:
        described.append(await _describe(transactional_id, context))
        await pace.step()
    return DescribeTransactionsResponse(transaction_states=described)


async def _describe(transactional_id: str, context: Context) -> TransactionStates:
    try:
        if not transactional_id:
            raise Refused(ErrorCode.INVALID_REQUEST)
        host, shard = context.services.transactions.shard_for(transactional_id)
        return await host.run(lambda now: shard.describe(transactional_id, now))
    except Refused as refusal:
        return TransactionStates(error_code=refusal.code, transactional_id=transactional_id)
