"""What every client is at its core: options, a cluster, the doors, and the order in which they open and close."""

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

from ottla.client.cluster import Cluster
from ottla.client.errors import ClientClosed
from ottla.client.options import read_options
from ottla.config.client_options import ClientOptions
from ottla.doors.world import World
from ottla.runtime.real_world import RealWorld

O = TypeVar("O", bound=ClientOptions)  # noqa: E741


class Lifetime(Generic[O]):
    """Created with the client, outside of any event loop; the cluster exists from `start` to `close`."""

    def __init__(
        self,
        table: type[O],
        config: Mapping[str, Any] | None,
        keywords: Mapping[str, Any],
        world: World | None,
        *,
        objects: Iterable[str] = (),
    ) -> None:
        """Raises InvalidConfig. `world` is given in simulation; otherwise it is the real one."""
        self.options, self.objects = read_options(table, config, keywords, objects=objects)
        self._given_world = world
        self._real_world: RealWorld | None = None
        self._cluster: Cluster | None = None
        self.is_closed = False

    def start(self, *, allows_topic_creation: bool = False, topic_idle_ms: int | None = None) -> Cluster:
        """Opens the cluster, once. Connects to nobody yet."""
        if self.is_closed:
            raise ClientClosed("the client is closed; create a new one")
        if self._cluster is None:
            world = self._given_world or self._open_world()
            self._cluster = Cluster(
                self.options, world, allows_topic_creation=allows_topic_creation, topic_idle_ms=topic_idle_ms
            )
        return self._cluster

    @property
    def cluster(self) -> Cluster:
        if self.is_closed:
            raise ClientClosed("the client is closed; create a new one")
        if self._cluster is None:
            raise ClientClosed("the client is not started: use `async with`, or await start()")
        return self._cluster

    @property
    def world(self) -> World:
        world = self._given_world or (self._real_world.doors if self._real_world is not None else None)
        if world is None:
            raise ClientClosed("the client is not started: use `async with`, or await start()")
        return world

    async def close(self) -> None:
        self.is_closed = True
        cluster, self._cluster = self._cluster, None
        if cluster is not None:
            await cluster.close()
        if self._real_world is not None:
            self._real_world.close()
            self._real_world = None

    def _open_world(self) -> World:
        send, receive = self.options.value_of("send.buffer.bytes"), self.options.value_of("receive.buffer.bytes")
        # Fixed buffers cost throughput: the system's choice is better, unless somebody wants others.
        self._real_world = RealWorld(
            send_buffer_bytes=_size(send) if self.options.is_set("send.buffer.bytes") else -1,
            receive_buffer_bytes=_size(receive) if self.options.is_set("receive.buffer.bytes") else -1,
        )
        return self._real_world.doors


def _size(value: object) -> int:
    assert isinstance(value, int)
    return value
