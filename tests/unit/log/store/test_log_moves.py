"""Moving replicas between the directories of a node."""

import contextlib
import errno

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.store.log_moves import COMPLETE_NOTE
from ottla.log.store.log_store import LogStore
from ottla.model.topic import TopicPartition
from ottla.records.batch import patch_offset_and_epoch
from ottla.records.builder import Record, build_batch
from tests.support.log_view import uncommitted_view
from tests.support.memory_disk import MemoryDisk, Operation, SimRng, SimulatedCrash
from tests.support.store_node import ID, OPTIONS, ORDERS, StoreNode, append, flushed


def moving_node(count: int = 30) -> StoreNode:
    node = StoreNode("/a", "/b")
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), b"x" * 200, count=count)
    return node


def finish(store: LogStore) -> None:
    while not store.copy_step(ORDERS, 1000):
        pass
    store.finish_move(ORDERS)


def test_a_replica_moves_with_all_its_records() -> None:
    node = moving_node()
    store = node.store
    before = uncommitted_view(store.logs[ORDERS])
    store.cleaner_offsets[ORDERS] = 20

    store.start_move(ORDERS, "/b")
    assert not store.copy_step(ORDERS, 1000)
    future = store.describe_directories()[1].logs[0]
    assert future.is_future
    assert 0 < future.offset_lag < 30
    append(store.logs[ORDERS], b"late")
    finish(store)

    log = store.logs[ORDERS]
    assert log.directory == "/b/orders-0"
    assert uncommitted_view(log)[:-1] == before
    assert (log.end_offset, log.high_watermark, log.topic_id) == (31, 31, ID)
    assert len(store.moves) == 0
    assert ORDERS not in store.cleaner_offsets
    append(log, b"after the move")
    assert log.end_offset == 32


def test_what_a_copy_had_to_drop_is_removed() -> None:
    node = moving_node()
    store = node.store
    store.start_move(ORDERS, "/b")
    store.copy_step(ORDERS, 1000)
    # Retention is faster than the copy: it begins again where the original begins now.
    store.logs[ORDERS].advance_log_start_offset(25)
    store.logs[ORDERS].roll()
    append(store.logs[ORDERS])
    store.logs[ORDERS].retire_segments(node.clock.now_ms())
    finish(store)
    assert [name for name in node.disk.list("/b/orders-0") if name.endswith(".deleted")]

    store.remove_due(node.clock.now_ms() + 60_000)

    assert not [name for name in node.disk.list("/b/orders-0") if name.endswith(".deleted")]


def test_the_original_is_removed_after_the_delay() -> None:
    node = moving_node()
    node.store.start_move(ORDERS, "/b")
    finish(node.store)

    assert any(name.endswith("-delete") for name in node.disk.list("/a"))
    node.store.remove_due(node.clock.now_ms() + 60_000)
    assert not any(name.startswith("orders") for name in node.disk.list("/a"))


def test_a_moved_replica_is_found_again() -> None:
    node = moving_node()
    node.store.start_move(ORDERS, "/b")
    finish(node.store)
    node.store.close()

    log = node.start().logs[ORDERS]

    assert (log.directory, log.end_offset) == ("/b/orders-0", 30)


def test_a_log_that_does_not_begin_at_zero_moves_too() -> None:
    node = StoreNode("/a", "/b")
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)
    batch = build_batch([Record(0, 1, b"k", b"%d" % index) for index in range(10)])
    for base_offset in (0, 10, 20):
        patch_offset_and_epoch(batch, 0, base_offset, 3)
        log.append_as_follower(bytes(batch), now_ms=1)
    log.advance_high_watermark(30)
    log.advance_log_start_offset(15)

    store.start_move(ORDERS, "/b")
    finish(store)

    assert store.logs[ORDERS].log_start_offset == 15
    assert [record.offset for record in uncommitted_view(store.logs[ORDERS])] == list(range(15, 30))


def test_the_copy_follows_a_truncation_of_the_original() -> None:
    node = moving_node()
    store = node.store
    log = store.logs[ORDERS]
    log.high_watermark = 10
    store.start_move(ORDERS, "/b")
    while not store.copy_step(ORDERS, 1000):
        pass

    log.truncate_to(10)
    batch = build_batch([Record(0, 1, b"k", b"another history")])
    for _ in range(25):
        log.append_as_leader(bytearray(batch), leader_epoch=5, now_ms=1)
    log.advance_high_watermark(log.end_offset)
    before = uncommitted_view(log)
    finish(store)

    assert uncommitted_view(store.logs[ORDERS]) == before


def test_deleted_records_stay_deleted_when_a_move_is_followed_by_a_crash() -> None:
    node = moving_node()
    node.store.logs[ORDERS].advance_log_start_offset(20)
    node.store.write_checkpoints()
    node.store.start_move(ORDERS, "/b")
    finish(node.store)

    log = node.restart_after_kill().logs[ORDERS]

    assert (log.directory, log.log_start_offset, log.high_watermark) == ("/b/orders-0", 20, 30)


def test_a_move_can_be_cancelled() -> None:
    node = moving_node()
    store = node.store
    store.start_move(ORDERS, "/b")
    store.copy_step(ORDERS, 1000)

    store.cancel_move(ORDERS)
    store.remove_due(node.clock.now_ms())

    assert store.logs[ORDERS].directory == "/a/orders-0"
    assert not any(name.startswith("orders") for name in node.disk.list("/b"))


def test_deleting_a_partition_ends_its_move() -> None:
    node = moving_node()
    node.store.start_move(ORDERS, "/b")
    node.store.delete(ORDERS)
    node.store.remove_due(node.clock.now_ms() + 60_000)

    assert not any(name.startswith("orders") for name in [*node.disk.list("/a"), *node.disk.list("/b")])


def test_an_unknown_target_is_refused_and_the_own_directory_is_no_move() -> None:
    node = moving_node()
    with pytest.raises(KeyError):
        node.store.start_move(ORDERS, "/c")
    node.store.start_move(ORDERS, "/a")
    assert len(node.store.moves) == 0


def test_an_unfinished_copy_is_begun_again_after_a_restart() -> None:
    node = moving_node()
    node.store.start_move(ORDERS, "/b")
    node.store.copy_step(ORDERS, 1000)

    store = node.restart_after_kill()
    assert ORDERS in store.moves
    finish(store)

    assert store.logs[ORDERS].directory == "/b/orders-0"
    assert store.logs[ORDERS].end_offset == 30


def test_when_the_target_fails_the_original_goes_on() -> None:
    node = moving_node()
    node.store.start_move(ORDERS, "/b")

    assert node.store.mark_directory_failed("/b", OSError("broken")) == []

    assert len(node.store.moves) == 0
    append(node.store.logs[ORDERS])


def test_two_originals_are_refused_because_nobody_knows_which_is_right() -> None:
    node = moving_node()
    node.store.close()
    node.disk.make_directories("/b/orders-0")

    store = node.start()

    assert ORDERS not in store.logs
    assert "both hold the partition" in store.offline[ORDERS]


def test_a_directory_that_fails_while_a_move_is_finished_does_not_stop_the_start() -> None:
    node = moving_node()
    store = node.store
    store.start_move(ORDERS, "/b")
    while not store.copy_step(ORDERS, 1000):
        pass
    (name,) = [name for name in node.disk.list("/b") if name.endswith("-future")]
    node.disk.open(f"/b/{name}/{COMPLETE_NOTE}", create=True)
    other = TopicPartition("other", 0)
    store.create(other, ID, OPTIONS, directory_id=store.directory_ids()[0])
    node.disk = MemoryDisk(node.disk.kill())
    node.disk.faults.fail_next("rename", errno.EIO, "-future")

    again = node.start()

    assert [report.failure is None for report in again.describe_directories()] == [True, False]
    assert list(again.logs) == [other]


@pytest.mark.parametrize("has_power", [True, False])
def test_a_crash_at_any_step_of_a_move_leaves_one_whole_replica(has_power: bool) -> None:
    node = moving_node(count=6)
    expected = uncommitted_view(node.store.logs[ORDERS])
    node.store.close()
    image = node.disk.kill()

    step = 0
    while True:
        node = StoreNode("/a", "/b")
        node.disk = MemoryDisk(image.copy())
        store = node.start()
        node.disk.faults.crash_at(node.disk.operation_count + step)
        with contextlib.suppress(SimulatedCrash):
            store.start_move(ORDERS, "/b")
            finish(store)
        has_crashed = not node.disk.is_alive
        node.disk = MemoryDisk(node.disk.kill() if has_power else node.disk.power_loss(SimRng(step), nasty=True))
        again = node.start(lambda topic: TopicOptions())
        assert again.offline == {}
        again.logs[ORDERS].advance_high_watermark(6)
        assert uncommitted_view(again.logs[ORDERS]) == expected
        if not has_crashed:
            break
        step += 1
    assert step > 10


def fail_at(node: StoreNode, number: int) -> None:
    def fail(operation: Operation) -> None:
        if operation.number == number:
            raise OSError(errno.EIO, "a step has failed", operation.path)

    node.disk.faults.on_operation = fail


def check_restarts_whole(node: StoreNode) -> None:
    """With what is there now, and when all is removed that was to be removed; with and without power."""
    store = node.store
    log = store.logs.get(ORDERS)
    if log is not None:
        append(log, b"written after the move")
        flushed(log)
    end_offset = 6 if log is None else log.end_offset
    image = node.disk.image.copy()
    store.remove_due(node.clock.now_ms() + 60_000)
    images = [image, node.disk.kill()]
    images += [each.after_power_loss(SimRng(seed), nasty=True) for each in images for seed in range(10)]
    for each in images:
        node.disk = MemoryDisk(each)
        again = node.start()
        assert again.offline == {}
        assert again.logs[ORDERS].end_offset == end_offset


def test_a_disk_error_at_any_step_of_the_end_of_a_move_leaves_one_whole_replica() -> None:
    step = 0
    has_failed = True
    while has_failed:
        node = moving_node(count=6)
        store = node.store
        store.start_move(ORDERS, "/b")
        while not store.copy_step(ORDERS, 1000):
            pass
        fail_at(node, node.disk.operation_count + step)
        try:
            store.finish_move(ORDERS)
            has_failed = False
        except OSError:
            store.cancel_move(ORDERS)
        node.disk.faults.on_operation = None
        check_restarts_whole(node)
        step += 1
    assert step > 10


def test_a_copy_that_can_neither_have_the_name_nor_give_it_back_is_found_at_the_next_start() -> None:
    node = moving_node(count=6)
    store = node.store
    store.start_move(ORDERS, "/b")
    # Of the copy: first its leader epochs and its note are renamed.
    node.disk.faults.fail_next("rename", errno.EIO, "-future", after=2)
    node.disk.faults.fail_next("rename", errno.EIO, "-delete")

    with pytest.raises(OSError, match="Input/output"):
        finish(store)
    store.cancel_move(ORDERS)

    assert ORDERS in store.offline
    check_restarts_whole(node)
