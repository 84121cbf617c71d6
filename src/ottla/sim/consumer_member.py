"""A simulated member that speaks the protocol of KIP-848: ConsumerGroupHeartbeat and nothing else."""

from typing import Any

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import consumer_group_heartbeat_request
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from ottla.sim.checkers.groups import MemberIdentity
from ottla.sim.group_client import CommitIdentity, by_topic
from ottla.sim.membership import MemberContext, Membership
from ottla.sim.world import sleep_ms

_JOIN = 0
_LEAVE = -1
_STATIC_LEAVE = -2
#: The last: all sessions ended, and classic members were the first to come back. Kafka's client gives up then, and
#: whoever runs it starts it again.
_LOST = (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_MEMBER_EPOCH, ErrorCode.GROUP_ID_NOT_FOUND)


class ConsumerMembership(Membership):
    is_consumer = True

    def __init__(self, context: MemberContext) -> None:
        super().__init__(context)
        self._identity = MemberIdentity(self._rng.uuid().hex(), self._instance_id)
        self._epoch = _JOIN
        self._topic_names: dict[bytes, str] = {}
        #: The next heartbeat carries all fields: at first, and when a response was lost.
        self._sends_all_fields = True
        self._has_news = False

    @property
    def commit_identity(self) -> CommitIdentity | None:
        return None if self._epoch == _JOIN else CommitIdentity(self._identity, self._epoch)

    async def step(self) -> None:
        await self._learn_topics()
        if self._epoch != _JOIN and not self._has_news:
            await sleep_ms(self._plan.heartbeat_ms)
        sent_s = self._loop.time()
        request = self._heartbeat()
        self._sends_all_fields, self._has_news = True, False
        response = await self._client.ask(request)
        code = ErrorCode(response.error_code)
        if code is ErrorCode.NONE:
            self._sends_all_fields = False
            await self._take(response, sent_s)
        else:
            await self._refused(code)

    async def leave(self) -> None:
        self.owned.clear()
        self._witness.leaves(self._identity)
        epoch = _LEAVE if self._identity.instance_id is None else _STATIC_LEAVE
        request = ConsumerGroupHeartbeatRequest(
            self._plan.group_id, self._identity.member_id, epoch, self._identity.instance_id, topic_partitions=[]
        )
        await self._client.ask(request)
        self._lose()

    async def _learn_topics(self) -> None:
        if not self._topic_names:
            ids = {await self._client.topic_id_of(topic): topic for topic in self._plan.topics}
            self._topic_names = ids

    def _heartbeat(self) -> ConsumerGroupHeartbeatRequest:
        request = ConsumerGroupHeartbeatRequest(
            self._plan.group_id, self._identity.member_id, self._epoch, self._identity.instance_id
        )
        if self._sends_all_fields or self._epoch == _JOIN:
            request.rebalance_timeout_ms = self._plan.session_timeout_ms
            request.subscribed_topic_names = list(self._plan.topics)
        request.topic_partitions = self._owned_by_id()
        return request

    def _owned_by_id(self) -> list[consumer_group_heartbeat_request.TopicPartitions]:
        ids = {name: topic_id for topic_id, name in self._topic_names.items()}
        return [
            consumer_group_heartbeat_request.TopicPartitions(ids[topic], indexes)
            for topic, indexes in by_topic(list(self.owned)).items()
        ]

    async def _take(self, response: Any, sent_s: float) -> None:
        self._epoch = response.member_epoch
        self._heard_s = sent_s
        if response.assignment is None:
            self._witness.granted(self._identity, self._epoch, self.owned, sent_s)
            return
        assigned = [
            TopicPartition(self._topic_names[each.topic_id], index)
            for each in response.assignment.topic_partitions
            for index in each.partitions
        ]
        self._witness.granted(self._identity, self._epoch, assigned, sent_s)
        if self._lost_by(assigned):
            # From here on the coordinator waits for the news that they are free, and not forever.
            self._heard_s = None
            await self._pace.delay(self._rng)
        self._has_news = self._hold(assigned)

    async def _refused(self, code: ErrorCode) -> None:
        if code is ErrorCode.FENCED_INSTANCE_ID:
            self._is_replaced()
        if code in _LOST:
            if code is ErrorCode.UNKNOWN_MEMBER_ID:
                self._witness.fenced(self._identity, self._heard_s)
            self._lose()
            if code is ErrorCode.GROUP_ID_NOT_FOUND:
                # The group may be a classic one that may not be upgraded to its own kind: it retries now and then.
                await sleep_ms(self._plan.heartbeat_ms)
        else:
            await self._find_coordinator()

    def _lose(self) -> None:
        self.owned.clear()
        self._epoch = _JOIN
        self._heard_s = None
        self._has_news = False
