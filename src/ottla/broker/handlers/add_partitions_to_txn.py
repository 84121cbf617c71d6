"""AddPartitionsToTxn (key 24), versions 0–5.

Clients (v0–3) name one transaction; brokers (v4–5) name many, and may only verify. All partitions of a transaction are
added, or none: one that does not exist fails the others with OPERATION_NOT_ATTEMPTED.
v2 PRODUCER_FENCED · v3 flexible · v4 many transactions, VerifyOnly
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import INTERNAL_TOPICS, TopicPartition
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
async def add_partitions_to_txn(request: AddPartitionsToTxnRequest, context: Context) -> AddPartitionsToTxnResponse:
    if context.version >= _MANY_FROM:
        done = [await _one_of_many(each, context) for each in request.transactions]
        return AddPartitionsToTxnResponse(results_by_transaction=done)
    codes = await _add_for_client(request, context)
    return AddPartitionsToTxnResponse(
        results_by_topic_v3_and_below=[
            ResultsByTopicV3AndBelow(
                name=topic.name,
                results_by_partition=[
                    ResultsByPartition(
                        partition_index=index,
                        partition_error_code=code_for_version(
                            codes[TopicPartition(topic.name, index)], context.version, _FENCED_SINCE
                        ),
                    )
                    for index in topic.partitions
                ],
            )
            for topic in request.v3_and_below_topics
        ]
    )


async def _add_for_client(request: AddPartitionsToTxnRequest, context: Context) -> dict[TopicPartition, ErrorCode]:
    partitions = _partitions(request.v3_and_below_topics)
    refusals = _refusals(partitions, context, may_be_internal=False)
    if refusals:
        return refusals
    return await _add(
        request.v3_and_below_transactional_id,
        request.v3_and_below_producer_id,
        request.v3_and_below_producer_epoch,
        partitions,
        TransactionVersion.TV0,
        context,
    )


def _refusals(
    partitions: list[TopicPartition], context: Context, *, may_be_internal: bool
) -> dict[TopicPartition, ErrorCode]:
    """Empty when all may be added. Clients add offsets by AddOffsetsToTxn; nothing else that is internal is theirs."""
    image = context.services.metadata.image
    codes = {}
    for each in partitions:
        if each.topic in INTERNAL_TOPICS and not may_be_internal:
            codes[each] = ErrorCode.TOPIC_AUTHORIZATION_FAILED
        elif image.partition(*each) is None:
            codes[each] = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return dict.fromkeys(partitions, ErrorCode.OPERATION_NOT_ATTEMPTED) | codes if codes else {}


async def _one_of_many(wanted: Transactions, context: Context) -> ResultsByTransaction:
    partitions = _partitions(wanted.topics)
    named = (wanted.transactional_id, wanted.producer_id, wanted.producer_epoch)
    codes = _refusals(partitions, context, may_be_internal=True)
    if not codes and wanted.verify_only:
        codes = await _verify(*named, partitions, context)
    elif not codes:
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
    context: Context,
) -> dict[TopicPartition, ErrorCode]:
    if not transactional_id:
        return dict.fromkeys(partitions, ErrorCode.INVALID_REQUEST)
    try:
        host, shard = await context.services.transactions.free_shard_for(transactional_id)
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
    context: Context,
) -> dict[TopicPartition, ErrorCode]:
    if not transactional_id:
        return dict.fromkeys(partitions, ErrorCode.INVALID_REQUEST)
    try:
        host, shard = context.services.transactions.shard_for(transactional_id)
        return await host.run(
            lambda now: shard.verify_partitions(transactional_id, producer_id, producer_epoch, partitions, now)
        )
    except Refused as refusal:
        return dict.fromkeys(partitions, refusal.code)


def _partitions(topics: Iterable[Topics | V3AndBelowTopics]) -> list[TopicPartition]:
    return list(dict.fromkeys(TopicPartition(topic.name, index) for topic in topics for index in topic.partitions))
