"""One typed result per command, in every output format.

A command returns a `Result`: its kind, its items (named tuples or dataclasses) and, for tools with Kafka's names,
Kafka's text. Formats: table, wide, json, yaml, jsonl, name.
"""

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any, NamedTuple

from ottla.cli.tables import table

#: Formats that a program reads: no progress, no prompts.
MACHINE_FORMATS = frozenset({"json", "yaml", "jsonl", "name"})


class Result(NamedTuple):
    """`columns` are attributes of the items for `-o table`, `wide` those that `-o wide` adds behind them."""

    kind: str
    items: Sequence[Any] = ()
    columns: Sequence[str] = ()
    wide: Sequence[str] = ()
    #: The attribute that names an item, for `-o name`; the first column unless given.
    name: str = ""
    #: The text without -o, when it is no table: Kafka's lines.
    text: str | None = None
    #: Replaces kind and items in JSON, where Kafka has a document of its own.
    document: Any = None
    exit_code: int = 0


class Timestamp(int):
    """Milliseconds since 1970; RFC 3339 in all formats. Negative: not known."""

    def __str__(self) -> str:
        if self < 0:
            return "-"
        moment = datetime.fromtimestamp(int(self) / 1000, UTC)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def render(result: Result, output: str | None) -> str:
    """The text for stdout, with its last line break; empty when there is nothing to print."""
    if output in (None, "table", "wide") and result.text is not None:
        return _ended(result.text)
    if output in (None, "table"):
        return _ended(_table(result, result.columns))
    if output == "wide":
        return _ended(_table(result, [*result.columns, *result.wide]))
    if output == "name":
        name = result.name or (result.columns[0] if result.columns else "")
        return "".join(f"{cell(_value(item, name))}\n" for item in result.items)
    if output == "jsonl":
        return "".join(json.dumps(plain(item), ensure_ascii=False) + "\n" for item in result.items)
    document = result.document
    if document is None:
        document = {"kind": result.kind, "items": [plain(item) for item in result.items]}
    if output == "yaml":
        return "\n".join(_yaml(document)) + "\n"
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def plain(value: Any) -> Any:
    """As JSON has it: objects with snake_case keys, times as RFC 3339, None for what is missing."""
    if isinstance(value, Timestamp):
        return None if value < 0 else str(value)
    if isinstance(value, Enum):
        return value.name.lower()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(each) for name, each in zip(value._fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return [plain(each) for each in sorted(value)]
    return [plain(each) for each in value]


def cell(value: Any) -> str:
    """A value in a table; `-` when it is missing."""
    if value is None or value == "":
        return "-"
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, set | frozenset):
        value = sorted(value)
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return ",".join(cell(each) for each in value) or "-"
    return str(value)


def _value(item: Any, name: str) -> Any:
    return getattr(item, name) if name else item


def _table(result: Result, columns: Sequence[str]) -> str:
    titles = [name.upper().replace("_", "-") for name in columns]
    rows = [[cell(_value(item, name)) for name in columns] for item in result.items]
    numeric = [bool(rows) and all(_is_number(row[index]) for row in rows) for index in range(len(columns))]
    return table(titles, rows, gap="  ", right=numeric)


def _is_number(text: str) -> bool:
    return text == "-" or text.lstrip("-").replace(".", "", 1).isdigit()


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _yaml(value: Any, indent: str = "") -> Iterator[str]:
    """Block style for objects and lists; everything else as in JSON, which is YAML too."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _yaml_entry(f"{indent}{_yaml_key(key)}:", inner, indent + "  ")
    elif isinstance(value, list) and value:
        for inner in value:
            if isinstance(inner, dict) and inner:
                first, *rest = _yaml(inner, indent + "  ")
                yield f"{indent}- {first[len(indent) + 2 :]}"
                yield from rest
            else:
                yield from _yaml_entry(f"{indent}-", inner, indent + "  ")
    else:
        yield indent + json.dumps(value, ensure_ascii=False)


def _yaml_entry(head: str, value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield head
        yield from _yaml(value, indent)
    else:
        yield f"{head} {json.dumps(value, ensure_ascii=False)}"


def _yaml_key(key: str) -> str:
    return key if key.replace("_", "a").isalnum() and not key[0].isdigit() else json.dumps(key)
