"""The real broker in a thread of the test's process: one event loop, data in memory, a port that the system picks."""

from collections.abc import Coroutine, Mapping
from typing import Any, Final, TypeVar

from ottla.broker.node import BrokerNode
from ottla.broker.requests.registry import Entry
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import plan_listeners
from ottla.doors.world import World
from ottla.model.errors import InUse, InvalidConfig
from ottla.runtime.loop_thread import LoopThread
from ottla.runtime.network import SocketNetwork
from ottla.runtime.rng import OsRng
from ottla.testing.clock import BrokerClock, OffsetClock, OffsetLoop
from ottla.testing.errors import StartFailed
from ottla.testing.faults import Faults
from ottla.testing.inline_executor import InlineExecutor
from ottla.testing.kafka_releases import handlers_of
from ottla.testing.memory_disk import MemoryDisk
from ottla.testing.recording import Recording
from ottla.testing.settings import SETTINGS

T = TypeVar("T")

_DIRECTORY: Final = "/data"


class InProcessServer:
    """Serves from when it is created until `close`."""

    kind = "a broker in this process"

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Raises StartFailed."""
        self._offset_clock = OffsetClock()
        loop = OffsetLoop(self._offset_clock)
        self.clock = BrokerClock(self._offset_clock, loop)
        self.faults = Faults()
        self.recording = Recording()
        settings = {**SETTINGS, "log.dirs": _DIRECTORY, **{key: str(value) for key, value in config.items()}}
        self._thread = LoopThread("ottla test broker", loop)
        try:
            self.node = self.run(self._start(settings))
        except (InUse, InvalidConfig, OSError) as error:
            self._thread.close()
            raise StartFailed(str(error)) from error
        except BaseException:
            self._thread.close()
            raise
        endpoint = self.node.advertised_endpoints()[0]
        self.bootstrap = f"{endpoint.host}:{endpoint.port}"

    async def _start(self, settings: Mapping[str, str]) -> BrokerNode:
        clock = self._offset_clock
        disk = MemoryDisk(clock.now_ms)
        disk.make_directories(_DIRECTORY)
        options = BrokerOptions(settings)
        world = World(clock, OsRng(), disk, SocketNetwork(), InlineExecutor(disk))
        node = BrokerNode(options, plan_listeners(options), world)
        await node.start()
        for pipeline in node.pipelines:
            pipeline.add_guard(self.faults.guard)
            pipeline.add_guard(self.recording.guard)
        return node

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """On the broker's loop."""
        return self._thread.run(work)

    def act_like(self, release: str) -> None:
        """Raises ValueError for a release that is not known."""
        handlers = handlers_of(release, self.node.handlers)
        self.run(self._serve_only(handlers))

    async def _serve_only(self, handlers: Mapping[int, Entry]) -> None:
        for pipeline in self.node.pipelines:
            pipeline.handlers = handlers
        self.node.connections.abort_all()

    def drop_open_connections(self, client_id: str | None) -> None:
        """Closes the connections that a client has now."""
        self.run(self._drop_open_connections(client_id))

    async def _drop_open_connections(self, client_id: str | None) -> None:
        for connection, owner in list(self.recording.clients.items()):
            if client_id in (None, owner):
                connection.abort()

    def close(self) -> None:
        if self._thread.is_running:
            try:
                self.run(self._stop())
            finally:
                self._thread.close()

    async def _stop(self) -> None:
        self.faults.clear()
        self.faults.has_ended.set()
        await self.node.stop()
