"""A topic is deleted and created again under its name while a request waits: the request never meets the new topic."""

import asyncio

import pytest

from ottla.log.partition.append_rules import MAX_RECORDS_IN_PLACE
from ottla.model.error_codes import ErrorCode
from ottla.model.steps import finished
from ottla.protocol.generated.create_topics_request import CreateTopicsRequest, Topics
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.client import SimClient
from ottla.sim.clock import WALL_START_MS
from ottla.sim.node import SimNode
from ottla.sim.storage_client import StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes
from tests.support.waiting import until

LONG_MS = 60_000
OLD, NEW = b"of the old topic", b"of the new topic"


class Story:
    def __init__(self, world: SimWorld, *, by_topic_id: bool) -> None:
        self.node: SimNode = make_node(world, {})
        network = world.client_doors("client").network
        self.admin = StorageClient(network, BROKER, PORT, "admin", by_topic_id=False)
        self.reader = SimClient(network, BROKER, PORT, "reader", by_topic_id=by_topic_id, timeout_ms=600_000)

    async def produce(self, value: bytes) -> None:
        await self.admin.connected()
        sent = self.admin.send_batch("orders", 0, bytes(build_batch([Record(0, WALL_START_MS, None, value)])), acks=-1)
        assert sent is not None
        assert (await sent).code is ErrorCode.NONE

    async def one_after_the_other(self) -> None:
        await self.admin.delete_topic("orders")
        await self.admin.create("orders", {})

    async def in_one_commit(self) -> None:
        """Both are in the log before either of them is committed: the node sees one change of the metadata."""
        node = self.node.service
        shard, run = node.metadata.controller, node.metadata.host.run
        deleted = DeleteTopicsRequest(topic_names=["orders"], timeout_ms=1000)
        created = CreateTopicsRequest(topics=[Topics("orders", 1, 1)], timeout_ms=1000)
        deletion = run(lambda now: finished(shard.delete_topics(deleted, 5)))
        creation = run(lambda now: finished(shard.create_topics(created, 5)))
        await deletion
        await creation
        await node.reconciler.names_are_free()


@pytest.mark.parametrize("how", ["one_after_the_other", "in_one_commit"])
@pytest.mark.parametrize(
    ("by_topic_id", "code"), [(True, ErrorCode.UNKNOWN_TOPIC_ID), (False, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)]
)
def test_a_waiting_fetch_does_not_read_the_new_topic(how: str, by_topic_id: bool, code: ErrorCode) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, by_topic_id=by_topic_id)
        await story.node.start()
        await story.admin.create("orders", {})
        await story.produce(OLD)
        await story.reader.learn_topic_id("orders")
        waiting = asyncio.ensure_future(story.reader.fetch("orders", 0, 1, max_wait_ms=LONG_MS))
        await time_passes(1)

        await getattr(story, how)()
        await story.produce(NEW)
        await story.produce(NEW)

        fetched = await waiting
        assert (fetched.code, fetched.records) == (code, [])

    told(tell)


def test_a_batch_that_is_checked_in_a_thread_does_not_go_to_the_new_topic() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, by_topic_id=True)
        await story.node.start()
        executor = story.node.service.world.executor
        await story.admin.create("orders", {"cleanup.policy": "compact"})
        writer = story.reader
        await writer.learn_topic_id("orders")
        records = [Record(0, WALL_START_MS, b"%d" % number, b"") for number in range(MAX_RECORDS_IN_PLACE + 1)]
        executor.max_delay_ms = 60_000
        sent = writer.send_batch("orders", 0, bytes(build_batch(records)), acks=-1)
        assert sent is not None
        await until(lambda: story.node.service.long_checks.is_busy, step_s=0.001)
        executor.max_delay_ms = 0

        await story.one_after_the_other()

        assert not sent.done(), "the check takes longer than that"
        assert (await sent).code is ErrorCode.UNKNOWN_TOPIC_ID
        assert story.node.service.partitions.find("orders", 0).log.end_offset == 0

    told(tell)
