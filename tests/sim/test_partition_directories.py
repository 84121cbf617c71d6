"""Directories of many partitions: created and deleted in slices, whatever happens in between."""

import asyncio
from collections import Counter

from ottla.metadata.image import MetadataImage
from ottla.model.error_codes import ErrorCode
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.client import ACKS_ALL
from ottla.sim.clock import WALL_START_MS
from ottla.sim.disk_faults import Operation
from ottla.sim.disk_image import DirectoryNode
from ottla.sim.node import SimNode
from ottla.sim.storage_client import StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.waiting import until

MANY = 300
BATCH = bytes(build_batch([Record(0, WALL_START_MS, b"k", b"v")]))


class Story:
    def __init__(self, world: SimWorld) -> None:
        self._world = world
        self.node: SimNode = make_node(world, {"log.dirs": "/data,/more"})

    def client(self, name: str = "client") -> StorageClient:
        network = self._world.client_doors(name).network
        return StorageClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=20_000)

    def directories(self, prefix: str = "many-") -> list[str]:
        disk = self.node.disk
        return [name for place in ("/data", "/more") for name in disk.list(place) if name.startswith(prefix)]

    def live(self) -> list[str]:
        return [name for name in self.directories() if "." not in name]

    async def write(self, client: StorageClient, partition: int) -> tuple[ErrorCode, int]:
        await client.connected()
        sent = client.send_batch("many", partition, BATCH, acks=ACKS_ALL)
        assert sent is not None
        return await sent

    async def settled(self) -> None:
        await until(lambda: not len(self.node.service.reconciler), step_s=0.001)


def test_others_get_their_turn_while_directories_are_created_and_deleted() -> None:
    at: Counter[tuple[str, tuple[int, int]]] = Counter()

    async def tell(world: SimWorld) -> None:
        def note(operation: Operation) -> None:
            if operation.kind == "mkdir" or (operation.kind == "rename" and "/many-" in operation.path):
                at[operation.kind, world.loop.iteration] += 1

        story = Story(world)
        await story.node.start()
        client = story.client()
        story.node.on_operation = note
        await client.create_topic("many", MANY, {})
        await story.settled()
        await client.delete_topic("many")
        await story.settled()

    told(tell)
    by_kind = Counter(kind for kind, _ in at.elements())
    assert by_kind == {"mkdir": MANY, "rename": MANY}
    assert max(at.values()) <= 64


def test_a_partition_that_somebody_asks_for_need_not_wait_for_its_turn() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        broker = story.node.service
        pending = []

        def ask_at_once(before: MetadataImage, after: MetadataImage) -> None:
            assert f"many-{MANY - 1}" not in story.live()
            assert broker.partitions.find("many", MANY - 1).log.end_offset == 0
            pending.append(len(broker.reconciler))

        broker.metadata.listen(ask_at_once)
        client = story.client()
        await client.create_topic("many", MANY, {})

        assert pending[0] > 0
        assert await story.write(client, MANY - 1) == (ErrorCode.NONE, 0)
        await story.settled()
        assert len(story.live()) == MANY

    told(tell)


def test_a_crash_between_the_commit_and_the_directories_costs_nothing() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        client = story.client()
        story.node.crash_at(MANY)
        asking = asyncio.create_task(client.create_topic("many", MANY, {}))
        await story.node.died()
        assert 0 < _count(story) < MANY
        asking.cancel()

        await story.node.start()

        assert len(story.live()) == MANY
        assert await story.write(story.client("later"), MANY - 1) == (ErrorCode.NONE, 0)

    told(tell)


def test_a_topic_that_is_deleted_while_its_directories_are_created_leaves_none() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        client = story.client()
        await asyncio.gather(client.create_topic("many", MANY, {}), story.client("other").delete_topic("many"))
        await client.delete_topic("many")
        await story.settled()

        assert story.live() == []
        assert story.node.service.store.logs == {}

    told(tell)


def test_a_topic_of_the_same_name_gets_directories_of_its_own() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        client = story.client()
        await client.create_topic("many", MANY, {})
        assert await story.write(client, MANY - 1) == (ErrorCode.NONE, 0)
        await client.delete_topic("many")
        assert await client.create_topic("many", MANY, {}) is ErrorCode.NONE

        assert await story.write(client, MANY - 1) == (ErrorCode.NONE, 0)
        await story.settled()
        topic_id = story.node.service.image.topic("many").topic_id
        assert {log.topic_id for log in story.node.service.store.logs.values()} == {topic_id}

    told(tell)


def test_a_crash_between_the_commit_of_a_deletion_and_the_directories_frees_the_space() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.node.start()
        client = story.client()
        await client.create_topic("many", MANY, {})
        await story.settled()
        story.node.crash_at(MANY // 2)
        asking = asyncio.create_task(client.delete_topic("many"))
        await story.node.died()
        assert 0 < _count(story) < MANY
        asking.cancel()

        await story.node.start()

        assert not [name for name in story.directories() if name.endswith("-stray")]
        await until(lambda: not story.directories(), within_s=600, step_s=1)

    told(tell)


def _count(story: Story) -> int:
    """Directories with their live name, of a node that is down."""
    found = 0
    for place in ("/data", "/more"):
        node = story.node.image.find(place)
        assert isinstance(node, DirectoryNode)
        found += sum(name.startswith("many-") and "." not in name for name in node.cached)
    return found
