"""Messages with the exact bytes that Apache Kafka 4.3.0 writes for them: full, null, empty and long values."""

import base64
import gzip
import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from ottla.model.topic import id_from_text
from ottla.protocol.generator.modules import module_name
from ottla.protocol.generator.naming import class_names
from ottla.protocol.generator.schema import Field, Schema, load
from ottla.protocol.message import Message

GOLDEN = Path(__file__).parent.parent / "data" / "golden-messages.jsonl.gz"


class GoldenMessage(NamedTuple):
    schema: Schema
    version: int
    case: str
    value: Message
    encoded: bytes

    @property
    def label(self) -> str:
        return f"{self.schema.class_name} v{self.version} {self.case}"


@cache
def schemas() -> dict[str, Schema]:
    return {schema.class_name: schema for schema in load()}


def message_class(schema: Schema) -> type[Message]:
    found: type[Message] = getattr(import_module(f"ottla.protocol.generated.{module_name(schema)}"), schema.class_name)
    return found


@cache
def golden_messages() -> dict[str, list[GoldenMessage]]:
    """All of them, by class name."""
    found: dict[str, list[GoldenMessage]] = {}
    for message in _read():
        found.setdefault(message.schema.class_name, []).append(message)
    return found


def _read() -> Iterator[GoldenMessage]:
    with gzip.open(GOLDEN, "rt") as lines:
        for line in lines:
            row = json.loads(line)
            suffix = "" if row["kind"] == "record" else row["kind"].capitalize()
            schema = schemas()[row["message"] + suffix]
            value = _Builder(schema).build(schema.class_name, schema.fields, (), row["value"])
            yield GoldenMessage(schema, row["version"], row["case"], value, bytes.fromhex(row["hex"]))


class _Builder:
    """Makes instances of the generated classes from JSON: uuids are URL-safe base64, bytes are base64."""

    def __init__(self, schema: Schema) -> None:
        self._module = import_module(f"ottla.protocol.generated.{module_name(schema)}")
        self._names = class_names(schema)

    def build(self, class_name: str, fields: tuple[Field, ...], path: tuple[str, ...], value: dict[str, Any]) -> Any:
        by_name = {field.name: field for field in fields}
        return getattr(self._module, class_name)(
            **{name: self._field(by_name[name], (*path, name), inner) for name, inner in value.items()}
        )

    def _field(self, field: Field, path: tuple[str, ...], value: Any) -> Any:
        if value is None:
            return None
        if field.is_array:
            return [self._one(field, path, element) for element in value]
        return self._one(field, path, value)

    def _one(self, field: Field, path: tuple[str, ...], value: Any) -> Any:
        if field.kind == "struct":
            return self.build(self._names[path], field.fields, path, value)
        if field.kind == "uuid":
            return id_from_text(value)
        if field.kind in ("bytes", "records"):
            return base64.b64decode(value)
        return value
