"""`ottla dev`: a broker on a laptop, ready before one has looked up a setting."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ottla import __version__
from ottla.cli.settings import Sources, Start
from ottla.cli.starting import addresses, prepare_logging, run

if TYPE_CHECKING:
    from ottla.broker.server import ReadyInfo

DEFAULT_PORT = 9092
DATA_DIRECTORY = Path(".ottla")


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="0: any free one.")
@click.option("--memory", is_flag=True, help="Keep the data in a temporary directory and remove it at the end.")
@click.option("--override", "overrides", multiple=True, metavar="KEY=VALUE", help="Set one setting; repeatable.")
@click.option("--log-level", "log_levels", multiple=True, metavar="[LOGGER=]LEVEL", default=("warn",))
def dev(port: int, memory: bool, overrides: tuple[str, ...], log_levels: tuple[str, ...]) -> int:
    """A broker for development: this machine only, no login, data in ./.ottla."""
    prepare_logging(log_levels, "auto")
    directory = Path(tempfile.mkdtemp(prefix="ottla-")) if memory else DATA_DIRECTORY.absolute()
    try:
        sources = dev_sources(port, directory, overrides, log_levels)
        return run(sources, show_ready=_show, port_hint="ottla dev --port 0 takes any free port")
    finally:
        if memory:
            shutil.rmtree(directory, ignore_errors=True)


def dev_sources(port: int, directory: Path, overrides: tuple[str, ...], log_levels: tuple[str, ...]) -> Sources:
    """Loopback only; a group that starts does not wait for members that will never come."""
    preferred = {
        "listeners": f"PLAINTEXT://127.0.0.1:{port}",
        "log.dirs": str(directory),
        "group.initial.rebalance.delay.ms": "0",
    }
    return Sources(overrides=overrides, log_levels=log_levels, preferred=preferred)


def panel(info: "ReadyInfo", start: Start, seconds: float) -> str:
    """What a developer wants to know first."""
    where = ", ".join(start.options.log_directories)
    address = addresses(info)[0].partition("://")[2].replace("127.0.0.1", "localhost")
    return f"""
 ottla {__version__}  development mode, data in {where}

   Kafka API   {address:23} PLAINTEXT, no auth, loopback only
   Production  ottla serve server.properties

 ready in {seconds:.2f} s · Ctrl-C to stop
"""


def _show(info: "ReadyInfo", start: Start, seconds: float) -> None:
    print(panel(info, start, seconds), file=sys.stderr)
