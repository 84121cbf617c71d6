"""The metadata log stays small over many changes, and no crash while it is cut takes anything from the metadata."""

import asyncio
import re
from functools import partial
from typing import Any

import pytest

from ottla.log.segments.log_directory import LOG
from ottla.metadata.snapshot import image_records
from ottla.metadata.snapshot_files import list_snapshots
from ottla.sim.broker_service import DATA_DIRECTORY, PORT
from ottla.sim.disk_faults import DiskFaults, Operation
from ottla.sim.node import SimNode
from ottla.sim.storage_client import StorageClient
from ottla.sim.workloads.crash_points import CrashPoint, Loss, crash_points
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

DIRECTORY = f"{DATA_DIRECTORY}/__cluster_metadata-0"
SEGMENT_BYTES, SNAPSHOT_AFTER_BYTES, RETAINED_BYTES = 2_000, 4_000, 12_000
SETTINGS = {
    "internal.metadata.log.segment.bytes": str(SEGMENT_BYTES),
    "internal.metadata.delete.delay.millis": "1000",
    "metadata.log.max.record.bytes.between.snapshots": str(SNAPSHOT_AFTER_BYTES),
    "metadata.max.retention.bytes": str(RETAINED_BYTES),
}
#: Longer than from one look at the size of the log to the next.
A_WHILE_S = 15.0
NO_CONFIG: dict[str, str] = {}


class Story:
    def __init__(self, world: SimWorld, settings: dict[str, str] | None = None) -> None:
        self.node: SimNode = make_node(world, SETTINGS if settings is None else {**SETTINGS, **settings})
        network = world.client_doors("client").network
        self.client = StorageClient(network, BROKER, PORT, "client", by_topic_id=False)

    def size_bytes(self) -> int:
        disk = self.node.disk
        return sum(disk.size(f"{DIRECTORY}/{name}") for name in disk.list(DIRECTORY))

    def segment_count(self) -> int:
        return sum(name.endswith(LOG) for name in self.node.disk.list(DIRECTORY))

    def metadata(self) -> list[str]:
        """But for the registration of the broker and the epochs of leaders, which are others after a start."""
        image = self.node.service.metadata.image
        records = [repr(record) for record in image_records(image) if "Broker" not in type(record).__name__]
        return [re.sub(r"(leader|partition)_epoch=\d+", "", record) for record in records]

    async def changes(self, first: int, count: int) -> None:
        for number in range(first, first + count):
            await self.client.create(f"topic-{number}", NO_CONFIG)
            if number % 4:
                await self.client.delete_topic(f"topic-{number}")


def test_the_directory_stays_bounded_over_many_changes() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        sizes = []
        for round_ in range(30):
            await story.changes(round_ * 16, 8)
            await time_passes(A_WHILE_S)
            sizes.append(story.size_bytes())
        before = story.metadata()
        assert story.node.service.metadata.log.log_start_offset > 0
        # A snapshot, what has come since the last look, a segment that is not full, and indexes.
        assert max(sizes[8:]) < 2 * RETAINED_BYTES + 4 * SEGMENT_BYTES, sizes
        assert story.segment_count() < 12
        await story.node.stop()
        await story.node.start()
        assert story.metadata() == before

    told(tell)


def test_older_snapshots_and_segments_are_kept_as_long_as_there_is_room() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, {"metadata.max.retention.bytes": "1000000"})
        await story.node.start()
        for round_ in range(6):
            await story.changes(round_ * 16, 8)
            await time_passes(A_WHILE_S)
        assert len(list_snapshots(story.node.disk, DIRECTORY)) > 1
        assert story.node.service.metadata.log.log_start_offset == 0

    told(tell)


def test_what_is_older_than_the_retention_goes_but_for_the_newest_snapshot() -> None:
    async def tell(world: SimWorld) -> None:
        changes = {"metadata.max.retention.bytes": "1000000", "metadata.max.retention.ms": "60000"}
        story = Story(world, changes)
        await story.node.start()
        for round_ in range(6):
            await story.changes(round_ * 16, 8)
            await time_passes(A_WHILE_S)
        before = story.metadata()
        await time_passes(100)
        snapshots = list_snapshots(story.node.disk, DIRECTORY)
        assert len(snapshots) == 1
        assert story.node.service.metadata.log.log_start_offset == snapshots[0][0]
        assert story.node.service.metadata.log.segments.first_base_offset > 0
        story.node.kill()
        await story.node.start()
        assert story.metadata() == before

    told(tell)


def test_a_time_between_segments_is_kept() -> None:
    async def tell(world: SimWorld) -> None:
        changes = {"metadata.log.segment.ms": "5000", "internal.metadata.log.segment.bytes": "1000000"}
        story = Story(world, {**changes, "metadata.log.max.record.bytes.between.snapshots": "1000000"})
        await story.node.start()
        for round_ in range(3):
            await story.changes(round_, 1)
            await time_passes(10)
        assert story.segment_count() >= 3

    told(tell)


async def _up_to_a_cut(world: SimWorld, faults: DiskFaults | None = None) -> tuple[Story, list[str]]:
    """A story in which the next look at the log makes a snapshot and takes segments and an older snapshot away."""
    story = Story(world)
    await story.node.start(faults=faults)
    for round_ in range(4):
        await story.changes(round_ * 16, 8)
        await time_passes(A_WHILE_S)
    await story.changes(64, 8)
    return story, story.metadata()


async def _cut(story: Story) -> None:
    """Ends early when the process dies on the way."""
    process: Any = story.node._process
    chore = process.run(story.node.service.maintenance._snapshot_metadata())
    died = asyncio.ensure_future(story.node.died())
    await asyncio.wait([chore, died], return_when=asyncio.FIRST_COMPLETED)
    died.cancel()


def operations_of_a_cut() -> list[Operation]:
    found: list[Operation] = []

    async def tell(world: SimWorld) -> None:
        story, _ = await _up_to_a_cut(world)
        story.node.on_operation = found.append
        await _cut(story)

    told(tell)
    return found


@pytest.mark.parametrize("loss", list(Loss))
def test_no_crash_while_the_log_is_cut_changes_the_metadata(loss: Loss) -> None:
    operations = operations_of_a_cut()
    kinds = {(operation.kind, operation.path.rpartition(".")[2]) for operation in operations}
    assert ("rename", "part") in kinds, "no snapshot was made"
    assert ("rename", "log") in kinds, "no segment was taken away"
    assert ("remove", "checkpoint") in kinds, "no snapshot was taken away"
    for point in [point for point in crash_points(operations) if point.loss is loss]:
        told(partial(_crash_and_come_back, point))


async def _crash_and_come_back(point: CrashPoint, world: SimWorld) -> None:
    story, before = await _up_to_a_cut(world, point.faults())
    node = story.node
    await _cut(story)
    assert not node.is_up, point
    point.lose(node)
    await node.start()
    assert story.metadata() == before, point
    await story.changes(1000, 8)
    await time_passes(A_WHILE_S)
    again = story.metadata()
    await node.stop()
    await node.start()
    assert story.metadata() == again, point
