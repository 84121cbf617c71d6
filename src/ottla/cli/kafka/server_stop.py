"""`ottla server-stop` (kafka-server-stop.sh): asks the brokers of this user on this machine to stop."""

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import click

from ottla.cli.failures import Failure
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.config.properties import parse_overrides, parse_properties

_COMMANDS = ("serve", "server-start", "start")


class Stopped(NamedTuple):
    pid: int
    command: str


@kafka_tool("server-stop", connects=False)
@click.option("--node-id", type=int, metavar="N", help="Only the node with this id.")
@click.option("--process-role", metavar="broker|controller", help="Accepted: a node of Ottla has both roles.")
def server_stop(run: Run, node_id: int | None, process_role: str | None) -> Result:
    """Ask the brokers that this user runs on this machine to stop, as Ctrl-C does (kafka-server-stop.sh)."""
    if process_role not in (None, "broker", "controller"):
        raise Failure(f"Invalid process role: {process_role}; broker or controller")
    found = [each for each in brokers(_processes()) if node_id is None or node_id_of(each) == node_id]
    if not found:
        raise Failure(
            "No kafka server to stop" if node_id is None else f"No kafka server to stop with node.id {node_id}"
        )
    for broker in found:
        os.kill(broker.pid, signal.SIGTERM)
    return Result("brokers", found, columns=("pid", "command"), text="")


def _processes() -> str:
    """`PID COMMAND` lines of this user's processes."""
    listed = subprocess.run(
        ["ps", "-U", str(os.getuid()), "-o", "pid=,args=", "-ww"], capture_output=True, text=True, check=False
    )
    return listed.stdout


def brokers(listing: str) -> Iterator[Stopped]:
    """The processes that run `ottla serve` or `ottla server-start`."""
    for line in listing.splitlines():
        pid, _, command = line.strip().partition(" ")
        if pid.isdigit() and int(pid) != os.getpid() and is_broker(command.split()):
            yield Stopped(int(pid), command.strip())


def is_broker(words: Sequence[str]) -> bool:
    """`python …/bin/ottla serve …`, `ottla serve …` or `python -m ottla serve …`; not a shell that mentions it."""
    rest = list(words)
    if rest and os.path.basename(rest[0]).startswith("python"):
        del rest[0]
        if rest[:1] == ["-m"]:
            del rest[0]
    return len(rest) > 1 and os.path.basename(rest[0]) == "ottla" and rest[1] in _COMMANDS


def node_id_of(broker: Stopped) -> int | None:
    """As its command line and file have it; None where they do not say."""
    words = broker.command.split()
    overrides = [value for flag, value in pairwise(words) if flag == "--override"]
    values = parse_overrides(overrides).values
    if "node.id" not in values:
        values = {**_file_values(broker.pid, words), **values}
    text = values.get("node.id") or values.get("broker.id") or ""
    return int(text) if text.isdigit() else None


def _file_values(pid: int, words: Sequence[str]) -> dict[str, str]:
    """Of the properties file; a relative path counts from the working directory of the process."""
    for word in words:
        if word.endswith(".properties"):
            base = Path(f"/proc/{pid}/cwd")
            path = Path(word) if os.path.isabs(word) else (base.resolve() if base.exists() else Path.cwd()) / word
            try:
                return parse_properties(path.read_text(encoding="utf-8")).values
            except OSError:
                return {}
    return {}
