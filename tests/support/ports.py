"""Ports for the listeners of tests, one owner each.

A port that the system gives out (bind to 0, close) is free only for that moment: any connection that any process opens
may get it as its own end before the broker listens there, or while the broker is down between a kill and a restart. A
client that tries again and again may even be connected to itself. So these lie below the ports of outgoing connections,
and a lock tells test processes that run side by side which are taken.
"""

import fcntl
import os
import random
import socket
import tempfile
from functools import cache
from pathlib import Path

#: Linux takes 32768 and up for outgoing connections, macOS 49152 and up.
_PORTS = range(20_000, 32_000)
_ours: set[int] = set()


def free_port() -> int:
    """Nobody listens there, and no other process that asks here gets it while this one lives."""
    first = random.randrange(len(_PORTS))
    for step in range(len(_PORTS)):
        port = _PORTS[(first + step) % len(_PORTS)]
        if port not in _ours and _is_locked(port):
            _ours.add(port)
            if _is_free(port):
                return port
    raise RuntimeError(f"no port of {_PORTS} is free")


def _is_locked(port: int) -> bool:
    """One byte of the file for each port. The system gives them back when the process ends, however it ends."""
    try:
        fcntl.lockf(_lock_file(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    return True


@cache
def _lock_file() -> int:
    """Opened once: a process that closes such a file loses all its locks."""
    path = Path(tempfile.gettempdir()) / f"ottla-test-ports-{os.getuid()}"
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
