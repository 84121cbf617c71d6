"""One call of the admin client: to which nodes it goes, how it is retried, and what its partial failures become."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar

from ottla.client.cluster import Cluster
from ottla.client.coordinators import CoordinatorKind
from ottla.client.errors import ClientError, RequestRefused, UnknownTopic, raise_for, refusal
from ottla.client.retrying import Deadline
from ottla.model.error_codes import RETRIABLE, ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.message import Message

T = TypeVar("T")
#: Reads a response; raises ClientError for its codes.
Read = Callable[[Any], T]
Coordinator = tuple[CoordinatorKind, str]
#: What does not exist is not waited for: an operator wants to hear of it.
_RETRIED = RETRIABLE - {ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID}


class Call:
    """Created for each call; its deadline holds over all requests and attempts of it."""

    def __init__(self, cluster: Cluster, what: str, timeout_ms: int) -> None:
        self.cluster = cluster
        self.what = what
        self.deadline = Deadline(cluster.clock, timeout_ms)

    @property
    def left_ms(self) -> int:
        """For the timeout that some requests carry."""
        return self.deadline.left_ms

    async def any_node(self, request: Message, read: Read[T], max_version: int = 32767) -> T:
        return await self._retried(self.cluster.any_node, request, read, max_version)

    async def controller(self, request: Message, read: Read[T], max_version: int = 32767) -> T:
        return await self._retried(self.cluster.controller, request, read, max_version)

    async def node(self, node_id: int, request: Message, read: Read[T], max_version: int = 32767) -> T:
        async def this_node() -> int:
            await self.cluster.any_node()  # so that metadata is there, with the addresses of the nodes
            return node_id

        return await self._retried(this_node, request, read, max_version)

    async def coordinator(
        self, coordinator: Coordinator, request: Message, read: Read[T], max_version: int = 32767
    ) -> T:
        async def find() -> int:
            return await self.cluster.coordinators.find(*coordinator)

        return await self._retried(find, request, read, max_version, coordinator)

    async def all_nodes(self) -> list[int]:
        await self.retry(self.cluster.any_node)
        return sorted((await self.retry(self.cluster.refresh)).nodes)

    async def _retried(
        self,
        choose: Callable[[], Awaitable[int]],
        request: Message,
        read: Read[T],
        max_version: int,
        coordinator: Coordinator | None = None,
    ) -> T:
        async def attempt() -> T:
            node_id = await choose()
            version = await self.cluster.version_for(node_id, type(request), max_version)
            return read(await self.cluster.ask(node_id, request, version=version))

        return await self.retry(attempt, coordinator)

    async def retry(self, attempt: Callable[[], Awaitable[T]], coordinator: Coordinator | None = None) -> T:
        return await self.cluster.retry(
            attempt, timeout_ms=self.left_ms, what=self.what, coordinator=coordinator, may_retry=_may_retry
        )

    # partitions, each at its leader

    async def leaders(
        self,
        partitions: Iterable[TopicPartition],
        build: Callable[[list[TopicPartition]], Message],
        read: Callable[[Any], Mapping[TopicPartition, tuple[int, T]]],
        max_version: int = 32767,
    ) -> dict[TopicPartition, T]:
        """Asks the leader of each partition; `read` gives an error code and a value for each.

        Partitions whose leader has moved are asked for again; any other code is raised.
        """
        left = dict.fromkeys(partitions)
        results: dict[TopicPartition, T] = {}

        async def attempt() -> None:
            failure: ClientError | None = None
            for node_id, group in (await self._by_leader(left)).items():
                version = await self.cluster.version_for(node_id, type(build(group)), max_version)
                response = await self.cluster.ask(node_id, build(group), version=version)
                for partition, (code, value) in read(response).items():
                    if code == ErrorCode.NONE:
                        results[partition] = value
                        left.pop(partition, None)
                    elif failure is None:
                        failure = refusal(code, str(partition))
            if failure is not None:
                raise failure

        await self.retry(attempt)
        return results

    async def _by_leader(self, partitions: Iterable[TopicPartition]) -> dict[int, list[TopicPartition]]:
        wanted = list(partitions)
        topics = {partition.topic for partition in wanted}
        self.cluster.want(topics)
        if any(self.cluster.leader_of(partition) is None for partition in wanted):
            await self.cluster.refresh()
        found: dict[int, list[TopicPartition]] = {}
        for partition in wanted:
            view = self.cluster.image.topics.get(partition.topic)
            raise_for(view.error if view is not None else ErrorCode.LEADER_NOT_AVAILABLE, f"topic {partition.topic}")
            if self.cluster.image.partition(partition) is None:
                raise refusal(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, str(partition))
            leader = self.cluster.leader_of(partition)
            if leader is None:
                raise refusal(ErrorCode.LEADER_NOT_AVAILABLE, str(partition))
            found.setdefault(leader.id, []).append(partition)
        return found


def _may_retry(error: ClientError) -> bool:
    if isinstance(error, UnknownTopic):
        return False
    return error.code in _RETRIED if isinstance(error, RequestRefused) else error.retriable


def raise_failures(failures: Mapping[Any, tuple[int, str | None]]) -> None:
    """Raises for the first item that has an error code; the error's `failures` has all of them, by item."""
    errors: dict[Any, Exception] = {
        item: refusal(code, f"{item}: {message}" if message else str(item))
        for item, (code, message) in failures.items()
        if code
    }
    if errors:
        first = next(iter(errors.values()))
        assert isinstance(first, RequestRefused)
        first.failures = errors
        raise first


def by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[int]]:
    """As requests have them."""
    topics: dict[str, list[int]] = {}
    for topic, partition in partitions:
        topics.setdefault(topic, []).append(partition)
    return topics
