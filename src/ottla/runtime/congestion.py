"""No pacing between peers on the same machine.

BBR measures a path and paces what it sends over it. Inside one machine there is no path to measure: timers and small
portions only cost CPU. Linux goes on pacing a connection that began with BBR whatever algorithm it is given later, so
the choice is made before there is a connection. Any other choice of the system is left alone.
"""

import contextlib
import socket
import sys
from functools import cache
from typing import Final

from ottla.model.addresses import is_loopback_address

_PACES: Final = b"bbr"
#: Every Linux has it, and nobody needs a privilege for it.
_DOES_NOT_PACE: Final = b"reno"
_NAME_SIZE_MAX: Final = 16


def prepare_listening(listening: socket.socket) -> None:
    """Before the first connection comes: it starts with what the listening socket has."""
    if _system_choice().startswith(_PACES):
        _choose(listening, _DOES_NOT_PACE)


def prepare_connecting(sock: socket.socket, host: str) -> None:
    """Before it connects; `host` is a numeric address."""
    if is_loopback_address(host) and _system_choice().startswith(_PACES):
        _choose(sock, _DOES_NOT_PACE)


def settle_accepted(sock: socket.socket, peer_host: str) -> None:
    """Peers on other machines get what the system has chosen for them."""
    if not is_loopback_address(peer_host) and _system_choice().startswith(_PACES):
        _choose(sock, _system_choice())


@cache
def _system_choice() -> bytes:
    """Empty where there is none to make."""
    if sys.platform != "linux":
        return b""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as fresh:
        return fresh.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, _NAME_SIZE_MAX).rstrip(b"\0")


def _choose(sock: socket.socket, algorithm: bytes) -> None:
    # A system may refuse it, and a peer may be gone already: both are no reason to fail.
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, algorithm)
