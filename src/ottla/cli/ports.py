"""Is a port free, and if not, which process has it? Checked before anything starts."""

import errno
import os
import socket
from pathlib import Path
from typing import NamedTuple

from ottla.config.listeners import ListenerPlan
from ottla.model.addresses import LOOPBACK_V4, LOOPBACK_V6
from ottla.runtime.early_sockets import EarlySockets

PORT_TAKEN = "the port is in use"
_LISTENING = "0A"


class PortProblems(NamedTuple):
    """One sentence for each listener."""

    #: A later start may work: another program has the port, or the machine does not have the address yet.
    passing: list[str]
    #: No start will work: the name has no address, or this user may not open the port.
    lasting: list[str]


def port_problems(plan: ListenerPlan, early: EarlySockets) -> PortProblems:
    found = PortProblems([], [])
    for listener in plan.listeners:
        hosts = (LOOPBACK_V4, LOOPBACK_V6) if listener.host == "localhost" else (listener.host,)
        asked = [host for host in hosts if listener.port and not early.holds(host, listener.port)]
        error = next((error for host in asked if (error := _bind_error(host, listener.port)) is not None), None)
        if error is None:
            continue
        if error.errno == errno.EADDRINUSE:
            owner = port_owner(listener.port)
            found.passing.append(f"listeners: {listener}: {PORT_TAKEN}{f' by {owner}' if owner else ''}")
        else:
            problems = found.passing if error.errno == errno.EADDRNOTAVAIL else found.lasting
            problems.append(f"listeners: {listener}: {error.strerror or error}")
    return found


def _bind_error(host: str, port: int) -> OSError | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        # A machine without IPv6 serves localhost on IPv4 alone.
        return None if host == LOOPBACK_V6 and error.errno != errno.EADDRINUSE else error
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
