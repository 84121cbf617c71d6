"""The task that keeps a consumer in its group: finds the coordinator, sends what the member core wants sent.

Runs in the background from the first poll on: a member that joined earlier would hold partitions that nobody reads.
What the application has to do (give up partitions, take them over) waits for its next poll.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from ottla.client.cluster import Cluster
from ottla.client.coordinators import CoordinatorKind
from ottla.client.errors import ClientError, ConnectionFailed, TimedOut, raise_for, refusal
from ottla.client.group.member import AppCall, MemberCore, Stage
from ottla.client.metadata import ClusterImage
from ottla.client.nodes import Purpose
from ottla.client.offsets import ConsumerGroupMetadata
from ottla.client.retrying import Deadline
from ottla.client.wakeup import Wakeup
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.metadata_request import MetadataRequest, Topics
from ottla.protocol.message import Message

_log = logging.getLogger(__name__)

_LOST_COORDINATOR = frozenset({ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE})
#: Steps of a rebalance, and nothing that has failed.
_ORDINARY = frozenset({ErrorCode.NONE, ErrorCode.REBALANCE_IN_PROGRESS, ErrorCode.MEMBER_ID_REQUIRED})


class Membership:
    """Owned by the consumer, from the first `subscribe` on."""

    def __init__(
        self,
        cluster: Cluster,
        core: MemberCore,
        group_id: str,
        *,
        max_poll_interval_ms: int,
        on_news: Callable[[], None],
        is_alive: Callable[[], bool],
    ) -> None:
        """`on_news`: a call waits for the application, or an error. `is_alive`: whether it works, between polls."""
        self._cluster = cluster
        self._core = core
        self._group_id = group_id
        self._max_poll_interval_ms = max_poll_interval_ms
        self._on_news = on_news
        self._is_alive = is_alive
        self._wakeup = Wakeup()
        self._task: asyncio.Task[None] | None = None
        self._coordinator_id: int | None = None
        self._has_left_request = False
        self._polled_ms = cluster.clock.monotonic_ms()
        self._is_polling = False
        #: What the last attempt met, for `health()`.
        self.failure: ClientError | None = None

    # the application's side

    @property
    def stage(self) -> Stage:
        return self._core.stage

    @property
    def has_begun(self) -> bool:
        """Whether a poll has come since the consumer subscribed."""
        return self._task is not None

    @property
    def metadata(self) -> ConsumerGroupMetadata:
        return self._core.metadata

    @property
    def may_commit(self) -> bool:
        return self._core.may_commit

    def keeps(self, partitions: Collection[TopicPartition]) -> bool:
        """Whether it has them also during the rebalance that is going on."""
        is_joining = self._core.stage in (Stage.JOINING, Stage.SYNCING)
        return is_joining and bool(partitions) and set(partitions) <= set(self._core.owned)

    @property
    def has_news(self) -> bool:
        return self._core.call is not None or self._core.error is not None

    def subscribe(self, topics: Iterable[str], pattern: str | None = None) -> None:
        """Joins with the next poll, or changes the subscription of a member that has joined."""
        self._core.subscribe(topics, self._now_ms, pattern=pattern)
        self._wakeup.set()

    def begin_poll(self) -> None:
        self._is_polling = True
        self._polled_ms = self._now_ms
        if self._task is None and self._core.stage is not Stage.NOT_SUBSCRIBED:
            self._task = asyncio.get_running_loop().create_task(self._run(), name=f"member of group {self._group_id}")
        if self._core.stage is Stage.EXPIRED:
            self._core.polled(self._now_ms)
            self._wakeup.set()

    def end_poll(self) -> None:
        self._is_polling = False
        self._polled_ms = self._now_ms

    def begin_call(self) -> AppCall | None:
        return self._core.begin_call()

    def call_done(self) -> None:
        self._core.call_done(self._now_ms)
        self._core.polled(self._now_ms)
        self._wakeup.set()

    def take_error(self) -> ClientError | None:
        """Once; one that is fatal again and again."""
        error, self._core.error = self._core.error, self._core.fatal
        return error

    def image_changed(self, image: ClusterImage) -> None:
        self._core.names_known(image.topic_names, self._now_ms)
        if not self._core.waits_for_counts:
            self._learned(image)
        self._notify()
        self._wakeup.set()

    def check_soon(self) -> None:
        """Something has shown that the group has changed: the next heartbeat need not wait."""
        self._wakeup.set()

    async def leave(self, deadline: Deadline) -> None:
        """Leaves the group, or gives up at the deadline; then the session ends by itself."""
        await self._stop()
        request = self._core.leave_request()
        if request is not None:
            try:
                async with asyncio.timeout(deadline.left_ms / 1000):
                    await self._send_leave(request)
            except (ClientError, TimeoutError) as error:
                _log.info("group %s: left without a response: %s", self._group_id, error or "timed out")
        self._core.left()

    async def _send_leave(self, request: Message) -> None:
        if self._has_left_request and self._coordinator_id is not None:
            # A request that waits for a rebalance holds up all others on its connection.
            self._cluster.nodes.disconnect(self._coordinator_id, Purpose.COORDINATION)
        await self._ask(request)

    async def _stop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    # the task

    async def _run(self) -> None:
        core = self._core
        while True:
            if self._has_expired():
                await self._expire()
            elif core.unknown_ids and await self._learn_names():
                continue
            elif core.waits_for_counts:
                await self._learn_counts()
            elif (request := core.next_request(self._now_ms)) is not None:
                await self._exchange(request)
            else:
                await self._wakeup.wait(self._pause_ms())

    def _pause_ms(self) -> int:
        now_ms = self._now_ms
        pauses_ms = [self._max_poll_interval_ms]
        if self._core.due_ms is not None:
            pauses_ms.append(self._core.due_ms - now_ms)
        if not self._is_polling:
            pauses_ms.append(self._polled_ms + self._max_poll_interval_ms - now_ms)
        return max(1, min(pauses_ms))

    async def _exchange(self, request: Message) -> None:
        try:
            response = await self._ask(request)
        except ClientError as error:
            self._note_failure(error)
            self._core.failed(request, error, self._now_ms)
        else:
            self.failure = None
            if response.error_code not in _ORDINARY:
                self.failure = refusal(response.error_code, f"group {self._group_id}")
                _log.debug("%s: %s", type(request).__name__, self.failure)
            if response.error_code in _LOST_COORDINATOR:
                self._cluster.coordinators.forget(CoordinatorKind.GROUP, self._group_id)
            self._core.responded(request, response, self._now_ms)
            self._cluster.want(self._core.topics_to_know)
        self._notify()

    async def _ask(self, request: Message) -> Any:
        node_id = await self._cluster.coordinators.find(CoordinatorKind.GROUP, self._group_id)
        self._coordinator_id = node_id
        timeout_ms = self._core.timeout_ms(request)
        is_long = timeout_ms > self._cluster.options.request_timeout_ms
        try:
            return await self._cluster.ask(node_id, request, timeout_ms=timeout_ms, purpose=Purpose.COORDINATION)
        except asyncio.CancelledError:
            # The request stays where it is.
            self._has_left_request = self._has_left_request or is_long
            raise

    def _note_failure(self, error: ClientError) -> None:
        _log.debug("group %s: %s", self._group_id, error)
        self.failure = error
        if isinstance(error, ConnectionFailed | TimedOut) or error.code in _LOST_COORDINATOR:
            self._cluster.coordinators.forget(CoordinatorKind.GROUP, self._group_id)
            self._cluster.request_refresh()

    def _notify(self) -> None:
        if self.has_news:
            self._on_news()

    # polls that do not come

    def _has_expired(self) -> bool:
        if self._is_polling or self._core.stage in (Stage.NOT_SUBSCRIBED, Stage.EXPIRED, Stage.FAILED):
            return False
        if self._now_ms - self._polled_ms < self._max_poll_interval_ms:
            return False
        if self._is_alive():
            self._polled_ms = self._now_ms
            return False
        return True

    async def _expire(self) -> None:
        _log.warning(
            "group %s: no poll within max.poll.interval.ms=%d: the member leaves until the next one; "
            "poll more often, or set max.poll.records lower or max.poll.interval.ms higher",
            self._group_id,
            self._max_poll_interval_ms,
        )
        self._core.poll_expired(self._now_ms)
        self._notify()
        request = self._core.leave_request()
        if request is not None:
            try:
                await self._ask(request)
            except ClientError as error:
                self._note_failure(error)
        self._core.left()

    # topics

    async def _learn_counts(self) -> None:
        """A leader assigns by fresh metadata of all topics that its members want."""
        self._cluster.want(self._core.topics_to_know)
        try:
            image = await self._cluster.refresh()
        except ClientError as error:
            self._note_failure(error)
        else:
            self._learned(image)

    def _learned(self, image: ClusterImage) -> None:
        topics = [image.topics[name] for name in self._core.topics_to_know if name in image.topics]
        counts = {topic.name: len(topic.partitions) for topic in topics if topic.partitions}
        self._core.counts_known(counts, self._now_ms, image.racks_of(topics))

    async def _learn_names(self) -> bool:
        """Of topics that the broker has assigned. Whether all are known now."""
        try:
            names = await self._names_of(self._core.unknown_ids)
        except ClientError as error:
            self._note_failure(error)
            return False
        self._core.names_known(names, self._now_ms)
        self._cluster.want(self._core.topics_to_know)
        self._notify()
        return not self._core.unknown_ids

    async def _names_of(self, ids: Iterable[bytes]) -> Mapping[bytes, str]:
        known = self._cluster.image.topic_names
        if all(topic_id in known for topic_id in ids):
            return known
        node_id = await self._cluster.any_node()
        request = MetadataRequest(
            topics=[Topics(topic_id=topic_id, name=None) for topic_id in ids], allow_auto_topic_creation=False
        )
        response = await self._cluster.ask(node_id, request)
        raise_for(response.error_code)
        return {row.topic_id: row.name for row in response.topics if row.name is not None and not row.error_code}

    @property
    def _now_ms(self) -> int:
        return self._cluster.clock.monotonic_ms()
