"""Reads the notation of `schemas/README.md`."""

import json
import re
from pathlib import Path
from typing import NamedTuple

SCHEMAS = Path(__file__).parent.parent / "schemas"
NUMBERS = {
    "int8": ("b", 1),
    "int16": ("h", 2),
    "uint16": ("H", 2),
    "int32": ("i", 4),
    "uint32": ("I", 4),
    "int64": ("q", 8),
    "float64": ("d", 8),
    "bool": ("?", 1),
}
TYPES = frozenset(NUMBERS) | {"string", "bytes", "records", "uuid", "struct"}
NEVER = 32767

_HEADING = re.compile(
    r"(\S+) (request|response|record)(?: key (-?\d+))? versions (\d+)-(\d+) flexible (none|\d+)\+?"
    r"(?: stable (\d+))?(?: on (\S+))?$"
)
_FIELD = re.compile(
    r"(\w+): (\S+) (\S+)(?: null (\S+))?(?: tag (\d+) (\S+))?(?P<old> flexible none)?(?: = (?P<default>.*))?$"
)


class Versions(NamedTuple):
    first: int
    last: int

    def __contains__(self, version: object) -> bool:
        return isinstance(version, int) and self.first <= version <= self.last

    @classmethod
    def parse(cls, text: str) -> "Versions":
        if text.endswith("+"):
            return cls(int(text[:-1]), NEVER)
        first, _, last = text.partition("-")
        return cls(int(first), int(last or first))


NO_VERSIONS = Versions(1, 0)


class Field(NamedTuple):
    """One field over all versions. `kind` is a member of TYPES; `default` is None for null, or the value itself."""

    name: str
    kind: str
    is_array: bool
    versions: Versions
    nullable: Versions
    tag: int | None
    tagged: Versions
    is_compact: bool
    default: object
    fields: tuple["Field", ...]

    @property
    def holds_structs(self) -> bool:
        return self.kind == "struct"


class Schema(NamedTuple):
    name: str
    kind: str
    key: int | None
    versions: Versions
    flexible_from: int
    last_stable: int
    listeners: tuple[str, ...]
    fields: tuple[Field, ...]
    family: str

    @property
    def class_name(self) -> str:
        return self.name if self.kind == "record" else self.name + self.kind.capitalize()


class _Line(NamedTuple):
    number: int
    depth: int
    text: str


def load(directory: Path = SCHEMAS) -> list[Schema]:
    """All schemas, ordered: APIs by key with the request first, then records by family and name."""
    found = [schema for path in sorted(directory.glob("*.txt")) for schema in parse(path.read_text(), path.stem)]
    order = {"request": 0, "response": 1, "record": 2}

    def rank(schema: Schema) -> tuple[bool, int | str, int | str]:
        if schema.kind == "record":
            return True, schema.family, schema.name
        return False, schema.key or 0, order[schema.kind]

    return sorted(found, key=rank)


def parse(text: str, family: str) -> list[Schema]:
    blocks: list[list[_Line]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        body = raw.strip()
        if not body or body.startswith("#"):
            continue
        line = _Line(number, (len(raw) - len(raw.lstrip())) // 2, body)
        if line.depth == 0:
            blocks.append([])
        blocks[-1].append(line)
    return [_schema(block, family) for block in blocks]


def _schema(block: list[_Line], family: str) -> Schema:
    heading = _HEADING.match(block[0].text)
    if heading is None:
        raise ValueError(f"{family}.txt line {block[0].number}: not a heading: {block[0].text}")
    name, kind, key, first, last, flexible, stable, listeners = heading.groups()
    fields, used = _fields(block, 1, 1, family)
    if used != len(block):
        raise ValueError(f"{family}.txt line {block[used].number}: wrong indentation")
    return Schema(
        name=name,
        kind=kind,
        key=None if key is None else int(key),
        versions=Versions(int(first), int(last)),
        flexible_from=NEVER if flexible == "none" else int(flexible),
        last_stable=int(stable or last),
        listeners=tuple(listeners.split(",")) if listeners else (),
        fields=fields,
        family=family,
    )


def _fields(block: list[_Line], index: int, depth: int, family: str) -> tuple[tuple[Field, ...], int]:
    fields = []
    while index < len(block) and block[index].depth == depth:
        line = block[index]
        children, index = _fields(block, index + 1, depth + 1, family)
        try:
            fields.append(_field(line.text, children))
        except ValueError as error:
            raise ValueError(f"{family}.txt line {line.number}: {error}") from error
    return tuple(fields), index


def _field(text: str, children: tuple[Field, ...]) -> Field:
    match = _FIELD.match(text)
    if match is None:
        raise ValueError(f"not a field: {text}")
    name, type_text, versions, nullable, tag, tagged = match.groups()[:6]
    is_array = type_text.startswith("[]")
    kind = "struct" if type_text in ("[]", "{}") else type_text.removeprefix("[]")
    if kind not in TYPES:
        raise ValueError(f"unknown type {type_text}")
    if (kind == "struct") != bool(children):
        raise ValueError(f"{name}: structs have fields, others have none")
    return Field(
        name=name,
        kind=kind,
        is_array=is_array,
        versions=Versions.parse(versions),
        nullable=Versions.parse(nullable) if nullable else NO_VERSIONS,
        tag=None if tag is None else int(tag),
        tagged=Versions.parse(tagged) if tagged else NO_VERSIONS,
        is_compact=match["old"] is None,
        default=_default(kind, is_array, match["default"]),
        fields=children,
    )


def _default(kind: str, is_array: bool, text: str | None) -> object:
    if text is not None:
        return json.loads(text)
    if is_array or kind == "struct":
        return ()  # stands for a new list, or a struct of defaults
    if kind == "uuid":
        return bytes(16)
    return {"string": "", "bytes": b"", "records": b"", "bool": False, "float64": 0.0}.get(kind, 0)
