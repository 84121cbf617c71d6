"""Quotas of users, clients and addresses, and SCRAM credentials of users, for `ottla configs`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ottla.cli.failures import usage
from ottla.cli.kafka.config_entities import Entity
from ottla.cli.results import Result
from ottla.client import RequestRefused
from ottla.model.error_codes import ErrorCode

if TYPE_CHECKING:
    from ottla.client import Admin, ScramCredential

MECHANISMS = ("SCRAM-SHA-256", "SCRAM-SHA-512")
DEFAULT_ITERATIONS = 4096
_QUOTA_TYPES = {"users": "user", "clients": "client-id", "ips": "ip"}
_TITLES = {"user": "user-principal", "client-id": "client-id", "ip": "ip"}


class QuotaRow(NamedTuple):
    """`entity`: user, client-id or ip to a name; None means the default."""

    entity: dict[str, str | None]
    configs: dict[str, float | str]


def describe_users(admin: "Admin", entities: Sequence[Entity]) -> Result:
    components = {_QUOTA_TYPES[each.type]: "*" if each.name is None else each.name or None for each in entities}
    rows: list[QuotaRow] = []
    lines: list[str] = []
    for entity, quotas in admin.describe_client_quotas(components, strict=True).items():
        rows.append(QuotaRow(dict(entity), dict(quotas)))
        values = ", ".join(f"{name}={value}" for name, value in sorted(quotas.items()))
        lines.append(f"Quota configs for {', '.join(_title(*part) for part in entity)} are {values}")
    if len(entities) == 1 and entities[0].type == "users" and entities[0].name != "":
        for user, credentials in _credentials(admin, entities[0].name).items():
            found = {each.mechanism: f"iterations={each.iterations}" for each in credentials}
            rows.append(QuotaRow({"user": user}, dict(found)))
            values = ", ".join(f"{name}={value}" for name, value in found.items())
            lines.append(f"SCRAM credential configs for user-principal '{user}' are {values}")
    return Result("user_configs", rows, ("entity", "configs"), text="\n".join(lines))


def _title(kind: str, name: str | None) -> str:
    return f"the default {_TITLES[kind]}" if name is None else f"{_TITLES[kind]} '{name}'"


def _credentials(admin: "Admin", user: str | None) -> dict[str, list["ScramCredential"]]:
    try:
        return admin.describe_user_scram_credentials([user] if user is not None else None)
    except RequestRefused as error:
        if error.code == ErrorCode.RESOURCE_NOT_FOUND:
            return {}
        raise


def alter_users(admin: "Admin", entities: Sequence[Entity], added: dict[str, str], deleted: list[str]) -> None:
    """Raises Failure before anything is changed when a value is wrong."""
    scram = {name: _scram(name, value) for name, value in added.items() if name in MECHANISMS}
    gone = [name for name in deleted if name in MECHANISMS]
    quotas: dict[str, float | None] = {name: _number(name, text) for name, text in added.items() if name not in scram}
    quotas.update(dict.fromkeys(name for name in deleted if name not in gone))
    if (scram or gone) and (len(entities) > 1 or entities[0].type != "users" or not entities[0].name):
        raise usage("SCRAM credentials belong to one user: --entity-type users --entity-name NAME")
    user = entities[0].name or ""
    for mechanism, (password, iterations) in scram.items():
        admin.set_scram_credential(user, password, mechanism=mechanism, iterations=iterations)
    for mechanism in gone:
        admin.delete_scram_credential(user, mechanism=mechanism)
    if quotas:
        entity = tuple((_QUOTA_TYPES[each.type], each.name or None) for each in entities)
        admin.alter_client_quotas({entity: quotas})


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise usage(f"Cannot parse quota configuration value for {name}: {text}") from None


def _scram(mechanism: str, text: str) -> tuple[str, int]:
    """`iterations=8192,password=pw`: password and iterations."""
    found = dict(part.partition("=")[::2] for part in text.split(","))
    iterations = found.get("iterations", str(DEFAULT_ITERATIONS))
    if not found.get("password"):
        raise usage(f"{mechanism}: no password; give '{mechanism}=[iterations=8192,password=…]'")
    if not iterations.isdigit() or int(iterations) < DEFAULT_ITERATIONS:
        raise usage(f"{mechanism}: iterations={iterations} must be {DEFAULT_ITERATIONS} or more")
    return found["password"], int(iterations)
