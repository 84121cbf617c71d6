"""The requests of group members, one by one, for simulated workloads; and what all members of a group agree on."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import (
    leave_group_request,
    offset_commit_request,
    offset_fetch_request,
    txn_offset_commit_request,
)
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.generated.leave_group_request import LeaveGroupRequest
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_fetch_request import OffsetFetchRequest
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from ottla.runtime.channel import RequestTimedOut
from ottla.sim.checkers.groups import MemberIdentity
from ottla.sim.client import SimClient

#: Version 10 names topics by their ids.
_COMMIT_BY_NAME = 9
_FETCH_BY_NAME = 9
_GROUP = 0


def by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[int]]:
    topics: dict[str, list[int]] = {}
    for topic, partition in sorted(partitions):
        topics.setdefault(topic, []).append(partition)
    return topics


class GroupPlan(NamedTuple):
    """What the members of one group agree on. `assignor` None: the broker assigns (KIP-848).

    `migrates`: there are members of both kinds, and they change; `assignor` is that of the classic ones.
    """

    group_id: str
    partitions: list[TopicPartition]
    assignor: str | None
    session_timeout_ms: int
    heartbeat_ms: int
    migrates: bool = False

    @property
    def topics(self) -> list[str]:
        return sorted({partition.topic for partition in self.partitions})


class CommitIdentity(NamedTuple):
    """Member and epoch of a commit."""

    member: MemberIdentity
    epoch: int


class FencedForGood(Exception):
    """Another process has taken the place of this static member."""


class GroupSimClient(SimClient):
    """Notes when a request gets no response in time though `must_respond` is set."""

    must_respond = False
    timed_out: list[str]

    async def ask(self, request: Any, version: int | None = None, *, timeout_ms: int | None = None) -> Any:
        must_respond = self.must_respond
        await self.connected()
        assert self._channel is not None
        try:
            return await self._channel.ask(request, version, timeout_ms=timeout_ms)
        except RequestTimedOut as error:
            if must_respond:
                self.timed_out.append(f"{self._name}: {error}")
            raise

    async def topic_id_of(self, topic: str) -> bytes:
        code = await self.learn_topic_id(topic)
        if code is not ErrorCode.NONE:
            raise ConnectionError(code.name)
        return self._topic_ids[topic]

    async def find_group(self, group_id: str) -> ErrorCode:
        response = await self.ask(FindCoordinatorRequest(key_type=_GROUP, coordinator_keys=[group_id]))
        return ErrorCode(response.coordinators[0].error_code)

    async def leave_classic(self, group_id: str, member: MemberIdentity) -> ErrorCode:
        leaving = leave_group_request.Members(member.member_id, member.instance_id)
        response = await self.ask(LeaveGroupRequest(group_id, [leaving]))
        return ErrorCode(response.error_code or response.members[0].error_code)

    async def commit(
        self, group_id: str, identity: CommitIdentity, offsets: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, ErrorCode]:
        topics = [
            offset_commit_request.Topics(
                name=topic,
                partitions=[
                    offset_commit_request.Partitions(index, offsets[TopicPartition(topic, index)]) for index in indexes
                ],
            )
            for topic, indexes in by_topic(list(offsets)).items()
        ]
        request = OffsetCommitRequest(
            group_id, identity.epoch, identity.member.member_id, identity.member.instance_id, topics=topics
        )
        return _codes(await self.ask(request, _COMMIT_BY_NAME))

    async def commit_in_transaction(
        self,
        transactional_id: str,
        producer: tuple[int, int],
        group_id: str,
        identity: CommitIdentity,
        offsets: Mapping[TopicPartition, int],
        version: int | None = None,
    ) -> dict[TopicPartition, ErrorCode]:
        request = transactional_commit(transactional_id, producer, group_id, identity, offsets)
        return _codes(await self.ask(request, version))

    async def committed(
        self, group_id: str, partitions: list[TopicPartition], identity: CommitIdentity | None, *, is_consumer: bool
    ) -> tuple[ErrorCode, dict[TopicPartition, int]]:
        """Committed offsets that no open transaction can change any more; -1 where there is none."""
        group = offset_fetch_request.Groups(
            group_id=group_id,
            topics=[
                offset_fetch_request.GroupsTopics(name=topic, partition_indexes=indexes)
                for topic, indexes in by_topic(partitions).items()
            ],
        )
        if is_consumer and identity is not None:
            group.member_id, group.member_epoch = identity.member.member_id, identity.epoch
        group_response = (await self.ask(OffsetFetchRequest([group], require_stable=True), _FETCH_BY_NAME)).groups[0]
        offsets = {}
        code = ErrorCode(group_response.error_code)
        for topic in group_response.topics:
            for partition in topic.partitions:
                code = code or ErrorCode(partition.error_code)
                offsets[TopicPartition(topic.name, partition.partition_index)] = partition.committed_offset
        return code, offsets


def transactional_commit(
    transactional_id: str,
    producer: tuple[int, int],
    group_id: str,
    identity: CommitIdentity,
    offsets: Mapping[TopicPartition, int],
) -> TxnOffsetCommitRequest:
    topics = [
        txn_offset_commit_request.Topics(
            topic,
            [txn_offset_commit_request.Partitions(index, offsets[TopicPartition(topic, index)]) for index in indexes],
        )
        for topic, indexes in by_topic(list(offsets)).items()
    ]
    member = identity.member
    return TxnOffsetCommitRequest(
        transactional_id, group_id, *producer, identity.epoch, member.member_id, member.instance_id, topics
    )


def _codes(response: Any) -> dict[TopicPartition, ErrorCode]:
    return {
        TopicPartition(topic.name, partition.partition_index): ErrorCode(partition.error_code)
        for topic in response.topics
        for partition in topic.partitions
    }
