"""`meta.properties`: to which cluster and node a log directory belongs.

Written in Java's properties format, because Kafka's tools read it too. Version 1 has node.id, version 0 has broker.id.
"""

import posixpath
import re
from typing import Final, NamedTuple

from ottla.doors.disk import Disk
from ottla.doors.rng import Rng
from ottla.log.files.small_files import read_whole, write_atomically
from ottla.model.errors import InvalidConfig
from ottla.model.topic import id_from_text, id_text

FILE_NAME: Final = "meta.properties"
#: Ids whose number is below this have a meaning of their own in Kafka (UNASSIGNED, LOST, MIGRATING).
_RESERVED_DIRECTORY_IDS: Final = 100

_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_KEY_END: Final = re.compile(r"(?<!\\)(?:\\\\)*([=: \t\f])")


class MetaProperties(NamedTuple):
    version: int
    cluster_id: str | None
    node_id: int | None
    directory_id: bytes | None


def new_directory_id(rng: Rng) -> bytes:
    """Never one that Kafka reserves, nor one whose text begins like a command-line flag."""
    while True:
        directory_id = rng.uuid()
        if int.from_bytes(directory_id, "big") >= _RESERVED_DIRECTORY_IDS and not id_text(directory_id).startswith("-"):
            return directory_id


def read_meta_properties(disk: Disk, directory: str) -> MetaProperties | None:
    """None when the directory has none. Raises InvalidConfig when the file cannot be understood."""
    path = posixpath.join(directory, FILE_NAME)
    try:
        data = read_whole(disk, path)
    except FileNotFoundError:
        return None
    values = parse_properties(data.decode("latin-1"))
    version = _number(path, "version", values.get("version"), default=0)
    if version not in (0, 1):
        raise InvalidConfig([f"{path}: version={version} is unknown; versions 0 and 1 can be read"])
    node_key = "node.id" if version == 1 else "broker.id"
    node_id = _number(path, node_key, values.get(node_key), default=-1)
    properties = MetaProperties(
        version,
        values.get("cluster.id") or None,
        None if node_id < 0 else node_id,
        _directory_id(path, values.get("directory.id")),
    )
    missing = _missing(properties)
    if missing is not None:
        raise InvalidConfig([f"{path}: has {missing}, it may be damaged; restore the file, or use another directory"])
    return properties


def _missing(properties: MetaProperties) -> str | None:
    """What every writer of this version has written. Without it the owner of the data is unknown."""
    if properties.version == 0:
        # Old files may lack one of the two.
        has_owner = properties.cluster_id is not None or properties.node_id is not None
        return None if has_owner else "neither a cluster.id nor a broker.id"
    if properties.cluster_id is None:
        return "no cluster.id"
    return "no node.id" if properties.node_id is None else None


def write_meta_properties(disk: Disk, directory: str, properties: MetaProperties) -> None:
    values = {
        "version": str(properties.version),
        "cluster.id": properties.cluster_id,
        "node.id" if properties.version == 1 else "broker.id": properties.node_id,
        "directory.id": None if properties.directory_id is None else id_text(properties.directory_id),
    }
    lines = [f"{_escaped(key)}={_escaped(str(value))}\n" for key, value in values.items() if value is not None]
    write_atomically(disk, posixpath.join(directory, FILE_NAME), "".join(lines).encode("latin-1"))


def mismatch(path: str, properties: MetaProperties, *, cluster_id: str, node_id: int) -> str | None:
    """Why this directory must not be used by this node, or None when it may."""
    if properties.cluster_id is not None and properties.cluster_id != cluster_id:
        return (
            f"log.dirs={path}: the directory belongs to cluster {properties.cluster_id}, this node to {cluster_id};"
            " use another directory, or move this one away"
        )
    if properties.node_id is not None and properties.node_id != node_id:
        return (
            f"log.dirs={path}: the directory belongs to node {properties.node_id}, but node.id={node_id};"
            " change node.id or use another directory"
        )
    return None


def parse_properties(text: str) -> dict[str, str]:
    """Java's properties: comments, `=` `:` or blank between key and value, escapes, lines continued by a backslash."""
    values: dict[str, str] = {}
    for line in _logical_lines(text):
        found = _KEY_END.search(line)
        key, rest = (line, "") if found is None else (line[: found.start(1)], line[found.start(1) :])
        rest = rest.lstrip(" \t\f")
        if rest[:1] in ("=", ":"):
            rest = rest[1:].lstrip(" \t\f")
        values[_unescaped(key)] = _unescaped(rest)
    return values


def _logical_lines(text: str) -> list[str]:
    lines: list[str] = []
    begun: str | None = None
    for raw in re.split(r"\r\n|\r|\n", text):
        line = raw.lstrip(" \t\f")
        if begun is None and (not line or line[0] in "#!"):
            continue
        whole = line if begun is None else begun + line
        if (len(whole) - len(whole.rstrip("\\"))) % 2:
            begun = whole[:-1]
            continue
        lines.append(whole)
        begun = None
    if begun:
        lines.append(begun)
    return lines


def _unescaped(text: str) -> str:
    def replaced(found: re.Match[str]) -> str:
        escape = found[1]
        if len(escape) == 5:
            return chr(int(escape[1:], 16))
        return _ESCAPES.get(escape, escape)

    unescaped = _ESCAPE.sub(replaced, text)
    # Java escapes UTF-16 units: what is beyond 16 bits comes as two of them.
    return unescaped.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escaped(text: str) -> str:
    out = []
    for character in text:
        if character in "\\=:#! ":
            out.append("\\" + character)
        elif " " < character <= "~":
            out.append(character)
        else:
            units = character.encode("utf-16-be")
            out += [f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2)]
    return "".join(out)


def _number(path: str, key: str, text: str | None, *, default: int) -> int:
    if text is None:
        return default
    stripped = text.strip()
    if not re.fullmatch(r"-?[0-9]{1,10}", stripped):
        raise InvalidConfig([f"{path}: {key}={text[:50]!r} is not a number"])
    return int(stripped)


def _directory_id(path: str, text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        return id_from_text(text.strip())
    except ValueError:
        raise InvalidConfig([f"{path}: directory.id={text[:50]!r} is not a UUID"]) from None
