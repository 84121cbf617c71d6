"""Calls about the cluster as a whole."""

from typing import Any, NamedTuple

from ottla.client.admin.call import Call
from ottla.client.errors import raise_for
from ottla.client.metadata import Node
from ottla.protocol.generated.describe_cluster_request import DescribeClusterRequest


class ClusterDescription(NamedTuple):
    cluster_id: str
    controller_id: int
    nodes: list[Node]


async def describe_cluster(call: Call) -> ClusterDescription:
    def read(response: Any) -> ClusterDescription:
        raise_for(response.error_code, response.error_message)
        nodes = [Node(row.broker_id, row.host, row.port, row.rack) for row in response.brokers]
        return ClusterDescription(response.cluster_id, response.controller_id, nodes)

    return await call.any_node(DescribeClusterRequest(), read)
