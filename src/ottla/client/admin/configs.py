"""Settings of topics, brokers, groups and the like."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from ottla.client.admin.call import Call, raise_failures
from ottla.client.errors import raise_for
from ottla.protocol.generated import describe_configs_request, incremental_alter_configs_request
from ottla.protocol.generated.list_config_resources_request import ListConfigResourcesRequest


class ConfigResourceType(IntEnum):
    """What kind of thing has the settings.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("with-settings")])
    ...     resources = admin.list_config_resources([ConfigResourceType.TOPIC])
    >>> ConfigResource(ConfigResourceType.TOPIC, "with-settings") in resources
    True
    """

    TOPIC = 2
    BROKER = 4
    BROKER_LOGGER = 8
    CLIENT_METRICS = 16
    GROUP = 32


class ConfigResource(NamedTuple):
    """What has settings. A broker's name is its id; the empty name means the defaults of all brokers.

    >>> resource = ConfigResource(ConfigResourceType.TOPIC, "limits")
    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("limits", configs={"retention.ms": "60000"})])
    ...     admin.describe_configs([resource])[resource]["retention.ms"].value
    '60000'
    """

    type: ConfigResourceType
    name: str

    def __str__(self) -> str:
        return f"{self.type.name.lower()} {self.name}"


class ConfigSource(IntEnum):
    """Where the value of a setting comes from.

    >>> resource = ConfigResource(ConfigResourceType.TOPIC, "sources")
    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("sources", configs={"retention.ms": "60000"})])
    ...     admin.describe_configs([resource])[resource]["retention.ms"].source.name
    'TOPIC'
    """

    TOPIC = 1
    DYNAMIC_BROKER = 2
    DYNAMIC_DEFAULT_BROKER = 3
    STATIC_BROKER = 4
    DEFAULT = 5
    DYNAMIC_BROKER_LOGGER = 6
    CLIENT_METRICS = 7
    GROUP = 8
    UNKNOWN = 0


class ConfigEntry(NamedTuple):
    """A setting, from `admin.describe_configs()`. The value of a secret is None.

    >>> resource = ConfigResource(ConfigResourceType.TOPIC, "entries")
    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("entries")])
    ...     entry = admin.describe_configs([resource])[resource]["cleanup.policy"]
    >>> entry.value, entry.is_default
    ('delete', True)
    """

    name: str
    value: str | None
    source: ConfigSource
    is_read_only: bool
    is_sensitive: bool
    documentation: str | None
    #: Where the value could come from, the strongest first: name, value, source.
    synonyms: tuple[tuple[str, str | None, ConfigSource], ...]

    @property
    def is_default(self) -> bool:
        return self.source is ConfigSource.DEFAULT


class ConfigOperation(IntEnum):
    """What a `ConfigChange` does. APPEND and SUBTRACT are for lists.

    >>> ConfigChange(ConfigOperation.DELETE).value is None  # back to the default
    True
    """

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


class ConfigChange(NamedTuple):
    """Of a list, entries can be added and taken away.

    >>> resource = ConfigResource(ConfigResourceType.TOPIC, "policies")
    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("policies")])
    ...     admin.alter_configs({resource: {"cleanup.policy": ConfigChange(ConfigOperation.APPEND, "compact")}})
    ...     admin.describe_configs([resource])[resource]["cleanup.policy"].value
    'delete,compact'
    """

    operation: ConfigOperation
    value: str | None = None


async def describe_configs(
    call: Call, resources: Sequence[ConfigResource], names: Sequence[str] | None
) -> dict[ConfigResource, dict[str, ConfigEntry]]:
    found: dict[ConfigResource, dict[str, ConfigEntry]] = {}
    for node_id, group in _by_node(resources).items():
        request = describe_configs_request.DescribeConfigsRequest(
            resources=[
                describe_configs_request.Resources(item.type, item.name, None if names is None else list(names))
                for item in group
            ],
            include_synonyms=True,
            include_documentation=True,
        )
        ask = call.any_node(request, _read_configs) if node_id is None else call.node(node_id, request, _read_configs)
        found.update(await ask)
    return found


def _read_configs(response: Any) -> dict[ConfigResource, dict[str, ConfigEntry]]:
    rows = {_resource(row): row for row in response.results}
    raise_failures({resource: (row.error_code, row.error_message) for resource, row in rows.items()})
    return {resource: {entry.name: _entry(entry) for entry in row.configs} for resource, row in rows.items()}


def _entry(row: Any) -> ConfigEntry:
    return ConfigEntry(
        row.name,
        row.value,
        _source(row.config_source),
        row.read_only,
        row.is_sensitive,
        row.documentation,
        tuple((each.name, each.value, _source(each.source)) for each in row.synonyms),
    )


async def alter_configs(
    call: Call,
    changes: Mapping[ConfigResource, Mapping[str, str | ConfigChange | None]],
    *,
    validate_only: bool,
) -> None:
    for node_id, group in _by_node(list(changes)).items():
        request = incremental_alter_configs_request.IncrementalAlterConfigsRequest(
            resources=[
                incremental_alter_configs_request.Resources(
                    item.type, item.name, [_alteration(name, value) for name, value in changes[item].items()]
                )
                for item in group
            ],
            validate_only=validate_only,
        )
        await (
            call.controller(request, _read_altered) if node_id is None else call.node(node_id, request, _read_altered)
        )


def _alteration(name: str, value: str | ConfigChange | None) -> incremental_alter_configs_request.Configs:
    if not isinstance(value, ConfigChange):
        operation = ConfigOperation.DELETE if value is None else ConfigOperation.SET
        value = ConfigChange(operation, value)
    return incremental_alter_configs_request.Configs(name, value.operation, value.value)


def _read_altered(response: Any) -> None:
    raise_failures({_resource(row): (row.error_code, row.error_message) for row in response.responses})


async def list_config_resources(call: Call, types: Sequence[ConfigResourceType]) -> list[ConfigResource]:
    def read(response: Any) -> list[ConfigResource]:
        raise_for(response.error_code)
        return sorted(_resource(row) for row in response.config_resources)

    return await call.any_node(ListConfigResourcesRequest([int(each) for each in types]), read)


def _resource(row: Any) -> ConfigResource:
    return ConfigResource(ConfigResourceType(row.resource_type), row.resource_name)


def _source(number: int) -> ConfigSource:
    return ConfigSource(number) if number in ConfigSource._value2member_map_ else ConfigSource.UNKNOWN


def _by_node(resources: Sequence[ConfigResource]) -> dict[int | None, list[ConfigResource]]:
    """Only a broker itself knows its own settings; None: any node."""
    found: dict[int | None, list[ConfigResource]] = {}
    for resource in resources:
        is_own = resource.type in (ConfigResourceType.BROKER, ConfigResourceType.BROKER_LOGGER) and resource.name != ""
        found.setdefault(int(resource.name) if is_own else None, []).append(resource)
    return found
