"""`ParallelConsumer` on virtual time: members come and go, the broker dies, connections break."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from ottla.client import ParallelConsumer, TopicPartition
from ottla.client.consumer.record import ConsumerRecord
from ottla.sim.workloads.produce_consume import BROKER
from tests.support.consumer_stage import SERVERS, ConsumerStage, orders, play
from tests.support.virtual_time import time_passes
from tests.support.waiting import until

RECORDS = 300
KEYS = 7
PARTITIONS = orders(0, 1, 2)
PROTOCOLS: list[dict[str, Any]] = [
    {"group_protocol": "consumer"},
    {"partition_assignment_strategy": "cooperative-sticky", "heartbeat_interval_ms": 500, "session_timeout_ms": 6000},
]


class Work:
    """What the handlers of all members have done, and what was committed of it. Checks while it goes."""

    def __init__(self, stage: ConsumerStage) -> None:
        self.done: set[tuple[TopicPartition, int]] = set()
        self.committed: dict[TopicPartition, int] = {}
        self.problems: list[str] = []
        self._stage = stage

    def member(self, name: str, **options: Any) -> ParallelConsumer:
        in_progress: set[Any] = set()

        async def handle(record: ConsumerRecord) -> None:
            assert record.key not in in_progress, f"{name} works on two records of {record.key!r} at once"
            in_progress.add(record.key)
            try:
                await time_passes(self._stage.world.rng.below(40) / 1000)
                self.done.add((record.topic_partition, record.offset))
            finally:
                in_progress.discard(record.key)

        return ParallelConsumer(
            handle,
            ["orders"],
            bootstrap_servers=SERVERS,
            world=self._stage.doors(name),
            group_id="workers",
            auto_offset_reset="earliest",
            auto_commit_interval_ms=100,
            request_timeout_ms=2000,
            workers=5,
            max_queued=20,
            drain_timeout_ms=1000,
            interceptor_classes=[self],
            **options,
        )

    def on_commit(self, offsets: Mapping[TopicPartition, Any]) -> None:
        for partition, committed in offsets.items():
            # An exception would be logged and not raised: interceptors do not stop a client.
            missing = [each for each in range(committed.offset) if (partition, each) not in self.done]
            self.problems += [f"{partition}: {committed.offset} was committed without {missing}"] if missing else []
            self.committed[partition] = committed.offset


async def disturb(stage: ConsumerStage) -> None:
    for turn in range(4):
        await time_passes(stage.world.rng.below(1500) / 1000)
        if turn == 2:
            stage.node.kill()
            await time_passes(stage.world.rng.below(2000) / 1000)
            await stage.node.start()
        else:
            stage.world.net.reset_connections(BROKER, stage.world.rng)


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=["consumer", "classic"])
def test_every_record_is_processed_in_the_order_of_its_key_and_only_that_is_committed(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=len(PARTITIONS))
        async with stage.producer() as producer:
            for number in range(RECORDS):
                producer.send("orders", b"%d" % number, key=b"%d" % (number % KEYS))
        work = Work(stage)
        trouble = asyncio.ensure_future(disturb(stage))
        async with work.member("steady", **protocol) as steady:
            running = asyncio.ensure_future(steady.run())
            for turn in range(3):
                async with work.member(f"guest-{turn}", **protocol) as guest:
                    visit = asyncio.ensure_future(guest.run())
                    await time_passes(stage.world.rng.below(3000) / 1000)
                    guest.stop()
                    await visit
            await trouble
            await until(lambda: len(work.done) == RECORDS)
            steady.stop()
            await running
        assert work.problems == []
        async with stage.consumer() as reader:
            assert work.committed == await reader.end_offsets(list(work.committed))
            assert sum(work.committed.values()) == RECORDS

    play(story, seeds=4, group_consumer_heartbeat_interval_ms="500", group_consumer_min_heartbeat_interval_ms="100")
