"""DescribeCluster (key 60), versions 0–2.

Cluster id, controller and brokers. v1 endpoint type: controllers are asked at their own listener · v2 fenced brokers
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.authorization import CLUSTER_OPERATIONS, NOT_ASKED
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.describe_cluster_request import DescribeClusterRequest
    from ottla.protocol.generated.describe_cluster_response import DescribeClusterResponse

_BROKERS, _CONTROLLERS = 1, 2
_TYPE_NAMES = {_BROKERS: "BROKER", _CONTROLLERS: "CONTROLLER"}


@handles(ApiKey.DESCRIBE_CLUSTER, 0, 2)
def describe_cluster(request: DescribeClusterRequest, context: Context) -> DescribeClusterResponse:
    from ottla.protocol.generated.describe_cluster_response import Brokers, DescribeClusterResponse

    if request.endpoint_type not in _TYPE_NAMES:
        message = f"Unsupported endpoint type {request.endpoint_type}"
        return DescribeClusterResponse(error_code=ErrorCode.UNSUPPORTED_ENDPOINT_TYPE, error_message=message)
    controllers = {endpoint.name: endpoint for endpoint in context.services.controller_endpoints()}
    asked = _CONTROLLERS if context.listener_name in controllers else _BROKERS
    if request.endpoint_type != asked:
        message = (
            f"The request was sent to an endpoint of type {_TYPE_NAMES[asked]}, "
            f"but we wanted an endpoint of type {_TYPE_NAMES[request.endpoint_type]}"
        )
        return DescribeClusterResponse(error_code=ErrorCode.MISMATCHED_ENDPOINT_TYPE, error_message=message)
    image = context.services.metadata.image
    if asked == _CONTROLLERS:
        own = controllers[context.listener_name]
        nodes = [Brokers(context.services.metadata.node_id, own.host, own.port)]
    else:
        nodes = [
            Brokers(broker_id, endpoint.host, endpoint.port, broker.rack, broker.is_fenced)
            for broker_id, broker in sorted(image.brokers.items())
            if (request.include_fenced_brokers or not broker.is_fenced)
            and (endpoint := broker.endpoint(context.listener_name)) is not None
        ]
    return DescribeClusterResponse(
        endpoint_type=asked,
        cluster_id=image.cluster_id,
        controller_id=context.services.metadata.node_id,
        brokers=nodes,
        cluster_authorized_operations=(
            CLUSTER_OPERATIONS if request.include_cluster_authorized_operations else NOT_ASKED
        ),
    )
