"""The network of a simulated world: who listens where, how fast and how badly the paths between hosts work.

`SimNet` is the whole network, `SimNetwork` is the Network door of one process on it. Connections and their two streams
are in `ottla.sim.connection`. Faults: `cut` one way (nothing arrives until `heal`; new connections time out), `clog`
(the same, but new connections wait as well), `slow_down`, `reset` of single connections.
"""

import asyncio
import contextvars
import errno
import os
from collections.abc import Callable
from typing import Any

from ottla.doors.network import BufferedOwner
from ottla.sim.connection import Connection, SimTransport
from ottla.sim.loop import SimLoop
from ottla.sim.network_path import Latency, Path
from ottla.sim.process import SimProcess
from ottla.sim.rng import SimRng
from ottla.sim.trace import Trace

CONNECT_TIMEOUT_S = 10.0
FIRST_EPHEMERAL_PORT = 32768


class SimListener:
    def __init__(self, net: "SimNet", host: str, port: int, process: SimProcess, make_owner: Callable[[], Any]) -> None:
        self.host = host
        self.port = port
        self.process = process
        self.make_owner = make_owner
        self.is_started = False
        self._net = net

    async def start(self) -> None:
        self.is_started = True

    async def close(self) -> None:
        self._net.unlisten(self)


class SimNet:
    def __init__(self, loop: SimLoop, rng: SimRng, trace: Trace, *, latency: Latency | None = None) -> None:
        self.loop = loop
        #: Of no process: what is under way arrives even if its sender has died.
        self.context = contextvars.Context()
        self.trace = trace
        self.latency = latency or Latency()
        self._rng = rng
        self._paths: dict[tuple[str, str], Path] = {}
        self._listeners: dict[tuple[str, int], SimListener] = {}
        self.connections: dict[int, Connection] = {}
        self._next_number = 0
        #: By host that lost power: the ends whose peer was there.
        self.orphaned: dict[str, list[SimTransport]] = {}

    # faults

    def path(self, source: str, target: str) -> Path:
        path = self._paths.get((source, target))
        if path is None:
            path = Path(self._rng.split(f"{source}>{target}"), self.latency)
            self._paths[(source, target)] = path
        return path

    def cut(self, source: str, target: str) -> None:
        """One way only: what `source` sends does not arrive; what `target` sends does."""
        self.trace.event("cut", source, target)
        self.path(source, target).is_cut = True

    def clog(self, source: str, target: str) -> None:
        self.trace.event("clog", source, target)
        self.path(source, target).is_clogged = True

    def slow_down(self, source: str, target: str, bytes_per_ms: int) -> None:
        self.trace.event("slow", source, target, bytes_per_ms)
        self.path(source, target).bytes_per_ms = bytes_per_ms

    def heal(self) -> None:
        self.trace.event("heal")
        for path in self._paths.values():
            path.bytes_per_ms = None
            path.open()

    def reset_connections(self, host: str, rng: SimRng) -> None:
        """Some of the connections of `host` break; of what is under way a prefix still arrives."""
        for connection in list(self.connections.values()):
            if host in connection.hosts and rng.chance(50):
                self.trace.event("reset", connection.number)
                connection.reset()

    def machine_lost(self, host: str) -> None:
        """Power loss: connections end without FIN or RST."""
        for connection in list(self.connections.values()):
            if host in connection.hosts:
                connection.vanish(host)

    def machine_back(self, host: str) -> None:
        """The rebooted machine knows nothing of the old connections and resets them."""
        for end in self.orphaned.pop(host, []):
            end.refused_by_peer()

    # listening and connecting

    def listen(self, host: str, port: int, process: SimProcess, make_owner: Callable[[], Any]) -> SimListener:
        if port == 0:
            port = self._free_port(host)
        if (host, port) in self._listeners:
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        listener = SimListener(self, host, port, process, make_owner)
        self._listeners[(host, port)] = listener
        process.on_death.append(lambda: self.unlisten(listener))
        return listener

    def unlisten(self, listener: SimListener) -> None:
        if self._listeners.get((listener.host, listener.port)) is listener:
            del self._listeners[(listener.host, listener.port)]

    async def connect(self, from_host: str, process: SimProcess, host: str, port: int, owner: Any) -> None:
        there, back = self.path(from_host, host), self.path(host, from_host)
        await asyncio.sleep(there.delay_s())
        waited_s = 0.0
        while not (there.is_open and back.is_open):
            if waited_s >= CONNECT_TIMEOUT_S:
                raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            await asyncio.sleep(0.25)
            waited_s += 0 if not (there.is_cut or back.is_cut) else 0.25
        listener = self._listeners.get((host, port))
        await asyncio.sleep(back.delay_s())
        if listener is None or not listener.is_started or self._listeners.get((host, port)) is not listener:
            raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        self._open(from_host, process, listener, owner)

    def _open(self, from_host: str, process: SimProcess, listener: SimListener, owner: Any) -> None:
        number = self._next_number
        self._next_number += 1
        self.trace.event("connect", number, from_host, listener.host, listener.port)
        connection = Connection(self, number)
        self.connections[number] = connection
        port = FIRST_EPHEMERAL_PORT + number % 28_000
        client = SimTransport(connection, process, owner, (from_host, port), (listener.host, listener.port))
        server = SimTransport(connection, listener.process, None, client.peer_address, client.own_address)
        connection.join(client, server)
        listener.process.call_soon(server.accept, listener.make_owner)
        owner.connection_made(client)
        client.begin_reading()

    def _free_port(self, host: str) -> int:
        port = FIRST_EPHEMERAL_PORT
        while (host, port) in self._listeners:
            port += 1
        return port


class SimNetwork:
    """Implements `ottla.doors.network.Network` for one process."""

    def __init__(self, net: SimNet, host: str, process: SimProcess) -> None:
        self._net = net
        self._host = host
        self._process = process

    async def listen(
        self, host: str, port: int, make_owner: Callable[[], BufferedOwner], *, backlog: int = 512
    ) -> SimListener:
        # Whatever address is asked for, a simulated host has one.
        return self._net.listen(self._host, port, self._process, make_owner)

    async def connect(self, host: str, port: int, owner: BufferedOwner) -> None:
        await self._net.connect(self._host, self._process, host, port, owner)

    def link(self, transport: Any) -> SimTransport:
        assert isinstance(transport, SimTransport)
        return transport
