"""DescribeCluster (key 60), versions 0–2.

Cluster id, controller and brokers. v1 endpoint type: controllers are asked at their own listener · v2 fenced brokers
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.authorized import CLUSTER_OPERATIONS, NOT_ASKED
from ottla.broker.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.context import RequestContext
    from ottla.protocol.generated.describe_cluster_request import DescribeClusterRequest
    from ottla.protocol.generated.describe_cluster_response import DescribeClusterResponse

_BROKERS, _CONTROLLERS = 1, 2


@handles(ApiKey.DESCRIBE_CLUSTER, 0, 2)
def describe_cluster(request: DescribeClusterRequest, context: RequestContext) -> DescribeClusterResponse:
    from ottla.protocol.generated.describe_cluster_response import Brokers, DescribeClusterResponse

    if request.endpoint_type == _CONTROLLERS:
        message = "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER"
        return DescribeClusterResponse(error_code=ErrorCode.MISMATCHED_ENDPOINT_TYPE, error_message=message)
    if request.endpoint_type != _BROKERS:
        message = f"Unsupported endpoint type {request.endpoint_type}"
        return DescribeClusterResponse(error_code=ErrorCode.UNSUPPORTED_ENDPOINT_TYPE, error_message=message)
    image = context.broker.image
    operations = CLUSTER_OPERATIONS if request.include_cluster_authorized_operations else NOT_ASKED
    return DescribeClusterResponse(
        cluster_id=image.cluster_id,
        controller_id=context.broker.node_id,
        brokers=[
            Brokers(broker_id, endpoint.host, endpoint.port, broker.rack, broker.is_fenced)
            for broker_id, broker in sorted(image.brokers.items())
            if (request.include_fenced_brokers or not broker.is_fenced)
            and (endpoint := broker.endpoint(context.listener_name)) is not None
        ],
        cluster_authorized_operations=operations,
    )
