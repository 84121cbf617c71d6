"""A simulated broker with topics, a producer and any number of consumers: for tests of the consumer on virtual time."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from ottla.client import AsyncAdmin, AsyncConsumer, AsyncProducer
from ottla.client.admin.topics import NewTopic
from ottla.client.consumer.record import ConsumerRecord
from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.node import SimNode
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told

SERVERS = f"{BROKER}:{PORT}"


def orders(*partitions: int) -> list[TopicPartition]:
    return [TopicPartition("orders", partition) for partition in partitions]


class ConsumerStage:
    def __init__(self, world: SimWorld, node: SimNode) -> None:
        self.world = world
        self.node = node
        self._count = 0

    def doors(self, name: str) -> Any:
        self._count += 1
        return self.world.client_doors(f"{name}-{self._count}")

    def consumer(self, **options: Any) -> AsyncConsumer:
        settings = {"auto_offset_reset": "earliest", **options}
        return AsyncConsumer(bootstrap_servers=SERVERS, world=self.doors("consumer"), **settings)

    def producer(self, **options: Any) -> AsyncProducer:
        return AsyncProducer(bootstrap_servers=SERVERS, world=self.doors("producer"), **options)

    def admin(self) -> AsyncAdmin:
        return AsyncAdmin(bootstrap_servers=SERVERS, world=self.doors("admin"))

    async def create(self, topic: str = "orders", partitions: int = 1, **configs: str) -> None:
        async with self.admin() as admin:
            settings = {name.replace("_", "."): value for name, value in configs.items()}
            await admin.create_topics([NewTopic(topic, partitions, configs=settings)])

    async def write(self, values: Iterable[bytes], topic: str = "orders", partition: int = 0, **options: Any) -> None:
        async with self.producer(**options) as producer:
            for value in values:
                producer.send(topic, value, partition=partition)


def numbered(count: int, start: int = 0) -> list[bytes]:
    return [b"%d" % number for number in range(start, start + count)]


async def read(consumer: AsyncConsumer, count: int, seconds: float = 120) -> list[ConsumerRecord]:
    """That many records; fails when they do not come in time."""
    found: list[ConsumerRecord] = []
    async with asyncio.timeout(seconds):
        while len(found) < count:
            found += await consumer.poll()
    return found


async def values(consumer: AsyncConsumer, count: int) -> list[bytes]:
    return [record.value for record in await read(consumer, count)]


async def poll_until(consumer: AsyncConsumer, condition: Callable[[], object]) -> None:
    """The consumer polls, and what it gets is thrown away, until the condition holds."""
    async with asyncio.timeout(120):
        while not condition():
            await consumer.poll(timeout_ms=100)


def play(story: Callable[[ConsumerStage], Awaitable[None]], seeds: int = 3, **settings: str) -> None:
    async def tell(world: SimWorld) -> None:
        node = make_node(world, {name.replace("_", "."): value for name, value in settings.items()})
        await node.start()
        await story(ConsumerStage(world, node))

    told(tell, seeds=range(seeds), within_s=7200)
