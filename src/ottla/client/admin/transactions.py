"""Calls about transactions."""

from ottla.client.admin.call import Call
from ottla.client.producer import transaction_requests, transactional
from ottla.client.producer.transactional import TransactionHandle


async def end_transaction(call: Call, handle: TransactionHandle, *, commit: bool) -> None:
    uses_tv2 = await transaction_requests.knows_tv2(call.cluster, handle.transactional_id, timeout_ms=call.left_ms)
    await transactional.end_transaction(call.cluster, handle, commit=commit, timeout_ms=call.left_ms, uses_tv2=uses_tv2)
