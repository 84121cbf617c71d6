"""`ottla serve` and `ottla server-start`: a broker that runs until it is asked to stop."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import click

from ottla.cli.settings import Sources
from ottla.cli.starting import RunFlags, prepare_logging, run, start_options

_DAEMON_FLAGS = ("-daemon", "--daemon")


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--override", "overrides", multiple=True, metavar="KEY=VALUE", help="Set one setting; repeatable.")
@click.option("--insecure", is_flag=True, help="Allow open listeners without TLS or login.")
@start_options
def serve(file: Path | None, overrides: tuple[str, ...], insecure: bool, **flags: Unpack[RunFlags]) -> int:
    """Run a broker.

    Without FILE: one node on localhost:9092, with its data in your user data directory. FILE is a Kafka
    server.properties or a TOML file with the same names.
    """
    return _serve(file, overrides, insecure, flags)


@click.command("server-start")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--override", "overrides", multiple=True, metavar="KEY=VALUE", help="Set one setting; repeatable.")
@click.option("--insecure", is_flag=True, help="Allow open listeners without TLS or login.")
@click.option(*_DAEMON_FLAGS, is_flag=True, help="Run in the background; output in $LOG_DIR or ./logs.")
@start_options
def server_start(
    file: Path, overrides: tuple[str, ...], insecure: bool, daemon: bool, **flags: Unpack[RunFlags]
) -> int:
    """Run a broker on a Kafka server.properties as it is (kafka-server-start.sh)."""
    if daemon:
        return _start_in_background(sys.argv[1:])
    return _serve(file, overrides, insecure, flags)


def _serve(file: Path | None, overrides: tuple[str, ...], insecure: bool, flags: RunFlags) -> int:
    prepare_logging(flags["log_levels"], flags["log_format"])
    sources = Sources(file, overrides, insecure, flags["ignore_security_settings"], flags["log_levels"])
    return run(sources, flags)


def _start_in_background(words: Sequence[str]) -> int:
    """Starts `ottla WORDS` without -daemon in a session of its own. The exit code."""
    import subprocess

    from ottla.cli.failures import Failure

    directory = Path(os.environ.get("LOG_DIR", "logs"))
    output = directory / "server.out"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with output.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "ottla", *(word for word in words if word not in _DAEMON_FLAGS)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
    except OSError as error:
        raise Failure(f"{error.filename or output}: {error.strerror}") from error
    print(f"broker started, process {process.pid}, output in {output}", file=sys.stderr)
    return 0
