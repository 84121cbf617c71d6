"""A directory that a newer release has written is refused with the version, and left as it is."""

import re
from collections.abc import Awaitable, Callable

import pytest

from ottla.controller.bootstrap import bootstrap_records
from ottla.coordination.shard import Decision
from ottla.log.files.small_files import read_whole
from ottla.metadata import snapshot_files
from ottla.metadata.image import METADATA_VERSION
from ottla.model.errors import InvalidConfig
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord
from ottla.sim.broker_service import DATA_DIRECTORY
from ottla.sim.disk import SimDisk
from ottla.sim.disk_faults import DiskFaults
from ottla.sim.node import SimNode
from ottla.sim.workloads.produce_consume import make_node
from tests.support.simulated_story import told

DIRECTORY = f"{DATA_DIRECTORY}/__cluster_metadata-0"


def play(tell: Callable[[SimNode], Awaitable[None]]) -> None:
    told(lambda world: tell(make_node(world, {})))


async def set_level(node: SimNode, name: str, level: int) -> None:
    """Past the checks of UpdateFeatures, as a newer controller does it."""
    record = FeatureLevelRecord(name=name, feature_level=level)
    await node.service.metadata.host.run(lambda now: Decision(None, [record]))


def disk_of(node: SimNode) -> SimDisk:
    """What is on the disk of a node that does not run."""
    return SimDisk(node.image, faults=DiskFaults(), now_ms=node.clock.now_ms)


def files_of(node: SimNode) -> dict[str, bytes]:
    disk = disk_of(node)
    return {name: read_whole(disk, f"{DIRECTORY}/{name}") for name in disk.list(DIRECTORY)}


async def assert_refused(node: SimNode, problem: str) -> None:
    with pytest.raises(InvalidConfig, match=re.escape(problem)):
        await node.start()


@pytest.mark.parametrize(
    ("feature", "level", "supported"), [(METADATA_VERSION, 31, "7-30"), ("transaction.version", 3, "0-2")]
)
def test_a_log_with_a_newer_level_is_refused_and_left_as_it_is(feature: str, level: int, supported: str) -> None:
    async def tell(node: SimNode) -> None:
        await node.start()
        await set_level(node, feature, level)
        await node.stop()
        before = files_of(node)

        await assert_refused(
            node, f"{DIRECTORY}: {feature} is {level}, this release supports {supported}; a newer release wrote it"
        )

        assert files_of(node) == before

    play(tell)


def test_a_snapshot_with_a_newer_level_is_refused() -> None:
    async def tell(node: SimNode) -> None:
        await node.start()
        image = node.service.metadata.image
        newer = image._replace(features={**image.features, METADATA_VERSION: 31})
        await node.stop()
        snapshot_files.write(disk_of(node), DIRECTORY, newer, image.offset + 1, 1)

        await assert_refused(node, "metadata.version is 31")

    play(tell)


def test_a_directory_that_was_formatted_for_a_newer_release_is_refused() -> None:
    async def tell(node: SimNode) -> None:
        await node.start()
        await node.stop()
        disk = disk_of(node)
        for name in disk.list(DIRECTORY):
            disk.remove(f"{DIRECTORY}/{name}")
        snapshot_files.write_bootstrap(disk, DATA_DIRECTORY, bootstrap_records({METADATA_VERSION: 31}), 0)

        await assert_refused(node, "metadata.version is 31")

    play(tell)


def test_a_level_that_was_lowered_again_is_no_reason_to_refuse() -> None:
    async def tell(node: SimNode) -> None:
        await node.start()
        await set_level(node, METADATA_VERSION, 29)
        await set_level(node, METADATA_VERSION, 30)
        await node.stop()

        assert await node.start()

    play(tell)
