"""`Run`: what a command gets from the frame. The connection, the clients, messages, prompts, progress."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ottla.cli.connection import BOOTSTRAP, Connection, Flags, resolve
from ottla.cli.failures import Failure, unreachable, usage
from ottla.cli.progress import Progress
from ottla.cli.results import MACHINE_FORMATS, Result, render
from ottla.cli.shared_options import kept_options
from ottla.client.errors import ConnectionFailed, TimedOut

if TYPE_CHECKING:
    from ottla.client import Admin
    from ottla.config.client_options import ClientOptions

#: A broker that cannot be reached is given up after this time.
REACH_TIMEOUT_MS = 5_000


class Run:
    """One run of a command. Created by the frame when the command line is read."""

    def __init__(
        self,
        flags: Flags,
        *,
        output: str | None = None,
        quiet: bool = False,
        verbosity: int = 0,
        color: bool | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.flags = flags
        self.output = output
        self.quiet = quiet
        self.verbosity = verbosity
        self.environment = os.environ if environment is None else environment
        self._color = color

    # the connection

    @cached_property
    def connection(self) -> Connection:
        return resolve(self.flags, self.environment, Path.cwd())

    def settings(self, table: "type[ClientOptions]", **defaults: Any) -> dict[str, Any]:
        """The client properties of this run for one kind of client; `defaults` are weaker, with Python names.

        Properties of other kinds of clients are left out: one file serves all tools. Those in files that no client has
        are reported and left out, as by Kafka's tools; given one by one they are an error of the client.
        """
        values: dict[str, Any] = {name.replace("_", "."): value for name, value in defaults.items()}
        for name, value in self.connection.properties.items():
            if _belongs_to_other_client(table, name):
                continue
            if name in self.connection.in_files and _is_unknown(table, name):
                self.warn(f"{name} is not a property of a client; it has no effect")
                continue
            values[name] = value
        return values

    @contextmanager
    def admin(self, *, reach_timeout_ms: int | None = None) -> Iterator["Admin"]:
        """An admin client that has reached the cluster. Raises Failure when no broker responds in time."""
        from ottla.client import Admin
        from ottla.config.admin_options import AdminOptions

        with Admin(self.settings(AdminOptions, client_id="ottla-cli")) as admin:
            try:
                admin.describe_features(timeout_ms=REACH_TIMEOUT_MS if reach_timeout_ms is None else reach_timeout_ms)
            except (ConnectionFailed, TimedOut) as error:
                raise unreachable(self.connection.servers, error) from error
            yield admin

    def require_reachable(self) -> None:
        """For commands that produce or consume: fails early and clearly when no broker responds."""
        with self.admin():
            pass

    # what people see

    @property
    def is_for_program(self) -> bool:
        """The output is read by a program: no progress, no prompts, no colours."""
        return self.output in MACHINE_FORMATS

    @property
    def has_color(self) -> bool:
        if self._color is not None:
            return self._color
        return sys.stdout.isatty() and not self.environment.get("NO_COLOR") and not self.is_for_program

    def style(self, text: str, **how: Any) -> str:
        """`click.style`, on a terminal that wants colours."""
        if not self.has_color:
            return text
        return click.style(text, **how)

    def show(self, result: Result) -> int:
        """Prints a result; its exit code."""
        text = render(result, self.output)
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()
        return result.exit_code

    def note(self, text: str) -> None:
        """A line on stderr that `-q` silences."""
        if not self.quiet and not self.is_for_program:
            print(text, file=sys.stderr)

    def warn(self, text: str) -> None:
        print(f"warning: {text}", file=sys.stderr)

    def progress(self, label: str, total: int | None = None, *, unit: str = "records") -> Progress:
        return Progress(label, total, is_shown=not (self.quiet or self.is_for_program), unit=unit)

    def confirm(self, question: str, *, yes: bool) -> None:
        """Asks on the terminal unless `yes`. Raises Failure where nobody can respond, or on any response but y."""
        if yes:
            return
        if not sys.stdin.isatty():
            raise usage(f"{question}: not confirmed", "--yes confirms it")
        print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise Failure("nothing was changed")


def run_of(context: click.Context) -> Run:
    """With the options of all commands, given before and behind the name of this one."""
    kept = kept_options(context)
    return Run(
        Flags(
            bootstrap=kept.get("bootstrap_server"),
            controllers=kept.get("bootstrap_controller"),
            profile=kept.get("profile"),
            config_files=kept.get("command_config", ()),
            properties=kept.get("properties", ()),
        ),
        output=kept.get("output"),
        quiet=kept.get("quiet", False),
        verbosity=kept.get("log_detail", 0),
        color=False if kept.get("no_color") else None,
    )


def drop_output() -> None:
    """What is still buffered goes nowhere, so that the interpreter does not fail when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_unknown(table: "type[ClientOptions]", name: str) -> bool:
    from ottla.client.options import ALIASES, UNSUPPORTED

    if name in table.rows or name in ALIASES:
        return False
    # The client explains what to do instead of these.
    return not any(name == each or (each.endswith("*") and name.startswith(each[:-1])) for each in UNSUPPORTED)


def _belongs_to_other_client(table: "type[ClientOptions]", name: str) -> bool:
    if name in table.rows or name == BOOTSTRAP:
        return False
    from ottla.client.options import ALIASES
    from ottla.config.admin_options import AdminOptions
    from ottla.config.consumer_options import ConsumerOptions
    from ottla.config.producer_options import ProducerOptions

    known = ALIASES.get(name, name)
    if known in table.rows:
        return False
    return any(known in other.rows for other in (AdminOptions, ProducerOptions, ConsumerOptions))
