"""All logs of a node: what is written down about them, and what it is worth when it cannot be trusted."""

import errno

from ottla.log.files.small_files import read_whole, write_atomically
from ottla.model.topic import TopicPartition
from tests.support.log_view import uncommitted_view
from tests.support.store_node import ID, OPTIONS, ORDERS, StoreNode, append


def test_checkpoints_say_what_kafka_would_say(node: StoreNode) -> None:
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)
    append(log, count=5)
    log.advance_log_start_offset(2)
    store.cleaner_offsets[ORDERS] = 1

    assert store.write_checkpoints() == []

    assert read_whole(node.disk, "/a/replication-offset-checkpoint") == b"0\n1\norders 0 5\n"
    assert read_whole(node.disk, "/a/log-start-offset-checkpoint") == b"0\n1\norders 0 2\n"
    assert read_whole(node.disk, "/a/cleaner-offset-checkpoint") == b"0\n1\norders 0 1\n"
    assert read_whole(node.disk, "/a/recovery-point-offset-checkpoint") == b"0\n1\norders 0 0\n"


def test_a_cut_log_is_not_clean_beyond_the_cut(node: StoreNode) -> None:
    store = node.start()
    store.cleaner_offsets[ORDERS] = 10

    store.note_truncation(ORDERS, 12)
    assert store.cleaner_offsets == {ORDERS: 10}
    store.note_truncation(ORDERS, 4)
    assert store.cleaner_offsets == {ORDERS: 4}
    store.note_truncation(TopicPartition("unknown", 0), 4)
    assert store.cleaner_offsets == {ORDERS: 4}


def test_checkpoints_that_did_not_change_are_not_written_again(node: StoreNode) -> None:
    store = node.start()
    store.create(ORDERS, ID, OPTIONS)
    store.write_checkpoints()
    before = node.disk.operation_count

    store.write_checkpoints()

    assert node.disk.operation_count == before


def test_the_start_offset_survives_a_crash(node: StoreNode) -> None:
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)
    append(log, count=5)
    log.advance_log_start_offset(3)
    store.write_checkpoints()

    assert [record.offset for record in uncommitted_view(node.restart_after_kill().logs[ORDERS])] == [3, 4]


def test_a_broken_checkpoint_costs_no_data(node: StoreNode) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), count=5)
    store.close()
    for name in ("recovery-point-offset-checkpoint", "replication-offset-checkpoint", "log-start-offset-checkpoint"):
        write_atomically(node.disk, f"/a/{name}", b"\x00\xff garbage")

    assert node.start().logs[ORDERS].end_offset == 5


def test_a_full_disk_still_takes_checkpoints_from_the_reserve(node: StoreNode) -> None:
    store = node.start()
    for directory in store._directories.online():
        directory.reserve.size_bytes = 100_000
    assert store.restore_reserves()
    append(store.create(ORDERS, ID, OPTIONS))
    node.disk.faults.space_bytes = node.disk.image.used_bytes()

    assert store.write_checkpoints() == []

    assert not node.disk.exists("/a/.ottla_reserve")
    node.disk.faults.heal()
    assert store.restore_reserves()
    assert store.release_reserves()


def test_a_checkpoint_that_cannot_be_written_names_its_directory(node: StoreNode) -> None:
    store = node.start()
    store.create(ORDERS, ID, OPTIONS)
    node.disk.faults.fail_next("sync", errno.EIO, "checkpoint")

    ((path, error),) = store.write_checkpoints()

    assert (path, error.errno) == ("/a", errno.EIO)
