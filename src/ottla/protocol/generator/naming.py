"""Names of modules and classes."""

import re
from typing import NamedTuple

from ottla.protocol.generator.schema import Field, Schema


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace("KRaft", "Kraft")).lower()


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


class _Place(NamedTuple):
    depth: int
    parent: tuple[str, ...]
    field: Field


def class_names(schema: Schema) -> dict[tuple[str, ...], str]:
    """The class of each struct field, by its path of field names.

    Equal structs with the same name share a class. Of different ones the one nearest to the message keeps the plain
    name; the others, or all when several are equally near, are prefixed with their parent's name.
    """
    places = list(_places(schema.fields, ()))
    by_name: dict[str, list[_Place]] = {}
    for place in places:
        by_name.setdefault(camel(place.field.name), []).append(place)
    names: dict[tuple[str, ...], str] = {}
    for place in places:
        plain = camel(place.field.name)
        parent = names.get(place.parent, schema.class_name)
        keeps = plain != schema.class_name and _keeps_plain_name(place, by_name[plain])
        names[(*place.parent, place.field.name)] = plain if keeps else parent + plain
    return names


def _keeps_plain_name(place: _Place, rivals: list[_Place]) -> bool:
    nearest = min(rival.depth for rival in rivals)
    first = next(rival for rival in rivals if rival.depth == nearest)
    if any(rival.depth == nearest and rival.field.fields != first.field.fields for rival in rivals):
        return False
    return place.field.fields == first.field.fields


def _places(fields: tuple[Field, ...], parent: tuple[str, ...]) -> list[_Place]:
    found = []
    for field in fields:
        if field.holds_structs:
            found.append(_Place(len(parent), parent, field))
            found.extend(_places(field.fields, (*parent, field.name)))
    return found
