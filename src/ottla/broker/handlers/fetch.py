"""Fetch (key 1), versions 4–18.

Reads record batches from where the client stands; waits for min_bytes at most max_wait_ms. Data goes from the page
cache to the socket without passing through this process.
v4 isolation level · v7 sessions · v9 leader epoch · v11 rack · v12 flexible, diverging epoch · v13 topic ids
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ottla.broker.execution.time_slices import UNFINISHED
from ottla.broker.fetch.reading import PartitionRead, Reading
from ottla.broker.fetch.sessions import (
    FINAL_EPOCH,
    FIRST_EPOCH,
    NO_SESSION,
    STEP_MASK,
    FetchSession,
    WantedPartition,
)
from ottla.broker.fetch.wait import FetchWait
from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.model.topic import NO_TOPIC_ID
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.fetch_response import FetchResponse, Partitions, Responses
from ottla.replication.partition_leader import PartitionLeader

_TOPIC_IDS_FROM = 13
_SESSIONS_FROM = 7


@handles(ApiKey.FETCH, 4, 18)
def fetch(request: FetchRequest, context: Context) -> Any:
    work = _Fetch(request, context)
    first = work.attempt(request.max_wait_ms <= 0)
    response = context.services.time_slices.start(first)
    if response is not None and response is not UNFINISHED:
        return response
    services = context.services
    wait = FetchWait(
        context,
        work.attempt,
        work.watched,
        request.max_wait_ms,
        slices=services.time_slices,
        messages=services.large_messages,
    )
    return wait.begin(first if response is UNFINISHED else None)


class _Fetch:
    """The state of one request between its attempts."""

    __slots__ = ("_context", "_is_incremental", "_reading", "_request", "_session", "_uses_topic_ids")

    def __init__(self, request: FetchRequest, context: Context) -> None:
        self._request = request
        self._context = context
        self._uses_topic_ids = context.version >= _TOPIC_IDS_FROM
        self._session: FetchSession | None = None
        #: The response may leave out what did not change.
        self._is_incremental = False
        self._reading: Reading | None = None

    def attempt(self, is_last: bool) -> Steps[FetchResponse | None]:
        request, reading = self._request, self._reading
        if reading is None:
            try:
                wanted = yield from self._begin()
            except Refused as refusal:
                return FetchResponse(error_code=refusal.code)
            reading = self._reading = Reading(
                self._context.services.fetch_source,
                wanted,
                max_bytes=min(request.max_bytes, self._context.services.config.options.fetch_max_bytes),
                committed_only=request.isolation_level == 1,
                uses_topic_ids=self._uses_topic_ids,
            )
            is_last = is_last or not wanted
        reads = yield from reading.read()
        if not is_last and not reading.is_enough(reads, request.min_bytes):
            return None
        return (yield from self._response(reads))

    def watched(self) -> list[PartitionLeader]:
        """The request begins to wait."""
        assert self._reading is not None
        self._reading.pin()
        return self._reading.leaders()

    # -- sessions

    def _begin(self) -> Steps[list[WantedPartition]]:
        """What is to be read. Raises Refused for a session that cannot be resumed."""
        request, context = self._request, self._context
        has_session = context.version >= _SESSIONS_FROM and not (
            request.session_id == NO_SESSION and request.session_epoch == FINAL_EPOCH
        )
        if has_session:
            if request.session_epoch in (FIRST_EPOCH, FINAL_EPOCH):
                yield from self._new_session()
            else:
                yield from self._resumed_session()
        if self._session is not None:
            return self._session.wanted()
        return list(_wanted(request, context))

    def _new_session(self) -> Steps[None]:
        request, services = self._request, self._context.services
        sessions = services.fetch_sessions
        sessions.close(request.session_id)
        if request.session_epoch == FINAL_EPOCH:
            return
        session = sessions.open(
            sum(len(topic.partitions) for topic in request.topics),
            self._context.connection,
            uses_topic_ids=self._uses_topic_ids,
            now_ms=services.clock.monotonic_ms(),
        )
        if session is None:
            return
        try:
            max_elements = services.config.max_request_elements
            yield from sessions.update(session, _wanted(request, self._context), (), max_elements)
            self._session = session
        except Refused:
            # It is larger than it seemed: served without a session.
            return

    def _resumed_session(self) -> Steps[None]:
        request, context = self._request, self._context
        services = context.services
        sessions = services.fetch_sessions
        session = sessions.resume(
            request.session_id,
            request.session_epoch,
            context.connection,
            uses_topic_ids=self._uses_topic_ids,
            now_ms=services.clock.monotonic_ms(),
        )
        forgotten = _forgotten(request, self._uses_topic_ids)
        yield from sessions.update(session, _wanted(request, context), forgotten, services.config.max_request_elements)
        if not len(session):
            # Kafka keeps no session without partitions: session id 0 makes the client open a new one when it needs one.
            sessions.close(request.session_id)
            return
        self._session = session
        self._is_incremental = True
        if self._uses_topic_ids:
            yield from session.name_topics(services.metadata.image)

    # -- the response

    def _response(self, reads: list[PartitionRead]) -> Steps[FetchResponse]:
        session = self._session
        topics: dict[Any, list[Partitions]] = {}
        for index, (wanted, partition_response, size) in enumerate(reads):
            if index & STEP_MASK == STEP_MASK:
                yield
            if session is not None:
                is_news = session.is_news(
                    wanted,
                    partition_response.error_code,
                    size,
                    partition_response.high_watermark,
                    partition_response.log_start_offset,
                )
                if self._is_incremental and not is_news:
                    continue
            topics.setdefault((wanted.topic, wanted.topic_id), []).append(partition_response)
        return FetchResponse(
            session_id=session.session_id if session is not None else NO_SESSION,
            responses=[
                Responses(topic=name, topic_id=topic_id, partitions=partitions)
                for (name, topic_id), partitions in topics.items()
            ],
        )


def _wanted(request: FetchRequest, context: Context) -> Iterable[WantedPartition]:
    uses_topic_ids = context.version >= _TOPIC_IDS_FROM
    image = context.services.metadata.image
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
