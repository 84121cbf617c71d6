"""`ottla link`: wrappers named kafka-*.sh, so that scripts for Kafka run unchanged."""

import shlex
import sys
from pathlib import Path
from typing import NamedTuple

import click

from ottla.cli.commands import COMMANDS, KAFKA
from ottla.cli.failures import Failure
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import verb

_MARK = "# written by `ottla link`"


class Wrapper(NamedTuple):
    script: str
    command: str


@verb(connects=False)
@click.option("--dir", "directory", required=True, type=click.Path(path_type=Path), help="Wrappers go to DIR/bin.")
def link(run: Run, directory: Path) -> Result:
    """Write wrappers DIR/bin/kafka-NAME.sh for all tools with Kafka's names.

    \b
    ottla link --dir ~/kafka
    PATH=~/kafka/bin:$PATH kafka-topics.sh --bootstrap-server localhost:9092 --list
    """
    folder = directory / "bin"
    wanted = [name for name, entry in COMMANDS.items() if entry.section == KAFKA and not entry.hidden]
    foreign = [path for name in wanted if (path := folder / f"kafka-{name}.sh").exists() and not _is_ours(path)]
    if foreign:
        raise Failure(f"{foreign[0]} exists and was not written by ottla link", hint="choose an empty directory")
    folder.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        path = folder / f"kafka-{name}.sh"
        path.write_text(f'#!/bin/sh\n{_MARK}\nexec {shlex.quote(sys.executable)} -m ottla {name} "$@"\n')
        path.chmod(0o755)
    run.note(f"{len(wanted)} wrappers in {folder}")
    return Result("wrappers", [Wrapper(str(folder / f"kafka-{name}.sh"), f"ottla {name}") for name in wanted],
                  ("script", "command"))  # fmt: skip


def _is_ours(path: Path) -> bool:
    try:
        return _MARK in path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
