"""A process that may have few files open: it serves what it can, refuses the rest for a while, and goes on."""

import asyncio

from ottla.doors.machine import Machine
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import fetch_request
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.client import ACKS_ALL
from ottla.sim.clock import WALL_START_MS
from ottla.sim.node import SimNode
from ottla.sim.storage_client import StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld, sleep_ms
from tests.support.simulated_story import told

OPEN_FILES = 128
PARTITIONS = 160


class Story:
    def __init__(self, world: SimWorld, settings: dict[str, str] | None = None) -> None:
        self._world = world
        self.node: SimNode = make_node(world, settings or {})
        self.node.machine = Machine(open_files=OPEN_FILES)
        self.node.max_executor_delay_ms = 10
        self.refused: list[ErrorCode] = []

    def client(self, name: str) -> StorageClient:
        network = self._world.client_doors(name).network
        return StorageClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=20_000)

    async def write(self, client: StorageClient, partition: int, value: bytes) -> None:
        """Until it is acked, as a client with retries does it."""
        batch = bytes(build_batch([Record(0, WALL_START_MS, b"k", value)]))
        while True:
            await client.connected()
            sent = client.send_batch("many", partition, batch, acks=ACKS_ALL)
            assert sent is not None
            code = (await sent).code
            if code is ErrorCode.NONE:
                return
            self.refused.append(code)
            await sleep_ms(100)

    async def everything_is_there(self, client: StorageClient, *values: bytes) -> None:
        for partition in range(PARTITIONS):
            _, reads = await client.read_from_start(TopicPartition("many", partition))
            assert [read.value for read in reads] == list(values), partition


def test_more_partitions_are_written_and_read_than_files_may_be_open() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        client = story.client("client")
        assert await client.create_topic("many", PARTITIONS, {}) is ErrorCode.NONE

        await asyncio.gather(*(story.write(client, partition, b"first") for partition in range(PARTITIONS)))
        await story.everything_is_there(client, b"first")
        assert set(story.refused) <= {ErrorCode.KAFKA_STORAGE_ERROR}
        assert story.node.is_up
        assert story.node.service.store.offline == {}

        story.node.kill()
        await story.node.start()
        assert story.node.service.store.offline == {}
        client = story.client("later")
        await client.connected()
        await asyncio.gather(*(story.write(client, partition, b"second") for partition in range(PARTITIONS)))
        await story.everything_is_there(client, b"first", b"second")

    told(tell)


def test_acks_that_wait_for_a_flush_come_with_few_files_too() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        client = story.client("client")
        assert await client.create_topic("many", PARTITIONS, {"flush.messages": "1"}) is ErrorCode.NONE

        await asyncio.gather(*(story.write(client, partition, b"first") for partition in range(PARTITIONS)))

        story.node.power_off(nasty=True)
        await story.node.start()
        await story.everything_is_there(story.client("later"), b"first")

    told(tell)


def test_no_descriptor_at_all_puts_nothing_offline() -> None:
    """Somebody else has taken them all: whatever the broker does meanwhile is done later."""

    async def tell(world: SimWorld) -> None:
        story = Story(world, {"log.retention.check.interval.ms": "500", "log.initial.task.delay.ms": "500"})
        await story.node.start()
        client = story.client("client")
        assert await client.create_topic("many", PARTITIONS, {"segment.ms": "1000"}) is ErrorCode.NONE
        for partition in range(20):
            await story.write(client, partition, b"first")

        story.node.faults.open_files_max = len(story.node.disk.descriptors)
        writing = [asyncio.create_task(story.write(client, partition, b"second")) for partition in range(PARTITIONS)]
        await sleep_ms(5_000)
        refused = await client.create_topic("other", 3, {})
        assert refused is ErrorCode.KAFKA_STORAGE_ERROR
        assert story.node.is_up
        story.node.faults.open_files_max = OPEN_FILES
        await asyncio.gather(*writing)

        assert story.node.service.store.offline == {}
        assert dict(story.node.service.partitions.offline) == {}
        assert ErrorCode.KAFKA_STORAGE_ERROR in story.refused
        await client.create("other", {})
        _, reads = await client.read_from_start(TopicPartition("many", 3))
        assert [read.value for read in reads] == [b"first", b"second"]

    told(tell)


def test_one_response_does_not_take_all_descriptors() -> None:
    """Each partition with data in it is a file that stays open until it is sent."""

    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        client = story.client("client")
        assert await client.create_topic("many", PARTITIONS, {}) is ErrorCode.NONE
        for partition in range(PARTITIONS):
            await story.write(client, partition, b"first")
        wanted = [
            fetch_request.Partitions(partition=partition, fetch_offset=0, partition_max_bytes=1000)
            for partition in range(PARTITIONS)
        ]
        request = fetch_request.FetchRequest(
            max_wait_ms=60_000,
            min_bytes=1_000_000,
            max_bytes=1 << 20,
            session_epoch=-1,
            topics=[fetch_request.Topics(topic="many", partitions=wanted)],
        )

        async with asyncio.timeout(10):
            answer = await client._ask(request, 12)

        partitions = answer.responses[0].partitions
        assert {partition.error_code for partition in partitions} == {ErrorCode.NONE}
        assert 16 <= sum(bool(partition.records) for partition in partitions) <= OPEN_FILES // 4

    told(tell)
