"""Produce requests with batches of a transaction: the coordinator must know of a partition before data goes there.

A partition that the coordinator does not know gets no marker: its data would never be decided, and no read_committed
reader could pass it (KIP-890). So, unless the log already has an open transaction of this producer and epoch:

    Produce <= 11   the coordinator is asked whether the client has added the partition
    Produce >= 12   the partition is added now (TV2)

Between the coordinator's answer and the append the transaction may end. It is therefore looked up once more, in the
very step that appends. (With a coordinator on another node the epochs in the log will have to guard that moment.)
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ottla.broker.context import RequestContext
from ottla.broker.handlers.produce import append_all, is_transactional, refuse_all, resolve_topic
from ottla.broker.shard_host import ShardHost
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.records.batch import read_header
from ottla.transactions.shard import TransactionShard
from ottla.transactions.transaction import TransactionVersion

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

_ADDS_FROM = 12
_ABORTABLE_FROM = 11
#: Old clients do not try again after these, but they do after NOT_ENOUGH_REPLICAS, which asks for no new metadata.
_TRY_AGAIN = frozenset(
    {
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)


def transactional_produce(request: ProduceRequest, context: RequestContext) -> Any:
    """Appends at once where every partition is known to be part of the transaction; asks the coordinator otherwise."""
    if request.transactional_id is None:
        return refuse_all(request, ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)
    producers, unverified = _unverified(request, context)
    if len(producers) > 1:
        return refuse_all(request, ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    adds = context.version >= _ADDS_FROM
    if not unverified or not (adds or context.broker.options.transaction_partition_verification_enable):
        return append_all(request, context, must_start_at_zero=adds)
    (producer,) = producers
    return _ask_then_append(request, context, producer, unverified)


def _unverified(
    request: ProduceRequest, context: RequestContext
) -> tuple[dict[tuple[int, int], None], list[TopicPartition]]:
    """The producers in the request, and the partitions in which they have no open transaction yet."""
    leaders = context.broker.partitions.leaders
    producers: dict[tuple[int, int], None] = {}
    unverified = []
    for topic in request.topic_data:
        name, _ = resolve_topic(topic, context)
        for data in topic.partition_data:
            leader = leaders.get((name, data.index))
            if data.records is None or not is_transactional(data) or leader is None:
                continue
            header = read_header(data.records)
            producer = (header.producer_id, header.producer_epoch)
            producers[producer] = None
            if not leader.log.producers.has_open_transaction(*producer):
                unverified.append(TopicPartition(name, data.index))
    return producers, unverified


async def _ask_then_append(
    request: ProduceRequest, context: RequestContext, producer: tuple[int, int], partitions: list[TopicPartition]
) -> Any:
    codes = await _ask(request.transactional_id or "", producer, partitions, context)
    refusals = {
        partition: _refusal(code, context.version) for partition, code in codes.items() if code is not ErrorCode.NONE
    }
    result = append_all(request, context, refusals, must_start_at_zero=context.version >= _ADDS_FROM)
    return await settled(result)


async def settled(result: Any) -> Any:
    """The answer itself, where a handler may have to wait for it."""
    from ottla.broker.deferred import Deferred

    if not isinstance(result, Deferred):
        return result
    done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    result.listen(lambda response: None if done.done() else done.set_result(response))
    try:
        return await done
    finally:
        result.abandon()


async def _ask(
    transactional_id: str, producer: tuple[int, int], partitions: list[TopicPartition], context: RequestContext
) -> dict[TopicPartition, ErrorCode]:
    if not transactional_id:
        return dict.fromkeys(partitions, ErrorCode.INVALID_REQUEST)
    try:
        host, shard = context.broker.transactions.shard_for(transactional_id)
        if context.version >= _ADDS_FROM:
            code = await add_implicitly(context.broker, transactional_id, producer, partitions)
            if code is not ErrorCode.NONE:
                return dict.fromkeys(partitions, code)
        else:
            await host.run(lambda now: shard.verify_partitions(transactional_id, *producer, partitions, now))
        return _verified_now(host, shard, transactional_id, producer, partitions)
    except Refused as refusal:
        return dict.fromkeys(partitions, refusal.code)


async def add_implicitly(
    broker: BrokerNode, transactional_id: str, producer: tuple[int, int], partitions: list[TopicPartition]
) -> ErrorCode:
    """TV2: the leader adds the partitions. The markers of the transaction before may still be on their way."""
    options = broker.options
    deadline_ms = broker.clock.monotonic_ms() + options.add_partitions_to_txn_retry_backoff_max_ms
    host, shard = broker.transactions.shard_for(transactional_id)
    while True:
        code = await host.run(
            lambda now: shard.add_partitions(transactional_id, *producer, partitions, now, TransactionVersion.TV2)
        )
        if code is not ErrorCode.CONCURRENT_TRANSACTIONS or broker.clock.monotonic_ms() >= deadline_ms:
            return code
        await asyncio.sleep(options.add_partitions_to_txn_retry_backoff_ms / 1000)


def _verified_now(
    host: ShardHost,
    shard: TransactionShard,
    transactional_id: str,
    producer: tuple[int, int],
    partitions: list[TopicPartition],
) -> dict[TopicPartition, ErrorCode]:
    """No await between this and the append: an end of the transaction comes before both or after both."""
    if host.state != "active":
        return dict.fromkeys(partitions, ErrorCode.NOT_COORDINATOR)
    return shard.verified(transactional_id, *producer, partitions)


def _refusal(code: ErrorCode, version: int) -> Refused:
    if code is ErrorCode.PRODUCER_FENCED:
        return Refused(ErrorCode.INVALID_PRODUCER_EPOCH)
    if code is ErrorCode.TRANSACTION_ABORTABLE and version < _ABORTABLE_FROM:
        return Refused(ErrorCode.INVALID_TXN_STATE, "Partition was not added to the transaction")
    if code in _TRY_AGAIN:
        return Refused(
            ErrorCode.NOT_ENOUGH_REPLICAS,
            f"the partition could not be verified to be part of the transaction: {code.name}",
        )
    return Refused(code)
