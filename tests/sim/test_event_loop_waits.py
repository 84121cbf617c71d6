"""Nobody waits for the device on the event loop while a broker serves."""

from collections import Counter

from ottla.model.topic import TopicPartition
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.client import ACKS_ALL
from ottla.sim.clock import WALL_START_MS
from ottla.sim.disk_faults import Operation
from ottla.sim.history import History
from ottla.sim.node import SimNode
from ottla.sim.storage_client import RetryingWriter, StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld, sleep_ms
from tests.support.simulated_story import told
from tests.support.waiting import until

SETTINGS = {
    "log.segment.bytes": str(1 << 20),
    "log.segment.delete.delay.ms": "1000",
    "log.retention.bytes": "1",
    "log.retention.check.interval.ms": "2000",
    "log.initial.task.delay.ms": "500",
    "log.cleaner.backoff.ms": "1000",
    "log.cleaner.min.cleanable.ratio": "0.01",
}
#: Three fill a segment.
BATCH = bytes(build_batch([Record(0, WALL_START_MS, b"k", bytes(400_000))]))


class LoopWaits:
    """Counts operations that may take long and happen neither in a thread nor in a helper process."""

    def __init__(self, node: SimNode) -> None:
        self._node = node
        self.found: Counter[tuple[str, str]] = Counter()

    def note(self, operation: Operation) -> None:
        is_removal = operation.kind == "remove" and (".deleted" in operation.path or "-delete" in operation.path)
        if not self._node.executor.is_working and (operation.kind in ("sync", "sync_directory") or is_removal):
            self.found[operation.kind, operation.path] += 1


def test_rolls_retention_compaction_and_deletion_wait_for_the_device_in_threads() -> None:
    async def tell(world: SimWorld) -> None:
        node = make_node(world, SETTINGS)
        node.max_executor_delay_ms = 50
        await node.start()
        network = world.client_doors("client").network
        client = StorageClient(network, BROKER, PORT, "client", by_topic_id=False, timeout_ms=20_000)
        waits = LoopWaits(node)
        node.on_operation = waits.note
        await client.create("orders", {})
        await client.create("keyed", {"cleanup.policy": "compact"})
        for topic in ("orders", "keyed"):
            for _ in range(15):
                sent = client.send_batch(topic, 0, BATCH, acks=ACKS_ALL)
                assert sent is not None
                await sent
                # Longer than the sync of a directory takes: a new log that is full before it waits for it, once.
                await sleep_ms(60)
        logs = node.service.store.logs
        orders, keyed = logs[TopicPartition("orders", 0)], logs[TopicPartition("keyed", 0)]
        assert len(keyed.segments) > 2

        await until(lambda: orders.log_start_offset > 0 and node.service.store.cleaner_offsets)
        await client.delete_topic("orders")
        await until(lambda: not any(name.startswith("orders-0") for name in node.disk.list("/data")))

        assert waits.found == {}
        assert node.disk.removed_but_open() == []

    told(tell)


def test_a_metadata_snapshot_is_written_in_a_thread() -> None:
    async def tell(world: SimWorld) -> None:
        node = make_node(world, {"metadata.log.max.snapshot.interval.ms": "1"})
        await node.start()
        waits = LoopWaits(node)
        node.on_operation = waits.note
        await until(lambda: any(name.endswith(".checkpoint") for name in node.disk.list("/data/__cluster_metadata-0")))

        assert waits.found == {}

    told(tell)


def test_acked_records_survive_a_power_loss_right_after_rolls() -> None:
    """Synced topics: what was acked is on the device, in whichever segment it went."""
    place = TopicPartition("orders", 0)

    async def tell(world: SimWorld) -> None:
        node = make_node(world, {**SETTINGS, "log.retention.bytes": "-1"})
        node.max_executor_delay_ms = 200
        await node.start()
        network = world.client_doors("client").network
        client = StorageClient(network, BROKER, PORT, "client", by_topic_id=False, timeout_ms=20_000)
        await client.create("orders", {"flush.messages": "1", "internal.segment.bytes": "3000"})
        history = History()
        writer = RetryingWriter("writer", client, place, history)
        for number in range(40):
            await writer.write(b"%d" % number + bytes(500))
        assert len(node.service.store.logs[place].segments) > 3

        node.power_off(nasty=True)
        await node.start()

        _, reads = await client.read_from_start(place)
        assert [read.value[:2].strip(b"\0") for read in reads] == [b"%d" % number for number in range(40)]

    told(tell)
