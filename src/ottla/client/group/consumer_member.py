"""A member of a consumer group (KIP-848): heartbeats and nothing else; the broker assigns. No I/O.

    NOT_SUBSCRIBED ──subscribe──> JOINING ──epoch > 0──> STABLE <──calls done── APPLYING
                                     ^                     └──other assignment──────^
                                     └──calls done── PREPARING <──fenced── (any)

A heartbeat carries what has changed since the last one with a response; the first one, and the one after a lost
response, carry everything. What the member owns is reported at once when the application has given up or taken over.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from ottla.client.errors import ClientError, refusal
from ottla.client.group.app_calls import AppCalls, handover
from ottla.client.group.assignors.member import NO_RACKS, PartitionCounts, PartitionRacks
from ottla.client.group.member import AppCall, MemberSettings, Stage
from ottla.client.offsets import ConsumerGroupMetadata
from ottla.client.retrying import Backoff
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import consumer_group_heartbeat_request
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from ottla.protocol.message import Message

_log = logging.getLogger(__name__)

_JOIN_EPOCH = 0
_LEAVE_EPOCH = -1
_STATIC_LEAVE_EPOCH = -2
#: Until the broker has sent the interval.
_FIRST_INTERVAL_MS = 5_000
_TIMEOUT_MS_MIN = 5_000
#: The member is not one any more: what it had may be somebody else's.
_LOST = frozenset({ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_MEMBER_EPOCH, ErrorCode.GROUP_ID_NOT_FOUND})
_FATAL = frozenset({ErrorCode.FENCED_INSTANCE_ID})
_OUTSIDE = (Stage.NOT_SUBSCRIBED, Stage.EXPIRED, Stage.FAILED)


class _Sent:
    """What the broker knows of the member, as far as it has responded."""

    def __init__(self) -> None:
        self.topics: tuple[str, ...] | None = None
        self.pattern: str | None = None
        self.owned: frozenset[TopicPartition] | None = None


class ConsumerMember:
    """Implements `MemberCore`. Owned by the membership task."""

    def __init__(self, settings: MemberSettings, backoff: Backoff, member_id: str) -> None:
        self._settings = settings
        self._backoff = backoff
        self.error: ClientError | None = None
        self.fatal: ClientError | None = None
        self._calls = AppCalls()
        self._stage = Stage.NOT_SUBSCRIBED
        self._member_id = member_id
        self._epoch = _JOIN_EPOCH
        self._topics: tuple[str, ...] = ()
        self._pattern: str | None = None
        self._sent = _Sent()
        self._target: dict[bytes, tuple[int, ...]] = {}
        self._names: dict[bytes, str] = {}
        self._ids: dict[str, bytes] = {}
        self._must_apply = False
        #: It has joined and the application has not heard of it yet.
        self._is_new = False
        self._has_lost = False
        self._interval_ms = _FIRST_INTERVAL_MS
        self._heartbeat_at_ms = 0

    @property
    def stage(self) -> Stage:
        return Stage.APPLYING if self._stage is Stage.STABLE and self._calls else self._stage

    @property
    def metadata(self) -> ConsumerGroupMetadata:
        settings = self._settings
        return ConsumerGroupMetadata(settings.group_id, self._epoch, self._member_id, settings.instance_id)

    @property
    def may_commit(self) -> bool:
        return self._epoch > _JOIN_EPOCH and self._stage is Stage.STABLE

    # calls to the application

    @property
    def owned(self) -> set[TopicPartition]:
        return self._calls.owned

    @property
    def call(self) -> AppCall | None:
        return self._calls.first

    def begin_call(self) -> AppCall | None:
        return self._calls.begin()

    def call_done(self, now_ms: int) -> None:
        self._calls.done()
        if self._stage in _OUTSIDE:
            self._calls.lose_all()
        self._advance(now_ms)
        if self._stage is Stage.STABLE:
            # The broker waits for the news.
            self._heartbeat_at_ms = now_ms

    def _advance(self, now_ms: int) -> None:
        if self._calls.is_running or self._stage in _OUTSIDE:
            return
        if self._has_lost:
            self._has_lost = False
            self._calls.lose_all()
            self._stage = Stage.PREPARING
        elif self._must_apply and self._stage is Stage.STABLE:
            target = set(self._resolved_target())
            is_change = self._is_new or target != self.owned
            self._calls.replace(handover(self.owned, target) if is_change else [])
            self._must_apply = self._is_new = False
        if self._stage is Stage.PREPARING and not self._calls:
            self._stage = Stage.JOINING
            self._heartbeat_at_ms = max(self._heartbeat_at_ms, now_ms)

    # subscription and names

    def subscribe(self, topics: Iterable[str], now_ms: int, *, pattern: str | None = None) -> None:
        """`pattern` is matched by the broker."""
        self._topics = tuple(sorted(topics))
        self._pattern = pattern
        self._heartbeat_at_ms = now_ms
        if self._stage is Stage.NOT_SUBSCRIBED:
            self._stage = Stage.PREPARING
        self._advance(now_ms)

    @property
    def topics_to_know(self) -> list[str]:
        return sorted({*self._topics, *self._ids})

    @property
    def waits_for_counts(self) -> bool:
        return False

    def counts_known(self, counts: PartitionCounts, now_ms: int, racks: PartitionRacks = NO_RACKS) -> None:
        """The broker watches them."""

    @property
    def unknown_ids(self) -> list[bytes]:
        return [topic_id for topic_id in self._target if topic_id not in self._names]

    def names_known(self, names: Mapping[bytes, str], now_ms: int) -> None:
        found = {topic_id: names[topic_id] for topic_id in self._target if topic_id in names}
        is_new = any(self._names.get(topic_id) != name for topic_id, name in found.items())
        if is_new:
            self._names |= found
            self._ids |= {name: topic_id for topic_id, name in found.items()}
            self._must_apply = True
            self._advance(now_ms)

    def _resolved_target(self) -> list[TopicPartition]:
        """A topic that has no name yet was created a moment ago, or is just being deleted: it may get one later."""
        return [
            TopicPartition(self._names[topic_id], partition)
            for topic_id, partitions in self._target.items()
            if topic_id in self._names
            for partition in partitions
        ]

    # requests

    def next_request(self, now_ms: int) -> Message | None:
        if self._stage not in (Stage.JOINING, Stage.STABLE) or now_ms < self._heartbeat_at_ms:
            return None
        return self._heartbeat()

    @property
    def due_ms(self) -> int | None:
        return self._heartbeat_at_ms if self._stage in (Stage.JOINING, Stage.STABLE) else None

    def timeout_ms(self, request: Message) -> int:
        return min(self._settings.request_timeout_ms, max(_TIMEOUT_MS_MIN, 2 * self._interval_ms))

    def _heartbeat(self) -> ConsumerGroupHeartbeatRequest:
        settings, sent = self._settings, self._sent
        if self._stage is Stage.JOINING:
            self._sent = sent = _Sent()
        says_all = sent.owned is None
        owned = frozenset(self.owned)
        request = ConsumerGroupHeartbeatRequest(settings.group_id, self._member_id, self._epoch, settings.instance_id)
        if says_all:
            request.rack_id = settings.rack or None
            request.rebalance_timeout_ms = settings.rebalance_timeout_ms
            request.server_assignor = settings.server_assignor
        if self._topics != sent.topics:
            request.subscribed_topic_names = list(self._topics)
        if self._pattern != sent.pattern:
            request.subscribed_topic_regex = self._pattern or ""
        if owned != sent.owned:
            request.topic_partitions = self._owned_by_id()
        return request

    def _owned_by_id(self) -> list[consumer_group_heartbeat_request.TopicPartitions]:
        topics: dict[bytes, list[int]] = {}
        for topic, partition in sorted(self.owned):
            topics.setdefault(self._ids[topic], []).append(partition)
        return [consumer_group_heartbeat_request.TopicPartitions(*row) for row in topics.items()]

    # responses

    def responded(self, request: Message, response: Any, now_ms: int) -> None:
        assert isinstance(request, ConsumerGroupHeartbeatRequest)
        if response.error_code != ErrorCode.NONE:
            self._refused(request, response, now_ms)
        elif self._stage in (Stage.JOINING, Stage.STABLE):
            self._accepted(request, response, now_ms)
        self._advance(now_ms)

    def _accepted(self, request: ConsumerGroupHeartbeatRequest, response: Any, now_ms: int) -> None:
        self._backoff.succeeded()
        self._note_sent(request)
        if self._stage is Stage.JOINING:
            _log.info("group %s: joined as %s", self._settings.group_id, self._member_id)
            self._stage = Stage.STABLE
            self._must_apply = self._is_new = True
        self._member_id = response.member_id or self._member_id
        self._epoch = response.member_epoch
        self._interval_ms = response.heartbeat_interval_ms or self._interval_ms
        self._heartbeat_at_ms = now_ms if self._has_news else now_ms + self._interval_ms
        if response.assignment is not None:
            self._target = {row.topic_id: tuple(row.partitions) for row in response.assignment.topic_partitions}
            self._must_apply = True

    def _note_sent(self, request: ConsumerGroupHeartbeatRequest) -> None:
        if request.subscribed_topic_names is not None:
            self._sent.topics = tuple(request.subscribed_topic_names)
        if request.subscribed_topic_regex is not None:
            self._sent.pattern = request.subscribed_topic_regex or None
        if request.topic_partitions is not None:
            names = {topic_id: name for name, topic_id in self._ids.items()}
            self._sent.owned = frozenset(
                TopicPartition(names[row.topic_id], partition)
                for row in request.topic_partitions
                for partition in row.partitions
            )

    @property
    def _has_news(self) -> bool:
        """Whether something has changed since the heartbeat of this response was sent."""
        sent = self._sent
        return self._topics != sent.topics or self._pattern != sent.pattern or frozenset(self.owned) != sent.owned

    def _refused(self, request: Message, response: Any, now_ms: int) -> None:
        code = response.error_code
        error = refusal(code, response.error_message or f"group {self._settings.group_id}")
        if code in _FATAL:
            self.error = self.fatal = error
            self._stage = Stage.FAILED
            self._calls.lose_all()
        elif code in _LOST:
            _log.info("group %s: %s is no member any more: %s", self._settings.group_id, self._member_id, error)
            self._forget(now_ms + self._backoff.failed_ms())
        else:
            self.failed(request, error, now_ms)

    def _forget(self, not_before_ms: int) -> None:
        self._epoch = _JOIN_EPOCH
        self._target = {}
        self._must_apply = False
        self._has_lost = True
        self._heartbeat_at_ms = not_before_ms

    def failed(self, request: Message, error: ClientError, now_ms: int) -> None:
        if not error.retriable:
            self.error = error
        # What the broker has seen of it is not known: the next one says everything.
        self._sent = _Sent()
        self._heartbeat_at_ms = now_ms + self._backoff.failed_ms()

    # leaving

    def poll_expired(self, now_ms: int) -> None:
        if self._stage not in _OUTSIDE:
            self._stage = Stage.EXPIRED
            self._calls.lose_all()

    def polled(self, now_ms: int) -> None:
        if self._stage is Stage.EXPIRED and not self._calls:
            self._stage = Stage.PREPARING
            self._heartbeat_at_ms = now_ms
            self._advance(now_ms)

    def leave_request(self) -> ConsumerGroupHeartbeatRequest | None:
        if self._stage in (Stage.NOT_SUBSCRIBED, Stage.FAILED):
            return None
        settings = self._settings
        epoch = _LEAVE_EPOCH if settings.instance_id is None else _STATIC_LEAVE_EPOCH
        return ConsumerGroupHeartbeatRequest(settings.group_id, self._member_id, epoch, settings.instance_id)

    def left(self) -> None:
        self._epoch = _JOIN_EPOCH
        self._target = {}
        self._sent = _Sent()
        self._must_apply = self._has_lost = False
        if self._stage is not Stage.EXPIRED:
            self._stage = Stage.NOT_SUBSCRIBED
            self._calls.clear()
