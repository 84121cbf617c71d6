"""Commands that talk to a cluster or print a result: the options they share, their errors, their output.

`@verb()` is for our own commands, `@kafka_tool()` for those with the names and flags of Kafka's scripts. The function
gets a `Run` first, then its options, and returns a `Result`, an exit code or nothing.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from ottla.cli.exit_codes import EXIT_FAILED
from ottla.cli.failures import EXPECTED, Failure, failure_of
from ottla.cli.live_names import complete_names
from ottla.cli.old_flags import OldFlag, with_new_spellings
from ottla.cli.results import Result
from ottla.cli.run import Run, drop_output, run_of
from ottla.cli.shared_options import SharedOption, controller_option, shared_options

F = TypeVar("F", bound=Callable[..., Any])


class _Framed(click.Command):
    """What commands and groups of both grammars have in common."""

    is_kafka = False
    #: For an error as Kafka's tool prints it: `{}` stands for the message.
    error_text = ""
    old_flags: Sequence[OldFlag] = ()
    many_values: Sequence[str] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if self.is_kafka:
            args = with_new_spellings(ctx, args, self.old_flags, self.many_values)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = [each.get_help_record(ctx) for each in self.get_params(ctx) if not isinstance(each, SharedOption)]
        shared = [each.get_help_record(ctx) for each in self.get_params(ctx) if isinstance(each, SharedOption)]
        for title, records in (("Options", own), ("Connection and output", shared)):
            shown = [record for record in records if record is not None]
            if shown:
                with formatter.section(title):
                    formatter.write_dl(shown)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)


class Tool(_Framed):
    """A command of the frame."""

    def invoke(self, ctx: click.Context) -> int:
        run = run_of(ctx)
        _set_log_level(run)
        assert self.callback is not None
        try:
            outcome = ctx.invoke(self.callback, run, **ctx.params)
            return run.show(outcome) if isinstance(outcome, Result) else int(outcome or 0)
        except BrokenPipeError:
            # The reader of our output went away (`ottla … | head`). click would end with 1.
            drop_output()
            raise click.exceptions.Exit(0) from None
        except Failure as failure:
            raise self._in_its_style(failure, run) from failure.__cause__
        except EXPECTED as error:
            if run.verbosity > 1:
                logging.getLogger(__name__).exception("the command failed")
            raise self._in_its_style(failure_of(error), run) from error

    def _in_its_style(self, failure: Failure, run: Run) -> Failure:
        failure.output = run.output
        if self.is_kafka:
            failure.code = EXIT_FAILED
            if self.error_text:
                failure.line = self.error_text.format(failure.message)
        return failure


class ToolGroup(_Framed, click.Group):
    """A command with sub-commands."""


class KafkaTool(Tool):
    is_kafka = True


class KafkaToolGroup(ToolGroup):
    is_kafka = True


def verb(name: str | None = None, *, connects: bool = True, **attributes: Any) -> Callable[[F], click.Command]:
    """A command of our own: positional arguments, exit codes that say what went wrong."""
    return _decorator(Tool, name, connects=connects, **attributes)


def kafka_tool(
    name: str | None = None,
    *,
    connects: bool = True,
    old: Sequence[OldFlag] = (),
    many_values: Sequence[str] = (),
    error_text: str = "",
    asks_controllers: bool = False,
    **attributes: Any,
) -> Callable[[F], click.Command]:
    """A tool with the name and the flags of one of Kafka's scripts.

    `old`: spellings of other releases. `many_values`: options that take several values at once (`--x a=1 b=2`).
    `error_text`: how Kafka's tool prints an error, e.g. "Error: {}". `asks_controllers`: has --bootstrap-controller.
    """

    def decorate(function: F) -> click.Command:
        command = _decorator(KafkaTool, name, connects=connects, **attributes)(function)
        assert isinstance(command, KafkaTool)
        command.old_flags, command.many_values, command.error_text = old, many_values, error_text
        if asks_controllers:
            command.params.append(controller_option())
        return command

    return decorate


def _decorator(
    kind: type[Tool], name: str | None, *, connects: bool, **attributes: Any
) -> Callable[[F], click.Command]:
    def decorate(function: F) -> click.Command:
        command = click.command(name, cls=kind, **attributes)(function)
        command.params += shared_options(connects=connects, is_kafka=kind.is_kafka)
        complete_names(command.params)
        return command

    return decorate


def tool_group(
    name: str, *, is_kafka: bool = False, asks_controllers: bool = False, help: str, **attributes: Any
) -> ToolGroup:
    """A group; the shared options work before and behind the name of the sub-command."""
    kind = KafkaToolGroup if is_kafka else ToolGroup
    group = kind(name, help=help, **attributes)
    group.params += shared_options(connects=True, is_kafka=is_kafka)
    if asks_controllers:
        group.params.append(controller_option())
    return group


def _set_log_level(run: Run) -> None:
    level = (logging.ERROR, logging.INFO, logging.DEBUG)[min(run.verbosity, 2)]
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
