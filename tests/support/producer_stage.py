"""A simulated broker with a topic and any number of producers: for tests of the producer on virtual time."""

from collections.abc import Awaitable, Callable
from typing import Any

from ottla.client import AsyncAdmin, AsyncProducer
from ottla.client.admin.topics import NewTopic
from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.node import SimNode
from ottla.sim.transactional_client import READ_UNCOMMITTED, TransactionalSimClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

SERVERS = f"{BROKER}:{PORT}"
ORDERS = TopicPartition("orders", 0)


class ProducerStage:
    """A broker, and what is written there."""

    def __init__(self, world: SimWorld, node: SimNode) -> None:
        self.world = world
        self.node = node
        self._reader = TransactionalSimClient(
            world.client_doors("reader").network, BROKER, PORT, "reader", by_topic_id=False
        )

    def producer(self, **options: Any) -> AsyncProducer:
        return AsyncProducer(bootstrap_servers=SERVERS, world=self.world.client_doors("producer"), **options)

    async def create(self, partitions: int = 1, **configs: str) -> None:
        async with AsyncAdmin(bootstrap_servers=SERVERS, world=self.world.client_doors("admin")) as admin:
            topic = NewTopic("orders", partitions, configs={name.replace("_", "."): v for name, v in configs.items()})
            await admin.create_topics([topic])

    async def written(self, partition: TopicPartition = ORDERS) -> list[bytes]:
        return await self._reader.committed_values(partition)

    async def end_offset(self) -> int:
        return await self._reader.end_offset(ORDERS, READ_UNCOMMITTED)

    async def disturb(self, times: int) -> None:
        """Connections break, the broker dies and comes back."""
        for turn in range(times):
            await time_passes(self.world.rng.below(1500) / 1000)
            if turn % 3 == 2:
                self.node.kill()
                await time_passes(self.world.rng.below(3000) / 1000)
                await self.node.start()
            else:
                self.world.net.reset_connections(BROKER, self.world.rng)


def play(
    story: Callable[[ProducerStage], Awaitable[None]], seeds: int = 3, settings: dict[str, str] | None = None
) -> None:
    async def tell(world: SimWorld) -> None:
        node = make_node(world, settings or {})
        await node.start()
        await story(ProducerStage(world, node))

    told(tell, seeds=range(seeds), within_s=900)


def values(count: int) -> list[bytes]:
    return [b"%06d" % number for number in range(count)]
