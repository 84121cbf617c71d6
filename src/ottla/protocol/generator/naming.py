"""Names of modules and classes."""

import re
from typing import NamedTuple

from ottla.protocol.generator.schema import Field, Schema


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace("KRaft", "Kraft")).lower()


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


class _StructField(NamedTuple):
    depth: int
    parent: tuple[str, ...]
    field: Field


def class_names(schema: Schema) -> dict[tuple[str, ...], str]:
    """The class of each struct field, by its path of field names.

    Equal structs with the same name share a class. Of different ones the one nearest to the message keeps the plain
    name; the others, or all when several are equally near, are prefixed with their parent's name.
    """
    struct_fields = list(_struct_fields(schema.fields, ()))
    by_name: dict[str, list[_StructField]] = {}
    for struct_field in struct_fields:
        by_name.setdefault(camel(struct_field.field.name), []).append(struct_field)
    names: dict[tuple[str, ...], str] = {}
    for struct_field in struct_fields:
        plain = camel(struct_field.field.name)
        parent = names.get(struct_field.parent, schema.class_name)
        keeps = plain != schema.class_name and _keeps_plain_name(struct_field, by_name[plain])
        names[(*struct_field.parent, struct_field.field.name)] = plain if keeps else parent + plain
    return names


def _keeps_plain_name(struct_field: _StructField, rivals: list[_StructField]) -> bool:
    nearest = min(rival.depth for rival in rivals)
    first = next(rival for rival in rivals if rival.depth == nearest)
    if any(rival.depth == nearest and rival.field.fields != first.field.fields for rival in rivals):
        return False
    return struct_field.field.fields == first.field.fields


def _struct_fields(fields: tuple[Field, ...], parent: tuple[str, ...]) -> list[_StructField]:
    found = []
    for field in fields:
        if field.holds_structs:
            found.append(_StructField(len(parent), parent, field))
            found.extend(_struct_fields(field.fields, (*parent, field.name)))
    return found
