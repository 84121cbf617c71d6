"""All logs of a node: where partitions go, how they are deleted, what is left alone."""

import errno

from ottla.log.files.small_files import write_atomically
from ottla.log.store.log_store import METADATA_TOPIC_ID, LogStore
from ottla.model.topic import TopicPartition
from tests.support.memory_disk import MemoryDisk, SimRng
from tests.support.store_node import ID, OPTIONS, ORDERS, StoreNode, append, flushed


def test_partitions_go_where_the_fewest_are(node: StoreNode) -> None:
    node = StoreNode("/a", "/b", "/c")
    store = node.start()

    for index in range(9):
        store.create(TopicPartition("t", index), ID, OPTIONS)

    counts = [len(report.logs) for report in store.describe_directories()]
    assert counts == [3, 3, 3]


def test_an_assigned_directory_is_used(node: StoreNode) -> None:
    node = StoreNode("/a", "/b")
    store = node.start()
    second = store.directory_ids()[1]

    for index in range(3):
        store.create(TopicPartition("t", index), ID, OPTIONS, directory_id=second)

    assert all(log.directory.startswith("/b/") for log in store.logs.values())


def test_deletion_renames_now_and_removes_later(node: StoreNode) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS))

    store.delete(ORDERS)

    assert ORDERS not in store.logs
    (left,) = [name for name in node.disk.list("/a") if name.startswith("orders-0")]
    assert left.endswith("-delete")
    assert store.remove_due(node.clock.now_ms() + 59_999) == 0
    assert store.remove_due(node.clock.now_ms() + 60_000) == 1
    assert left not in node.disk.list("/a")


def test_a_deletion_that_was_cut_short_is_finished_after_the_start(node: StoreNode) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS))
    store.delete(ORDERS)

    again = node.restart_after_kill()

    assert ORDERS not in again.logs
    assert again.remove_due(node.clock.now_ms() + 60_000) == 1


def test_a_new_partition_of_an_old_name_starts_at_zero(node: StoreNode) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), count=9)
    store.close()
    store = node.start()
    store.delete(ORDERS)
    store.write_checkpoints()

    log = store.create(ORDERS, bytes(16), OPTIONS)

    assert (log.end_offset, log.high_watermark, log.topic_id) == (0, 0, bytes(16))


def test_what_cannot_be_removed_is_tried_again(node: StoreNode) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS))
    store.delete(ORDERS)
    node.disk.faults.fail_next("remove", errno.EBUSY)

    assert store.remove_due(node.clock.now_ms() + 60_000) == 0
    assert store.remove_due(node.clock.now_ms() + 120_000) == 1


def test_strays_are_known_by_topic_id_and_put_aside(node: StoreNode) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS))
    store.create(TopicPartition("other", 0), b"o" * 16, OPTIONS)

    strays = store.strays(lambda topic_partition, topic_id: topic_id == b"o" * 16)
    for stray in strays:
        store.put_aside(stray)

    assert strays == [ORDERS]
    assert list(store.logs) == [TopicPartition("other", 0)]
    assert any(name.endswith("-stray") for name in node.disk.list("/a"))
    assert ORDERS not in node.restart_after_kill().logs


def test_foreign_files_are_left_alone(node: StoreNode) -> None:
    node.disk.make_directories("/a/lost+found")
    node.disk.make_directories("/a/notes")
    write_atomically(node.disk, "/a/readme.txt", b"mine")

    store = node.start()

    assert store.logs == {}
    assert {"lost+found", "notes", "readme.txt"} <= set(node.disk.list("/a"))


def test_the_metadata_log_is_no_partition_of_the_store(node: StoreNode) -> None:
    store = node.new_store()
    store.open_directories(None)
    log = store.open_metadata_log(OPTIONS)
    append(log, count=2)
    store.load_logs(lambda topic: OPTIONS)
    assert store.logs == {}
    assert (log.topic_id, log.directory) == (METADATA_TOPIC_ID, "/a/__cluster_metadata-0")
    store.close()

    again = node.new_store()
    again.open_directories(None)
    assert again.open_metadata_log(OPTIONS).end_offset == 2


def test_the_metadata_log_may_have_a_directory_of_its_own() -> None:
    node = StoreNode("/a")
    store = LogStore(
        disk=node.disk, directories=["/a"], node_id=1, rng=node.rng, clock=node.clock, metadata_directory="/m"
    )
    store.open_directories(None)

    assert store.open_metadata_log(OPTIONS).directory == "/m/__cluster_metadata-0"
    assert store.directory_paths() == ["/a"]
    store.close()
    assert node.disk.exists("/m/meta.properties")


def test_ten_thousand_partitions_need_no_sync_each(node: StoreNode) -> None:
    store = node.start()
    kinds: dict[str, int] = {}
    node.disk.faults.on_operation = lambda operation: kinds.update({operation.kind: kinds.get(operation.kind, 0) + 1})

    for index in range(100):
        store.create(TopicPartition("many", index), ID, OPTIONS)

    assert "sync" not in kinds
    assert "sync_directory" not in kinds
    assert sum(kinds.values()) <= 400


def test_power_loss_does_not_bring_a_deleted_partition_back_beside_the_one_made_after_it() -> None:
    for seed in range(20):
        node = StoreNode("/a", "/b")
        store = node.start()
        append(store.create(ORDERS, ID, OPTIONS))
        flushed(store.logs[ORDERS])
        store.create(TopicPartition("other", 0), ID, OPTIONS)
        store.delete(ORDERS)
        store.write_checkpoints()
        log = store.create(ORDERS, bytes(16), OPTIONS, directory_id=store.directory_ids()[1])
        append(log, b"new")
        flushed(log)

        node.disk = MemoryDisk(node.disk.power_loss(SimRng(seed), nasty=True))
        again = node.start()

        assert again.offline == {}
        assert (again.logs[ORDERS].topic_id, again.logs[ORDERS].end_offset) == (bytes(16), 1)
