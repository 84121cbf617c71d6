"""Listening sockets that are there before the program behind them is loaded.

A client that finds nobody on a port backs off, and some clients stop trying for a second or more. Loading a broker
takes longer than taking its addresses: with the sockets open, clients that come meanwhile wait in the system's queue.
Nothing is accepted or read before the node serves.
"""

import socket
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from ottla.runtime.congestion import prepare_listening

Address = tuple[str, int]
_BACKLOG = 512


class EarlySockets:
    """Owned by the start of a process. What nobody has taken is closed with it."""

    def __init__(self, addresses: Iterable[Address] = ()) -> None:
        self._open: dict[Address, socket.socket] = {}
        for address in addresses:
            found = _listen(address)
            if found is not None:
                self._open[address] = found

    def holds(self, host: str, port: int) -> bool:
        return (host, port) in self._open

    def take(self, host: str, port: int) -> socket.socket | None:
        """The caller closes it."""
        return self._open.pop((host, port), None)

    def close(self) -> None:
        for opened in self._open.values():
            opened.close()
        self._open.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _listen(address: Address) -> socket.socket | None:
    """None where it does not work: the ordinary start fails at the same point and logs why."""
    opened = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if opened.family == socket.AF_INET6:
            # As asyncio opens them: IPv4 has a socket of its own.
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        prepare_listening(opened)
        opened.bind(address)
        opened.listen(_BACKLOG)
        opened.setblocking(False)
    except OSError:
        opened.close()
        return None
    return opened
