"""Members of consumer groups without a consumer: they join, sync and send heartbeats, over asyncio connections.

Heartbeats are far more frequent than those of real clients, which are seconds apart, so that the figure is the
coordinator's time and not the heartbeat interval.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from benchmarks.broker_node import HOST, BrokerNode
from benchmarks.raw_client import CLIENT_ID, RESPONSE_TIMEOUT_S, check_code
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import join_group_request, sync_group_request
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest, TopicPartitions
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.runtime.channel import Channel
from ottla.runtime.network import SocketNetwork

HEARTBEAT_INTERVAL_S = 0.1
_SESSION_MS, _REBALANCE_MS = 45_000, 60_000
#: The group has moved on to another generation: join again.
_JOIN_AGAIN = (ErrorCode.REBALANCE_IN_PROGRESS, ErrorCode.ILLEGAL_GENERATION, ErrorCode.UNKNOWN_MEMBER_ID)


@asynccontextmanager
async def connected(node: BrokerNode) -> AsyncIterator[Channel]:
    """A connection to the broker. A rebalance may hold a response for minutes."""
    channel = await Channel.connect(
        SocketNetwork(), HOST, node.port, client_id=CLIENT_ID, request_timeout_ms=RESPONSE_TIMEOUT_S * 1000
    )
    try:
        yield channel
    finally:
        channel.close()


class GroupProgress:
    """Knows when a group is stable: all members in one generation, each with a share, and nothing left over."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.is_stable = asyncio.Event()
        self._generations: dict[int, int] = {}
        self._shares: dict[int, int] = {}

    def grow(self, size: int) -> None:
        self.size = size
        self.is_stable.clear()

    def joined(self, member: int, generation: int, share: int) -> None:
        """`share`: how much of the whole the member has; in a stable group the shares add up to the whole."""
        self._generations[member] = generation
        self._shares[member] = share

    def rejoining(self, member: int) -> None:
        self._generations.pop(member, None)

    def update(self, whole: int) -> None:
        if (
            len(self._generations) == self.size
            and len(set(self._generations.values())) == 1
            and sum(self._shares.values()) == whole
            and all(self._shares.values())
        ):
            self.is_stable.set()


class ClassicMember:
    """The protocol before KIP-848: join, the leader assigns, sync."""

    def __init__(self, node: BrokerNode, group: str, number: int, progress: GroupProgress) -> None:
        self._node = node
        self._group = group
        self._number = number
        self._progress = progress
        self._member_id = ""

    async def run(self) -> None:
        async with connected(self._node) as connection:
            while True:
                generation = await self.join(connection)
                if generation is None:
                    continue
                self._progress.joined(self._number, generation, 1)
                self._progress.update(self._progress.size)
                await self._heartbeat_until_rebalance(connection, generation)
                self._progress.rejoining(self._number)

    async def join(self, connection: Channel) -> int | None:
        """One join and sync; the generation, or None when the member has to join again."""
        joined = await connection.ask(self._join_request(), 5)
        if joined.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            self._member_id = joined.member_id
            joined = await connection.ask(self._join_request(), 5)
        if joined.error_code == ErrorCode.UNKNOWN_MEMBER_ID:
            self._member_id = ""
            return None
        check_code(f"join {self._group}", joined.error_code)
        shares = [
            sync_group_request.Assignments(member_id=member.member_id, assignment=b"share of the partitions")
            for member in joined.members
        ]
        sync = SyncGroupRequest(
            group_id=self._group, generation_id=joined.generation_id, member_id=self._member_id, assignments=shares
        )
        synced = await connection.ask(sync, 3)
        if synced.error_code in _JOIN_AGAIN:
            return None
        check_code(f"sync {self._group}", synced.error_code)
        return int(joined.generation_id)

    async def _heartbeat_until_rebalance(self, connection: Channel, generation: int) -> None:
        heartbeat = HeartbeatRequest(group_id=self._group, generation_id=generation, member_id=self._member_id)
        while True:
            await asyncio.sleep(HEARTBEAT_INTERVAL_S)
            if (await connection.ask(heartbeat, 3)).error_code:
                return

    @property
    def member_id(self) -> str:
        return self._member_id

    def _join_request(self) -> JoinGroupRequest:
        return JoinGroupRequest(
            group_id=self._group, session_timeout_ms=_SESSION_MS, rebalance_timeout_ms=_REBALANCE_MS,
            member_id=self._member_id, protocol_type="benchmark",
            protocols=[join_group_request.Protocols(name="fixed", metadata=b"subscription")],
        )  # fmt: skip


class ConsumerMember:
    """KIP-848: the coordinator assigns; a member reports in its heartbeats what it owns."""

    def __init__(
        self, node: BrokerNode, group: str, number: int, progress: GroupProgress, topic: str, partitions: int
    ) -> None:
        self._node = node
        self._group = group
        self._number = number
        self._progress = progress
        self._topic = topic
        self._partitions = partitions
        self._owned: list[Any] = []
        self._epoch = 0

    async def run(self) -> None:
        async with connected(self._node) as connection:
            response = await connection.ask(self._heartbeat(is_first=True), 1)
            while True:
                check_code(f"heartbeat of {self._group}", response.error_code)
                self._epoch = response.member_epoch
                is_assigned = response.assignment is not None
                if is_assigned:
                    self._owned = response.assignment.topic_partitions
                self._progress.joined(self._number, self._epoch, sum(len(one.partitions) for one in self._owned))
                self._progress.update(self._partitions)
                if not is_assigned:
                    await asyncio.sleep(HEARTBEAT_INTERVAL_S)
                response = await connection.ask(self._heartbeat(is_assigned=is_assigned), 1)

    def _heartbeat(self, *, is_first: bool = False, is_assigned: bool = False) -> ConsumerGroupHeartbeatRequest:
        owned = [TopicPartitions(topic_id=one.topic_id, partitions=one.partitions) for one in self._owned]
        return ConsumerGroupHeartbeatRequest(
            group_id=self._group, member_id=f"member-{self._number}", member_epoch=self._epoch,
            rebalance_timeout_ms=_REBALANCE_MS if is_first else -1,
            subscribed_topic_names=[self._topic] if is_first else None,
            topic_partitions=owned if is_first or is_assigned else None,
        )  # fmt: skip
