"""Fetch (key 1), versions 4–18.

Reads record batches from where the client stands; waits for min_bytes at most max_wait_ms. Data goes from the page
cache to the socket without passing through this process.
v4 isolation level · v7 sessions · v9 leader epoch · v11 rack · v12 flexible, diverging epoch · v13 topic ids
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ottla.broker.context import RequestContext
from ottla.broker.fetch_reading import PartitionRead, Reading
from ottla.broker.fetch_sessions import FINAL_EPOCH, FIRST_EPOCH, NO_SESSION, FetchSession, WantedPartition
from ottla.broker.fetch_wait import FetchWait
from ottla.broker.registry import handles
from ottla.model.errors import Refused
from ottla.model.topic import NO_TOPIC_ID
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.fetch_response import FetchResponse, Partitions, Responses

_TOPIC_IDS_FROM = 13
_SESSIONS_FROM = 7


@handles(ApiKey.FETCH, 4, 18)
def fetch(request: FetchRequest, context: RequestContext) -> Any:
    session: FetchSession | None = None
    is_incremental = False
    if context.version >= _SESSIONS_FROM and not (
        request.session_id == NO_SESSION and request.session_epoch == FINAL_EPOCH
    ):
        try:
            session, is_incremental = _enter_session(request, context)
        except Refused as refusal:
            return FetchResponse(error_code=refusal.code)
    wanted = session.wanted() if session is not None else list(_wanted(request, context))
    reading = Reading(
        context.broker,
        wanted,
        max_bytes=min(request.max_bytes, context.broker.options.fetch_max_bytes),
        committed_only=request.isolation_level == 1,
        uses_topic_ids=context.version >= _TOPIC_IDS_FROM,
    )

    def attempt(is_last: bool) -> FetchResponse | None:
        reads = reading.read()
        if not is_last and not reading.is_enough(reads, request.min_bytes):
            return None
        return _response(reads, session, is_incremental)

    response = attempt(request.max_wait_ms <= 0 or not wanted)
    if response is not None:
        return response
    return FetchWait(reading.leaders(), request.max_wait_ms, attempt).deferred


def _enter_session(request: FetchRequest, context: RequestContext) -> tuple[FetchSession | None, bool]:
    """The session of the request and whether the answer may leave out what did not change."""
    sessions = context.broker.fetch_sessions
    now_ms = context.broker.clock.monotonic_ms()
    uses_topic_ids = context.version >= _TOPIC_IDS_FROM
    if request.session_epoch in (FIRST_EPOCH, FINAL_EPOCH):
        sessions.close(request.session_id)
        if request.session_epoch == FINAL_EPOCH:
            return None, False
        wanted = list(_wanted(request, context))
        return sessions.open(wanted, uses_topic_ids=uses_topic_ids, now_ms=now_ms), False
    session = sessions.resume(request.session_id, request.session_epoch, uses_topic_ids=uses_topic_ids, now_ms=now_ms)
    session.update(_wanted(request, context), _forgotten(request, uses_topic_ids))
    if not len(session):
        # Kafka keeps no session without partitions: the client is told so and opens a new one when it wants to.
        sessions.close(request.session_id)
        return None, False
    if uses_topic_ids:
        image = context.broker.image
        for known in session.wanted():
            topic = image.topic_by_id(known.topic_id)
            name = topic.name if topic is not None else ""
            if name != known.topic:
                session.update([known._replace(topic=name)], ())
    return session, True


def _wanted(request: FetchRequest, context: RequestContext) -> Iterable[WantedPartition]:
    uses_topic_ids = context.version >= _TOPIC_IDS_FROM
    image = context.broker.image
    for topic in request.topics:
        name, topic_id = topic.topic, NO_TOPIC_ID
        if uses_topic_ids:
            topic_id = topic.topic_id
            found = image.topic_by_id(topic_id)
            name = found.name if found is not None else ""
        for partition in topic.partitions:
            yield WantedPartition(
                name,
                topic_id,
                partition.partition,
                partition.fetch_offset,
                partition.partition_max_bytes,
                partition.current_leader_epoch,
                partition.last_fetched_epoch,
            )


def _forgotten(request: FetchRequest, uses_topic_ids: bool) -> Iterable[tuple[bytes | str, int]]:
    for topic in request.forgotten_topics_data:
        for index in topic.partitions:
            yield (topic.topic_id if uses_topic_ids else topic.topic, index)


def _response(reads: list[PartitionRead], session: FetchSession | None, is_incremental: bool) -> FetchResponse:
    topics: dict[Any, list[Partitions]] = {}
    for wanted, answer, size in reads:
        if session is not None:
            is_news = session.is_news(wanted, answer.error_code, size, answer.high_watermark, answer.log_start_offset)
            if is_incremental and not is_news:
                continue
        topics.setdefault((wanted.topic, wanted.topic_id), []).append(answer)
    return FetchResponse(
        session_id=session.session_id if session is not None else NO_SESSION,
        responses=[
            Responses(topic=name, topic_id=topic_id, partitions=answers) for (name, topic_id), answers in topics.items()
        ],
    )
