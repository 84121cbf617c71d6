"""How a failure is printed: a sentence and a hint, or an object in JSON. stderr in both cases."""

import sys

import click

from ottla.cli.commands import COMMANDS, KAFKA
from ottla.cli.exit_codes import EXIT_FAILED
from ottla.cli.shared_options import kept_options


def explain(error: click.ClickException) -> int:
    """Prints the error; its exit code."""
    context = getattr(error, "ctx", None)
    is_usage = isinstance(error, click.UsageError)
    hint: str | None = getattr(error, "hint", None)
    code: int = getattr(error, "code", error.exit_code)
    if is_usage and context is not None:
        hint = hint or f"{context.command_path} --help"
        code = EXIT_FAILED if _is_kafkas(context) else code
    output = getattr(error, "output", None) or (kept_options(context).get("output") if context is not None else None)
    message = error.format_message()
    if output in ("json", "jsonl"):
        import json

        name = getattr(error, "name", "USAGE" if is_usage else "FAILED")
        print(json.dumps({"error": {"code": name, "message": message, "hint": hint}}), file=sys.stderr)
        return code
    print(getattr(error, "line", None) or f"error: {message}", file=sys.stderr)
    if hint:
        print(f"hint: {hint}", file=sys.stderr)
    return code


def _is_kafkas(context: click.Context) -> bool:
    """Whether the command has a name of Kafka's."""
    _, _, words = context.command_path.partition(" ")
    entry = COMMANDS.get(words.split(" ")[0])
    return entry is not None and entry.section == KAFKA
