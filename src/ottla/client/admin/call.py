"""One call of the admin client: to which node it goes, and how it is retried."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from ottla.client.cluster import Cluster
from ottla.client.coordinators import CoordinatorKind
from ottla.client.errors import ClientError, UnknownTopic
from ottla.client.retrying import Deadline
from ottla.protocol.message import Message

T = TypeVar("T")
#: Builds the request with the time that is left, and reads the response; raises ClientError for its codes.
Read = Callable[[Any], T]


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

    async def any_node(self, request: Message, read: Read[T]) -> T:
        return await self._retried(self.cluster.any_node, request, read)

    async def controller(self, request: Message, read: Read[T]) -> T:
        return await self._retried(self.cluster.controller, request, read)

    async def node(self, node_id: int, request: Message, read: Read[T]) -> T:
        async def this_node() -> int:
            return node_id

        return await self._retried(this_node, request, read)

    async def coordinator(self, kind: CoordinatorKind, key: str, request: Message, read: Read[T]) -> T:
        async def find() -> int:
            return await self.cluster.coordinators.find(kind, key)

        return await self._retried(find, request, read, coordinator=(kind, key))

    async def _retried(
        self,
        choose: Callable[[], Awaitable[int]],
        request: Message,
        read: Read[T],
        *,
        coordinator: tuple[CoordinatorKind, str] | None = None,
    ) -> T:
        async def attempt() -> T:
            return read(await self.cluster.ask(await choose(), request))

        return await self.cluster.retry(
            attempt, timeout_ms=self.left_ms, what=self.what, coordinator=coordinator, may_retry=_may_retry
        )


def _may_retry(error: ClientError) -> bool:
    """What does not exist is not waited for: an operator wants to hear of it."""
    return error.retriable and not isinstance(error, UnknownTopic)
