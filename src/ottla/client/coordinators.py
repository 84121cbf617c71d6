"""Who coordinates a group or a transactional id: looked up once, forgotten when a coordinator says it is not one."""

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from ottla.client.errors import raise_for
from ottla.client.metadata import Node
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest

if TYPE_CHECKING:
    from ottla.client.cluster import Cluster

#: From this version on several keys are looked up at once.
_MANY_KEYS = 4


class CoordinatorKind(IntEnum):
    """The key types of FindCoordinator."""

    GROUP = 0
    TRANSACTION = 1


class Coordinators:
    """Owned by the Cluster."""

    def __init__(self, cluster: "Cluster") -> None:
        self._cluster = cluster
        self._known: dict[tuple[CoordinatorKind, str], int] = {}

    async def find(self, kind: CoordinatorKind, key: str) -> int:
        """The node id, asked for if it is not known. One attempt: raises RequestRefused and the like."""
        known = self._known.get((kind, key))
        if known is not None:
            return known
        row = await self._look_up(kind, key)
        raise_for(row.error_code, row.error_message)
        self._cluster.nodes.learn(Node(row.node_id, row.host, row.port))
        self._known[(kind, key)] = row.node_id
        return int(row.node_id)

    def forget(self, kind: CoordinatorKind, key: str) -> None:
        self._known.pop((kind, key), None)

    def forget_node(self, node_id: int) -> None:
        """Its connection was lost: it may have moved what it coordinates."""
        self._known = {item: known for item, known in self._known.items() if known != node_id}

    async def _look_up(self, kind: CoordinatorKind, key: str) -> Any:
        node_id = await self._cluster.any_node()
        version = await self._cluster.version_for(node_id, FindCoordinatorRequest)
        if version >= _MANY_KEYS:
            request = FindCoordinatorRequest(key_type=kind, coordinator_keys=[key])
            response = await self._cluster.ask(node_id, request, version=version)
            return response.coordinators[0]
        return await self._cluster.ask(node_id, FindCoordinatorRequest(key=key, key_type=kind), version=version)
