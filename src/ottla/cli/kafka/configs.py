"""`ottla configs` (kafka-configs.sh): settings of topics, brokers, groups and the like; quotas; SCRAM users."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.connection import read_properties
from ottla.cli.failures import Failure, usage
from ottla.cli.kafka.actions import one_action
from ottla.cli.kafka.config_entities import ENTITY_TYPES, Entity, entities_of, entity_options
from ottla.cli.kafka.user_configs import alter_users, describe_users
from ottla.cli.old_flags import without_effect
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import ConfigEntry, ConfigResource, ConfigResourceType, ConfigSource

if TYPE_CHECKING:
    from ottla.client import Admin

#: Commas outside of brackets separate the pairs.
_BETWEEN_PAIRS = re.compile(r",(?=[^\]]*(?:\[|$))")
RESOURCE_TYPES = {
    "topics": ConfigResourceType.TOPIC,
    "brokers": ConfigResourceType.BROKER,
    "broker-loggers": ConfigResourceType.BROKER_LOGGER,
    "groups": ConfigResourceType.GROUP,
    "client-metrics": ConfigResourceType.CLIENT_METRICS,
}
_SOURCES = {
    ConfigSource.TOPIC: "DYNAMIC_TOPIC_CONFIG",
    ConfigSource.DYNAMIC_BROKER: "DYNAMIC_BROKER_CONFIG",
    ConfigSource.DYNAMIC_DEFAULT_BROKER: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    ConfigSource.STATIC_BROKER: "STATIC_BROKER_CONFIG",
    ConfigSource.DEFAULT: "DEFAULT_CONFIG",
    ConfigSource.DYNAMIC_BROKER_LOGGER: "DYNAMIC_BROKER_LOGGER_CONFIG",
    ConfigSource.CLIENT_METRICS: "DYNAMIC_CLIENT_METRICS_CONFIG",
    ConfigSource.GROUP: "DYNAMIC_GROUP_CONFIG",
    ConfigSource.UNKNOWN: "UNKNOWN",
}
#: Where a setting that was made with this tool comes from.
_DYNAMIC = {
    "topics": ConfigSource.TOPIC,
    "brokers": ConfigSource.DYNAMIC_BROKER,
    "groups": ConfigSource.GROUP,
    "client-metrics": ConfigSource.CLIENT_METRICS,
}


class ConfigRow(NamedTuple):
    entity_type: str
    entity_name: str
    name: str
    value: str | None
    source: str
    is_sensitive: bool
    synonyms: list[dict[str, str | None]]


@kafka_tool(
    "configs",
    old=[without_effect("--force", takes_value=False)],
    error_text="Error while executing config command: {}",
    asks_controllers=True,
)
@click.option("--describe", is_flag=True, help="Show the settings of an entity.")
@click.option("--alter", is_flag=True, help="Change the settings of an entity.")
@entity_options
@click.option("--add-config", metavar="K=V,K=[A,B]", help="Settings to add or change; brackets hold lists.")
@click.option("--add-config-file", metavar="FILE", help="Settings to add, in a Java properties file.")
@click.option("--delete-config", metavar="K,K", help="Settings to take back to their defaults.")
@click.option("--all", "show_all", is_flag=True, help="With --describe: defaults too.")
def configs(
    run: Run,
    add_config: str | None,
    add_config_file: str | None,
    delete_config: str | None,
    show_all: bool,
    **flags: object,
) -> Result:
    """Show and change settings of topics, brokers, groups, users, clients (kafka-configs.sh).

    \b
    ottla configs --describe --topic orders
    ottla configs --alter --topic orders --add-config retention.ms=86400000
    ottla configs --alter --entity-type users --entity-name alice --add-config 'SCRAM-SHA-512=[password=pw]'
    """
    action = one_action(flags, "describe", "alter")
    entities = entities_of(flags)
    is_about_users = entities[0].type in ("users", "clients", "ips")
    with run.admin() as admin:
        if action == "describe":
            return describe_users(admin, entities) if is_about_users else _describe(admin, entities[0], show_all)
        added = _parse_added(add_config, add_config_file)
        deleted = _parse_deleted(delete_config)
        if not added and not deleted:
            raise usage("At least one of --add-config, --add-config-file, or --delete-config must be specified")
        if entities[0].name is None:
            raise usage("--alter needs --entity-name or --entity-default")
        if is_about_users:
            alter_users(admin, entities, added, deleted)
        else:
            _alter(admin, entities[0], added, deleted)
    return _completed(entities[0])


def _completed(entity: Entity) -> Result:
    if entity.name:
        text = f"Completed updating config for {entity.singular} {entity.name}."
    else:
        text = f"Completed updating default config for {entity.type} in the cluster."
    return Result("updated_configs", [entity], ("type", "name"), text=text)


def _alter(admin: "Admin", entity: Entity, added: dict[str, str], deleted: list[str]) -> None:
    assert entity.name is not None
    resource = ConfigResource(RESOURCE_TYPES[entity.type], _checked_name(entity))
    if deleted:
        present = admin.describe_configs([resource])[resource]
        missing = [name for name in deleted if name not in present]
        if missing:
            raise Failure(f"Invalid config(s): {','.join(missing)}")
    admin.alter_configs({resource: {**added, **dict.fromkeys(deleted)}})


def _checked_name(entity: Entity) -> str:
    """Ids of brokers are numbers; the empty name means all brokers."""
    name = entity.name or ""
    if entity.type in ("brokers", "broker-loggers") and name and not name.isdigit():
        raise usage(f"The entity name for {entity.type} must be a valid integer broker id, but it is: {name}")
    return name


def _describe(admin: "Admin", entity: Entity, show_all: bool) -> Result:
    rows: list[ConfigRow] = []
    lines: list[str] = []
    known = _known_names(admin, entity)
    if entity.name and not show_all and entity.name not in known:
        text = f"The {entity.singular} '{entity.name}' doesn't exist and doesn't have dynamic config."
        return Result("configs", [], _COLUMNS, text=text)
    for name in [_checked_name(entity)] if entity.name is not None else known:
        resource = ConfigResource(RESOURCE_TYPES[entity.type], name)
        entries = admin.describe_configs([resource])[resource]
        shown = [entry for _, entry in sorted(entries.items()) if show_all or _is_dynamic(entity.type, name, entry)]
        lines.append(_header(entity, name, show_all))
        lines += [_line(entry) for entry in shown]
        rows += [_row(entity.type, name, entry) for entry in shown]
    return Result("configs", rows, _COLUMNS, ("source",), text="\n".join(lines))


_COLUMNS = ("entity_type", "entity_name", "name", "value")


def _known_names(admin: "Admin", entity: Entity) -> list[str]:
    if entity.type == "topics":
        return [listing.name for listing in admin.list_topics(include_internal=True)]
    if entity.type in ("brokers", "broker-loggers"):
        ids = [str(node.id) for node in admin.describe_cluster().nodes]
        return [*ids, ""] if entity.type == "brokers" else ids
    listed = {each.name for each in admin.list_config_resources([RESOURCE_TYPES[entity.type]])}
    if entity.type == "groups":
        listed |= {listing.group_id for listing in admin.list_groups()}
    return sorted(listed)


def _is_dynamic(entity_type: str, name: str, entry: ConfigEntry) -> bool:
    if entity_type == "broker-loggers":
        return True
    if entity_type == "brokers" and not name:
        return entry.source is ConfigSource.DYNAMIC_DEFAULT_BROKER
    return entry.source is _DYNAMIC[entity_type]


def _header(entity: Entity, name: str, show_all: bool) -> str:
    if not name:
        return f"Default configs for {entity.type} in the cluster are:"
    return f"{'All' if show_all else 'Dynamic'} configs for {entity.singular} {name} are:"


def _line(entry: ConfigEntry) -> str:
    synonyms = ", ".join(_synonyms(entry))
    sensitive = "true" if entry.is_sensitive else "false"
    return f"  {entry.name}={_java(entry.value)} sensitive={sensitive} synonyms={{{synonyms}}}"


def _synonyms(entry: ConfigEntry) -> Iterator[str]:
    for name, value, source in entry.synonyms:
        yield f"{_SOURCES[source]}:{name}={_java(value)}"


def _java(value: str | None) -> str:
    return "null" if value is None else value


def _row(entity_type: str, name: str, entry: ConfigEntry) -> ConfigRow:
    synonyms = [
        {"name": each, "value": value, "source": _SOURCES[source].lower()} for each, value, source in entry.synonyms
    ]
    source = _SOURCES[entry.source].lower()
    return ConfigRow(entity_type, name, entry.name, entry.value, source, entry.is_sensitive, synonyms)


def _parse_added(text: str | None, file: str | None) -> dict[str, str]:
    """`k=v,k2=[a,b]` as a mapping; brackets are not part of the value."""
    values = dict(read_properties(file)) if file else {}
    for pair in _BETWEEN_PAIRS.split(text) if text else ():
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise usage(f"Invalid entity config: {pair!r}: all configs to be added must be in the format 'key=val'")
        values[name.strip()] = re.sub(r"\[(.*)\]", r"\1", value.strip())
    return values


def _parse_deleted(text: str | None) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()] if text else []


assert set(RESOURCE_TYPES) | {"users", "clients", "ips"} == set(ENTITY_TYPES)
