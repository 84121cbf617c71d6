"""Is a port free, and if not, who has it? Asked before anything starts."""

import errno
import os
import socket
from pathlib import Path

from ottla.config.listeners import Listener, ListenerPlan
from ottla.runtime.early_sockets import EarlySockets

PORT_TAKEN = "the port is taken"
_LISTENING = "0A"


def taken_ports(plan: ListenerPlan, early: EarlySockets) -> list[str]:
    """One sentence for each listener whose port another program has."""
    asked = [listener for listener in plan.listeners if not early.holds(listener.host, listener.port)]
    return [problem for listener in asked if (problem := _problem(listener)) is not None]


def _problem(listener: Listener) -> str | None:
    if listener.port == 0:
        return None
    family = socket.AF_INET6 if ":" in listener.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((listener.host, listener.port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                return f"listener {listener}: {error.strerror or error}"
            owner = port_owner(listener.port)
            return f"listener {listener}: {PORT_TAKEN}{f' by {owner}' if owner else ''}"
    return None


def port_owner(port: int, proc: Path = Path("/proc")) -> str | None:
    """Program and pid of who listens on a port, where the system lets us see it."""
    inodes = _listening_inodes(port, proc)
    if not inodes:
        return None
    targets = {f"socket:[{inode}]" for inode in inodes}
    for process in sorted(proc.glob("[0-9]*"), key=lambda path: int(path.name)):
        if _holds(process, targets):
            return f"{_program(process)} (pid {process.name})"
    return None


def _listening_inodes(port: int, proc: Path) -> list[str]:
    found: list[str] = []
    for table in ("tcp", "tcp6"):
        try:
            lines = (proc / "net" / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                found.append(fields[9])
    return found


def _holds(process: Path, targets: set[str]) -> bool:
    try:
        return any(os.readlink(entry) in targets for entry in (process / "fd").iterdir())
    except OSError:
        # Not ours to look into, or already gone.
        return False


def _program(process: Path) -> str:
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return "a program"
