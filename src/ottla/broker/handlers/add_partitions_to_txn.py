"""AddPartitionsToTxn (key 24), versions 0–5.

Clients (v0–3) name one transaction; brokers (v4–5) name many, and may only verify. All partitions of a transaction are
added, or none: one that does not exist fails the others with OPERATION_NOT_ATTEMPTED.
v2 PRODUCER_FENCED · v3 flexible · v4 many transactions, VerifyOnly
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ottla.broker.context import RequestContext
from ottla.broker.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    Topics,
    Transactions,
    V3AndBelowTopics,
)
from ottla.protocol.generated.add_partitions_to_txn_response import (
    AddPartitionsToTxnResponse,
    ResultsByPartition,
    ResultsByTopicV3AndBelow,
    ResultsByTransaction,
    TopicResults,
    TopicResultsResultsByPartition,
)
from ottla.transactions.outcome import code_for_version
from ottla.transactions.transaction import TransactionVersion

_MANY_FROM = 4
_FENCED_SINCE = 2


@handles(ApiKey.ADD_PARTITIONS_TO_TXN, 0, 5)
async def add_partitions_to_txn(
    request: AddPartitionsToTxnRequest, context: RequestContext
) -> AddPartitionsToTxnResponse:
    if context.version >= _MANY_FROM:
        done = [await _one_of_many(each, context) for each in request.transactions]
        return AddPartitionsToTxnResponse(results_by_transaction=done)
    partitions = _partitions(request.v3_and_below_topics)
    codes = await _add(
        request.v3_and_below_transactional_id,
        request.v3_and_below_producer_id,
        request.v3_and_below_producer_epoch,
        partitions,
        TransactionVersion.TV0,
        context,
    )
    return AddPartitionsToTxnResponse(
        results_by_topic_v3_and_below=[
            ResultsByTopicV3AndBelow(
                name=topic,
                results_by_partition=[
                    ResultsByPartition(
                        partition_index=each.partition,
                        partition_error_code=code_for_version(codes[each], context.version, _FENCED_SINCE),
                    )
                    for each in group
                ],
            )
            for topic, group in groupby(partitions, key=lambda each: each.topic)
        ]
    )


async def _one_of_many(wanted: Transactions, context: RequestContext) -> ResultsByTransaction:
    partitions = _partitions(wanted.topics)
    named = (wanted.transactional_id, wanted.producer_id, wanted.producer_epoch)
    if wanted.verify_only:
        codes = await _verify(*named, partitions, context)
    else:
        codes = await _add(*named, partitions, TransactionVersion.TV2, context)
    return ResultsByTransaction(
        transactional_id=wanted.transactional_id,
        topic_results=[
            TopicResults(
                name=topic,
                results_by_partition=[
                    TopicResultsResultsByPartition(partition_index=each.partition, partition_error_code=codes[each])
                    for each in group
                ],
            )
            for topic, group in groupby(partitions, key=lambda each: each.topic)
        ],
    )


async def _add(
    transactional_id: str,
    producer_id: int,
    producer_epoch: int,
    partitions: list[TopicPartition],
    client_version: TransactionVersion,
    context: RequestContext,
) -> dict[TopicPartition, ErrorCode]:
    if not transactional_id:
        return dict.fromkeys(partitions, ErrorCode.INVALID_REQUEST)
    image = context.broker.image
    unknown = [each for each in partitions if image.partition(*each) is None]
    if unknown:
        codes = dict.fromkeys(partitions, ErrorCode.OPERATION_NOT_ATTEMPTED)
        return codes | dict.fromkeys(unknown, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    try:
        host, shard = context.broker.transactions.shard_for(transactional_id)
        code = await host.run(
            lambda now: shard.add_partitions(
                transactional_id, producer_id, producer_epoch, partitions, now, client_version
            )
        )
    except Refused as refusal:
        code = refusal.code
    return dict.fromkeys(partitions, code)


async def _verify(
    transactional_id: str,
    producer_id: int,
    producer_epoch: int,
    partitions: list[TopicPartition],
    context: RequestContext,
) -> dict[TopicPartition, ErrorCode]:
    if not transactional_id:
        return dict.fromkeys(partitions, ErrorCode.INVALID_REQUEST)
    try:
        host, shard = context.broker.transactions.shard_for(transactional_id)
        return await host.run(
            lambda now: shard.verify_partitions(transactional_id, producer_id, producer_epoch, partitions, now)
        )
    except Refused as refusal:
        return dict.fromkeys(partitions, refusal.code)


def _partitions(topics: Iterable[Topics | V3AndBelowTopics]) -> list[TopicPartition]:
    return list(dict.fromkeys(TopicPartition(topic.name, index) for topic in topics for index in topic.partitions))
