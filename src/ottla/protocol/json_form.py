"""Messages as JSON, in the form that Kafka's tools print: camelCase names, the fields of one version, in their order.

Tagged fields that have their default value are left out; uuids and bytes are base64 text.
"""

from base64 import b64encode, urlsafe_b64encode
from functools import cache
from typing import Any

from ottla.protocol.generated.catalog import RECORDS
from ottla.protocol.generator.schema import SCHEMAS, Field, Schema, parse
from ottla.protocol.message import Message, Struct


def json_form(message: Message, version: int) -> dict[str, Any]:
    """The document of a record or control record. Raises KeyError for other messages."""
    return _struct(message, _schema(type(message).__name__).fields, version)


@cache
def _schema(name: str) -> Schema:
    return _family(RECORDS[name][0])[name]


@cache
def _family(name: str) -> dict[str, Schema]:
    """Only the file of one family is read: a tool needs one or two of them."""
    text = (SCHEMAS / f"{name}.txt").read_text(encoding="utf-8")
    return {schema.class_name: schema for schema in parse(text, name)}


def _struct(value: Struct, fields: tuple[Field, ...], version: int) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for field in fields:
        if version not in field.versions:
            continue
        inner = getattr(value, field.name)
        if field.tag is not None and version in field.tagged and _is_default(inner, field):
            continue
        document[_camel_case(field.name)] = _value(inner, field, version)
    return document


def _value(value: Any, field: Field, version: int) -> Any:
    if value is None:
        return None
    if field.is_array:
        return [_element(each, field, version) for each in value]
    return _element(value, field, version)


def _element(value: Any, field: Field, version: int) -> Any:
    if field.holds_structs:
        return _struct(value, field.fields, version)
    if field.kind == "uuid":
        return urlsafe_b64encode(value).decode().rstrip("=")
    if field.kind in ("bytes", "records"):
        return b64encode(value).decode()
    return value


def _is_default(value: Any, field: Field) -> bool:
    if field.default == ():
        return (not field.holds_structs and (value is not None and len(value) == 0)) or (field.is_array and value == [])
    return bool(value == field.default)


def _camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
