"""Fetch (key 1), versions 4–18.

Reads record batches from where the client stands; waits for min_bytes at most max_wait_ms. Data goes from the page
cache to the socket without passing through this process.
v4 isolation level · v7 sessions · v9 leader epoch · v11 rack · v12 flexible, diverging epoch · v13 topic ids
"""

from __future__ import annotations

from typing import Any

from ottla.broker.execution.time_slices import UNFINISHED
from ottla.broker.fetch.reading import PARTITIONS_A_STEP, Reading
from ottla.broker.fetch.sessions import FINAL_EPOCH, FIRST_EPOCH, NO_SESSION, STEP_MASK, FetchSession
from ottla.broker.fetch.wait import FetchWait
from ottla.broker.fetch.wanted import WantedPartition
from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.fetch_response import FetchResponse, Partitions, Responses
from ottla.replication.partition_leader import PartitionLeader

_TOPIC_IDS_FROM = 13


@handles(ApiKey.FETCH, 4, 18)
def fetch(request: FetchRequest, context: Context) -> Any:
    work = _Fetch(request, context)
    services = context.services
    first = work.attempt(request.max_wait_ms <= 0)
    response = services.time_slices.start(first)
    if response is not None and response is not UNFINISHED:
        return response
    wait = FetchWait(
        context,
        work.attempt,
        work.watched,
        request.max_wait_ms,
        purgatory=services.fetch_purgatory,
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
        """The response; None while there is too little to respond with."""
        request, reading = self._request, self._reading
        if reading is None:
            if request.session_epoch != FINAL_EPOCH or request.session_id != NO_SESSION:
                try:
                    yield from self._begin_session()
                except Refused as refusal:
                    return FetchResponse(error_code=refusal.code)
            reading = self._reading = self._new_reading()
            is_last = is_last or not reading.wanted
        reading.read_some(0)
        for first in range(PARTITIONS_A_STEP, len(reading.wanted), PARTITIONS_A_STEP):
            yield
            reading.read_some(first)
        if not is_last and not reading.must_respond and reading.size < min(request.min_bytes, reading.max_bytes):
            return None
        return (yield from self._response(reading.reads))

    def watched(self) -> list[PartitionLeader]:
        """The request begins to wait."""
        assert self._reading is not None
        self._reading.pin()
        return self._reading.leaders()

    def _new_reading(self) -> Reading:
        request, services, session = self._request, self._context.services, self._session
        if session is not None:
            wanted = session.wanted()
        else:
            wanted = []
            for topic in request.topics:
                for asked in topic.partitions:
                    wanted.append(WantedPartition(topic.topic, topic.topic_id, asked))
        return Reading(
            services.fetch_source,
            wanted,
            min(request.max_bytes, services.config.options.fetch_max_bytes),
            request.isolation_level == 1,
            self._uses_topic_ids,
        )

    # -- sessions

    def _begin_session(self) -> Steps[None]:
        """Raises Refused for a session that cannot be resumed."""
        if self._request.session_epoch in (FIRST_EPOCH, FINAL_EPOCH):
            yield from self._new_session()
        else:
            yield from self._resumed_session()

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
            yield from sessions.update(session, request.topics, (), services.config.max_request_elements)
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
        if request.topics or request.forgotten_topics_data:
            yield from sessions.update(
                session, request.topics, request.forgotten_topics_data, services.config.max_request_elements
            )
        if not len(session):
            # Kafka keeps no session without partitions: session id 0 makes the client open a new one when it needs one.
            sessions.close(request.session_id)
            return
        self._session = session
        self._is_incremental = True

    # -- the response

    def _response(self, reads: list[tuple[WantedPartition, Partitions]]) -> Steps[FetchResponse]:
        session = self._session
        topics: dict[str | bytes, list[Partitions]] = {}
        responses: list[Responses] = []
        for index, (wanted, read) in enumerate(reads):
            if index & STEP_MASK == STEP_MASK:
                yield
            if session is not None:
                is_refused = read.error_code != 0 or read.diverging_epoch.epoch >= 0
                is_news = session.is_news(
                    wanted, is_refused, bool(read.records), read.high_watermark, read.log_start_offset
                )
                if self._is_incremental and not is_news:
                    continue
            of_topic = topics.get(wanted.topic or wanted.topic_id)
            if of_topic is None:
                of_topic = topics[wanted.topic or wanted.topic_id] = []
                responses.append(Responses(wanted.topic_id, wanted.topic, of_topic))
            of_topic.append(read)
        return FetchResponse(0, 0, NO_SESSION if session is None else session.session_id, responses)
