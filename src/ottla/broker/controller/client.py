"""How this node asks the controller: always with a request, which may be carried out here or on another node."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from ottla.broker.controller.internal_topics import definition
from ottla.broker.controller.metadata_store import MetadataStore
from ottla.broker.controller.producer_ids import Block
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.controller.requests import ControllerRequest
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from ottla.protocol.generated.create_topics_request import CreateTopicsRequest, Topics
from ottla.security.principal import ANONYMOUS, Principal

#: The version in which a node speaks to its controller where a response depends on one.
_NEWEST_CREATE_TOPICS = 7
_CREATE_TIMEOUT_MS = 30_000


class ControllerClient:
    """Owned by the node."""

    def __init__(
        self,
        store: MetadataStore,
        metadata: MetadataCache,
        config: DynamicConfig,
        names_are_free: Callable[[], Awaitable[None]],
    ) -> None:
        """`names_are_free` returns when new partitions can be used that have the name of deleted ones."""
        self._store = store
        self._metadata = metadata
        self._config = config
        self._names_are_free = names_are_free

    async def ask(self, message: Any, version: int, principal: Principal = ANONYMOUS) -> Any:
        """The response, when what it reports is committed. Without a principal the node asks for itself."""
        return await self._store.submit(ControllerRequest(message, version, str(principal)))

    async def create(self, message: Any, version: int, principal: Principal = ANONYMOUS) -> Any:
        """As `ask`, for a request that creates partitions: returns when a client can use them."""
        response = await self.ask(message, version, principal)
        await self._names_are_free()
        return response

    async def allocate_producer_ids(self) -> Block:
        metadata = self._metadata
        request = AllocateProducerIdsRequest(broker_id=metadata.node_id, broker_epoch=metadata.broker_epoch)
        response = await self.ask(request, 0)
        if response.error_code:
            raise Refused(ErrorCode(response.error_code))
        return response.producer_id_start, response.producer_id_len

    # -- topics that the broker creates by itself

    async def auto_create(self, names: list[str]) -> dict[str, ErrorCode]:
        """Creates topics that a client asked for, with the broker's defaults; gives the codes of those refused."""
        return await self._create([self._topic_with_defaults(name) for name in names])

    async def create_internal(self, name: str) -> None:
        """Creates an internal topic once, however many clients need it at the same time."""
        codes = await self._create([self._topic_with_defaults(name)])
        for code in codes.values():
            if code not in (ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS):
                raise Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE, f"{name} could not be created: {code.name}")

    def _topic_with_defaults(self, name: str) -> Topics:
        found = definition(name, self._config.options, len(self._metadata.image.alive_brokers()))
        return found or Topics(name=name, num_partitions=-1, replication_factor=-1)

    async def _create(self, topics: list[Topics]) -> dict[str, ErrorCode]:
        request = CreateTopicsRequest(topics=topics, timeout_ms=_CREATE_TIMEOUT_MS)
        response = await self.create(request, _NEWEST_CREATE_TOPICS)
        return {topic.name: ErrorCode(topic.error_code) for topic in response.topics if topic.error_code}
