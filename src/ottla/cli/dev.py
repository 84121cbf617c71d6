"""`ottla dev`: a broker on a laptop, ready before one has looked up a setting."""

import shutil
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ottla import __version__
from ottla.cli.ports import PORT_TAKEN
from ottla.cli.settings import Sources, Start
from ottla.cli.starting import addresses, prepare_logging, run
from ottla.log.store_directory import DIRECTORY_IN_USE

if TYPE_CHECKING:
    from ottla.broker.server import ReadyInfo

DEFAULT_PORT = 9092
DATA_DIRECTORY = Path(".ottla")
#: The panel says what there is to say; a level for one logger does not make the others talk.
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
@click.option(
    "--log-level",
    "log_levels",
    multiple=True,
    metavar="[LOGGER=]LEVEL",
    help="e.g. info, ottla.log=debug; warn unless you say otherwise.",
)
def dev(port: int, memory: bool, overrides: tuple[str, ...], log_levels: tuple[str, ...]) -> int:
    """A broker for development: this machine only, no login, data in ./.ottla."""
    levels = (QUIET, *log_levels)
    prepare_logging(levels, "auto")
    directory = Path(tempfile.mkdtemp(prefix="ottla-")) if memory else DATA_DIRECTORY.absolute()
    by_flag = [*(["listeners"] if _is_given("port") else []), *(["log.dirs"] if memory else [])]
    try:
        sources = dev_sources(port, directory, overrides, levels, by_flag=by_flag)
        return run(sources, show_ready=_show, hints=HINTS)
    finally:
        if memory:
            shutil.rmtree(directory, ignore_errors=True)


def _is_given(parameter: str) -> bool:
    source = click.get_current_context().get_parameter_source(parameter)
    return source is click.core.ParameterSource.COMMANDLINE


def dev_sources(
    port: int,
    directory: Path,
    overrides: tuple[str, ...],
    log_levels: tuple[str, ...],
    *,
    by_flag: Collection[str] = (),
) -> Sources:
    """Loopback only; a group that starts does not wait for members that will never come.

    `by_flag` are the settings that somebody asked for with a flag of ours: they beat the environment.
    """
    preferred = {
        "listeners": f"PLAINTEXT://127.0.0.1:{port}",
        "log.dirs": str(directory),
        "group.initial.rebalance.delay.ms": "0",
    }
    asked = tuple(f"{name}={preferred[name]}" for name in by_flag)
    return Sources(overrides=(*asked, *overrides), log_levels=log_levels, preferred=preferred)


def panel(info: "ReadyInfo", start: Start, seconds: float) -> str:
    """What a developer wants to know first."""
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
    print(panel(info, start, seconds), file=sys.stderr)
