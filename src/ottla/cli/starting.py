"""What every command that runs a broker does: settings, checks, logging, the broker itself, the exit code."""

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, ParamSpec

import click

from ottla import __version__
from ottla.cli.exit_codes import EXIT_CONFIG, EXIT_FAILED
from ottla.cli.settings import Sources, Start, load
from ottla.config.listeners import bracketed
from ottla.config.properties import ignored_variables
from ottla.model.errors import InvalidConfig
from ottla.runtime.early_sockets import EarlySockets
from ottla.runtime.log_levels import parse_levels, set_levels
from ottla.runtime.logging_setup import setup_logging

if TYPE_CHECKING:
    from ottla.broker.server import ReadyInfo

_log = logging.getLogger("ottla.cli")
P = ParamSpec("P")


def start_options(command: Callable[P, int]) -> Callable[P, int]:
    """The flags of all commands that start a broker."""
    flags = (
        click.option(
            "--override", "overrides", multiple=True, metavar="KEY=VALUE", help="Set one setting; repeatable."
        ),
        click.option("--insecure", is_flag=True, help="Allow open listeners without TLS or login."),
        click.option(
            "--log-level", "log_levels", multiple=True, metavar="[LOGGER=]LEVEL", help="e.g. info, ottla.log=debug"
        ),
        click.option("--log-format", type=click.Choice(["auto", "text", "json"]), default="auto", show_default=True),
    )
    wrapped = wraps(command)(command)
    for flag in reversed(flags):
        wrapped = flag(wrapped)
    return wrapped


def prepare_logging(log_levels: tuple[str, ...], log_format: str) -> None:
    """Raises click.UsageError for words that are no level."""
    try:
        setup_logging(log_levels, as_json=None if log_format == "auto" else log_format == "json")
    except InvalidConfig as error:
        raise click.UsageError(str(error)) from None


def run(
    sources: Sources,
    *,
    show_ready: Callable[["ReadyInfo", Start, float], None] | None = None,
    hints: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Runs a broker to its end. No part of it starts before all settings are known to be good.

    `hints`: a part of a problem's text -> what to do about it.
    """
    began = time.monotonic()
    early = click.get_current_context().find_object(EarlySockets) or EarlySockets()
    try:
        start = load(sources, os.environ, early)
        _set_configured_levels(sources, start)
    except InvalidConfig as error:
        return report(error, hints)
    _announce(start)
    # Data, keys and state are for this user alone.
    os.umask(0o077)
    show = show_ready or _ready_line
    try:
        return _serve(start, early, lambda info: show(info, start, time.monotonic() - began))
    except InvalidConfig as error:
        return report(error, hints)


def report(error: InvalidConfig, hints: Mapping[str, str]) -> int:
    """All problems, one a line, and what may help; the exit code for a bad configuration."""
    count = len(error.problems)
    print(
        f"error: {count} problem{'s' if count != 1 else ''} in the configuration, nothing was started", file=sys.stderr
    )
    for problem in error.problems:
        print(f"  - {problem}", file=sys.stderr)
    for part, hint in hints.items():
        if any(part in problem for problem in error.problems):
            print(f"hint: {hint}", file=sys.stderr)
    return EXIT_CONFIG


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
    return 0


def _set_configured_levels(sources: Sources, start: Start) -> None:
    """`ottla.log.level` of the file counts where no flag says otherwise."""
    if start.options.is_set("ottla.log.level") and not sources.log_levels:
        set_levels(parse_levels([start.options.ottla_log_level]))


def _announce(start: Start) -> None:
    options, plan = start.options, start.plan
    _log.info("ottla %s, data in %s", __version__, ", ".join(options.log_directories))
    for hint in options.unknown_hints():
        _log.warning("%s", hint)
    unused = ignored_variables(os.environ)
    if unused:
        _log.info("not used, there is no JVM: %s", ", ".join(unused))
    idle = options.without_effect()
    if idle:
        _log.info("accepted, no effect yet: %s", ", ".join(sorted(idle)))
    for host in unresolved_hosts(options.max_connections_per_ip_overrides):
        _log.warning("max.connections.per.ip.overrides: %s is not an address and has no effect", host)
    for name in plan.insecure:
        _log.warning("INSECURE: listener %s can be reached by other machines without TLS or login", name)


def unresolved_hosts(overrides: str) -> list[str]:
    """Names are not looked up: what they stand for may change, and a limit must not depend on who answers."""
    if not overrides:
        return []
    import ipaddress  # costs a few milliseconds, and few starts need it

    found: list[str] = []
    for part in overrides.split(","):
        host = part.rpartition(":")[0].strip()
        try:
            ipaddress.ip_address(host.strip("[]"))
        except ValueError:
            found.append(host)
    return found


def _ready_line(info: "ReadyInfo", start: Start, seconds: float) -> None:
    _log.info("node %d ready in %.2f s: %s", info.node_id, seconds, ", ".join(addresses(info)))


def addresses(info: "ReadyInfo") -> list[str]:
    """Where clients connect to, listener by listener."""
    return [f"{endpoint.name}://{bracketed(endpoint.host)}:{endpoint.port}" for endpoint in info.endpoints]
