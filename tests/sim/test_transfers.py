"""Transactions under simulation: all or nothing, once, and no reader is held for ever."""

import asyncio

import pytest

from ottla.sim.node import SimNode
from ottla.sim.workloads.produce_consume import create_topics, make_node
from ottla.sim.workloads.transfers import PARTITIONS, SETTINGS, Transfers, run_transfers
from ottla.sim.world import SimWorld


@pytest.mark.parametrize("seed", range(6))
def test_transfers_survive_faults(seed: int) -> None:
    assert run_transfers(seed).findings == []


def test_a_run_is_decided_by_its_seed() -> None:
    assert run_transfers(3).digest == run_transfers(3).digest


def test_a_marker_that_power_loss_took_is_written_again() -> None:
    """Topics that do not sync before each ack may lose their tail; what stays must still be decided."""
    for seed in range(5):
        with SimWorld(seed) as world:
            node = make_node(world, SETTINGS)
            run = Transfers(world, node)
            world.run(_power_is_lost_after_the_end(node, run, committed=seed % 2 == 0))

        assert run.history.findings == []


async def _power_is_lost_after_the_end(node: SimNode, run: Transfers, *, committed: bool) -> None:
    await node.start()
    await create_topics(run.client("admin"), {each.topic: {} for each in PARTITIONS}, partition_count=1)
    producer = run.add_producer("producer", "story")
    await producer.write(b"value")
    await asyncio.sleep(3)  # the background flush has taken the data, not the marker that follows
    await producer.end(b"value", committed=committed)
    await asyncio.sleep(0.02)
    node.power_off()
    await node.start()
    await run.look_at_the_end()
