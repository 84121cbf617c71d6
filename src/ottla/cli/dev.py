"""`ottla dev`: a broker for development that needs no settings."""

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Unpack

import click

from ottla import __version__
from ottla.cli.ports import PORT_TAKEN
from ottla.cli.settings import Sources, Start
from ottla.cli.starting import RunFlags, addresses, prepare_logging, run, start_options
from ottla.log.store.store_directory import DIRECTORY_IN_USE

if TYPE_CHECKING:
    from ottla.broker.server import ReadyInfo

DEFAULT_PORT = 9092
DATA_DIRECTORY = Path(".ottla")
#: The panel has what a developer needs; `--log-level LOGGER=LEVEL` does not change the other loggers.
QUIET = "warn"
HINTS = {
    PORT_TAKEN: "ottla dev --port 0 takes any free port",
    DIRECTORY_IN_USE: "ottla dev --memory --port 0 runs beside it, with data that is thrown away",
}


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    metavar="PORT",
    help="Where to listen; 0 takes any free port.",
)
@click.option("--memory", is_flag=True, help="Keep the data in a temporary directory and remove it at the end.")
@click.option("--override", "overrides", multiple=True, metavar="KEY=VALUE", help="Set one setting; repeatable.")
@start_options
def dev(port: int, memory: bool, overrides: tuple[str, ...], **flags: Unpack[RunFlags]) -> int:
    """A broker for development: this machine only, no login, data in ./.ottla.

    Only warnings and errors are logged, unless --log-level says otherwise.
    """
    flags["log_levels"] = (QUIET, *flags["log_levels"])
    prepare_logging(flags["log_levels"], flags["log_format"])
    directory = Path(tempfile.mkdtemp(prefix="ottla-")) if memory else DATA_DIRECTORY.absolute()
    by_flag = {
        **({"listeners": "--port"} if _is_given("port") else {}),
        **({"log.dirs": "--memory"} if memory else {}),
    }
    try:
        sources = dev_sources(
            port,
            directory,
            overrides,
            flags["log_levels"],
            by_flag=by_flag,
            ignore_security_settings=flags["ignore_security_settings"],
        )
        code = run(sources, flags, show_ready=_show, hints=HINTS)
    finally:
        if memory:
            shutil.rmtree(directory, ignore_errors=True)
    if code == 0:
        _print(" stopped")
    return code


def _is_given(parameter: str) -> bool:
    source = click.get_current_context().get_parameter_source(parameter)
    return source is click.core.ParameterSource.COMMANDLINE


def dev_sources(
    port: int,
    directory: Path,
    overrides: tuple[str, ...],
    log_levels: tuple[str, ...],
    *,
    by_flag: Mapping[str, str] = MappingProxyType({}),
    ignore_security_settings: bool = False,
) -> Sources:
    """Loopback only; a new group does not wait for more members; no disk space is held back.

    `by_flag`: setting -> the flag of this command that sets it, which takes precedence over the environment.
    """
    preferred = {
        "listeners": f"PLAINTEXT://localhost:{port}",
        "log.dirs": str(directory),
        "group.initial.rebalance.delay.ms": "0",
        "group.consumer.assignment.interval.ms": "0",
        "ottla.disk.reserve.max.bytes": "0",
    }
    return Sources(
        overrides=overrides,
        ignore_security_settings=ignore_security_settings,
        log_levels=log_levels,
        preferred=preferred,
        flags={name: (flag, preferred[name]) for name, flag in by_flag.items()},
    )


def panel(info: "ReadyInfo", start: Start, seconds: float) -> str:
    """The addresses, the data directory, and how to go on."""
    where = ", ".join(start.options.log_directories)
    labels = ["Kafka API", *[""] * (len(info.endpoints) - 1)]
    listeners = "\n".join(
        f"   {label:11} {_address_line(address, start)}" for label, address in zip(labels, addresses(info), strict=True)
    )
    return f"""
 ottla {__version__}  development mode, data in {where}

{listeners}
   Production  ottla serve server.properties

 ready in {seconds:.2f} s · Ctrl-C to stop
"""


def _address_line(address: str, start: Start) -> str:
    name, _, place = address.partition("://")
    reach = "OPEN TO OTHER MACHINES" if name in start.plan.insecure else "loopback only"
    return f"{place.replace('127.0.0.1', 'localhost'):23} {name}, no auth, {reach}"


def _show(info: "ReadyInfo", start: Start, seconds: float) -> None:
    _print(panel(info, start, seconds))


def _print(text: str) -> None:
    # The terminal may be closed already.
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr)
