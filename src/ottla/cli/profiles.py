"""The profiles of a user: named connections in ~/.config/ottla/config.toml."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ottla.cli.failures import Failure


class Profiles(NamedTuple):
    """`profiles`: name to client properties, bootstrap.servers among them. `current` is used when nothing is named."""

    current: str | None
    profiles: dict[str, dict[str, str]]


def profiles_file(environment: Mapping[str, str]) -> Path:
    if environment.get("OTTLA_CONFIG"):
        return Path(environment["OTTLA_CONFIG"])
    base = environment.get("XDG_CONFIG_HOME") or os.path.join(environment.get("HOME", "~"), ".config")
    return Path(base).expanduser() / "ottla" / "config.toml"


def load_profiles(path: Path) -> Profiles:
    """None and nothing for a file that does not exist. Raises Failure."""
    if not os.path.isfile(path):
        return Profiles(None, {})
    import tomllib  # most runs have no such file

    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{path}: {error}") from error
    tables = document.get("profiles", {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise Failure(f"{path}: profiles must be tables, such as [profiles.local]")
    current = document.get("profile")
    return Profiles(
        str(current) if current is not None else None,
        {name: {key: str(value) for key, value in table.items()} for name, table in tables.items()},
    )


def save_profiles(path: Path, profiles: Profiles) -> None:
    """Replaces the file in one step. Only the user may read it: it can have passwords."""
    lines = [] if profiles.current is None else [f"profile = {_quoted(profiles.current)}", ""]
    for name, properties in sorted(profiles.profiles.items()):
        lines.append(f"[profiles.{_quoted(name)}]")
        lines += [f"{_quoted(key)} = {_quoted(value)}" for key, value in sorted(properties.items())]
        lines.append("")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(path.name + ".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    os.replace(temporary, path)


def _quoted(text: str) -> str:
    """A TOML string. JSON's escapes are a part of TOML's, apart from halves of characters."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
