"""Replicas on their way to another log directory, while clients wait and after a restart."""

import asyncio
import errno
from typing import Any

import pytest

from ottla.log.store.log_moves import LogMoves
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.client import ACKS_ALL
from ottla.sim.clock import WALL_START_MS
from ottla.sim.node import SimNode
from ottla.sim.storage_client import StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.waiting import until

ORDERS = TopicPartition("orders", 0)
TARGET = "/more"
#: More than a few steps of a move.
BATCH = bytes(build_batch([Record(0, WALL_START_MS, b"k", bytes(900_000))]))


class Story:
    def __init__(self, world: SimWorld) -> None:
        self._world = world
        self.node: SimNode = make_node(world, {"log.dirs": f"/data,{TARGET}"})

    async def begin(self, config: dict[str, str]) -> StorageClient:
        await self.node.start()
        client = self.client("maker")
        await client.create(ORDERS.topic, config)
        if self.directory().startswith(TARGET):
            await client.move(ORDERS, "/data")
        return client

    def client(self, name: str) -> StorageClient:
        network = self._world.client_doors(name).network
        return StorageClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=20_000)

    def directory(self) -> str:
        directory: str = self.node.service.store.logs[ORDERS].directory
        return directory


def test_an_ack_that_waits_for_a_flush_comes_when_the_move_has_flushed() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        mover = await story.begin({"flush.messages": "1"})
        story.node.max_executor_delay_ms = 2_000
        story.node.kill()
        await story.node.start()
        producer = story.client("producer")
        await producer.connected()
        answer = producer.send_batch(ORDERS.topic, 0, BATCH, acks=ACKS_ALL)
        assert answer is not None
        log = story.node.service.store.logs[ORDERS]
        await until(lambda: log.end_offset > 0, step_s=0.001)
        assert log.high_watermark == 0, "the flush is under way"
        await mover.move(ORDERS, TARGET)
        # Long before the request would time out, when everybody looks again.
        async with asyncio.timeout(4):
            assert await answer == (ErrorCode.NONE, 0)

    with SimWorld(1) as world:
        world.run(tell(world))
        assert world.unhandled == []


def test_the_copy_is_flushed_before_it_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking over happens between requests: there must be little left to wait for."""
    unflushed = []

    def finish(self: LogMoves, topic_partition: TopicPartition, tag: bytes) -> Any:
        copy = self._moves[topic_partition].copy
        unflushed.append(copy.end_offset - copy.recovery_point)
        return original(self, topic_partition, tag)

    async def tell(world: SimWorld) -> None:
        story = Story(world)
        client = await story.begin({"flush.messages": "1000"})
        sent = client.send_batch(ORDERS.topic, 0, BATCH, acks=ACKS_ALL)
        assert sent is not None
        assert (await sent).code is ErrorCode.NONE
        unflushed.clear()
        await client.move(ORDERS, TARGET)

    original = LogMoves.finish
    monkeypatch.setattr(LogMoves, "finish", finish)
    with SimWorld(1) as world:
        world.run(tell(world))
        assert world.unhandled == []
    assert unflushed == [0]


def test_a_move_goes_on_after_a_restart() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        client = await story.begin({})
        for _ in range(5):
            sent = client.send_batch(ORDERS.topic, 0, BATCH, acks=ACKS_ALL)
            assert sent is not None
            assert (await sent).code is ErrorCode.NONE
        story.node.service.store.start_move(ORDERS, TARGET)
        story.node.kill()
        await story.node.start()
        assert story.directory().startswith("/data/")
        await until(lambda: story.directory().startswith(TARGET))
        assert story.node.service.store.logs[ORDERS].end_offset == 5

    with SimWorld(1) as world:
        world.run(tell(world))
        assert world.unhandled == []


def test_a_replica_without_a_name_is_offline_until_the_next_start() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        client = await story.begin({})
        sent = client.send_batch(ORDERS.topic, 0, BATCH, acks=ACKS_ALL)
        assert sent is not None
        assert (await sent).code is ErrorCode.NONE
        # The copy has its name by then.
        story.node.disk.faults.fail_next("sync_directory", errno.EIO, "/data")
        service = story.node.service
        service.store.start_move(ORDERS, TARGET)
        service.moving.drive(ORDERS)
        await until(lambda: ORDERS not in service.store.moves)
        assert ORDERS in service.partitions.offline

        story.node.kill()
        await story.node.start()
        assert story.directory().startswith(TARGET)
        assert story.node.service.store.logs[ORDERS].end_offset == 1

    with SimWorld(1) as world:
        world.run(tell(world))
        assert world.unhandled == []
