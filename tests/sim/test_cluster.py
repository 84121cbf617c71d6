"""What a client knows of its cluster, against a broker that does as it is told."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

import pytest

from ottla.client.cluster import Cluster
from ottla.client.coordinators import CoordinatorKind
from ottla.client.errors import ConnectionFailed
from ottla.config.admin_options import AdminOptions
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.find_coordinator_response import Coordinators, FindCoordinatorResponse
from ottla.sim.world import SimWorld
from tests.support.scripted_broker import HOST, PORT, SILENCE, ScriptedBroker
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

Story = Callable[[SimWorld, ScriptedBroker, Cluster], Awaitable[None]]


def play(story: Story, **settings: str) -> None:
    async def tell(world: SimWorld) -> None:
        broker = await ScriptedBroker(world).start()
        given = {key.replace("_", "."): value for key, value in settings.items()}
        options = AdminOptions({"bootstrap.servers": f"{HOST}:{PORT}", **given})
        cluster = Cluster(options, world.client_doors("client"))
        await story(world, broker, cluster)
        await cluster.close()

    told(tell, seeds=range(2))


def with_rack(broker: ScriptedBroker) -> None:
    def metadata(header: Any, request: Any) -> Any:
        response = broker.metadata(request)
        response.brokers[0].rack = "rack-1"
        return response

    broker.scripts[ApiKey.METADATA] = metadata


def coordinator(header: Any, request: Any) -> FindCoordinatorResponse:
    """Has no rack: the protocol gives none here."""
    return FindCoordinatorResponse(coordinators=[Coordinators(request.coordinator_keys[0], 1, HOST, PORT)])


def test_looking_up_a_coordinator_keeps_the_connections_to_its_node() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker, cluster: Cluster) -> None:
        with_rack(broker)
        broker.scripts[ApiKey.FIND_COORDINATOR] = coordinator
        channel = await cluster.channel(await cluster.any_node())

        await cluster.coordinators.find(CoordinatorKind.GROUP, "g")
        await cluster.refresh()

        assert cluster.nodes.ready(1) is channel

    play(story)


def test_a_coordinator_is_asked_for_once_and_again_when_it_was_forgotten() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker, cluster: Cluster) -> None:
        broker.scripts[ApiKey.FIND_COORDINATOR] = coordinator
        for _ in range(3):
            await cluster.coordinators.find(CoordinatorKind.GROUP, "g")
        assert broker.count(ApiKey.FIND_COORDINATOR) == 1

        cluster.coordinators.forget(CoordinatorKind.GROUP, "g")
        await cluster.coordinators.find(CoordinatorKind.GROUP, "g")
        assert broker.count(ApiKey.FIND_COORDINATOR) == 2

    play(story)


def test_a_topic_that_stays_missing_is_asked_for_less_and_less_often() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker, cluster: Cluster) -> None:
        def missing(header: Any, request: Any) -> Any:
            response = broker.metadata(request)
            for topic in response.topics:
                topic.error_code, topic.partitions = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, []
            return response

        broker.scripts[ApiKey.METADATA] = missing
        cluster.want(["nowhere"])
        await time_passes(60)

        assert 50 <= broker.count(ApiKey.METADATA) <= 80

    play(story)


def test_metadata_is_refreshed_when_it_is_old() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker, cluster: Cluster) -> None:
        await cluster.any_node()
        await time_passes(65)

        assert broker.count(ApiKey.METADATA) in (7, 8)

    play(story, metadata_max_age_ms="10000")


def test_a_cluster_that_has_moved_is_found_through_the_bootstrap_servers() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker, cluster: Cluster) -> None:
        old = await ScriptedBroker(world, "old", node_id=1).start()

        def elsewhere(header: Any, request: Any) -> Any:
            return old.metadata(request)

        broker.scripts[ApiKey.METADATA] = elsewhere
        await cluster.any_node()
        assert cluster.image.nodes[1].host == "old"
        old.scripts[ApiKey.METADATA] = lambda header, request: SILENCE
        broker.scripts.clear()

        while cluster.image.nodes.get(1) is None or cluster.image.nodes[1].host != HOST:
            try:
                await cluster.refresh()
            except ConnectionFailed:
                await time_passes(0.1)
            except TimeoutError:
                await time_passes(0.1)

    play(story, request_timeout_ms="1000")


def test_all_who_wait_for_a_node_share_one_attempt() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker, cluster: Cluster) -> None:
        await cluster.any_node()
        before = len(broker.connections)

        channels = await asyncio.gather(*(cluster.channel(1) for _ in range(10)))

        assert len(set(channels)) == 1
        assert len(broker.connections) == before + 1

    play(story)


def test_attempts_to_reach_a_node_back_off() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker, cluster: Cluster) -> None:
        await cluster.any_node()
        world.net.path("client", HOST)
        cluster.nodes.update({1: cluster.image.nodes[1]._replace(port=PORT + 1)})
        times = []
        for _ in range(8):
            with pytest.raises(ConnectionFailed, match="Connection refused"):
                await cluster.channel(1)
            times.append(world.loop.time())
        pauses = [after - before for before, after in pairwise(times)]

        assert pauses[0] >= 0.04
        assert 0.8 <= pauses[-1] <= 1.3

    play(story)
