"""Whom a setting of `ottla configs` is for: entity types with names or defaults, and their short flags."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

import click

from ottla.cli.failures import usage

ENTITY_TYPES = ("topics", "clients", "users", "brokers", "broker-loggers", "ips", "client-metrics", "groups")
#: Short flag -> entity type.
_NAMES = {
    "topic": "topics",
    "broker": "brokers",
    "broker_logger": "broker-loggers",
    "client": "clients",
    "user": "users",
    "ip": "ips",
    "group": "groups",
    "client_metrics": "client-metrics",
}
_DEFAULTS = {
    "broker_defaults": "brokers",
    "client_defaults": "clients",
    "user_defaults": "users",
    "ip_defaults": "ips",
}
F = TypeVar("F", bound=Callable[..., object])


class Entity(NamedTuple):
    """`name` is None when all are meant, empty for the defaults of those without settings of their own."""

    type: str
    name: str | None

    @property
    def singular(self) -> str:
        return self.type[:-1]


def entity_options(command: F) -> F:
    """The flags that `entities_of` reads."""
    options = [
        click.option(
            "--entity-type", "entity_types", multiple=True, type=click.Choice(ENTITY_TYPES), help="Of what kind."
        ),
        click.option("--entity-name", "entity_names", multiple=True, metavar="NAME", help="Of which name."),
        click.option("--entity-default", "entity_defaults", count=True, help="The default of all without their own."),
        *(
            click.option(f"--{name.replace('_', '-')}", metavar="NAME", help=f"One of {t}.")
            for name, t in _NAMES.items()
        ),
        *(click.option(f"--{name.replace('_', '-')}", is_flag=True, help=f"All {t}.") for name, t in _DEFAULTS.items()),
    ]
    wrapped: Callable[..., object] = command
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[return-value]


def entities_of(flags: Mapping[str, object]) -> list[Entity]:
    """One entity, or a user with a client, in this order. Raises Failure."""
    found = [Entity(kind, str(flags[name])) for name, kind in _NAMES.items() if flags[name] is not None]
    found += [Entity(kind, "") for name, kind in _DEFAULTS.items() if flags[name]]
    types, names, defaults = flags["entity_types"], flags["entity_names"], flags["entity_defaults"]
    assert isinstance(types, tuple)
    assert isinstance(names, tuple)
    assert isinstance(defaults, int)
    given: list[str | None] = [*names, *[""] * defaults]
    if len(given) > len(types):
        raise usage("--entity-name or --entity-default specified without --entity-type")
    given += [None] * (len(types) - len(given))
    found += [Entity(kind, name) for kind, name in zip(types, given, strict=True)]
    if not found:
        raise usage("At least one entity type must be specified")
    if len(found) == 1:
        return found
    if sorted(entity.type for entity in found) != ["clients", "users"]:
        raise usage(f"Only users and clients can be combined, not {', '.join(entity.type for entity in found)}")
    return sorted(found, key=lambda entity: entity.type, reverse=True)
