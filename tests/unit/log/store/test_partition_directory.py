"""Directory names, and the file that holds space back."""

import pytest

from ottla.log.store.partition_directory import DirectoryKind, directory_name, parse_directory_name
from ottla.log.store.reserve import Reserve
from ottla.model.topic import TopicPartition
from tests.support.memory_disk import MemoryDisk

TAG = bytes(range(16))


@pytest.mark.parametrize("kind", list(DirectoryKind))
@pytest.mark.parametrize(
    "topic", ["orders", "a-1.b", "__consumer_offsets", "x-0.00112233445566778899aabbccddeeff-delete"]
)
def test_names_come_back(kind: DirectoryKind, topic: str) -> None:
    name = directory_name(TopicPartition(topic, 17), kind, TAG)

    assert parse_directory_name(name) == (TopicPartition(topic, 17), kind)


def test_a_long_topic_is_cut_so_that_the_name_fits() -> None:
    name = directory_name(TopicPartition("t" * 249, 4), DirectoryKind.DELETE, TAG)

    assert len(name) == 255
    parsed = parse_directory_name(name)
    assert parsed is not None
    assert parsed.kind is DirectoryKind.DELETE


@pytest.mark.parametrize(
    "name",
    [
        "orders",
        "orders-",
        "-0",
        "orders-x",
        "orders-01",
        "orders-0.xyz-delete",
        "lost+found",
        "a b-0",
        "..-0",
        "orders-99999999999",
        "orders-4294967296",
    ],
)
def test_other_names_are_nobodys(name: str) -> None:
    assert parse_directory_name(name) is None


def test_the_reserve_takes_real_space_and_gives_it_back() -> None:
    disk = MemoryDisk()
    disk.make_directories("/data")
    disk.faults.space_bytes = 64_000_000
    reserve = Reserve(disk, "/data", 3_000_001)

    assert reserve.restore()
    assert reserve.is_held
    assert disk.usage("/data").usable_bytes == 60_999_999
    assert reserve.restore()

    assert reserve.release()
    assert not reserve.release()
    assert disk.usage("/data").usable_bytes == 64_000_000


def test_a_small_disk_has_a_small_reserve() -> None:
    disk = MemoryDisk()
    disk.make_directories("/data")
    disk.faults.space_bytes = 16_000_000

    assert Reserve(disk, "/data").restore(spare_bytes=10**9)

    assert disk.usage("/data").usable_bytes == 15_000_000


def test_the_reserve_is_not_taken_where_it_would_fill_the_disk() -> None:
    disk = MemoryDisk()
    disk.make_directories("/data")
    disk.open("/data/other", create=True).write_at(0, bytes(3_500_000))
    disk.faults.space_bytes = 4_000_000

    assert not Reserve(disk, "/data", 3_000_000).restore(spare_bytes=2_000_000)
    assert disk.list("/data") == ["other"]
