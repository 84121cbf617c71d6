"""The cluster as a whole: nodes, features, the quorum of its controllers."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from ottla.client.admin.call import Call, raise_failures
from ottla.client.errors import raise_for
from ottla.client.metadata import Node
from ottla.model.topic import CLUSTER_METADATA
from ottla.protocol.generated import describe_quorum_request, update_features_request
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.describe_cluster_request import DescribeClusterRequest
from ottla.protocol.generated.unregister_broker_request import UnregisterBrokerRequest


class EndpointType(IntEnum):
    """Whose addresses `describe_cluster` returns.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     len(admin.describe_cluster(endpoint_type=EndpointType.BROKER).nodes)
    1
    """

    BROKER = 1
    CONTROLLER = 2


class ClusterDescription(NamedTuple):
    """From `admin.describe_cluster()`. `fenced` has the ids of nodes that are registered but do not serve.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     cluster = admin.describe_cluster()
    >>> len(cluster.nodes), cluster.fenced
    (1, frozenset())
    """

    cluster_id: str
    controller_id: int
    nodes: list[Node]
    fenced: frozenset[int] = frozenset()


class ServedVersions(NamedTuple):
    """From `admin.describe_api_versions()`: the versions of an API that a node serves.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     node_id = admin.describe_cluster().nodes[0].id
    ...     versions = admin.describe_api_versions(node_id)
    >>> versions[18].min_version  # ApiVersions
    0
    """

    min_version: int
    max_version: int


class Features(NamedTuple):
    """From `admin.describe_features()`.

    `finalized` has the levels that the cluster has agreed on;
    `supported` the levels of the node that was asked: from, to.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     "metadata.version" in admin.describe_features().supported
    True
    """

    finalized: dict[str, int]
    supported: dict[str, tuple[int, int]]
    epoch: int


class FeatureChange(IntEnum):
    """How far a change of a feature level may go.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     level = admin.describe_features().finalized["metadata.version"]
    ...     admin.update_features({"metadata.version": level}, change=FeatureChange.UPGRADE, validate_only=True)
    """

    UPGRADE = 1
    SAFE_DOWNGRADE = 2
    UNSAFE_DOWNGRADE = 3


class QuorumReplica(NamedTuple):
    """A voter or observer in a `QuorumDescription`. Times are -1 when they are not known.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     quorum = admin.describe_quorum()
    >>> quorum.voters[0].replica_id == quorum.leader_id
    True
    """

    replica_id: int
    directory_id: bytes
    log_end_offset: int
    last_fetch_ms: int
    last_caught_up_ms: int


class QuorumDescription(NamedTuple):
    """From `admin.describe_quorum()`: the controllers, and the brokers that follow them.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     len(admin.describe_quorum().voters)
    1
    """

    leader_id: int
    leader_epoch: int
    high_watermark: int
    voters: list[QuorumReplica]
    observers: list[QuorumReplica]
    #: Where the voters listen: node id to LISTENER://host:port.
    endpoints: dict[int, list[str]] = {}  # noqa: RUF012


async def describe_cluster(call: Call, endpoint_type: EndpointType, *, include_fenced: bool) -> ClusterDescription:
    def read(response: Any) -> ClusterDescription:
        raise_for(response.error_code, response.error_message)
        nodes = [Node(row.broker_id, row.host, row.port, row.rack) for row in response.brokers]
        fenced = frozenset(row.broker_id for row in response.brokers if row.is_fenced)
        return ClusterDescription(response.cluster_id, response.controller_id, sorted(nodes), fenced)

    request = DescribeClusterRequest(endpoint_type=endpoint_type, include_fenced_brokers=include_fenced)
    return await call.any_node(request, read)


async def describe_api_versions(call: Call, node_id: int) -> dict[int, ServedVersions]:
    """By the number of the API."""

    async def attempt() -> dict[int, ServedVersions]:
        await call.cluster.any_node()
        channel = await call.cluster.channel(node_id)
        return {key: ServedVersions(row.min_version, row.max_version) for key, row in sorted(channel.versions.items())}

    return await call.retry(attempt)


async def describe_features(call: Call, node_id: int | None) -> Features:
    def read(response: Any) -> Features:
        raise_for(response.error_code)
        return Features(
            {row.name: row.max_version_level for row in response.finalized_features},
            {row.name: (row.min_version, row.max_version) for row in response.supported_features},
            response.finalized_features_epoch,
        )

    request = ApiVersionsRequest(client_software_name="ottla", client_software_version="1")
    return await (call.any_node(request, read) if node_id is None else call.node(node_id, request, read))


async def update_features(call: Call, levels: Mapping[str, int], *, change: FeatureChange, validate_only: bool) -> None:
    request = update_features_request.UpdateFeaturesRequest(
        timeout_ms=call.left_ms,
        feature_updates=[
            update_features_request.FeatureUpdates(
                feature=name,
                max_version_level=level,
                upgrade_type=change,
                allow_downgrade=change is not FeatureChange.UPGRADE,
            )
            for name, level in levels.items()
        ],
        validate_only=validate_only,
    )

    def read(response: Any) -> None:
        raise_failures({row.feature: (row.error_code, row.error_message) for row in response.results})
        raise_for(response.error_code, response.error_message)

    await call.controller(request, read)


async def describe_quorum(call: Call) -> QuorumDescription:
    topic = describe_quorum_request.Topics(CLUSTER_METADATA, [describe_quorum_request.Partitions(0)])

    def read(response: Any) -> QuorumDescription:
        raise_for(response.error_code, response.error_message)
        row = response.topics[0].partitions[0]
        raise_for(row.error_code, row.error_message)
        return QuorumDescription(
            row.leader_id,
            row.leader_epoch,
            row.high_watermark,
            [_replica(each) for each in row.current_voters],
            [_replica(each) for each in row.observers],
            {
                node.node_id: [f"{each.name}://{each.host}:{each.port}" for each in node.listeners]
                for node in response.nodes or ()
            },
        )

    return await call.any_node(describe_quorum_request.DescribeQuorumRequest([topic]), read)


def _replica(row: Any) -> QuorumReplica:
    return QuorumReplica(
        row.replica_id,
        row.replica_directory_id,
        row.log_end_offset,
        row.last_fetch_timestamp,
        row.last_caught_up_timestamp,
    )


async def unregister_broker(call: Call, broker_id: int) -> None:
    def read(response: Any) -> None:
        raise_for(response.error_code, response.error_message)

    await call.controller(UnregisterBrokerRequest(broker_id), read)
