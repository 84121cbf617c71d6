"""A member of a classic group: JoinGroup, SyncGroup, Heartbeat, LeaveGroup. No I/O; time is an argument.

    NOT_SUBSCRIBED ──subscribe──> PREPARING ──calls done──> JOINING ──joined──> SYNCING ──assigned──> APPLYING
                                      ^                        ^                        │                │
                                      │                        └────────error───────────┘           calls done
                                      │                                                                  v
                                      └──────── rebalance in progress, subscription changed ───────── STABLE

An eager member gives up everything before it joins. A cooperative one (KIP-429) keeps what it has, learns from its
assignment what to give up, does so, and joins once more so that others can have it.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from ottla.client.errors import ClientError, refusal
from ottla.client.group.app_calls import AppCalls, handover
from ottla.client.group.assignors import ASSIGNORS, is_cooperative
from ottla.client.group.assignors.member import NO_RACKS, MemberSubscription, PartitionCounts, PartitionRacks
from ottla.client.group.member import AppCall, CallKind, MemberSettings, Stage
from ottla.client.group.subscription_bytes import (
    PROTOCOL_TYPE,
    STICKY,
    assignment_bytes,
    read_assignment,
    read_subscription,
    subscription_bytes,
)
from ottla.client.offsets import NO_GENERATION, ConsumerGroupMetadata
from ottla.client.retrying import Backoff
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import RemoteProtocolError
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import join_group_request, leave_group_request, sync_group_request
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.leave_group_request import LeaveGroupRequest
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.protocol.message import Message

_log = logging.getLogger(__name__)

#: How much longer than a rebalance may take a member waits for its response.
_PATIENCE_MS = 5_000
#: The member is not one any more: what it had may be somebody else's.
_LOST = frozenset({ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION})
#: Somebody has to do something before the member can be one again.
_FATAL = frozenset({ErrorCode.FENCED_INSTANCE_ID})
_OUTSIDE = (Stage.NOT_SUBSCRIBED, Stage.EXPIRED, Stage.FAILED)


class ClassicMember:
    """Implements `MemberCore`. Owned by the membership task."""

    def __init__(self, settings: MemberSettings, backoff: Backoff) -> None:
        self._settings = settings
        self._backoff = backoff
        self._is_cooperative = is_cooperative(list(settings.assignors))
        self.error: ClientError | None = None
        self.fatal: ClientError | None = None
        self._calls = AppCalls()
        self._stage = Stage.NOT_SUBSCRIBED
        self._topics: frozenset[str] = frozenset()
        self._joined_topics: frozenset[str] = frozenset()
        self._member_id = ""
        self._generation = NO_GENERATION
        self._protocol: str | None = None
        self._must_rejoin = False
        #: Partitions are being given up, so that others can have them after one more rebalance.
        self._rejoins_when_applied = False
        self._has_lost = False
        self._not_before_ms = 0
        self._heartbeat_at_ms = 0
        #: What it had and when, for the sticky assignor of the next leader.
        self._last_owned: tuple[frozenset[TopicPartition], int] = (frozenset(), NO_GENERATION)
        #: Of the leader: the other members, and the partition counts and racks that its assignment was built from.
        self._members: list[MemberSubscription] | None = None
        self._counts: PartitionCounts | None = None
        self._racks: PartitionRacks = NO_RACKS
        self._keeps_assignment = False
        self._assignments: list[sync_group_request.Assignments] = []

    @property
    def stage(self) -> Stage:
        return Stage.APPLYING if self._stage is Stage.STABLE and self._calls else self._stage

    @property
    def metadata(self) -> ConsumerGroupMetadata:
        settings = self._settings
        return ConsumerGroupMetadata(settings.group_id, self._generation, self._member_id, settings.instance_id)

    @property
    def may_commit(self) -> bool:
        return self._generation != NO_GENERATION and self._stage in (Stage.STABLE, Stage.PREPARING)

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
        elif self._stage is Stage.STABLE and not self._calls:
            self._last_owned = (frozenset(self.owned), self._generation)
            if self._rejoins_when_applied:
                self._rejoins_when_applied = False
                self._rejoin("it has given up partitions")
        self._advance(now_ms)

    def _advance(self, now_ms: int) -> None:
        """Turns wishes into calls, as soon as no call is under way."""
        if self._calls.is_running or self._stage in _OUTSIDE:
            return
        if self._has_lost:
            self._has_lost = False
            self._calls.lose_all()
            self._stage = Stage.PREPARING
        elif self._must_rejoin and self._stage is Stage.STABLE:
            given_up = self._given_up_before_joining()
            self._calls.replace([AppCall(CallKind.REVOKED, given_up)] if given_up else [])
            self._stage = Stage.PREPARING
        if self._stage is Stage.PREPARING and not self._calls:
            self._stage = Stage.JOINING

    def _given_up_before_joining(self) -> frozenset[TopicPartition]:
        if not self._is_cooperative:
            return frozenset(self.owned)
        return frozenset(partition for partition in self.owned if partition.topic not in self._topics)

    # subscription

    def subscribe(self, topics: Iterable[str], now_ms: int, *, pattern: str | None = None) -> None:
        """`pattern` is matched by the client here: `topics` are those that match."""
        self._topics = frozenset(topics)
        if self._stage is Stage.NOT_SUBSCRIBED:
            self._stage = Stage.PREPARING
        elif self._topics != self._joined_topics:
            self._rejoin("the subscription has changed")
        self._advance(now_ms)

    @property
    def topics_to_know(self) -> frozenset[str]:
        if self._members is None:
            return self._topics
        return self._topics.union(*(member.topics for member in self._members))

    @property
    def waits_for_counts(self) -> bool:
        is_leading = self._members is not None and not self._keeps_assignment
        return self._stage is Stage.SYNCING and is_leading and self._counts is None

    def counts_known(self, counts: PartitionCounts, now_ms: int, racks: PartitionRacks = NO_RACKS) -> None:
        """For the leader: it assigns, and watches the topics from then on."""
        if self._members is None:
            return
        if self.waits_for_counts:
            self._assign(self._members, counts, racks)
        if self._counts is None:
            self._counts, self._racks = dict(counts), racks
        elif self._stage is Stage.STABLE and (self._counts != counts or self._has_new_racks(self._members, racks)):
            self._rejoin("the topics of the group have changed")
            self._advance(now_ms)

    def _has_new_racks(self, members: list[MemberSubscription], racks: PartitionRacks) -> bool:
        """Whether members may now read from replicas nearer to them (KIP-881).

        Racks that are missing do not count: their nodes are down, and a restart shall not rebalance groups.
        """
        if self._protocol != "range":
            return False
        wanted = {member.rack for member in members if member.rack}
        return any(wanted & now - self._racks.get(partition, frozenset()) for partition, now in racks.items())

    @property
    def unknown_ids(self) -> frozenset[bytes]:
        return frozenset()

    def names_known(self, names: Mapping[bytes, str], now_ms: int) -> None:
        """A classic group uses names."""

    def _assign(self, members: list[MemberSubscription], counts: PartitionCounts, racks: PartitionRacks) -> None:
        assert self._protocol is not None
        assigned = ASSIGNORS[self._protocol].assign(members, counts, racks)
        self._assignments = [
            sync_group_request.Assignments(member_id, assignment_bytes(mine)) for member_id, mine in assigned.items()
        ]

    def _rejoin(self, reason: str) -> None:
        if not self._must_rejoin:
            _log.info("group %s: member %s joins again: %s", self._settings.group_id, self._member_id, reason)
        self._must_rejoin = True

    # requests

    def next_request(self, now_ms: int) -> Message | None:
        if self._stage is Stage.JOINING and now_ms >= self._not_before_ms:
            return self._join_request()
        if self._stage is Stage.SYNCING and not self.waits_for_counts:
            return self._sync_request()
        if self._sends_heartbeats and now_ms >= self._heartbeat_at_ms:
            return HeartbeatRequest(
                self._settings.group_id, self._generation, self._member_id, self._settings.instance_id
            )
        return None

    @property
    def _sends_heartbeats(self) -> bool:
        return self._stage in (Stage.PREPARING, Stage.STABLE) and self._generation != NO_GENERATION

    @property
    def due_ms(self) -> int | None:
        if self._stage is Stage.JOINING:
            return self._not_before_ms
        return self._heartbeat_at_ms if self._sends_heartbeats else None

    def timeout_ms(self, request: Message) -> int:
        if isinstance(request, JoinGroupRequest | SyncGroupRequest):
            return max(self._settings.request_timeout_ms, self._settings.rebalance_timeout_ms + _PATIENCE_MS)
        # Time is left for another attempt before the session ends.
        return min(self._settings.request_timeout_ms, max(1000, self._settings.session_timeout_ms // 3))

    def _join_request(self) -> JoinGroupRequest:
        settings = self._settings
        self._joined_topics = self._topics
        self._must_rejoin = self._rejoins_when_applied = False
        protocols = [
            join_group_request.Protocols(assignor.name, self._subscription(assignor.name))
            for assignor in settings.assignors
        ]
        return JoinGroupRequest(
            settings.group_id,
            settings.session_timeout_ms,
            settings.rebalance_timeout_ms,
            self._member_id,
            settings.instance_id,
            PROTOCOL_TYPE,
            protocols,
        )

    def _subscription(self, assignor: str) -> bytes:
        owned, generation = self._last_owned
        if self._is_cooperative:
            owned, generation = frozenset(self.owned), self._generation
        elif assignor != STICKY:
            owned = frozenset()
        return subscription_bytes(assignor, self._topics, owned, generation, self._settings.rack)

    def _sync_request(self) -> SyncGroupRequest:
        return SyncGroupRequest(
            self._settings.group_id,
            self._generation,
            self._member_id,
            self._settings.instance_id,
            PROTOCOL_TYPE,
            self._protocol,
            self._assignments,
        )

    # responses

    def responded(self, request: Message, response: Any, now_ms: int) -> None:
        if response.error_code != ErrorCode.NONE:
            self._refused(request, response, now_ms)
        else:
            self._backoff.succeeded()
            if isinstance(request, JoinGroupRequest):
                self._joined(response)
            elif isinstance(request, SyncGroupRequest):
                self._synced(response, now_ms)
            elif isinstance(request, HeartbeatRequest):
                self._heartbeat_at_ms = now_ms + self._settings.heartbeat_interval_ms
        self._advance(now_ms)

    def _joined(self, response: Any) -> None:
        if self._stage is not Stage.JOINING:
            return
        self._member_id = response.member_id
        self._generation = response.generation_id
        self._protocol = response.protocol_name
        self._stage = Stage.SYNCING
        self._assignments = []
        self._counts = None
        self._members = None
        # A static leader that has returned: the group keeps its assignment.
        self._keeps_assignment = response.skip_assignment
        if response.leader == response.member_id:
            self._members = [
                read_subscription(
                    response.protocol_name, member.member_id, member.group_instance_id, bytes(member.metadata)
                )
                for member in response.members
            ]
        role = "its leader" if self._members is not None else "a follower"
        _log.info(
            "group %s: joined generation %d as %s, %s",
            self._settings.group_id,
            self._generation,
            self._member_id,
            role,
        )

    def _synced(self, response: Any, now_ms: int) -> None:
        if self._stage is not Stage.SYNCING:
            return
        try:
            assigned = frozenset(read_assignment(bytes(response.assignment)))
        except RemoteProtocolError as error:
            self.error = refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, str(error))
            self._join_later(now_ms)
            return
        self._stage = Stage.STABLE
        self._heartbeat_at_ms = now_ms + self._settings.heartbeat_interval_ms
        self._calls.replace(handover(self.owned, assigned))
        self._rejoins_when_applied = bool(self.owned - assigned)
        if self._topics != self._joined_topics:
            self._rejoin("the subscription has changed")

    def _refused(self, request: Message, response: Any, now_ms: int) -> None:
        code = response.error_code
        error = refusal(code, f"group {self._settings.group_id}")
        if code == ErrorCode.MEMBER_ID_REQUIRED:
            self._member_id = response.member_id
        elif code in _FATAL:
            self._fail(error)
        elif code in _LOST:
            self._lose(error, now_ms)
        elif code == ErrorCode.REBALANCE_IN_PROGRESS and isinstance(request, HeartbeatRequest):
            self._heartbeat_at_ms = now_ms + self._settings.heartbeat_interval_ms
            self._rejoin("the group is rebalancing")
        elif code == ErrorCode.REBALANCE_IN_PROGRESS:
            self._stage = Stage.JOINING
        else:
            self.failed(request, error, now_ms)

    def failed(self, request: Message, error: ClientError, now_ms: int) -> None:
        if not error.retriable:
            self.error = error
        if isinstance(request, HeartbeatRequest):
            self._heartbeat_at_ms = now_ms + self._backoff.failed_ms()
        else:
            self._join_later(now_ms)

    def _join_later(self, now_ms: int) -> None:
        self._not_before_ms = now_ms + self._backoff.failed_ms()
        if self._stage is Stage.SYNCING:
            self._stage = Stage.JOINING

    def _lose(self, error: ClientError, now_ms: int) -> None:
        """The coordinator does not count it as a member of this generation."""
        _log.info("group %s: %s is no member any more: %s", self._settings.group_id, self._member_id, error)
        self._generation = NO_GENERATION
        self._not_before_ms = now_ms + self._backoff.failed_ms()
        if error.code == ErrorCode.UNKNOWN_MEMBER_ID:
            self._member_id = ""
        self._has_lost = True

    def _fail(self, error: ClientError) -> None:
        self.error = self.fatal = error
        self._stage = Stage.FAILED
        self._generation = NO_GENERATION
        self._calls.lose_all()

    # leaving

    def poll_expired(self, now_ms: int) -> None:
        if self._stage not in _OUTSIDE:
            self._stage = Stage.EXPIRED
            self._generation = NO_GENERATION
            self._calls.lose_all()

    def polled(self, now_ms: int) -> None:
        if self._stage is Stage.EXPIRED and not self._calls:
            self._stage = Stage.PREPARING
            self._advance(now_ms)

    def leave_request(self) -> LeaveGroupRequest | None:
        if not self._member_id or self._settings.instance_id is not None:
            return None
        reason = "max.poll.interval.ms has passed" if self._stage is Stage.EXPIRED else "the consumer is being closed"
        members = [leave_group_request.Members(self._member_id, None, reason)]
        return LeaveGroupRequest(self._settings.group_id, members, self._member_id)

    def left(self) -> None:
        """Whether or not the coordinator has heard of it. An expired member comes back with the next poll."""
        self._member_id, self._generation = "", NO_GENERATION
        self._members = None
        self._must_rejoin = self._rejoins_when_applied = self._has_lost = False
        if self._stage is not Stage.EXPIRED:
            self._stage = Stage.NOT_SUBSCRIBED
            self._calls.clear()
