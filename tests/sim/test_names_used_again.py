"""A topic is deleted and another one is created under its name: nothing of the first one may touch the second."""

import asyncio
from typing import Any

import pytest

from ottla.log.store.checkpoints import (
    CLEANER_OFFSETS,
    HIGH_WATERMARKS,
    LOG_START_OFFSETS,
    RECOVERY_POINTS,
    read_checkpoint,
)
from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import DATA_DIRECTORY, PORT
from ottla.sim.history import History
from ottla.sim.node import SimNode
from ottla.sim.storage_client import RetryingWriter, StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

ORDERS = TopicPartition("orders", 0)
CHECKPOINTS = (RECOVERY_POINTS, HIGH_WATERMARKS, LOG_START_OFFSETS, CLEANER_OFFSETS)
#: No checkpoint is written between the stories' steps unless somebody asks for one.
SETTINGS = {"log.flush.offset.checkpoint.interval.ms": "2000", "log.cleaner.backoff.ms": "300"}
SECOND_DIRECTORY = "/more"


class Story:
    def __init__(self, world: SimWorld, settings: dict[str, str] | None = None) -> None:
        self.node: SimNode = make_node(world, {**SETTINGS, **(settings or {})})
        network = world.client_doors("client").network
        self.client = StorageClient(network, BROKER, PORT, "client", by_topic_id=False)
        self._written = 0

    async def write(self, count: int) -> list[bytes]:
        writer = RetryingWriter("writer", self.client, ORDERS, History())
        values = [b"record %d" % (self._written + number) for number in range(count)]
        self._written += count
        for value in values:
            await writer.write(value, b"key")
        return values

    async def have_a_checkpointed_topic(self, config: dict[str, str]) -> None:
        await self.client.create(ORDERS.topic, config)
        await self.write(20)
        await time_passes(2.5)

    async def restart_after_kill(self) -> None:
        self.node.kill()
        assert await self.node.start()

    async def records(self) -> tuple[int, list[bytes]]:
        assert self.node.service.store.offline == {}
        async with asyncio.timeout(30):
            start_offset, reads = await self.client.read_from_start(ORDERS)
        return start_offset, [read.value for read in reads]

    def has_checkpoint_entries(self, directory: str = DATA_DIRECTORY) -> bool:
        return any(ORDERS in read_checkpoint(self.node.disk, f"{directory}/{name}").offsets for name in CHECKPOINTS)


@pytest.mark.parametrize("config", [{}, {"flush.messages": "1"}, {"cleanup.policy": "compact,delete"}])
def test_acked_records_survive_kill_9_under_a_name_that_was_used_before(config: dict[str, str]) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        await story.have_a_checkpointed_topic({**config, "internal.segment.bytes": "1000"})
        assert story.has_checkpoint_entries()

        await story.client.delete_topic(ORDERS.topic)
        await story.client.create(ORDERS.topic, config)
        values = await story.write(5)
        await story.restart_after_kill()
        assert await story.records() == (0, values)
        await story.restart_after_kill()
        assert await story.records() == (0, values)

    told(tell)


def test_records_deleted_from_the_first_topic_say_nothing_of_the_second() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        await story.have_a_checkpointed_topic({})
        await story.client.delete_records(ORDERS, 10)

        await story.client.delete_topic(ORDERS.topic)
        await story.client.create(ORDERS.topic, {})
        values = await story.write(5)
        await story.restart_after_kill()
        assert await story.records() == (0, values)

    told(tell)


def test_a_topic_created_while_a_checkpoint_is_written_inherits_nothing() -> None:
    """The thread that writes it has the entries of the first topic in its hands."""

    async def tell(world: SimWorld) -> None:
        story = Story(world, {"log.flush.offset.checkpoint.interval.ms": "100"})
        story.node.max_executor_delay_ms = 400
        await story.node.start()
        await story.have_a_checkpointed_topic({})

        for _ in range(10):
            await story.client.delete_topic(ORDERS.topic)
            await story.client.create(ORDERS.topic, {})
            values = await story.write(1)
            await story.restart_after_kill()
            assert await story.records() == (0, values)
            await story.write(19)
            await time_passes(0.7)

    told(tell)


def test_a_topic_whose_deletion_a_crash_cut_short_leaves_nothing_to_the_next() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        await story.have_a_checkpointed_topic({})
        # The name of the directory has changed, or the process has died before that.
        for operations in (0, 1, 2, 3):
            story.node.crash_at(operations)
            deletion = asyncio.ensure_future(story.client.delete_topic(ORDERS.topic))
            await story.node.died()
            assert await story.node.start()
            await deletion

            await story.client.create(ORDERS.topic, {})
            values = await story.write(5)
            await story.restart_after_kill()
            assert await story.records() == (0, values)
            await story.write(15)
            await time_passes(2.5)

    told(tell)


def test_a_directory_that_comes_back_says_nothing_of_a_partition_elsewhere() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, {"log.dirs": f"{DATA_DIRECTORY},{SECOND_DIRECTORY}"})
        await story.node.start()
        await story.client.create("other", {})
        await story.have_a_checkpointed_topic({})
        await story.client.delete_records(ORDERS, 10)
        assert story.has_checkpoint_entries(SECOND_DIRECTORY)
        await story.client.delete_topic(ORDERS.topic)
        story.node.service.faults.path_failed(SECOND_DIRECTORY, OSError("unplugged"))

        await story.client.create(ORDERS.topic, {})
        values = await story.write(5)
        await story.restart_after_kill()
        assert await story.records() == (0, values)

    told(tell)


def damage(story: Story) -> None:
    """Below the recovery point, where nothing is mended."""
    file = story.node.disk.open(f"{DATA_DIRECTORY}/{ORDERS}/00000000000000000000.log")
    file.write_at(0, bytes(100))


def test_a_topic_is_not_offline_because_another_of_its_name_was() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        await story.have_a_checkpointed_topic({})
        damage(story)
        story.node.kill()
        await story.node.start()
        assert ORDERS in story.node.service.store.offline

        await story.client.delete_topic(ORDERS.topic)
        await story.client.create(ORDERS.topic, {})
        values = await story.write(5)
        assert await story.records() == (0, values)
        await story.restart_after_kill()
        assert await story.records() == (0, values)

    told(tell)


def test_a_damaged_partition_of_a_deleted_topic_is_put_aside() -> None:
    """The process dies after the deletion is in the metadata and before anything else is done about it."""

    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        await story.have_a_checkpointed_topic({})
        damage(story)
        story.node.service.publisher.followers.clear()
        await story.client.delete_topic(ORDERS.topic)
        await story.client.create(ORDERS.topic, {})
        story.node.kill()

        await story.node.start()
        assert any(name.endswith("-stray") for name in story.node.disk.list(DATA_DIRECTORY))
        values = await story.write(5)
        assert await story.records() == (0, values)
        await story.restart_after_kill()
        assert await story.records() == (0, values)

    told(tell)


@pytest.mark.parametrize("was_moved", [False, True])
def test_a_topic_is_served_when_a_directory_comes_back_with_another_of_its_name(was_moved: bool) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, {"log.dirs": f"{DATA_DIRECTORY},{SECOND_DIRECTORY}"})
        await story.node.start()
        if not was_moved:
            await story.client.create("other", {})
        await story.have_a_checkpointed_topic({})
        if was_moved:
            # Which leaves a note there, that the copy is the right one of two.
            await story.client.move(ORDERS, SECOND_DIRECTORY)
        story.node.service.faults.path_failed(SECOND_DIRECTORY, OSError("unplugged"))
        await story.client.delete_topic(ORDERS.topic)
        await story.client.create(ORDERS.topic, {})
        values = await story.write(5)
        assert story.node.service.store.logs[ORDERS].directory.startswith(DATA_DIRECTORY)

        await story.restart_after_kill()
        assert await story.records() == (0, values)
        await story.restart_after_kill()
        assert await story.records() == (0, values)

    told(tell)


class HeldWork:
    """Holds the first work of a kind back that the broker gives to a thread."""

    def __init__(self, executor: Any, name: str) -> None:
        self.has_come, self._may_go = asyncio.Event(), asyncio.Event()
        self._run, self._name = executor.run, name
        executor.run = self._held_run

    async def _held_run(self, work: Any, *args: Any, **more: Any) -> Any:
        if getattr(work, "func", work).__name__ == self._name and not self.has_come.is_set():
            self.has_come.set()
            await self._may_go.wait()
        return await self._run(work, *args, **more)

    def release(self) -> None:
        self._may_go.set()


@pytest.mark.parametrize(
    ("config", "work"),
    [
        ({"retention.bytes": "0"}, "sync"),
        ({"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01"}, "sync_directory"),
    ],
)
def test_work_on_a_deleted_log_does_no_harm_to_the_next_of_its_name(config: dict[str, str], work: str) -> None:
    """Retention and compaction wait for the device in threads; meanwhile the directory of the log is removed."""

    async def tell(world: SimWorld) -> None:
        story = Story(world, {"log.retention.check.interval.ms": "50", "log.cleaner.backoff.ms": "50"})
        await story.node.start()
        held = HeldWork(story.node.service.world.executor, work)
        small = {"internal.segment.bytes": "300", "file.delete.delay.ms": "0"}
        await story.client.create(ORDERS.topic, {**small, **config})
        await story.write(8)
        await held.has_come.wait()
        await story.client.delete_topic(ORDERS.topic)
        await story.client.create(ORDERS.topic, {})
        values = await story.write(3)
        await time_passes(2)
        held.release()
        await time_passes(1)

        assert all(report.failure is None for report in story.node.service.store.describe_directories())
        assert await story.records() == (0, values)

    told(tell)
