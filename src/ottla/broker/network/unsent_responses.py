"""The memory that responses hold together which their clients do not take.

Each connection has one response at a time, but thousands of them together could fill the machine. Parts of files wait
as what they are and count for nothing, so slow consumers are left alone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Protocol

_log = logging.getLogger(__name__)

_MIB = 1024 * 1024


class Sender(Protocol):
    """A connection, as far as its unsent responses go."""

    peer_host: str
    peer_port: int

    def unsent_size(self) -> int: ...

    def held_size(self) -> int:
        """Memory that they take."""

    def abort(self) -> None: ...


class UnsentResponses:
    """Owned by `Connections`, which asks again and again."""

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        #: As of the last look.
        self._before: dict[Sender, int] = {}

    def cut_slowest(self, connections: Iterable[Sender]) -> None:
        """Ends the connections that have taken the least since the last look, until the others are within the limit."""
        held = {one: size for one in connections if one.unsent_size() and (size := one.held_size())}
        before, self._before = self._before, held
        total_bytes = sum(held.values())
        if total_bytes <= self.limit_bytes:
            return
        _log.warning(
            "responses that %d clients do not read use %d MiB, the limit is %d (ottla.unsent.responses.max.bytes)",
            len(held),
            total_bytes // _MIB,
            self.limit_bytes // _MIB,
        )
        for connection in sorted(held, key=lambda one: _slowness(before.get(one), held[one])):
            if total_bytes <= self.limit_bytes:
                break
            total_bytes -= held[connection]
            _log.warning(
                "%s:%d reads its responses the slowest: connection closed", connection.peer_host, connection.peer_port
            )
            connection.abort()

    def forget(self, connection: Sender) -> None:
        self._before.pop(connection, None)


def _slowness(before: int | None, now: int) -> tuple[bool, int, int]:
    """Sorts: first those that have waited longer than one look, by what they took meanwhile, then by what they hold."""
    return before is None, 0 if before is None else before - now, -now
