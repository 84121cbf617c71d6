"""What the tools with Kafka's names have in common: one action of several, lists, properties, JSON files."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ottla.cli.connection import read_properties
from ottla.cli.failures import Failure, usage


def one_action(flags: Mapping[str, Any], *names: str) -> str:
    """The one flag that is given. Raises Failure for none or several."""
    given = [name for name in names if flags[name]]
    if len(given) != 1:
        spelled = [f"--{name.strip('_').replace('_', '-')}" for name in names]
        raise usage(f"Command must include exactly one action: {', '.join(spelled[:-1])} or {spelled[-1]}")
    return given[0]


def parts(text: str | None) -> list[str]:
    """The entries of a list with commas."""
    return [part.strip() for part in text.split(",") if part.strip()] if text else []


def numbers(flag: str, text: str | None) -> list[int]:
    try:
        return [int(part) for part in parts(text)]
    except ValueError:
        raise usage(f"{flag} {text}: give whole numbers with commas") from None


def tool_properties(pairs: Iterable[str], file: str | None = None) -> dict[str, str]:
    """Pairs of NAME=VALUE; those of the file first. Values stay as they are: a separator may be a blank."""
    found = read_properties(file) if file is not None else {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise usage(f"{pair!r} is no property", "give NAME=VALUE")
        found[name] = value
    return found


def json_file(path: str) -> dict[str, Any]:
    """The object in a JSON file. Raises Failure with the place of a mistake."""
    try:
        text = Path(path).read_bytes().decode("utf-8")
        value = json.loads(text)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Failure(f"{path}: not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise Failure(f"{path}: line {error.lineno}, column {error.colno}: {error.msg}") from error
    if not isinstance(value, dict):
        raise Failure(f"{path}: must be a JSON object")
    if value.get("version", 1) != 1:
        raise Failure(f"{path}: version {value['version']} is not supported; only version 1 is")
    return value
