"""The functions that make rows of an option table, one for each type. With a default of None the value may be None."""

from typing import TypedDict, Unpack, overload

from ottla.config.checks import Check
from ottla.config.kinds import (
    Importance,
    Kind,
    Secret,
    Update,
    parse_boolean,
    parse_double,
    parse_int,
    parse_list,
    parse_long,
    parse_password,
    parse_short,
    parse_string,
)
from ottla.config.option import Option, T

KIB = 1024
MIB = 1024 * KIB
MAX_INT = 2**31 - 1
MAX_LONG = 2**63 - 1
MAX_DOUBLE = 1.7976931348623157e308
HIGH = Importance.HIGH
LOW = Importance.LOW
PER_BROKER = Update.PER_BROKER
CLUSTER_WIDE = Update.CLUSTER_WIDE


class Facts(TypedDict, total=False):
    check: Check
    importance: Importance
    update: Update
    synonyms: tuple[str, ...]
    internal: bool
    effect: bool
    own: bool


def boolean_option(name: str, default: bool, doc: str, **facts: Unpack[Facts]) -> Option[bool]:
    return _row(name, Kind.BOOLEAN, parse_boolean, default, doc, facts)


@overload
def string_option(name: str, default: None, doc: str, **facts: Unpack[Facts]) -> Option[str | None]: ...
@overload
def string_option(name: str, default: str, doc: str, **facts: Unpack[Facts]) -> Option[str]: ...
def string_option(name: str, default: str | None, doc: str, **facts: Unpack[Facts]) -> Option[str] | Option[str | None]:
    return _row(name, Kind.STRING, parse_string, default, doc, facts)


@overload
def int_option(name: str, default: None, doc: str, **facts: Unpack[Facts]) -> Option[int | None]: ...
@overload
def int_option(name: str, default: int, doc: str, **facts: Unpack[Facts]) -> Option[int]: ...
def int_option(name: str, default: int | None, doc: str, **facts: Unpack[Facts]) -> Option[int] | Option[int | None]:
    return _row(name, Kind.INT, parse_int, default, doc, facts)


def short_option(name: str, default: int, doc: str, **facts: Unpack[Facts]) -> Option[int]:
    return _row(name, Kind.SHORT, parse_short, default, doc, facts)


@overload
def long_option(name: str, default: None, doc: str, **facts: Unpack[Facts]) -> Option[int | None]: ...
@overload
def long_option(name: str, default: int, doc: str, **facts: Unpack[Facts]) -> Option[int]: ...
def long_option(name: str, default: int | None, doc: str, **facts: Unpack[Facts]) -> Option[int] | Option[int | None]:
    return _row(name, Kind.LONG, parse_long, default, doc, facts)


def double_option(name: str, default: float, doc: str, **facts: Unpack[Facts]) -> Option[float]:
    return _row(name, Kind.DOUBLE, parse_double, default, doc, facts)


@overload
def list_option(name: str, default: None, doc: str, **facts: Unpack[Facts]) -> Option[tuple[str, ...] | None]: ...
@overload
def list_option(name: str, default: tuple[str, ...], doc: str, **facts: Unpack[Facts]) -> Option[tuple[str, ...]]: ...
def list_option(
    name: str, default: tuple[str, ...] | None, doc: str, **facts: Unpack[Facts]
) -> Option[tuple[str, ...]] | Option[tuple[str, ...] | None]:
    return _row(name, Kind.LIST, parse_list, default, doc, facts)


@overload
def class_option(name: str, default: None, doc: str, **facts: Unpack[Facts]) -> Option[str | None]: ...
@overload
def class_option(name: str, default: str, doc: str, **facts: Unpack[Facts]) -> Option[str]: ...
def class_option(name: str, default: str | None, doc: str, **facts: Unpack[Facts]) -> Option[str] | Option[str | None]:
    return _row(name, Kind.CLASS, parse_string, default, doc, facts)


def password_option(name: str, doc: str, **facts: Unpack[Facts]) -> Option[Secret | None]:
    default: Secret | None = None
    return _row(name, Kind.PASSWORD, parse_password, default, doc, facts)


def _row(name: str, kind: Kind, parser: object, default: T, doc: str, facts: Facts) -> Option[T]:
    return Option(
        name,
        kind,
        parser,
        default,
        doc,
        check=facts.get("check"),
        importance=facts.get("importance", Importance.MEDIUM),
        update=facts.get("update", Update.READ_ONLY),
        synonyms=facts.get("synonyms", ()),
        internal=facts.get("internal", False),
        effect=facts.get("effect", True),
        own=facts.get("own", False),
    )
