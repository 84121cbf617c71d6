"""DescribeConfigs (key 32), versions 1–4.

Every setting of a topic, broker, group, metrics subscription or logger, with where its value comes from.
v1 source and synonyms · v3 type and documentation · v4 flexible
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ottla.broker.requests.registry import handles
from ottla.metadata.image import (
    BROKER_LOGGER_RESOURCE,
    BROKER_RESOURCE,
    CLIENT_METRICS_RESOURCE,
    GROUP_RESOURCE,
    TOPIC_RESOURCE,
)
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.model.topic import name_problem
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context, Services
    from ottla.config.sources import ConfigRow
    from ottla.protocol.generated.describe_configs_request import DescribeConfigsRequest, Resources
    from ottla.protocol.generated.describe_configs_response import DescribeConfigsResponse, Results


@handles(ApiKey.DESCRIBE_CONFIGS, 1, 4)
def describe_configs(request: DescribeConfigsRequest, context: Context) -> Any:
    return context.services.large_messages.in_slices(_describe_all(request, context), context)


def _describe_all(request: DescribeConfigsRequest, context: Context) -> Steps[DescribeConfigsResponse]:
    from ottla.protocol.generated.describe_configs_response import DescribeConfigsResponse

    response = DescribeConfigsResponse()
    # A resource that is named twice is described once: 10,000 times a broker would be a response of 500 MB.
    for wanted in {(each.resource_type, each.resource_name): each for each in request.resources}.values():
        response.results.append((yield from _described(wanted, request, context)))
    return response


def _described(wanted: Resources, request: DescribeConfigsRequest, context: Context) -> Steps[Results]:
    from ottla.protocol.generated.describe_configs_response import Results

    kind, name = wanted.resource_type, wanted.resource_name
    try:
        describe = _DESCRIBERS.get(kind)
        if describe is None:
            raise Refused(ErrorCode.INVALID_REQUEST, f"Unknown resource type {kind}")
        rows = describe(context.services, name, wanted.configuration_keys)
    except Refused as refusal:
        yield
        return Results(refusal.code, refusal.message, kind, name)
    yield
    return Results(resource_type=kind, resource_name=name, configs=[_config(row, request) for row in rows])


def _config(row: ConfigRow, request: DescribeConfigsRequest) -> Any:
    from ottla.protocol.generated.describe_configs_response import Configs, Synonyms

    return Configs(
        name=row.name,
        value=row.value,
        read_only=row.read_only,
        config_source=row.source,
        is_sensitive=row.is_sensitive,
        synonyms=[Synonyms(*synonym) for synonym in row.synonyms] if request.include_synonyms else [],
        config_type=row.kind,
        documentation=row.documentation if request.include_documentation else None,
    )


def _topic(services: Services, name: str, keys: list[str] | None) -> list[ConfigRow]:
    problem = name_problem(name)
    if problem is not None:
        raise Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic name is invalid: {problem}")
    if services.metadata.image.topic(name) is None:
        message = "This server does not host this topic-partition."
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message)
    return services.config.layers.describe_topic(services.metadata.image.config_overrides(TOPIC_RESOURCE, name), keys)


def _broker(services: Services, name: str, keys: list[str] | None) -> list[ConfigRow]:
    if not name:
        return services.config.layers.describe_cluster_default(keys)
    if _node_id(name) != services.metadata.node_id:
        message = f"Unexpected broker id, expected {services.metadata.node_id} or empty string, but received {name}"
        raise Refused(ErrorCode.INVALID_REQUEST, message)
    return services.config.layers.describe_broker(keys)


def _loggers(services: Services, name: str, keys: list[str] | None) -> list[ConfigRow]:
    from ottla.config.sources import describe_loggers
    from ottla.runtime.log_levels import current_levels

    if not name:
        raise Refused(ErrorCode.INVALID_REQUEST, "Broker id must not be empty")
    if _node_id(name) != services.metadata.node_id:
        message = f"Unexpected broker id, expected {services.metadata.node_id} but received {name}"
        raise Refused(ErrorCode.INVALID_REQUEST, message)
    return describe_loggers(current_levels(), keys)


def _client_metrics(services: Services, name: str, keys: list[str] | None) -> list[ConfigRow]:
    from ottla.config.sources import describe_client_metrics

    if not name:
        raise Refused(ErrorCode.INVALID_REQUEST, "Client metrics subscription name must not be empty")
    return describe_client_metrics(services.metadata.image.config_overrides(CLIENT_METRICS_RESOURCE, name), keys)


def _group(services: Services, name: str, keys: list[str] | None) -> list[ConfigRow]:
    if not name:
        raise Refused(ErrorCode.INVALID_REQUEST, "Group name must not be empty")
    return services.config.layers.describe_group(services.metadata.image.config_overrides(GROUP_RESOURCE, name), keys)


def _node_id(name: str) -> int:
    if not name.isascii() or not name.isdigit():
        raise Refused(ErrorCode.INVALID_REQUEST, f"Broker id must be an integer, but it is: {name}")
    return int(name)


_DESCRIBERS: Mapping[int, Callable[[Services, str, list[str] | None], list[ConfigRow]]] = {
    TOPIC_RESOURCE: _topic,
    BROKER_RESOURCE: _broker,
    BROKER_LOGGER_RESOURCE: _loggers,
    CLIENT_METRICS_RESOURCE: _client_metrics,
    GROUP_RESOURCE: _group,
}
