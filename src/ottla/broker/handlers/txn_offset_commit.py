"""TxnOffsetCommit (key 28), versions 0–5.

Offsets of a group as part of a transaction: they count when its marker is written to the group's partition.
v2 leader epoch · v3 group metadata is checked (KIP-447), flexible · v4 TRANSACTION_ABORTABLE · v5 joins the transaction
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

from ottla.broker.coordinators.transaction_membership import TRY_AGAIN, join_or_verify
from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import CONSUMER_OFFSETS, TopicPartition
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.txn_offset_commit_request import Topics as AskedTopics
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from ottla.protocol.generated.txn_offset_commit_response import Partitions, Topics, TxnOffsetCommitResponse

_ABORTABLE_FROM = 4
_ADDS_FROM = 5


@handles(ApiKey.TXN_OFFSET_COMMIT, 0, 5)
async def txn_offset_commit(request: TxnOffsetCommitRequest, context: Context) -> TxnOffsetCommitResponse:
    whole = request.topics
    request.topics = _existing(whole, context)
    if not request.topics:
        return _response(whole, [], iter(()), context)
    try:
        response = await _commit(request, context)
    except Refused as refusal:
        return _response(whole, request.topics, repeat(refusal.code), context)
    codes = (each.error_code for topic in response.topics for each in topic.partitions)
    return _response(whole, request.topics, codes, context)


async def _commit(request: TxnOffsetCommitRequest, context: Context) -> TxnOffsetCommitResponse:
    services = context.services
    if not request.group_id:
        raise Refused(ErrorCode.INVALID_GROUP_ID)
    host, shard = services.groups.shard_for(request.group_id)
    index = services.groups.partition_for(request.group_id)
    assert index is not None
    adds = context.version >= _ADDS_FROM
    producer = (request.producer_id, request.producer_epoch)
    log = services.partitions.find(CONSUMER_OFFSETS, index).log
    is_asked = adds or services.config.options.transaction_partition_verification_enable
    if is_asked and not log.producers.has_open_transaction(*producer):
        partition = TopicPartition(CONSUMER_OFFSETS, index)
        codes = await join_or_verify(services.transactions, request.transactional_id, producer, [partition], adds=adds)
        if codes[partition] is not ErrorCode.NONE:
            raise Refused(_known_code(codes[partition], context.version))
        # A topic may have been deleted meanwhile: one that is created under its name must not start at these offsets.
        request.topics = _existing(request.topics, context)
    return await host.run(lambda now: shard.commit_transactional_offsets(request, now=now))


def _known_code(code: ErrorCode, version: int) -> ErrorCode:
    if code is ErrorCode.PRODUCER_FENCED:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    if code is ErrorCode.TRANSACTION_ABORTABLE and version < _ABORTABLE_FROM:
        return ErrorCode.INVALID_TXN_STATE
    if code in TRY_AGAIN:
        return ErrorCode.COORDINATOR_NOT_AVAILABLE
    return code


def _existing(topics: list[AskedTopics], context: Context) -> list[AskedTopics]:
    """Without the partitions that do not exist: the others are committed all the same."""
    image = context.services.metadata.image
    kept = []
    for topic in topics:
        known = [each for each in topic.partitions if image.partition(topic.name, each.partition_index) is not None]
        if known:
            kept.append(AskedTopics(name=topic.name, partitions=known))
    return kept


def _response(
    topics: list[AskedTopics], existing: list[AskedTopics], codes: Iterator[int], context: Context
) -> TxnOffsetCommitResponse:
    """Every partition that was asked for, in its place. `codes` are those of the partitions that exist, in order."""
    image = context.services.metadata.image
    found = {(topic.name, each.partition_index) for topic in existing for each in topic.partitions}
    missing = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return TxnOffsetCommitResponse(
        topics=[
            Topics(
                name=topic.name,
                partitions=[
                    Partitions(
                        partition_index=each.partition_index,
                        error_code=next(codes) if (topic.name, each.partition_index) in found else missing,
                    )
                    for each in topic.partitions
                ],
            )
            for topic in topics
            if topic.partitions or image.topic(topic.name) is None
        ]
    )
