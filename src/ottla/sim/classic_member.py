"""A simulated member that speaks the classic protocol: JoinGroup, SyncGroup, Heartbeat, LeaveGroup."""

from collections import Counter
from typing import Any

from ottla.client.group.assignors import ASSIGNORS
from ottla.client.group.subscription_bytes import (
    assignment_bytes,
    read_assignment,
    read_subscription,
    subscription_bytes,
)
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import join_group_request, sync_group_request
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.sim.checkers.groups import MemberIdentity
from ottla.sim.group_client import CommitIdentity
from ottla.sim.membership import MemberContext, Membership
from ottla.sim.world import sleep_ms

_NO_GENERATION = -1
#: How much longer than a rebalance may take a member waits for it.
_REBALANCE_MARGIN_MS = 4_000
_JOIN_VERSIONS = (3, 5, 9)
_STATIC_JOIN_VERSIONS = (5, 9)


class ClassicMembership(Membership):
    is_consumer = False

    def __init__(self, context: MemberContext) -> None:
        super().__init__(context)
        assert context.plan.assignor is not None
        self._assignor = context.plan.assignor
        versions = _JOIN_VERSIONS if self._instance_id is None else _STATIC_JOIN_VERSIONS
        self._join_version = self._rng.one_of(versions)
        self._member_id = ""
        self._generation = _NO_GENERATION
        self._must_join = True

    @property
    def commit_identity(self) -> CommitIdentity | None:
        if self._generation == _NO_GENERATION:
            return None
        return CommitIdentity(self._identity, self._generation)

    @property
    def _identity(self) -> MemberIdentity:
        return MemberIdentity(self._member_id, self._instance_id)

    async def step(self) -> None:
        if self._must_join:
            await self._join()
            return
        await sleep_ms(self._plan.heartbeat_ms)
        await self._heartbeat()

    async def leave(self) -> None:
        if self._member_id:
            self.owned.clear()
            self._witness.leaves(self._identity)
            await self._client.leave_classic(self._plan.group_id, self._identity)
            self._forget()

    # -- heartbeats

    async def _heartbeat(self) -> None:
        sent_s = self._loop.time()
        request = HeartbeatRequest(self._plan.group_id, self._generation, self._member_id, self._instance_id)
        code = ErrorCode((await self._client.ask(request)).error_code)
        if code is ErrorCode.NONE:
            self._heard_s = sent_s
            self._witness.heard(self._identity, self._generation, sent_s)
        else:
            await self._refused(code)

    async def _refused(self, code: ErrorCode) -> None:
        if code is ErrorCode.FENCED_INSTANCE_ID:
            self._is_replaced()
        if code is ErrorCode.UNKNOWN_MEMBER_ID:
            self._witness.fenced(self._identity, self._heard_s)
            self._forget()
        elif code is ErrorCode.ILLEGAL_GENERATION:
            self._lose()
        elif code is ErrorCode.REBALANCE_IN_PROGRESS:
            self._must_join = True
            await self._pace.delay(self._rng)
        else:
            await self._find_coordinator()

    def _lose(self) -> None:
        """What it had may be somebody else's by now."""
        self.owned.clear()
        self._generation = _NO_GENERATION
        self._heard_s = None
        self._must_join = True

    def _forget(self) -> None:
        self._lose()
        self._member_id = ""

    # -- rebalances

    async def _join(self) -> None:
        if self._assignor == "range":
            self.owned.clear()
        sent_s = self._loop.time()
        metadata = subscription_bytes(self._assignor, self._plan.topics, self.owned, self._generation, None)
        request = JoinGroupRequest(
            self._plan.group_id,
            self._plan.session_timeout_ms,
            self._plan.session_timeout_ms,
            self._member_id,
            self._instance_id,
            "consumer",
            [join_group_request.Protocols(self._assignor, metadata)],
        )
        request_timeout_ms = self._plan.session_timeout_ms + _REBALANCE_MARGIN_MS
        response = await self._client.ask(request, self._join_version, timeout_ms=request_timeout_ms)
        code = ErrorCode(response.error_code)
        if code is ErrorCode.MEMBER_ID_REQUIRED:
            self._member_id = response.member_id
        elif code is ErrorCode.NONE:
            self._member_id = response.member_id
            await self._pace.delay(self._rng)
            await self._sync(response, sent_s)
        else:
            await self._refused(code)

    async def _sync(self, joined: Any, sent_s: float) -> None:
        assignments = []
        if joined.leader == joined.member_id and not joined.skip_assignment:
            assignments = self._assignments(joined.members)
        request = SyncGroupRequest(
            self._plan.group_id,
            joined.generation_id,
            self._member_id,
            self._instance_id,
            "consumer",
            joined.protocol_name,
            assignments,
        )
        request_timeout_ms = self._plan.session_timeout_ms + _REBALANCE_MARGIN_MS
        response = await self._client.ask(request, timeout_ms=request_timeout_ms)
        code = ErrorCode(response.error_code)
        if code is ErrorCode.NONE:
            self._take(joined.generation_id, read_assignment(bytes(response.assignment)), sent_s)
        else:
            await self._refused(code)

    def _assignments(self, members: list[Any]) -> list[sync_group_request.Assignments]:
        subscribed = [
            read_subscription(self._assignor, member.member_id, member.group_instance_id, bytes(member.metadata))
            for member in members
        ]
        counts = Counter(topic for topic, _ in self._plan.partitions)
        assigned = ASSIGNORS[self._assignor].assign(subscribed, counts, {})
        return [
            sync_group_request.Assignments(member_id, assignment_bytes(mine)) for member_id, mine in assigned.items()
        ]

    def _take(self, generation: int, assigned: list[TopicPartition], sent_s: float) -> None:
        self._generation = generation
        self._heard_s = None
        revoked = self._lost_by(assigned)
        self._hold(assigned)
        self._witness.granted(self._identity, generation, assigned, sent_s)
        # A cooperative member that has revoked partitions asks for a rebalance in which others get it.
        self._must_join = bool(revoked)
