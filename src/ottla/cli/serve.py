"""`ottla serve` and `ottla server-start`: a broker that runs until it is told to stop."""

from pathlib import Path

import click

from ottla.cli.settings import Sources
from ottla.cli.starting import prepare_logging, run, start_options


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@start_options
def serve(
    file: Path | None, overrides: tuple[str, ...], insecure: bool, log_levels: tuple[str, ...], log_format: str
) -> int:
    """Run a broker.

    Without FILE: one node on 127.0.0.1:9092, with its data in your user data directory. FILE is a Kafka
    server.properties or a TOML file with the same names.
    """
    prepare_logging(log_levels, log_format)
    return run(Sources(file=file, overrides=overrides, insecure=insecure, log_levels=log_levels))


@click.command("server-start")
@click.argument("file", type=click.Path(path_type=Path))
@start_options
def server_start(
    file: Path, overrides: tuple[str, ...], insecure: bool, log_levels: tuple[str, ...], log_format: str
) -> int:
    """Run a broker on a Kafka server.properties as it is (kafka-server-start.sh)."""
    prepare_logging(log_levels, log_format)
    return run(Sources(file=file, overrides=overrides, insecure=insecure, log_levels=log_levels))
