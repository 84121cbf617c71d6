"""All logs of a node: directories, loading, creation, deletion, failure, checkpoints."""

import errno
from collections.abc import Callable

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.checkpoints import read_whole, write_atomically
from ottla.log.clean_shutdown import LastEnd
from ottla.log.flush import NoRoom
from ottla.log.log_store import METADATA_TOPIC_ID, LogStore
from ottla.log.partition_log import AppendOrigin, PartitionLog
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition
from ottla.records.builder import Record, build_batch
from tests.support.log_view import HandClock, uncommitted_view
from tests.support.memory_disk import MemoryDisk, SimRng

ORDERS = TopicPartition("orders", 0)
ID = bytes(range(16))
OPTIONS = TopicOptions()


class Node:
    """A node whose process may die and start again on the same disk."""

    def __init__(self, *directories: str) -> None:
        self.directories = directories or ("/a",)
        self.disk = MemoryDisk()
        self.clock = HandClock()
        self.store: LogStore
        self.rng = SimRng(7)

    def start(self, options_for: Callable[[str], TopicOptions] = lambda topic: OPTIONS) -> LogStore:
        self.store = self.new_store()
        self.cluster_id = self.store.open_directories(None)
        self.store.load_logs(options_for)
        return self.store

    def new_store(self, node_id: int = 1) -> LogStore:
        return LogStore(disk=self.disk, directories=self.directories, node_id=node_id, rng=self.rng, clock=self.clock)

    def restart_after_kill(self) -> LogStore:
        self.disk = MemoryDisk(self.disk.kill())
        return self.start()

    def restart_after_power_loss(self) -> LogStore:
        self.disk = MemoryDisk(self.disk.power_loss(SimRng(3)))
        return self.start()


def append(log: PartitionLog, value: bytes = b"v", count: int = 1) -> None:
    for _ in range(count):
        batch = build_batch([Record(0, 1000, b"k", value)])
        log.append_as_leader(batch, leader_epoch=0, now_ms=1000, origin=AppendOrigin.CLIENT)
    log.advance_high_watermark(log.end_offset)


@pytest.fixture
def node() -> Node:
    return Node()


def test_a_new_node_gets_an_identity_and_keeps_it(node: Node) -> None:
    store = node.start()
    cluster_id, ids = node.cluster_id, store.directory_ids()
    assert len(cluster_id) == 22

    store.close()
    assert node.start().directory_ids() == ids
    assert node.cluster_id == cluster_id


def test_logs_come_back_after_a_clean_stop(node: Node) -> None:
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)
    append(log, count=5)
    store.record_broker_epoch(4)
    store.close()

    again = node.start()

    assert (again.last_end, again.previous_broker_epoch) == (LastEnd.CLEAN, 4)
    found = again.logs[ORDERS]
    assert (found.topic_id, found.end_offset, found.high_watermark, found.recovery_point) == (ID, 5, 5, 5)


def test_after_kill_9_nothing_is_lost_and_the_replica_stays_eligible(node: Node) -> None:
    store = node.start()
    store.record_broker_epoch(4)
    append(store.create(ORDERS, ID, OPTIONS), count=5)

    again = node.restart_after_kill()

    assert (again.last_end, again.previous_broker_epoch) == (LastEnd.PROCESS_CRASH, 4)
    assert again.logs[ORDERS].end_offset == 5


def test_after_power_loss_the_replica_is_not_eligible(node: Node) -> None:
    store = node.start()
    store.record_broker_epoch(4)
    append(store.create(ORDERS, ID, OPTIONS), count=5)

    again = node.restart_after_power_loss()

    assert (again.last_end, again.previous_broker_epoch) == (LastEnd.POWER_LOSS, -1)


def test_flushed_records_of_a_new_partition_survive_power_loss() -> None:
    for seed in range(20):
        node = Node("/deep/below/a")
        log = node.start().create(ORDERS, ID, OPTIONS)
        append(log, count=5)
        job = log.flush_job()
        assert job is not None
        job.run()
        log.flush_done(job)

        node.disk = MemoryDisk(node.disk.power_loss(SimRng(seed), nasty=True))

        assert node.start().logs[ORDERS].end_offset == 5


def test_a_disk_error_makes_the_next_start_assume_the_worst(node: Node) -> None:
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)

    assert store.mark_directory_failed(log, OSError(errno.EIO, "broken")) == [ORDERS]
    store.close()

    assert node.restart_after_kill().last_end is LastEnd.POWER_LOSS


def test_partitions_go_where_the_fewest_are(node: Node) -> None:
    node = Node("/a", "/b", "/c")
    store = node.start()

    for index in range(9):
        store.create(TopicPartition("t", index), ID, OPTIONS)

    counts = [len(report.logs) for report in store.describe_directories()]
    assert counts == [3, 3, 3]


def test_an_assigned_directory_is_used(node: Node) -> None:
    node = Node("/a", "/b")
    store = node.start()
    second = store.directory_ids()[1]

    for index in range(3):
        store.create(TopicPartition("t", index), ID, OPTIONS, directory_id=second)

    assert [store.directory_id_of(tp) for tp in store.logs] == [second] * 3
    assert all(log.directory.startswith("/b/") for log in store.logs.values())


def test_deletion_renames_now_and_removes_later(node: Node) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS))

    store.delete(ORDERS)

    assert ORDERS not in store.logs
    (left,) = [name for name in node.disk.list("/a") if name.startswith("orders-0")]
    assert left.endswith("-delete")
    assert store.remove_due(node.clock.now_ms() + 59_999) == 0
    assert store.due_removals(node.clock.now_ms() + 60_000) == [f"/a/{left}"]
    assert store.remove_due(node.clock.now_ms() + 60_000) == 1
    assert left not in node.disk.list("/a")


def test_a_deletion_that_was_cut_short_is_finished_after_the_start(node: Node) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS))
    store.delete(ORDERS)

    again = node.restart_after_kill()

    assert ORDERS not in again.logs
    assert again.remove_due(node.clock.now_ms() + 60_000) == 1


def test_a_new_partition_of_an_old_name_starts_at_zero(node: Node) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), count=9)
    store.close()
    store = node.start()
    store.delete(ORDERS)

    log = store.create(ORDERS, bytes(16), OPTIONS)

    assert (log.end_offset, log.high_watermark, log.topic_id) == (0, 0, bytes(16))


def test_what_cannot_be_removed_is_tried_again(node: Node) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS))
    store.delete(ORDERS)
    node.disk.faults.fail_next("remove", errno.EBUSY)

    assert store.remove_due(node.clock.now_ms() + 60_000) == 0
    assert store.remove_due(node.clock.now_ms() + 120_000) == 1


def test_strays_are_known_by_topic_id_and_put_aside(node: Node) -> None:
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


def test_foreign_files_are_left_alone(node: Node) -> None:
    node.disk.make_directories("/a/lost+found")
    node.disk.make_directories("/a/notes")
    write_atomically(node.disk, "/a/readme.txt", b"mine")

    store = node.start()

    assert store.logs == {}
    assert {"lost+found", "notes", "readme.txt"} <= set(node.disk.list("/a"))


def test_one_broken_log_does_not_stop_the_others(node: Node) -> None:
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


def test_what_is_known_about_an_offline_partition_is_kept(node: Node) -> None:
    test_one_broken_log_does_not_stop_the_others(node)

    node.store.write_checkpoints()

    assert b"\nt 1 3\n" in read_whole(node.disk, "/a/recovery-point-offset-checkpoint")


def test_one_broken_directory_does_not_stop_the_others() -> None:
    node = Node("/a", "/b")
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
    node = Node("/a", "/b")
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
    node = Node("/a")

    def refuse(path: str) -> None:
        raise PermissionError(errno.EACCES, "no", path)

    monkeypatch.setattr(node.disk, "make_directories", refuse)

    with pytest.raises(OSError, match="no log directory works") as caught:
        node.start()
    assert caught.value.errno == errno.EIO


def test_a_copied_directory_is_refused() -> None:
    node = Node("/a")
    node.start().close()
    node.directories = ("/a", "/b")
    node.disk.make_directories("/b")
    write_atomically(node.disk, "/b/meta.properties", read_whole(node.disk, "/a/meta.properties"))

    with pytest.raises(InvalidConfig, match=r"same directory.id"):
        node.start()


def test_partitions_without_meta_properties_are_not_taken_over(node: Node) -> None:
    store = node.start()
    store.create(ORDERS, ID, OPTIONS)
    store.close()
    node.disk.remove("/a/meta.properties")

    with pytest.raises(InvalidConfig, match=r"/a: holds partitions but no meta.properties"):
        node.start()


def test_a_refused_start_leaves_the_directory_free_and_clean(node: Node) -> None:
    node.start().close()

    with pytest.raises(InvalidConfig):
        node.new_store(node_id=2).open_directories(None)

    assert node.start().last_end is LastEnd.CLEAN


def test_a_start_that_ends_before_the_logs_are_open_stays_clean(node: Node) -> None:
    store = node.start()
    store.record_broker_epoch(6)
    append(store.create(ORDERS, ID, OPTIONS), count=2)
    store.close()

    early = node.new_store()
    early.open_directories(None)
    early.close(clean=True)

    again = node.start()
    assert (again.last_end, again.previous_broker_epoch) == (LastEnd.CLEAN, 6)
    assert again.logs[ORDERS].high_watermark == 2


def test_a_start_that_ends_early_after_a_crash_does_not_hide_it(node: Node) -> None:
    append(node.start().create(ORDERS, ID, OPTIONS))
    node.disk = MemoryDisk(node.disk.kill())

    early = node.new_store()
    early.open_directories(None)
    early.close(clean=True)

    assert node.start().last_end is LastEnd.PROCESS_CRASH


def test_the_metadata_log_is_no_partition_of_the_store(node: Node) -> None:
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
    node = Node("/a")
    store = LogStore(
        disk=node.disk, directories=["/a"], node_id=1, rng=node.rng, clock=node.clock, metadata_directory="/m"
    )
    store.open_directories(None)

    assert store.open_metadata_log(OPTIONS).directory == "/m/__cluster_metadata-0"
    assert store.directory_paths() == ["/a"]
    store.close()
    assert node.disk.exists("/m/meta.properties")


def test_checkpoints_say_what_kafka_would_say(node: Node) -> None:
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


def test_a_cut_log_is_not_clean_beyond_the_cut(node: Node) -> None:
    store = node.start()
    store.cleaner_offsets[ORDERS] = 10

    store.note_truncation(ORDERS, 12)
    assert store.cleaner_offsets == {ORDERS: 10}
    store.note_truncation(ORDERS, 4)
    assert store.cleaner_offsets == {ORDERS: 4}
    store.note_truncation(TopicPartition("unknown", 0), 4)
    assert store.cleaner_offsets == {ORDERS: 4}


def test_checkpoints_that_did_not_change_are_not_written_again(node: Node) -> None:
    store = node.start()
    store.create(ORDERS, ID, OPTIONS)
    store.write_checkpoints()
    before = node.disk.operation_count

    store.write_checkpoints()

    assert node.disk.operation_count == before


def test_the_start_offset_survives_a_crash(node: Node) -> None:
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)
    append(log, count=5)
    log.advance_log_start_offset(3)
    store.write_checkpoints()

    assert [record.offset for record in uncommitted_view(node.restart_after_kill().logs[ORDERS])] == [3, 4]


def test_a_broken_checkpoint_costs_no_data(node: Node) -> None:
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), count=5)
    store.close()
    for name in ("recovery-point-offset-checkpoint", "replication-offset-checkpoint", "log-start-offset-checkpoint"):
        write_atomically(node.disk, f"/a/{name}", b"\x00\xff garbage")

    assert node.start().logs[ORDERS].end_offset == 5


def test_a_full_disk_still_takes_checkpoints_from_the_reserve(node: Node) -> None:
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


def test_a_checkpoint_that_cannot_be_written_names_its_directory(node: Node) -> None:
    store = node.start()
    store.create(ORDERS, ID, OPTIONS)
    node.disk.faults.fail_next("sync", errno.EIO, "checkpoint")

    ((path, error),) = store.write_checkpoints()

    assert (path, error.errno) == ("/a", errno.EIO)


def test_ten_thousand_partitions_need_no_sync_each(node: Node) -> None:
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
        node = Node("/a", "/b")
        store = node.start()
        append(store.create(ORDERS, ID, OPTIONS))
        flushed(store.logs[ORDERS])
        store.create(TopicPartition("other", 0), ID, OPTIONS)
        store.delete(ORDERS)
        log = store.create(ORDERS, bytes(16), OPTIONS, directory_id=store.directory_ids()[1])
        append(log, b"new")
        flushed(log)

        node.disk = MemoryDisk(node.disk.power_loss(SimRng(seed), nasty=True))
        again = node.start()

        assert again.offline == {}
        assert (again.logs[ORDERS].topic_id, again.logs[ORDERS].end_offset) == (bytes(16), 1)


def flushed(log: PartitionLog) -> None:
    job = log.flush_job()
    assert job is not None
    job.run()
    log.flush_done(job)


def test_a_start_on_a_full_disk_takes_nothing_and_can_be_tried_again(node: Node) -> None:
    node.start().close()
    node.disk = MemoryDisk(node.disk.kill())
    node.disk.faults.space_bytes = node.disk.image.used_bytes() + 1000
    store = node.new_store()
    with pytest.raises(NoRoom, match="no room to start: 1047576 more bytes must be free"):
        store.open_directories(None)

    node.disk.faults.space_bytes = None

    assert store.open_directories(None) == node.cluster_id


def test_a_start_on_a_full_disk_gives_the_reserve_up(node: Node) -> None:
    node.disk.faults.claimed_bytes = 64 * 1024 * 1024
    store = node.start()
    assert store.restore_reserves()
    store.close()
    node.disk = MemoryDisk(node.disk.kill())
    node.disk.faults.space_bytes = node.disk.image.used_bytes()

    node.start()

    assert node.disk.usage("/a").usable_bytes > 3 * 1024 * 1024


def test_a_partition_that_found_no_room_is_opened_when_there_is_some(node: Node) -> None:
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


def test_a_clean_stop_leaves_the_index_files_that_kafka_looks_for(node: Node) -> None:
    store = node.start()
    for index in range(3):
        store.create(TopicPartition("orders", index), ID, OPTIONS)
    append(store.logs[ORDERS])
    store.close()

    assert all(node.disk.exists(f"/a/orders-{index}/00000000000000000000.index") for index in range(3))


def test_a_stop_does_not_take_long_for_files_that_only_kafka_needs(node: Node) -> None:
    store = node.start()
    for index in range(4):
        store.create(TopicPartition("orders", index), ID, OPTIONS)
    made: list[str] = []

    def slow_creation(operation: object) -> None:
        kind, path = operation.kind, operation.path  # type: ignore[attr-defined]
        if kind == "create" and path.endswith(".index"):
            made.append(path)
            node.clock.wall_ms += 600

    node.disk.faults.on_operation = slow_creation
    store.close()
    assert len(made) == 2

    node.start().close()
    assert len(made) == 4
