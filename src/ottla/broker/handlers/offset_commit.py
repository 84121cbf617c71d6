"""OffsetCommit (key 8), versions 2–10.

Stores how far a group has read. Partitions that do not exist are refused one by one, the others are committed.
v2-4 retention time · v6 leader epoch · v7 instance id · v8 flexible · v9 member epochs (KIP-848) · v10 topic ids
"""

from __future__ import annotations

from collections.abc import Callable

from ottla.broker.coordinators.group_requests import ask, unchanged
from ottla.broker.handlers.services import Context
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_commit_request import Topics as AskedTopics
from ottla.protocol.generated.offset_commit_response import OffsetCommitResponse, Partitions, Topics

_TOPIC_IDS_FROM = 10


@handles(ApiKey.OFFSET_COMMIT, 2, 10)
def offset_commit(request: OffsetCommitRequest, context: Context) -> OffsetCommitResponse | Deferred:
    refusals = _refusals(request, context)
    return _commit(request, context, unchanged) if refusals is None else _commit_existing(request, refusals, context)


def _commit(
    request: OffsetCommitRequest,
    context: Context,
    respond: Callable[[OffsetCommitResponse], OffsetCommitResponse],
) -> OffsetCommitResponse | Deferred:
    version = context.version

    def refused(refusal: Refused) -> OffsetCommitResponse:
        return respond(_all_refused(request, refusal.code))

    try:
        host, shard = context.services.groups.shard_for(request.group_id)
    except Refused as refusal:
        return refused(refusal)
    # Commits decide by the members alone, not by other commits: so they may share a batch.
    return ask(
        host.submit_batched,
        lambda now: shard.commit_offsets(request, version=version, now=now),
        refused,
        respond,
    )


def _commit_existing(
    request: OffsetCommitRequest, refusals: list[ErrorCode], context: Context
) -> OffsetCommitResponse | Deferred:
    """Some partitions do not exist: the others are committed, and the response is put together again."""
    whole = request.topics
    request.topics = [_existing(topic, context) for topic, code in zip(whole, refusals, strict=True) if not code]

    def respond(accepted: OffsetCommitResponse) -> OffsetCommitResponse:
        codes = {
            (topic.name, partition.partition_index): partition.error_code
            for topic in accepted.topics
            for partition in topic.partitions
        }
        asked = zip(whole, refusals, strict=True)
        topics = [_topic_response(topic, code, codes) for topic, code in asked if topic.partitions or code]
        return OffsetCommitResponse(topics=topics)

    if not any(topic.partitions for topic in request.topics):
        return respond(OffsetCommitResponse())
    return _commit(request, context, respond)


def _refusals(request: OffsetCommitRequest, context: Context) -> list[ErrorCode] | None:
    """Why topics are refused, in their order; None when all is well: every partition exists."""
    refusals = [_refusal(topic, context) for topic in request.topics]
    return refusals if any(refusals) or not _all_exist(request, context) else None


def _refusal(topic: AskedTopics, context: Context) -> ErrorCode:
    """Also gives the topic its name or its id, whichever the version lacks."""
    if context.version >= _TOPIC_IDS_FROM:
        known = context.services.metadata.image.topic_by_id(topic.topic_id)
        topic.name = known.name if known is not None else ""
        return ErrorCode.NONE if known is not None else ErrorCode.UNKNOWN_TOPIC_ID
    known = context.services.metadata.image.topic(topic.name)
    if known is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    topic.topic_id = known.topic_id
    return ErrorCode.NONE


def _all_exist(request: OffsetCommitRequest, context: Context) -> bool:
    """Not true of a topic without partitions: it is no part of the response."""
    by_name = context.services.metadata.image.topics.by_name
    for topic in request.topics:
        known = by_name[topic.name].partitions
        if not topic.partitions or any(each.partition_index not in known for each in topic.partitions):
            return False
    return bool(request.topics)


def _existing(topic: AskedTopics, context: Context) -> AskedTopics:
    image = context.services.metadata.image
    partitions = [each for each in topic.partitions if image.partition(topic.name, each.partition_index) is not None]
    return AskedTopics(topic_id=topic.topic_id, name=topic.name, partitions=partitions)


def _all_refused(request: OffsetCommitRequest, code: ErrorCode) -> OffsetCommitResponse:
    return OffsetCommitResponse(
        topics=[
            Topics(
                topic_id=topic.topic_id,
                name=topic.name,
                partitions=[
                    Partitions(partition_index=each.partition_index, error_code=code) for each in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def _topic_response(topic: AskedTopics, refusal: ErrorCode, codes: dict[tuple[str, int], int]) -> Topics:
    """Every partition that was asked for, in its place; one without a code does not exist."""
    missing = refusal or ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return Topics(
        topic_id=topic.topic_id,
        name=topic.name,
        partitions=[
            Partitions(
                partition_index=each.partition_index,
                error_code=missing if refusal else codes.get((topic.name, each.partition_index), missing),
            )
            for each in topic.partitions
        ],
    )
