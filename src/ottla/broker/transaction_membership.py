"""Asks the coordinator whether partitions are part of a transaction, or makes them so (KIP-890).

Between the coordinator's answer and the append the transaction may end: so it is looked up once more when the answer is
here, and the caller appends without another await. (With a coordinator on another node the epochs in the log will have
to guard that moment.)
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.transactions.transaction import TransactionVersion

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

#: Codes of a coordinator that is busy or elsewhere: the same question may be answered in a moment.
TRY_AGAIN = frozenset(
    {
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)


async def join_or_verify(
    broker: BrokerNode,
    transactional_id: str,
    producer: tuple[int, int],
    partitions: list[TopicPartition],
    *,
    adds: bool,
) -> dict[TopicPartition, ErrorCode]:
    """A code for each partition; with `adds` they join the transaction (TV2). Append before you await again."""
    if not transactional_id:
        return dict.fromkeys(partitions, ErrorCode.INVALID_REQUEST)
    try:
        host, shard = broker.transactions.shard_for(transactional_id)
        if adds:
            code = await _join(broker, transactional_id, producer, partitions)
            if code is not ErrorCode.NONE:
                return dict.fromkeys(partitions, code)
        else:
            # Held until what it tells is committed: a partition that is added but not safe yet does not count.
            await host.run(lambda now: shard.verify_partitions(transactional_id, *producer, partitions, now))
        if host.state != "active":
            raise Refused(ErrorCode.NOT_COORDINATOR)
        return shard.verified(transactional_id, *producer, partitions)
    except Refused as refusal:
        return dict.fromkeys(partitions, refusal.code)


async def _join(
    broker: BrokerNode, transactional_id: str, producer: tuple[int, int], partitions: list[TopicPartition]
) -> ErrorCode:
    """The markers of the transaction before may still be on their way: that is worth a short wait."""
    options = broker.options
    deadline_ms = broker.clock.monotonic_ms() + options.add_partitions_to_txn_retry_backoff_max_ms
    host, shard = broker.transactions.shard_for(transactional_id)
    pause_ms = 1
    while True:
        code = await host.run(
            lambda now: shard.add_partitions(transactional_id, *producer, partitions, now, TransactionVersion.TV2)
        )
        if code is not ErrorCode.CONCURRENT_TRANSACTIONS or broker.clock.monotonic_ms() >= deadline_ms:
            return code
        await asyncio.sleep(pause_ms / 1000)
        # Markers to local partitions take about one fsync: the full pause would cost more than the transaction.
        pause_ms = min(2 * pause_ms, options.add_partitions_to_txn_retry_backoff_ms)
