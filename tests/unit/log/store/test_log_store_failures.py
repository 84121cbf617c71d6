"""All logs of a node: broken logs, broken, foreign and full directories."""

import errno

import pytest

from ottla.log.files.disk_errors import NoRoom
from ottla.log.files.small_files import read_whole, write_atomically
from ottla.log.store.clean_shutdown import LastEnd
from ottla.log.store.reserve import Reserve
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition
from tests.support.memory_disk import MemoryDisk
from tests.support.store_node import ID, OPTIONS, ORDERS, StoreNode, append


def test_one_broken_log_does_not_stop_the_others(node: StoreNode) -> None:
    store = node.start()
    for index in range(3):
        append(store.create(TopicPartition("t", index), ID, OPTIONS), count=3)
    for log in store.logs.values():
        job = log.flush_job()
        assert job is not None
        job.run()
        log.flush_done(job)
    store.write_checkpoints()
    node.disk.open("/a/t-1/00000000000000000000.log").truncate(100)

    again = node.restart_after_kill()

    assert list(again.logs) == [TopicPartition("t", 0), TopicPartition("t", 2)]
    assert "t-1" in again.offline[TopicPartition("t", 1)]
    with pytest.raises(OSError, match="offline"):
        again.create(TopicPartition("t", 1), ID, OPTIONS)


def test_what_is_known_about_an_offline_partition_is_kept(node: StoreNode) -> None:
    test_one_broken_log_does_not_stop_the_others(node)

    node.store.write_checkpoints()

    assert b"\nt 1 3\n" in read_whole(node.disk, "/a/recovery-point-offset-checkpoint")


def test_one_broken_directory_does_not_stop_the_others() -> None:
    node = StoreNode("/a", "/b")
    store = node.start()
    for index in range(4):
        append(store.create(TopicPartition("t", index), ID, OPTIONS))

    lost = store.mark_directory_failed("/b", OSError(errno.EIO, "broken"))

    assert lost == [TopicPartition("t", 1), TopicPartition("t", 3)]
    assert list(store.offline) == lost
    assert list(store.logs) == [TopicPartition("t", 0), TopicPartition("t", 2)]
    assert store.has_working_directory()
    reports = store.describe_directories()
    assert reports[0].failure is None
    assert "broken" in (reports[1].failure or "")
    assert store.create(TopicPartition("t", 9), ID, OPTIONS).directory.startswith("/a/")
    store.close()
    assert node.disk.exists("/a/.kafka_cleanshutdown")
    assert not node.disk.exists("/b/.kafka_cleanshutdown")


def test_a_directory_that_fails_at_the_start_is_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    node = StoreNode("/a", "/b")
    make = node.disk.make_directories

    def refuse(path: str) -> None:
        if path.startswith("/b"):
            raise PermissionError(errno.EACCES, "no", path)
        make(path)

    monkeypatch.setattr(node.disk, "make_directories", refuse)

    store = node.start()

    assert [report.failure is None for report in store.describe_directories()] == [True, False]
    assert len(store.directory_ids()) == 1


def test_a_node_without_a_working_directory_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    node = StoreNode("/a")

    def refuse(path: str) -> None:
        raise PermissionError(errno.EACCES, "no", path)

    monkeypatch.setattr(node.disk, "make_directories", refuse)

    with pytest.raises(OSError, match="no log directory works") as caught:
        node.start()
    assert caught.value.errno == errno.EIO


def test_a_copied_directory_is_refused() -> None:
    node = StoreNode("/a")
    node.start().close()
    node.directories = ("/a", "/b")
    node.disk.make_directories("/b")
    write_atomically(node.disk, "/b/meta.properties", read_whole(node.disk, "/a/meta.properties"))

    with pytest.raises(InvalidConfig, match=r"same directory.id"):
        node.start()


def test_partitions_without_meta_properties_are_not_taken_over(node: StoreNode) -> None:
    store = node.start()
    store.create(ORDERS, ID, OPTIONS)
    store.close()
    node.disk.remove("/a/meta.properties")

    with pytest.raises(InvalidConfig, match=r"/a: holds partitions but no meta.properties"):
        node.start()


def test_a_start_on_a_full_disk_takes_nothing_and_can_be_tried_again(node: StoreNode) -> None:
    node.start().close()
    node.disk = MemoryDisk(node.disk.kill())
    node.disk.faults.space_bytes = node.disk.image.used_bytes() + 1000
    store = node.new_store()
    with pytest.raises(NoRoom, match="no room to start: 1047576 more bytes must be free"):
        store.open_directories(None)

    node.disk.faults.space_bytes = None

    assert store.open_directories(None) == node.cluster_id


def test_a_start_on_a_full_disk_gives_the_reserve_up(node: StoreNode) -> None:
    node.disk.faults.claimed_bytes = 64 * 1024 * 1024
    store = node.start()
    assert store.restore_reserves()
    store.close()
    node.disk = MemoryDisk(node.disk.kill())
    node.disk.faults.space_bytes = node.disk.image.used_bytes()

    node.start()

    assert node.disk.usage("/a").usable_bytes > 3 * 1024 * 1024


def test_a_reserve_of_nothing_gives_an_earlier_one_back() -> None:
    disk = MemoryDisk()
    disk.make_directories("/a")
    assert Reserve(disk, "/a", 1024 * 1024).restore()
    assert disk.exists("/a/.ottla_reserve")

    assert Reserve(disk, "/a", 0).restore()

    assert not disk.exists("/a/.ottla_reserve")


def test_a_partition_that_found_no_room_is_opened_when_there_is_some(node: StoreNode) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), count=3)
    node.disk = MemoryDisk(node.disk.kill())
    node.disk.faults.fail_next("create", errno.ENOSPC, "/orders-0/", times=-1)
    store = node.start()
    assert "No space left" in store.offline[ORDERS]
    assert store.load_again(lambda topic: OPTIONS) == []
    node.disk.faults.space_bytes = node.disk.image.used_bytes()
    operation_count = node.disk.operation_count
    assert store.load_again(lambda topic: OPTIONS) == []
    assert not store.has_room()
    assert node.disk.operation_count == operation_count, "nothing is tried without a chance"

    node.disk.faults.heal()

    assert store.load_again(lambda topic: OPTIONS) == [ORDERS]
    assert store.logs[ORDERS].end_offset == 3
    assert store.offline == {}
    store.close()
    assert node.start().last_end is LastEnd.CLEAN


@pytest.mark.parametrize(("times", "epoch"), [(1, 4), (-1, -1)], ids=["with a reserve", "without room"])
def test_a_full_disk_fails_no_directory_when_the_epoch_is_recorded(node: StoreNode, times: int, epoch: int) -> None:
    store = node.start()
    store.restore_reserves()
    append(store.create(ORDERS, ID, OPTIONS), count=5)

    node.disk.faults.fail_next("write", errno.ENOSPC, "/a/.ottla_boot", times=times)
    store.record_broker_epoch(4)

    assert store.offline == {}
    node.disk.faults.heal()
    again = node.restart_after_kill()
    assert (again.last_end, again.previous_broker_epoch) == (LastEnd.PROCESS_CRASH, epoch)
    assert again.logs[ORDERS].end_offset == 5
