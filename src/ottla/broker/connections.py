"""All connections of a node: who may connect, who has been idle or has stopped reading for too long."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ottla.doors.clock import Clock

if TYPE_CHECKING:
    from ottla.broker.connection import Connection

_log = logging.getLogger(__name__)

#: A peer that takes none of its answer for this long is cut off.
STALLED_AFTER_MS = 30_000
_SPARE_MEMORY_AFTER_MS = 10_000


class Limits(NamedTuple):
    """What one client may take; see docs/limits.md."""

    frame_bytes: int
    connections: int
    connections_per_host: int
    idle_ms: int


class Connections:
    """Owned by the node. Keeps the open connections in the order in which they came."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._open: dict[Connection, None] = {}
        self._per_host: Counter[str] = Counter()
        self.refused_count = 0

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: Connection) -> str | None:
        """Takes the connection in, or says why not."""
        host = connection.peer_host
        if len(self._open) >= self._limits.connections:
            self.refused_count += 1
            return f"there are {len(self._open)} connections already (max.connections)"
        if self._per_host[host] >= self._limits.connections_per_host and not host.startswith("127."):
            self.refused_count += 1
            return f"{host} has {self._per_host[host]} connections already (max.connections.per.ip)"
        self._open[connection] = None
        self._per_host[host] += 1
        return None

    def forget(self, connection: Connection) -> None:
        if self._open.pop(connection, 0) is None:
            self._per_host[connection.peer_host] -= 1
            if not self._per_host[connection.peer_host]:
                del self._per_host[connection.peer_host]

    def sweep(self) -> None:
        """Called every few seconds: ends stalled and idle connections, takes spare memory back."""
        now_ms = self._clock.monotonic_ms()
        for connection in list(self._open):
            if connection.unsent_size():
                if now_ms - connection.last_progress_ms > STALLED_AFTER_MS:
                    _log.warning("%s does not read its answers: connection cut", connection.peer_host)
                    connection.abort()
                continue
            idle_ms = now_ms - connection.last_active_ms
            if connection.is_working:
                continue
            if idle_ms > self._limits.idle_ms:
                connection.close(f"idle for {idle_ms // 1000} s (connections.max.idle.ms)")
            elif idle_ms > _SPARE_MEMORY_AFTER_MS:
                connection.release_spare_memory()

    def close_all(self) -> None:
        for connection in list(self._open):
            connection.close("the broker stops")

    def abort_all(self) -> None:
        for connection in list(self._open):
            connection.abort()
