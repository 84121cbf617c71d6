"""Transactions under simulation: all or nothing, once, and no reader is held for ever."""

import asyncio

import pytest

from ottla.model.topic import TRANSACTION_STATE
from ottla.sim.disk_faults import Operation
from ottla.sim.node import SimNode
from ottla.sim.workloads.produce_consume import create_topics, make_node
from ottla.sim.workloads.transfers import PARTITIONS, SETTINGS, Transfers, run_transfers
from ottla.sim.world import SimWorld
from tests.support.virtual_time import time_passes


@pytest.mark.parametrize("seed", range(6))
def test_transfers_survive_faults(seed: int) -> None:
    assert run_transfers(seed).findings == []


def test_a_run_is_decided_by_its_seed() -> None:
    assert run_transfers(3).digest == run_transfers(3).digest


def test_a_transaction_syncs_its_coordinator_before_data_goes_out_and_when_it_is_decided() -> None:
    """And for nothing else: each further sync would cost every transaction its time."""
    transfer_count = 10
    with SimWorld(1) as world:
        node = make_node(world, {**SETTINGS, "transaction.state.log.num.partitions": "1"})
        run = Transfers(world, node)
        syncs = world.run(_syncs_of_transfers(node, run, transfer_count))

    # One for each of the two partitions, one for the decision. A Complete record may have its own when it finds nobody
    # to go with: the last one, and a few that slow messages keep waiting.
    assert 3 * transfer_count < syncs < 3.5 * transfer_count


async def _syncs_of_transfers(node: SimNode, run: Transfers, count: int) -> int:
    await node.start()
    await create_topics(run.client("admin"), {each.topic: {} for each in PARTITIONS}, partition_count=1)
    producer = run.add_producer("producer", "story")
    await producer.transfer(b"first", committed=True)
    syncs: list[Operation] = []

    def note(operation: Operation) -> None:
        if operation.kind == "sync" and f"/{TRANSACTION_STATE}-0/" in operation.path:
            syncs.append(operation)

    node.faults.on_operation = note
    for number in range(count):
        await producer.transfer(b"%d" % number, committed=True)
    await time_passes(1)
    return len(syncs)


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
    await time_passes(3)  # the background flush has taken the data, not the marker that follows
    await producer.end(b"value", committed=committed)
    await time_passes(0.02)
    node.power_off()
    await node.start()
    await run.check_outcome()


def test_a_marker_that_a_crash_left_unsynced_is_synced_before_its_transaction_is_complete() -> None:
    """It is not written twice. But nothing would write it a third time once the coordinator has forgotten it."""
    events: list[str] = []
    with SimWorld(1, show=events.append) as world:
        node = make_node(world, SETTINGS)
        run = Transfers(world, node)
        world.run(_crash_after_the_first_marker(node, run))

    second_life = events[next(i for i, event in enumerate(events) if event.endswith("start broker 2")) :]
    operations = [event.split()[4:6] for event in second_life if event.split()[1] == "disk"]
    logs = [(kind, path.split("/")[2]) for kind, path in operations if path.endswith(".log")]
    completed = next(i for i, (kind, name) in enumerate(logs) if kind == "write" and name.startswith(TRANSACTION_STATE))
    marked = PARTITIONS[0].topic + "-0"
    assert ("sync", marked) in logs[:completed]
    assert ("write", marked) not in logs
    assert run.history.findings == []


async def _crash_after_the_first_marker(node: SimNode, run: Transfers) -> None:
    await node.start()
    synced = {"flush.messages": "1"}
    await create_topics(run.client("admin"), {each.topic: synced for each in PARTITIONS}, partition_count=1)
    producer = run.add_producer("producer", "story")
    await producer.write(b"value")
    # Slow syncs: who does not wait for them is ahead of them.
    node.max_executor_delay_ms = 200

    def crash_after_marker(operation: Operation) -> None:
        if operation.kind == "write" and f"/{PARTITIONS[0].topic}-0/" in operation.path:
            node.faults.crash_after(operation.number)

    node.faults.on_operation = crash_after_marker
    ending = asyncio.ensure_future(producer.end(b"value", committed=True))
    await node.died()
    await node.start()
    await ending
    await run.check_outcome()
    await time_passes(2)
