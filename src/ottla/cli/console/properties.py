"""Pairs of NAME=VALUE for readers and formatters, and files of them."""

from collections.abc import Iterable

from ottla.cli.connection import read_properties
from ottla.cli.failures import usage


def tool_properties(pairs: Iterable[str], file: str | None = None) -> dict[str, str]:
    """Those of the file first. Values stay as they are: a separator may be a blank. Raises Failure."""
    found = read_properties(file) if file is not None else {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise usage(f"{pair!r} is no property", "give NAME=VALUE")
        found[name] = value
    return found
