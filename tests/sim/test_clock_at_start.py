"""A node starts with a clock that is far ahead, as after an empty battery: nothing is deleted."""

import pytest

from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.disk_faults import DiskFaults
from ottla.sim.history import History
from ottla.sim.node import SimNode
from ottla.sim.storage_client import RetryingWriter, StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

ORDERS = TopicPartition("orders", 0)
SETTINGS = {"log.retention.check.interval.ms": "1000", "ottla.retention.clock.jump.hold.ms": "60000"}
HOLD_S = 60
DAY_MS = 24 * 60 * 60 * 1000


class Story:
    def __init__(self, world: SimWorld, settings: dict[str, str] | None = None) -> None:
        self.node: SimNode = make_node(world, {**SETTINGS, **(settings or {})})
        network = world.client_doors("client").network
        self.client = StorageClient(network, BROKER, PORT, "client", by_topic_id=False)

    async def begin(self) -> None:
        await self.node.start()
        await self.client.create(ORDERS.topic, {"retention.ms": str(7 * DAY_MS)})
        writer = RetryingWriter("writer", self.client, ORDERS, History())
        for number in range(3):
            await writer.write(b"%d" % number)
        await time_passes(1)

    async def restart(self, *, kill: bool) -> None:
        if kill:
            self.node.kill()
        else:
            await self.node.stop()
        assert await self.node.start()

    def start_offset(self) -> int:
        start_offset: int = self.node.service.store.logs[ORDERS].log_start_offset
        return start_offset


@pytest.mark.parametrize("kill", [False, True])
def test_a_clock_that_is_far_ahead_at_the_start_deletes_nothing(kill: bool) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        story.node.skew(365 * DAY_MS)
        await story.restart(kill=kill)
        await time_passes(HOLD_S - 10)
        assert story.start_offset() == 0
        story.node.skew(-365 * DAY_MS)
        await time_passes(3 * HOLD_S)
        assert story.start_offset() == 0, "it was set right again"

    told(tell)


def test_a_clock_that_stays_ahead_is_believed() -> None:
    """The node was off for long: what has grown old meanwhile goes, a little later."""

    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        await story.node.stop()
        story.node.skew(30 * DAY_MS)
        await story.node.start()
        await time_passes(HOLD_S + 5)
        assert story.start_offset() == 3
        await story.restart(kill=True)
        assert not story.node.service.retention_clock.is_doubted

    told(tell)


@pytest.mark.parametrize("kill", [False, True])
@pytest.mark.parametrize("jumps_before", [False, True])
def test_starts_in_quick_succession_do_not_make_a_wrong_clock_right(kill: bool, jumps_before: bool) -> None:
    """Each leaves files with the wrong time, which are no sign that it is right."""

    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        story.node.skew(365 * DAY_MS)
        if jumps_before:
            await time_passes(5)
        for _ in range(8):
            await story.restart(kill=kill)
            await time_passes(HOLD_S / 4)
            assert story.start_offset() == 0

    told(tell)


def test_a_start_that_is_cut_short_does_not_make_a_wrong_clock_right() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        await story.node.stop()
        story.node.skew(365 * DAY_MS)
        operations = 0
        has_started = False
        while not has_started:
            faults = DiskFaults()
            faults.crash_at(operations)
            has_started = await story.node.start(faults=faults)
            operations += 1
        assert operations > 10
        await story.restart(kill=True)
        await time_passes(HOLD_S / 2)
        assert story.start_offset() == 0

    told(tell)


def test_with_no_hold_the_clock_counts_at_once() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, {"ottla.retention.clock.jump.hold.ms": "0"})
        await story.begin()
        story.node.skew(30 * DAY_MS)
        await story.restart(kill=False)
        await time_passes(5)
        assert story.start_offset() == 3

    told(tell)
