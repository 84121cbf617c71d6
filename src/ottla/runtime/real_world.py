"""The real doors of a program that is not a broker: a client, a tool."""

from ottla.doors.world import World
from ottla.runtime.clock import OsClock
from ottla.runtime.disk import OsDisk
from ottla.runtime.executor import OsExecutor
from ottla.runtime.network import SocketNetwork
from ottla.runtime.rng import OsRng

_THREAD_COUNT = 4


class RealWorld:
    """Opened and closed by its owner; threads start when there is work for them."""

    def __init__(self, *, send_buffer_bytes: int = -1, receive_buffer_bytes: int = -1) -> None:
        self._executor = OsExecutor(_THREAD_COUNT)
        network = SocketNetwork(send_buffer_bytes=send_buffer_bytes, receive_buffer_bytes=receive_buffer_bytes)
        self.doors = World(OsClock(), OsRng(), OsDisk(), network, self._executor)

    def close(self) -> None:
        self._executor.close()
