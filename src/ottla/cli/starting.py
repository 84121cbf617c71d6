"""What every command that runs a broker does: settings, checks, logging, the broker itself, the exit code."""

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypedDict, TypeVar

import click

from ottla import __version__
from ottla.cli.exit_codes import EXIT_CONFIG, EXIT_FAILED, EXIT_IN_USE
from ottla.cli.ready_file import ReadyFile
from ottla.cli.settings import Sources, Start, load
from ottla.cli.start_warnings import start_warnings
from ottla.config.environment import ignored_variables
from ottla.config.listeners import bracketed
from ottla.config.security_settings import access_control_settings, tls_and_sasl_settings
from ottla.model.errors import InUse, InvalidConfig
from ottla.runtime.early_sockets import EarlySockets
from ottla.runtime.log_levels import parse_levels, set_levels
from ottla.runtime.logging_setup import setup_logging
from ottla.runtime.parent_process import stop_with_parent

if TYPE_CHECKING:
    from ottla.broker.server import ReadyInfo

_log = logging.getLogger("ottla.cli")
F = TypeVar("F", bound=Callable[..., int])


class RunFlags(TypedDict):
    """The flags of all commands that run a broker."""

    ignore_security_settings: bool
    log_levels: tuple[str, ...]
    log_format: str
    ready_file: Path | None
    exit_with_parent: bool


def start_options(command: F) -> F:
    """Adds `RunFlags` to a command."""
    flags = (
        click.option(
            "--ignore-security-settings",
            is_flag=True,
            help="Start although the settings ask for access control, TLS or SASL, and serve without.",
        ),
        click.option(
            "--log-level", "log_levels", multiple=True, metavar="[LOGGER=]LEVEL", help="e.g. info, ottla.log=debug"
        ),
        click.option("--log-format", type=click.Choice(["auto", "text", "json"]), default="auto", show_default=True),
        click.option(
            "--ready-file",
            type=click.Path(path_type=Path),
            metavar="PATH",
            help="Write the addresses to this file when the broker is ready; removed when it stops.",
        ),
        click.option("--exit-with-parent", is_flag=True, help="Stop when the process that started this one ends."),
    )
    for flag in reversed(flags):
        command = flag(command)
    return command


def prepare_logging(log_levels: tuple[str, ...], log_format: str) -> None:
    """Raises click.UsageError for words that are no level."""
    try:
        setup_logging(log_levels, as_json=None if log_format == "auto" else log_format == "json")
    except InvalidConfig as error:
        raise click.UsageError(str(error)) from None


def run(
    sources: Sources,
    flags: RunFlags,
    *,
    show_ready: Callable[["ReadyInfo", Start, float], None] | None = None,
    hints: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Runs a broker to its end. No part of it starts before all settings are checked.

    `hints`: a part of a problem's text -> what to do about it.
    """
    began = time.monotonic()
    if flags["exit_with_parent"]:
        stop_with_parent()
    early = click.get_current_context().find_object(EarlySockets) or EarlySockets()
    ready_file = ReadyFile(flags["ready_file"]) if flags["ready_file"] is not None else None
    show = show_ready or _ready_line

    def on_ready(info: "ReadyInfo") -> None:
        show(info, start, time.monotonic() - began)
        if ready_file is not None:
            ready_file.write(",".join(address.partition("://")[2] for address in addresses(info)))

    try:
        start = load(sources, os.environ, early)
        _set_configured_levels(sources, start)
        if ready_file is not None:
            ready_file.prepare()
        _announce(start)
        # Data, keys and state are for this user alone.
        os.umask(0o077)
        return _serve(start, early, on_ready)
    except (InUse, InvalidConfig) as error:
        return report(error, hints)
    finally:
        if ready_file is not None:
            ready_file.remove()


def report(error: InUse | InvalidConfig, hints: Mapping[str, str] = MappingProxyType({})) -> int:
    """Prints all problems, one a line, and what may help. Returns the exit code."""
    count = len(error.problems)
    problems = "problem" if count == 1 else "problems"
    subject = "in the configuration" if isinstance(error, InvalidConfig) else "that may pass"
    print(f"error: {count} {problems} {subject}, nothing was started", file=sys.stderr)
    for problem in error.problems:
        print(f"  - {problem}", file=sys.stderr)
    for part, hint in hints.items():
        if any(part in problem for problem in error.problems):
            print(f"hint: {hint}", file=sys.stderr)
    return EXIT_CONFIG if isinstance(error, InvalidConfig) else EXIT_IN_USE


def _serve(start: Start, early: EarlySockets, on_ready: Callable[["ReadyInfo"], None]) -> int:
    from ottla.broker.server import NodeFailed
    from ottla.broker.server import run as run_broker
    from ottla.runtime.stop_signals import StartInterrupted

    try:
        run_broker(start.options, start.plan, early, on_ready=on_ready)
    except StartInterrupted as interrupt:
        _log.info("%s: stopped before the broker served", interrupt)
    except (OSError, NodeFailed) as error:
        _log.critical("stopped: %s", error)
        return EXIT_FAILED
    else:
        _log.info("stopped")
    return 0


def _set_configured_levels(sources: Sources, start: Start) -> None:
    """`ottla.log.level` of the file counts where no flag says otherwise."""
    if start.options.is_set("ottla.log.level") and not sources.log_levels:
        set_levels(parse_levels([start.options.ottla_log_level]))


def _announce(start: Start) -> None:
    options = start.options
    _log.info("ottla %s, data in %s", __version__, ", ".join(options.log_directories))
    unused = ignored_variables(os.environ)
    if unused:
        _log.info("not used, there is no JVM: %s", ", ".join(unused))
    reported = {*access_control_settings(options), *tls_and_sasl_settings(options)}
    idle = sorted(name for name in options.without_effect() if name not in reported)
    if idle:
        _log.info("accepted, no effect yet: %s", ", ".join(idle))
    for warning in start_warnings(start, os.environ):
        _log.warning("%s", warning)


def _ready_line(info: "ReadyInfo", start: Start, seconds: float) -> None:
    _log.info("node %d ready in %.2f s: %s", info.node_id, seconds, ", ".join(addresses(info)))


def addresses(info: "ReadyInfo") -> list[str]:
    """Where clients connect to, listener by listener."""
    return [f"{endpoint.name}://{bracketed(endpoint.host)}:{endpoint.port}" for endpoint in info.endpoints]
