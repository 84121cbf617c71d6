"""The table of commands: name -> where it is. A command's file is loaded when the command runs, not before."""

from importlib import import_module
from typing import NamedTuple

import click

from ottla import __version__


class Entry(NamedTuple):
    module: str
    function: str
    summary: str
    hidden: bool = False


COMMANDS = {
    "dev": Entry("ottla.cli.dev", "dev", "A broker for development: loopback, data in ./.ottla, no settings needed."),
    "serve": Entry(
        "ottla.cli.serve", "serve", "Run a broker; without a file on loopback, data in your data directory."
    ),
    "server-start": Entry("ottla.cli.serve", "server_start", "Run a broker on a Kafka server.properties as it is."),
    "start": Entry("ottla.cli.serve", "serve", "Another name for serve.", hidden=True),
    "test": Entry("ottla.cli.test", "test", "Run a command with a throw-away broker: ottla test -- CMD."),
    "version": Entry("ottla.cli.version", "version", "What is installed, and whether its compiled code runs."),
}


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, entry in COMMANDS.items() if not entry.hidden]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = getattr(import_module(entry.module), entry.function)
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            ctx.fail(f"there is no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items() if not entry.hidden])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="ottla", message="%(prog)s %(version)s")
def root() -> None:
    """Kafka's little sister: an event-streaming broker that speaks Kafka's protocol."""
