"""OffsetCommit (key 8), versions 2–10.

Stores how far a group has read. Partitions that do not exist are refused one by one, the others are committed.
v2-4 retention time · v6 leader epoch · v7 instance id · v8 flexible · v9 member epochs (KIP-848) · v10 topic ids
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ottla.broker.coordinators.group_requests import ask
from ottla.broker.handlers.services import Context
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.registry import handles
from ottla.metadata.image import MetadataImage
from ottla.metadata.topics_image import TopicImage
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_commit_request import Topics as AskedTopics
from ottla.protocol.generated.offset_commit_response import OffsetCommitResponse, Partitions, Topics

_TOPIC_IDS_FROM = 10


@handles(ApiKey.OFFSET_COMMIT, 2, 10)
def offset_commit(request: OffsetCommitRequest, context: Context) -> OffsetCommitResponse | Deferred:
    if _do_all_exist(request, context.version, context.services.metadata.image):
        return _commit(request, context, partial(_all_refused, request))
    return _commit_existing(request, context)


def _commit(
    request: OffsetCommitRequest,
    context: Context,
    refused: Callable[[Refused], OffsetCommitResponse],
    respond: Callable[[OffsetCommitResponse], OffsetCommitResponse] | None = None,
) -> OffsetCommitResponse | Deferred:
    try:
        host, shard = context.services.groups.shard_for(request.group_id)
    except Refused as refusal:
        return refused(refusal)
    # Commits decide by the members alone, not by other commits: so they may share a batch.
    return ask(host.submit_batched, partial(shard.commit_offsets, request, context.version), refused, respond)


def _commit_existing(request: OffsetCommitRequest, context: Context) -> OffsetCommitResponse | Deferred:
    """Some partitions do not exist: the others are committed, and the response is put together again."""
    image = context.services.metadata.image
    whole = request.topics
    known = [_find(topic, context.version, image) for topic in whole]
    asked = list(zip(whole, known, strict=True))
    request.topics = [_existing(topic, found) for topic, found in asked if found is not None]

    def respond(accepted: OffsetCommitResponse) -> OffsetCommitResponse:
        codes = (partition.error_code for topic in accepted.topics for partition in topic.partitions)
        return OffsetCommitResponse(
            topics=[
                _topic_response(topic, found, codes, context.version)
                for topic, found in asked
                if topic.partitions or found is None
            ]
        )

    def refused(refusal: Refused) -> OffsetCommitResponse:
        return respond(_all_refused(request, refusal))

    if not any(topic.partitions for topic in request.topics):
        return respond(OffsetCommitResponse())
    return _commit(request, context, refused, respond)


def _do_all_exist(request: OffsetCommitRequest, version: int, image: MetadataImage) -> bool:
    """Not true of a topic without partitions: it is no part of the response."""
    for topic in request.topics:
        known = _find(topic, version, image)
        if known is None or not topic.partitions:
            return False
        partitions = known.partitions
        for partition in topic.partitions:
            if partition.partition_index not in partitions:
                return False
    return bool(request.topics)


def _find(topic: AskedTopics, version: int, image: MetadataImage) -> TopicImage | None:
    """Also gives the topic its name or its id, whichever the version lacks."""
    if version >= _TOPIC_IDS_FROM:
        known = image.topic_by_id(topic.topic_id)
        topic.name = "" if known is None else known.name
    else:
        known = image.topics.by_name.get(topic.name)
        if known is not None:
            topic.topic_id = known.topic_id
    return known


def _existing(topic: AskedTopics, known: TopicImage) -> AskedTopics:
    partitions = [each for each in topic.partitions if each.partition_index in known.partitions]
    return AskedTopics(topic_id=topic.topic_id, name=topic.name, partitions=partitions)


def _all_refused(request: OffsetCommitRequest, refusal: Refused) -> OffsetCommitResponse:
    return OffsetCommitResponse(
        topics=[
            Topics(
                topic_id=topic.topic_id,
                name=topic.name,
                partitions=[
                    Partitions(partition_index=each.partition_index, error_code=refusal.code)
                    for each in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def _topic_response(topic: AskedTopics, known: TopicImage | None, codes: Iterator[int], version: int) -> Topics:
    """Every partition that was asked for, in its place. `codes` are those of the partitions that exist, in order."""
    missing = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if known is None and version >= _TOPIC_IDS_FROM:
        missing = ErrorCode.UNKNOWN_TOPIC_ID
    existing = () if known is None else known.partitions
    return Topics(
        topic_id=topic.topic_id,
        name=topic.name,
        partitions=[
            Partitions(
                partition_index=each.partition_index,
                error_code=next(codes) if each.partition_index in existing else missing,
            )
            for each in topic.partitions
        ],
    )
