"""Asks the coordinator whether partitions are part of a transaction, or makes them so (KIP-890).

Between the coordinator's response and the append the transaction may end: so it is looked up once more when that is
here. Who awaits again before the append, or asks a coordinator on another node, begins a `Verification` in the log
before, and appends with it.
"""

from __future__ import annotations

from ottla.broker.coordinators.transaction_coordinators import TransactionCoordinators
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.transactions.transaction import TransactionVersion

#: Codes of a coordinator that is busy or elsewhere: the same request may succeed in a moment.
TRY_AGAIN = frozenset(
    {
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)


async def join_or_verify(
    transactions: TransactionCoordinators,
    transactional_id: str,
    producer: tuple[int, int],
    partitions: list[TopicPartition],
    *,
    adds: bool,
) -> dict[TopicPartition, ErrorCode]:
    """A code for each partition; with `adds` they join the transaction (TV2)."""
    if not transactional_id:
        return dict.fromkeys(partitions, ErrorCode.INVALID_REQUEST)
    try:
        if adds:
            host, shard = await transactions.free_shard_for(transactional_id)
            code = await host.run(
                lambda now: shard.add_partitions(transactional_id, *producer, partitions, now, TransactionVersion.TV2)
            )
            if code is not ErrorCode.NONE:
                return dict.fromkeys(partitions, code)
        else:
            host, shard = transactions.shard_for(transactional_id)
            # Held until what it reports is committed: a partition that is added but not safe yet does not count.
            await host.run(lambda now: shard.verify_partitions(transactional_id, *producer, partitions, now))
        if host.state != "active":
            raise Refused(ErrorCode.NOT_COORDINATOR)
        return shard.verified(transactional_id, *producer, partitions)
    except Refused as refusal:
        return dict.fromkeys(partitions, refusal.code)
