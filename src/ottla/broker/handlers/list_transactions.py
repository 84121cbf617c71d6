"""ListTransactions (key 66), versions 0–2.

The transactions that this node coordinates, narrowed by state, producer id, age and name.
v1 duration filter · v2 pattern of transactional ids (RE2)
"""

from __future__ import annotations

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.broker.shards.shard_host import ShardHost
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.list_transactions_request import ListTransactionsRequest
from ottla.protocol.generated.list_transactions_response import ListTransactionsResponse
from ottla.transactions.shard import TransactionShard
from ottla.transactions.state import STATE_OF_LABEL


@handles(ApiKey.LIST_TRANSACTIONS, 0, 2)
async def list_transactions(request: ListTransactionsRequest, context: Context) -> ListTransactionsResponse:
    unknown = [name for name in request.state_filters if name not in STATE_OF_LABEL]
    whole = ListTransactionsResponse(unknown_state_filters=unknown)
    hosts = context.services.transactions.hosts()
    if any(host.state == "loading" for host in hosts):
        return ListTransactionsResponse(error_code=ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    for host in hosts:
        part = await _list(host, request)
        if part.error_code:
            return part
        whole.transaction_states += part.transaction_states
    return whole


async def _list(host: ShardHost, request: ListTransactionsRequest) -> ListTransactionsResponse:
    shard = host.shard
    assert isinstance(shard, TransactionShard)
    return await host.run(lambda now: shard.list_transactions(request, now))
