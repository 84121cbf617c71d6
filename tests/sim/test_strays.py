"""Directories of partitions that the metadata does not know are put aside at a start, and kept."""

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import DATA_DIRECTORY, PORT
from ottla.sim.client import ACKS_ALL
from ottla.sim.clock import WALL_START_MS
from ottla.sim.disk import SimDisk
from ottla.sim.node import SimNode
from ottla.sim.storage_client import StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told

ORDERS, EVENTS = TopicPartition("orders", 0), TopicPartition("events", 0)
BATCH = bytes(build_batch([Record(0, WALL_START_MS, b"k", b"value")]))


class Story:
    def __init__(self, world: SimWorld) -> None:
        self.node: SimNode = make_node(world, {})
        network = world.client_doors("client").network
        self.client = StorageClient(network, BROKER, PORT, "client", by_topic_id=False)

    async def begin(self) -> None:
        """Two topics with a record each; then the node is down."""
        await self.node.start()
        for partition in (ORDERS, EVENTS):
            await self.client.create(partition.topic, {})
            sent = self.client.send_batch(partition.topic, 0, BATCH, acks=ACKS_ALL)
            assert sent is not None
            assert await sent == (ErrorCode.NONE, 0)
        await self.node.stop()

    def names(self) -> list[str]:
        return self.node.disk.list(DATA_DIRECTORY)

    def aside(self, name: str) -> list[str]:
        """Log files of the directory that was put aside, with their sizes."""
        disk = self.node.disk
        (found,) = [each for each in self.names() if each.startswith(f"{name}.") and each.endswith("-stray")]
        path = f"{DATA_DIRECTORY}/{found}"
        return [f"{file} {disk.size(f'{path}/{file}')}" for file in disk.list(path) if file.endswith(".log")]


def test_a_partition_that_nobody_knows_is_put_aside() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        disk = SimDisk(story.node.image)
        disk.rename(f"{DATA_DIRECTORY}/{ORDERS}", f"{DATA_DIRECTORY}/ghost-0")
        await story.node.start()
        assert "ghost-0" not in story.names()
        assert story.aside("ghost-0") == [f"00000000000000000000.log {len(BATCH)}"]
        assert list(story.node.service.store.logs) == [EVENTS, ORDERS], "a lost directory is made anew"
        await story.node.stop()
        await story.node.start()
        assert len(story.aside("ghost-0")) == 1, "once is enough"

    told(tell)


def test_another_topic_of_the_same_name_is_put_aside() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        disk = SimDisk(story.node.image)
        disk.remove_tree(f"{DATA_DIRECTORY}/{EVENTS}")
        disk.rename(f"{DATA_DIRECTORY}/{ORDERS}", f"{DATA_DIRECTORY}/{EVENTS}")
        await story.node.start()
        assert story.aside(str(EVENTS)) == [f"00000000000000000000.log {len(BATCH)}"]
        assert story.node.service.store.logs[EVENTS].end_offset == 0

    told(tell)


def test_a_partition_beyond_those_of_its_topic_is_put_aside() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        disk = SimDisk(story.node.image)
        disk.rename(f"{DATA_DIRECTORY}/{ORDERS}", f"{DATA_DIRECTORY}/orders-7")
        await story.node.start()
        assert len(story.aside("orders-7")) == 1

    told(tell)


def test_known_partitions_stay_where_they_are() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()
        await story.node.start()
        assert not any(name.endswith("-stray") for name in story.names())
        assert {log.end_offset for log in story.node.service.store.logs.values()} == {1}

    told(tell)
