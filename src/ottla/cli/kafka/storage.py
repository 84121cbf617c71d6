"""`ottla storage` (kafka-storage.sh): what log directories hold, and directories for a cluster with a chosen id.

Formatting is optional: a node formats empty directories when it starts.
"""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.failures import Failure, usage
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool, tool_group
from ottla.model.errors import InvalidConfig
from ottla.model.topic import id_from_text, id_text

if TYPE_CHECKING:
    from ottla.config.broker_options import BrokerOptions
    from ottla.log.store.meta_properties import MetaProperties

#: Levels of metadata.version by the names of releases, and what a new directory gets.
_RELEASES = {"4.3": 30, "4.3-IV0": 30}
_DEFAULT_RELEASE = "4.3-IV0"
_UUID_BYTES = 16

storage = tool_group("storage", is_kafka=True, help="Log directories: identity, formatting (kafka-storage.sh).")


class Uuid(NamedTuple):
    uuid: str


class FoundDirectory(NamedTuple):
    directory: str
    cluster_id: str | None
    node_id: int | None
    directory_id: str | None
    problem: str | None


@kafka_tool("random-uuid", connects=False)
def random_uuid(run: Run) -> Result:
    """Print a new cluster id."""
    from ottla.log.store.meta_properties import new_directory_id
    from ottla.runtime.rng import OsRng

    text = id_text(new_directory_id(OsRng()))
    return Result("uuids", [Uuid(text)], columns=("uuid",), text=text)


_CONFIG = click.option("-c", "--config", "config", required=True, type=Path, metavar="FILE", help="server.properties")


@kafka_tool("info", connects=False)
@_CONFIG
def info(run: Run, config: Path) -> Result:
    """Print what is in the log directories of a configuration; exit code 1 when something is wrong with them."""
    found = [_look(directory) for directory in _options(config).log_directories]
    lines: list[str] = []
    there = [each.directory for each in found if os.path.isdir(each.directory)]
    if there:
        lines += [f"Found log director{'y' if len(there) == 1 else 'ies'}:", *(f"  {each}" for each in there), ""]
    known = next((each for each in found if each.cluster_id is not None), None)
    if known is not None:
        lines += [_metadata_line(known), ""]
    problems = [each.problem for each in found if each.problem is not None]
    if problems:
        lines += [f"Found problem{'' if len(problems) == 1 else 's'}:", *(f"  {each}" for each in problems), ""]
    columns = ("directory", "cluster_id", "node_id", "directory_id", "problem")
    return Result("log_directories", found, columns, text="\n".join(lines) + "\n", exit_code=1 if problems else 0)


def _metadata_line(found: FoundDirectory) -> str:
    values = {
        "cluster.id": found.cluster_id,
        "directory.id": found.directory_id,
        "node.id": found.node_id,
        "version": 1,
    }
    inner = ", ".join(f"{name}={value}" for name, value in values.items() if value is not None)
    return f"Found metadata: {{{inner}}}"


@kafka_tool("format", connects=False)
@_CONFIG
@click.option("-t", "--cluster-id", required=True, metavar="UUID", help="The id of the cluster: storage random-uuid.")
@click.option("-g", "--ignore-formatted", is_flag=True, help="Leave directories alone that are formatted already.")
@click.option(
    "-r", "--release-version", default=_DEFAULT_RELEASE, metavar="RELEASE", help="Feature levels of a release."
)
@click.option("-f", "--feature", "features", multiple=True, metavar="NAME=LEVEL", help="The level of a feature.")
@click.option("-S", "--add-scram", "scram", multiple=True, metavar="SCRAM", help="Not supported: use configs --alter.")
@click.option("-s", "--standalone", is_flag=True, help="Accepted: one node is its own quorum.")
@click.option("-N", "--no-initial-controllers", is_flag=True, help="Accepted, without effect.")
@click.option("-I", "--initial-controllers", metavar="VOTERS", help="Not supported.")
def format_command(
    run: Run,
    config: Path,
    cluster_id: str,
    ignore_formatted: bool,
    release_version: str,
    features: tuple[str, ...],
    scram: tuple[str, ...],
    standalone: bool,
    no_initial_controllers: bool,
    initial_controllers: str | None,
) -> int:
    """Prepare log directories for a cluster with this id.

    Formatting is optional: `ottla serve` formats empty directories itself, with an id of its own.
    """
    if scram:
        raise usage(
            "--add-scram is not supported", "start the broker, then: ottla configs --alter --add-config 'SCRAM-…'"
        )
    if initial_controllers is not None:
        raise usage("--initial-controllers is not supported", "set controller.quorum.voters in the configuration")
    _check_cluster_id(cluster_id)
    levels = _levels(release_version, features)
    options = _options(config)
    fresh = _unformatted(options.log_directories, ignore_formatted=ignore_formatted)
    if not fresh:
        print("All of the log directories are already formatted.")
        return 0
    for directory in fresh:
        _format(directory, cluster_id, options, levels)
        kind = "metadata" if directory == _metadata_directory(options) else "data"
        print(f"Formatting {kind} directory {directory} with metadata.version {_DEFAULT_RELEASE}.")
    run.note("hint: formatting is optional, ottla serve formats empty directories itself")
    return 0


for _command in (random_uuid, info, format_command):
    storage.add_command(_command)


def _options(config: Path) -> "BrokerOptions":
    """Raises Failure for a file that a broker would not start with; ports are not looked at."""
    from ottla.cli.settings import Sources, load

    try:
        return load(Sources(file=config), {}, check_ports=False).options
    except InvalidConfig as error:
        raise Failure("; ".join(error.problems)) from error


def _metadata_directory(options: "BrokerOptions") -> str:
    return options.metadata_log_dir or options.log_directories[0]


def _look(directory: str) -> FoundDirectory:
    if not os.path.exists(directory):
        return FoundDirectory(directory, None, None, None, f"{directory} does not exist")
    if not os.path.isdir(directory):
        return FoundDirectory(directory, None, None, None, f"{directory} is not a directory")
    try:
        found = _meta_properties(directory)
    except InvalidConfig as error:
        return FoundDirectory(directory, None, None, None, "; ".join(error.problems))
    if found is None:
        return FoundDirectory(directory, None, None, None, f"{directory} is not formatted.")
    identity = None if found.directory_id is None else id_text(found.directory_id)
    return FoundDirectory(directory, found.cluster_id, found.node_id, identity, None)


def _meta_properties(directory: str) -> "MetaProperties | None":
    from ottla.log.store.meta_properties import read_meta_properties
    from ottla.runtime.disk import OsDisk

    return read_meta_properties(OsDisk(), directory)


def _check_cluster_id(text: str) -> None:
    try:
        is_good = len(id_from_text(text)) == _UUID_BYTES
    except ValueError:
        is_good = False
    if not is_good:
        raise usage(
            f"Cluster ID string {text} does not appear to be a valid UUID: 22 characters of base64 are expected"
        )


def _levels(release: str, features: Sequence[str]) -> dict[str, int]:
    """Raises Failure for releases and features that this version cannot serve."""
    from ottla.controller.feature_levels import FIRST_LEVELS, SUPPORTED_FEATURES

    if release not in _RELEASES:
        raise usage(f"Unsupported feature: release {release}; supported: {', '.join(_RELEASES)}")
    levels = dict(FIRST_LEVELS)
    for text in features:
        name, _, level = text.partition("=")
        supported = SUPPORTED_FEATURES.get(name)
        if supported is None or not level.isdigit() or not supported.covers(int(level)):
            known = ", ".join(f"{each}={low}-{high}" for each, (low, high) in SUPPORTED_FEATURES.items())
            raise usage(f"--feature {text} is not supported; supported: {known}")
        levels[name] = int(level)
    return levels


def _unformatted(directories: Sequence[str], *, ignore_formatted: bool) -> list[str]:
    """Raises Failure for one that is formatted, unless such ones are to be ignored."""
    fresh = []
    for directory in directories:
        if os.path.isdir(directory) and _meta_properties(directory) is not None:
            if not ignore_formatted:
                raise Failure(
                    f"Log directory {directory} is already formatted. Use --ignore-formatted to ignore this directory "
                    "and format the others."
                )
        else:
            fresh.append(directory)
    return fresh


def _format(directory: str, cluster_id: str, options: "BrokerOptions", levels: dict[str, int]) -> None:
    from ottla.controller.bootstrap import bootstrap_records
    from ottla.log.store.meta_properties import MetaProperties, new_directory_id, write_meta_properties
    from ottla.metadata.snapshot_files import write_bootstrap
    from ottla.runtime.disk import OsDisk
    from ottla.runtime.rng import OsRng

    disk = OsDisk()
    os.makedirs(directory, mode=0o700, exist_ok=True)
    write_bootstrap(disk, directory, bootstrap_records(levels), time.time_ns() // 1_000_000)
    # Last: a directory with this file is formatted.
    write_meta_properties(disk, directory, MetaProperties(1, cluster_id, options.node_id, new_directory_id(OsRng())))
