"""The values of `--add-config` and `--delete-config`."""

import re

from ottla.cli.connection import read_properties
from ottla.cli.failures import usage

#: Commas outside of brackets separate the pairs.
_BETWEEN_PAIRS = re.compile(r",(?=[^\]]*(?:\[|$))")


def parse_added(text: str | None, file: str | None) -> dict[str, str]:
    """`k=v,k2=[a,b]` as a mapping; brackets are not part of the value."""
    values = dict(read_properties(file)) if file else {}
    for pair in _BETWEEN_PAIRS.split(text) if text else ():
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise usage(f"Invalid entity config: {pair!r}: all configs to be added must be in the format 'key=val'")
        values[name.strip()] = re.sub(r"\[(.*)\]", r"\1", value.strip())
    return values


def parse_deleted(text: str | None) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()] if text else []
