"""Power loss may take the marker of a decided transaction from a topic that does not sync: the decision holds."""

import asyncio
from functools import partial

import pytest

from ottla.broker.coordinators.marker_writer import MarkerWriter
from ottla.broker.shards.shard_host import ShardHost
from ottla.model.topic import TRANSACTION_STATE, TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.final_checks import retry
from ottla.sim.node import SimNode
from ottla.sim.transactional_client import (
    READ_COMMITTED,
    READ_UNCOMMITTED,
    TransactionalSimClient,
    TransferProducer,
)
from ottla.sim.workloads.crash_points import KeepsNothing
from ottla.sim.workloads.lost_power import run_lost_power
from ottla.sim.workloads.produce_consume import BROKER, create_topics, make_node
from ottla.sim.world import SimWorld, sleep_ms
from ottla.transactions import shard
from ottla.transactions.markers import SendMarkers, markers_of
from ottla.transactions.transaction import Transaction
from tests.support.simulated_story import told
from tests.support.waiting import until

A, B = TopicPartition("a", 0), TopicPartition("b", 0)
TIMEOUT_MS = 20_000
SETTINGS = {
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "ottla.log.background.flush.interval.ms": "2000",
}
#: Whatever is written is compacted within a moment.
COMPACTED = {"log.roll.ms": "50", "log.cleaner.backoff.ms": "50", "log.cleaner.min.cleanable.ratio": "0.01"}


class StoryProducer(TransferProducer):
    """Writes where it is told to."""

    async def write_to(self, partition: TopicPartition, value: bytes) -> None:
        self._partitions = [partition]
        await self.write(value)


class Story:
    def __init__(self, world: SimWorld, *, knows_tv2: bool = True, settings: dict[str, str] = SETTINGS) -> None:
        self.node: SimNode = make_node(world, settings)
        self._world = world
        self._knows_tv2 = knows_tv2
        self.producer = StoryProducer(self.client("producer"), "story", [], timeout_ms=TIMEOUT_MS)

    def client(self, name: str) -> TransactionalSimClient:
        network = self._world.client_doors(name).network
        client = TransactionalSimClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=3_000)
        client.knows_tv2 = self._knows_tv2
        return client

    async def begin(self) -> None:
        await self.node.start()
        await create_topics(self.client("admin"), {each.topic: {} for each in (A, B)}, partition_count=1)

    async def is_on_the_device(self, partition: TopicPartition) -> None:
        log = self.node.service.partitions.leaders[partition].log
        await until(lambda: log.recovery_point == log.end_offset)

    async def lose_power(self) -> None:
        """Nothing stays that was not synced."""
        self.node.kill()
        self.node.image = self.node.disk.power_loss(KeepsNothing())
        await self.node.start()

    async def coordinator_serves(self) -> None:
        hosts = self.node.service.transactions.hosts
        await until(lambda: all(host.state == "active" for host in hosts()), step_s=0.001)

    async def seen(self, partition: TopicPartition) -> list[bytes]:
        """By a read_committed reader, when everything is decided."""
        reader = self.client("reader")
        async with asyncio.timeout(TIMEOUT_MS / 1000 + 10):
            while True:
                stable = await retry(partial(reader.end_offset, partition, READ_COMMITTED))
                if stable == await retry(partial(reader.end_offset, partition, READ_UNCOMMITTED)):
                    return await retry(partial(reader.committed_values, partition))
                await sleep_ms(100)


tv = pytest.mark.parametrize("knows_tv2", [True, False], ids=["TV2", "TV1"])


@tv
@pytest.mark.parametrize("committed", [True, False], ids=["committed", "aborted"])
def test_the_next_transaction_elsewhere_does_not_hide_a_lost_marker(knows_tv2: bool, committed: bool) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, knows_tv2=knows_tv2)
        await story.begin()
        await story.producer.write_to(A, b"first")
        await story.is_on_the_device(A)

        await story.producer.end(b"first", committed=committed)
        await story.producer.write_to(B, b"second")
        await story.lose_power()

        assert await story.seen(A) == ([b"first"] if committed else [])
        assert await story.seen(B) == []

    told(tell)


@tv
@pytest.mark.parametrize("committed", [True, False], ids=["committed", "aborted"])
def test_the_next_transaction_does_not_decide_about_the_last_one(knows_tv2: bool, committed: bool) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, knows_tv2=knows_tv2)
        await story.begin()
        await story.producer.write_to(A, b"first")
        await story.is_on_the_device(A)

        await story.producer.end(b"first", committed=committed)
        await story.producer.write_to(B, b"second")
        await story.lose_power()
        await story.producer.write_to(A, b"second")
        await story.producer.end(b"second", committed=not committed)

        assert await story.seen(A) == ([b"first"] if committed else [b"second"])

    told(tell)


@tv
def test_a_transaction_that_was_just_decided_gets_its_marker_again(knows_tv2: bool) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, knows_tv2=knows_tv2)
        await story.begin()
        await story.producer.write_to(A, b"first")
        await story.is_on_the_device(A)

        await story.producer.end(b"first", committed=True)
        await story.lose_power()

        assert await story.seen(A) == [b"first"]

    told(tell)


def test_a_lost_marker_is_found_however_many_transactions_have_followed() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        await story.producer.write_to(A, b"first")
        await story.is_on_the_device(A)

        await story.producer.end(b"first", committed=True)
        for number in range(5):
            await story.producer.write_to(B, b"%d" % number)
            await story.producer.end(b"%d" % number, committed=False)
        await story.lose_power()

        assert await story.seen(A) == [b"first"]
        assert await story.seen(B) == []

    told(tell)


def test_compaction_keeps_decisions_whose_markers_may_be_lost() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, settings=SETTINGS | COMPACTED)
        await story.begin()
        await story.producer.write_to(A, b"first")
        await story.is_on_the_device(A)

        await story.producer.end(b"first", committed=True)
        log = story.node.service.partitions.leaders[TRANSACTION_STATE, 0].log
        decided_at = log.end_offset
        number = 0
        while story.node.service.store.cleaner_offsets.get(log.topic_partition, 0) < decided_at:
            number += 1
            await story.producer.write_to(B, b"%d" % number)
            await story.producer.end(b"%d" % number, committed=False)
        await story.lose_power()

        assert await story.seen(A) == [b"first"]

    told(tell)


def test_a_partition_that_comes_back_later_gets_its_marker_as_well() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        await story.producer.write_to(A, b"first")
        await story.is_on_the_device(A)
        await story.producer.end(b"first", committed=True)
        await story.producer.write_to(B, b"second")
        with pytest.MonkeyPatch.context() as patch:
            # As if the partition had been offline when the coordinator was loaded.
            patch.setattr(MarkerWriter, "restore", _see_nothing)
            patch.setattr(MarkerWriter, "restore_now", lambda self, host, leader: None)
            await story.lose_power()
            await story.coordinator_serves()
        broker = story.node.service
        assert broker.partitions.leaders[A].log.producers.open_transactions

        broker.transactions.partition_led(broker.partitions.leaders[A])

        assert await story.seen(A) == [b"first"]

    told(tell)


async def _see_nothing(writer: MarkerWriter, host: ShardHost) -> None:
    pass


def test_the_workload_finds_markers_of_old_clients_that_nobody_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def hasty(transaction: Transaction, coordinator_epoch: int) -> SendMarkers:
        return markers_of(transaction, coordinator_epoch)._replace(must_be_durable=False)

    monkeypatch.setattr(shard, "markers_of", hasty)

    found = (finding.kind for seed in range(40) for finding in run_lost_power(seed).findings)

    assert next(found) in ("G1a", "hidden", "torn-txn")


@pytest.mark.parametrize("seed", range(4))
def test_what_power_loss_leaves_shows_what_was_decided(seed: int) -> None:
    assert run_lost_power(seed).findings == []
