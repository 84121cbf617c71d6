"""The client library on the simulated network, against the unchanged broker."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ottla.client import AsyncAdmin, AsyncConsumer
from ottla.client.admin.topics import NewTopic
from ottla.client.errors import TimedOut, UnknownTopic
from ottla.sim.broker_service import PORT
from ottla.sim.node import SimNode
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

SERVERS = f"{BROKER}:{PORT}"
Story = Callable[[SimWorld, SimNode], Awaitable[None]]


def play(story: Story, seeds: int = 3) -> None:
    async def tell(world: SimWorld) -> None:
        node = make_node(world, {})
        await node.start()
        await story(world, node)

    told(tell, seeds=range(seeds))


def test_an_admin_client_creates_lists_and_deletes_topics() -> None:
    async def story(world: SimWorld, node: SimNode) -> None:
        async with AsyncAdmin(bootstrap_servers=SERVERS, world=world.client_doors("admin")) as admin:
            await admin.create_topics([NewTopic("orders", 3), NewTopic("invoices")])
            assert [topic.name for topic in await admin.list_topics()] == ["invoices", "orders"]
            assert len((await admin.describe_topics(["orders"]))["orders"].partitions) == 3
            await admin.delete_topics(["orders"])
            with pytest.raises(UnknownTopic):
                await admin.describe_topics(["orders"])

    play(story)


def test_a_call_goes_on_when_the_broker_comes_back() -> None:
    async def story(world: SimWorld, node: SimNode) -> None:
        async with AsyncAdmin(bootstrap_servers=SERVERS, world=world.client_doors("admin")) as admin:
            await admin.describe_cluster()
            node.kill()
            call = asyncio.ensure_future(admin.describe_cluster())
            await time_passes(5)
            assert not call.done()
            await node.start()
            assert (await call).nodes[0].host == BROKER

    play(story)


def test_a_call_ends_at_its_deadline_and_says_why() -> None:
    async def story(world: SimWorld, node: SimNode) -> None:
        node.kill()
        async with AsyncAdmin(bootstrap_servers=SERVERS, world=world.client_doors("admin")) as admin:
            began = world.loop.time()
            with pytest.raises(TimedOut, match=r"describe_cluster: no success within 3000 ms; last error: .*refused"):
                await admin.describe_cluster(timeout_ms=3000)
            assert world.loop.time() - began <= 3.0

    play(story)


def test_closing_leaves_nothing_behind() -> None:
    async def story(world: SimWorld, node: SimNode) -> None:
        before = asyncio.all_tasks()
        async with AsyncAdmin(bootstrap_servers=SERVERS, world=world.client_doors("admin")) as admin:
            await admin.describe_cluster()
            assert world.net.connections
        await time_passes(1)
        assert world.net.connections == {}
        assert asyncio.all_tasks() <= before

    play(story)


def test_metadata_of_a_missing_topic_is_asked_for_with_back_off_and_of_a_new_one_at_once() -> None:
    async def story(world: SimWorld, node: SimNode) -> None:
        async with AsyncConsumer(
            bootstrap_servers=SERVERS, world=world.client_doors("consumer"), allow_auto_create_topics=False
        ) as consumer:
            images: list[int] = []
            consumer._lifetime.cluster.on_image.append(lambda image: images.append(image.version))
            consumer.assign([("missing", 0)])
            await time_passes(10)
            assert 5 < len(images) < 30
            async with AsyncAdmin(bootstrap_servers=SERVERS, world=world.client_doors("admin")) as admin:
                await admin.create_topics([NewTopic("orders")])
            began = world.loop.time()
            await consumer.partitions_for("orders")
            assert world.loop.time() - began < 0.2

    play(story)
