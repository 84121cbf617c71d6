"""Members of a classic group that start together share its first round, also without an initial rebalance delay."""

import asyncio
from typing import Any

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.join_group_request import JoinGroupRequest, Protocols
from ottla.sim.broker_service import PORT
from ottla.sim.group_client import GroupSimClient
from ottla.sim.network_path import Latency
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld, sleep_ms

GROUP = "readers"
#: As kafka-go joins: the member id comes with the response.
JOIN_VERSION = 2
NO_SPIKES = Latency(spike_percent=0)


async def _connected(world: SimWorld, name: str) -> GroupSimClient:
    network = world.client_doors(name).network
    client = GroupSimClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=30_000)
    assert await client.find_group(GROUP) is ErrorCode.NONE
    return client


async def _join(client: GroupSimClient) -> Any:
    request = JoinGroupRequest(
        group_id=GROUP,
        session_timeout_ms=10_000,
        rebalance_timeout_ms=10_000,
        protocol_type="consumer",
        protocols=[Protocols(name="range", metadata=b"")],
    )
    return await client.ask(request, JOIN_VERSION)


@pytest.mark.parametrize("later_ms", [0, 1, 3])
def test_a_member_that_joins_a_moment_later_is_in_the_first_generation(later_ms: int) -> None:
    async def tell(world: SimWorld) -> None:
        node = make_node(world, {"group.initial.rebalance.delay.ms": "0", "offsets.topic.num.partitions": "1"})
        await node.start()
        first, second = await _connected(world, "first"), await _connected(world, "second")

        joining = asyncio.ensure_future(_join(first))
        await sleep_ms(later_ms)
        responses = await asyncio.gather(joining, _join(second))

        assert [each.error_code for each in responses] == [ErrorCode.NONE, ErrorCode.NONE]
        assert [each.generation_id for each in responses] == [1, 1]
        assert sorted(len(each.members) for each in responses) == [0, 2]

    with SimWorld(1, latency=NO_SPIKES) as world:
        world.run(tell(world))
        assert world.unhandled == []
