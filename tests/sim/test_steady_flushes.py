"""Compaction comes to its end while clients keep the flusher busy without a break."""

from ottla.broker.node import BrokerNode
from ottla.log.partition_log import AppendOrigin
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.client import ACKS_ALL, SimClient
from ottla.sim.clock import WALL_START_MS
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.waiting import until

ACCOUNTS, EVENTS = TopicPartition("accounts", 0), TopicPartition("events", 0)
SYNCED = {"flush.messages": "1"}
COMPACTED = {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01", "internal.segment.bytes": "1000"}
BATCH = build_batch([Record(0, WALL_START_MS, b"key", b"value")])


async def _write(client: SimClient, count: int) -> None:
    for _ in range(count):
        response = client.send_batch(*ACCOUNTS, bytes(BATCH), acks=ACKS_ALL)
        assert response is not None
        assert (await response).code is ErrorCode.NONE


def _keep_flushing(broker: BrokerNode) -> None:
    """In every round of the flusher somebody has something to append, as many committers do together."""
    leaders = [broker.partitions.leaders[each] for each in (ACCOUNTS, EVENTS)]

    def append() -> None:
        for leader in leaders:
            leader.append(bytearray(BATCH), broker.clock.now_ms(), AppendOrigin.COORDINATOR)
        broker.flusher.join(append)

    append()


def test_compaction_does_not_wait_for_a_pause_of_the_flusher() -> None:
    async def tell(world: SimWorld) -> None:
        node = make_node(world, {"log.cleaner.backoff.ms": "1000"})
        node.max_executor_delay_ms = 20
        await node.start()
        network = world.client_doors("client").network
        client = SimClient(network, BROKER, PORT, "client", by_topic_id=False, timeout_ms=30_000)
        assert await client.create_topic(ACCOUNTS.topic, 1, SYNCED | COMPACTED) is ErrorCode.NONE
        assert await client.create_topic(EVENTS.topic, 1, SYNCED) is ErrorCode.NONE
        await _write(client, 30)

        _keep_flushing(node.service)

        await until(lambda: node.service.store.cleaner_offsets.get(ACCOUNTS), within_s=30)

    told(tell)
