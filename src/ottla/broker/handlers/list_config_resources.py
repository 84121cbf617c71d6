"""ListConfigResources (key 74), versions 0–1.

Names of everything that can have settings. v0 metrics subscriptions only · v1 any type, none named = all (KIP-1142)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.metadata.image import (
    BROKER_LOGGER_RESOURCE,
    BROKER_RESOURCE,
    CLIENT_METRICS_RESOURCE,
    GROUP_RESOURCE,
    TOPIC_RESOURCE,
    MetadataImage,
)
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.list_config_resources_request import ListConfigResourcesRequest
    from ottla.protocol.generated.list_config_resources_response import ListConfigResourcesResponse

_TYPES = (GROUP_RESOURCE, CLIENT_METRICS_RESOURCE, BROKER_LOGGER_RESOURCE, BROKER_RESOURCE, TOPIC_RESOURCE)


@handles(ApiKey.LIST_CONFIG_RESOURCES, 0, 1)
def list_config_resources(request: ListConfigResourcesRequest, context: Context) -> ListConfigResourcesResponse:
    from ottla.protocol.generated.list_config_resources_response import ConfigResources, ListConfigResourcesResponse

    wanted = [CLIENT_METRICS_RESOURCE] if context.version == 0 else request.resource_types or list(_TYPES)
    if any(kind not in _TYPES for kind in wanted):
        return ListConfigResourcesResponse(error_code=ErrorCode.UNSUPPORTED_VERSION)
    return ListConfigResourcesResponse(
        config_resources=[
            ConfigResources(resource_name=name, resource_type=kind)
            for kind in _TYPES
            if kind in wanted
            for name in _names(context.services.metadata.image, kind)
        ]
    )


def _names(image: MetadataImage, kind: int) -> list[str]:
    if kind == TOPIC_RESOURCE:
        return sorted(image.topics.by_name)
    if kind in (BROKER_RESOURCE, BROKER_LOGGER_RESOURCE):
        return [str(broker_id) for broker_id in sorted(image.brokers)]
    return sorted(name for each, name in image.configs if each == kind)
