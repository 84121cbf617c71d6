"""Options that every command has: connection and output. They work before and behind the name of the command."""

from collections.abc import Sequence
from typing import Any

import click

FORMATS = ("table", "wide", "json", "yaml", "jsonl", "name")
_META = "ottla.shared"


class KeptOption(click.Option):
    """Kept for the `Run`, not passed to the command."""

    def __init__(self, names: Sequence[str], **attributes: Any) -> None:
        super().__init__(list(names), expose_value=False, callback=_keep, **attributes)


class SharedOption(KeptOption):
    """An option that all commands have: help and reference show it apart from the command's own."""


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """The command's own option counts more than the one before the command; lists are joined."""
    if not value:
        return
    kept: dict[str, Any] = context.meta.setdefault(_META, {})
    assert parameter.name is not None
    kept[parameter.name] = (*kept.get(parameter.name, ()), *value) if isinstance(value, tuple) else value


def kept_options(context: click.Context) -> dict[str, Any]:
    """What was given so far, by the name of the parameter."""
    kept: dict[str, Any] = context.meta.get(_META, {})
    return kept


def shared_options(*, connects: bool, is_kafka: bool = False) -> list[click.Parameter]:
    return [*(_connection_options() if connects else ()), *(_kafka_options() if is_kafka else ()), *_output_options()]


def _connection_options() -> list[click.Parameter]:
    return [
        SharedOption(
            ["-b", "--bootstrap-server"],
            metavar="HOST:PORT,…",
            help="Where the cluster is [OTTLA_BOOTSTRAP, KAFKA_BOOTSTRAP_SERVERS; localhost:9092].",
        ),
        SharedOption(["--profile"], metavar="NAME", help="A profile of `ottla profile` [OTTLA_PROFILE]."),
        SharedOption(["-X", "properties"], multiple=True, metavar="NAME=VALUE", help="Set a client property."),
    ]


def controller_option() -> KeptOption:
    """For the tools that can ask the controllers instead of the brokers (KIP-919)."""
    return KeptOption(
        ["--bootstrap-controller"],
        metavar="HOST:PORT,…",
        help="Controllers to ask, instead of --bootstrap-server: a listener of controller.listener.names.",
    )


def _kafka_options() -> list[click.Parameter]:
    return [
        SharedOption(
            ["--command-config"], multiple=True, metavar="FILE", help="A Java properties file for the client."
        ),
        SharedOption(
            ["--command-property", "properties"], multiple=True, metavar="NAME=VALUE", help="Set a client property."
        ),
        click.Option(
            ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_show_version, hidden=True
        ),
    ]


def _show_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from ottla import __version__

        click.echo(f"ottla {__version__}")
        context.exit()


def _output_options() -> list[click.Parameter]:
    return [
        SharedOption(["-o", "--output"], type=click.Choice(FORMATS), help="Output format."),
        SharedOption(["-q", "--quiet"], is_flag=True, help="No notes, no progress."),
        SharedOption(["-v", "log_detail"], count=True, help="Log what the client does; -vv adds tracebacks."),
        SharedOption(["--no-color"], is_flag=True, help="No colours."),
    ]
