"""The reference page of the command line, made from the commands themselves.

python -m ottla.cli.reference           writes docs/reference/cli.md
python -m ottla.cli.reference --check   fails when the page is not up to date
"""

import inspect
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from ottla.cli.commands import COMMANDS, root

PAGE = Path("docs/reference/cli.md")
_INTRODUCTION = """# Command line

`ottla COMMAND --help` says the same. Data goes to stdout, everything else to stderr. Flags count more than the
environment, the environment more than a file ([configuration](../configuration.md)).

This page is made by `python -m ottla.cli.reference`; do not edit it.

| Exit code | Meaning |
|--:|---|
| 0 | done; a broker that was asked to stop |
| 1 | failed; the last line says why |
| 2 | wrong usage |
| 78 | bad configuration: every problem is listed, nothing was started |
| 130 | Ctrl-C before the broker was up |
"""


def reference_text() -> str:
    context = click.Context(root, info_name="ottla")
    names = [name for name, entry in COMMANDS.items() if not entry.hidden]
    return "\n".join([_INTRODUCTION, *(line for name in names for line in _section(context, name))])


def _section(context: click.Context, name: str) -> Iterator[str]:
    command = root.get_command(context, name)
    assert command is not None
    inner = click.Context(command, info_name=name, parent=context)
    yield f"## ottla {name}\n"
    yield f"```\n{command.get_usage(inner).removeprefix('Usage: ')}\n```\n"
    yield inspect.cleandoc(command.help or "") + "\n"
    yield "| Option | Default | Meaning |"
    yield "|---|---|---|"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield _row(parameter, inner)
    yield ""


def _row(option: click.Option, context: click.Context) -> str:
    spelling = ", ".join(option.opts)
    word = "" if option.is_flag else f" {option.make_metavar(context)}"
    return f"| `{(spelling + word).replace('|', chr(92) + '|')}` | {_default(option)} | {option.help or ''} |"


def _default(option: click.Option) -> str:
    value: Any = option.default
    if option.is_flag or value is None or not isinstance(value, str | int | tuple):
        return ""
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return f"`{text}`" if text else ""


def main(arguments: Sequence[str]) -> int:
    text = reference_text()
    if "--check" in arguments:
        fresh = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        if not fresh:
            print(f"{PAGE} is not up to date: run python -m ottla.cli.reference", file=sys.stderr)
        return 0 if fresh else 1
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
