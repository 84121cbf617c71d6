"""Who coordinates a group or a transactional id: looked up once, forgotten when a coordinator says it is not one."""

from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import Any

from ottla.client.errors import raise_for
from ottla.client.metadata import Node
from ottla.client.nodes import Nodes
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest

#: From this version on several keys are looked up at once.
_MANY_KEYS = 4


class CoordinatorKind(IntEnum):
    """The key types of FindCoordinator."""

    GROUP = 0
    TRANSACTION = 1


class Coordinators:
    """Owned by the Cluster. Any node can be asked who coordinates."""

    def __init__(self, nodes: Nodes, any_node: Callable[[], Awaitable[int]]) -> None:
        self._nodes = nodes
        self._any_node = any_node
        self._known: dict[tuple[CoordinatorKind, str], int] = {}

    async def find(self, kind: CoordinatorKind, key: str) -> int:
        """The node id, asked for if it is not known. One attempt: raises RequestRefused and the like."""
        known = self._known.get((kind, key))
        if known is not None:
            return known
        row = await self._look_up(kind, key)
        raise_for(row.error_code, row.error_message)
        self._nodes.learn(Node(row.node_id, row.host, row.port))
        self._known[(kind, key)] = row.node_id
        return int(row.node_id)

    def forget(self, kind: CoordinatorKind, key: str) -> None:
        self._known.pop((kind, key), None)

    async def _look_up(self, kind: CoordinatorKind, key: str) -> Any:
        node_id = await self._any_node()
        version = await self._nodes.version_for(node_id, FindCoordinatorRequest)
        if version >= _MANY_KEYS:
            request = FindCoordinatorRequest(key_type=kind, coordinator_keys=[key])
            response = await self._nodes.ask(node_id, request, version=version)
            return response.coordinators[0]
        return await self._nodes.ask(node_id, FindCoordinatorRequest(key=key, key_type=kind), version=version)
