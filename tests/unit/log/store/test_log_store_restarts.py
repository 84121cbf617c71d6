"""All logs of a node: what is there after a clean stop, a crash, a power loss, a start that ended early."""

import errno
import logging

import pytest

from ottla.log.recovery.recovered_log import RecoveryReport
from ottla.log.store.clean_shutdown import LastEnd
from ottla.log.store.recovery_notes import MAX_LINES, RecoveryNotes
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition
from tests.support.memory_disk import MemoryDisk, SimRng
from tests.support.store_node import ID, OPTIONS, ORDERS, StoreNode, append


def test_a_new_node_gets_an_identity_and_keeps_it(node: StoreNode) -> None:
    store = node.start()
    cluster_id, ids = node.cluster_id, store.directory_ids()
    assert len(cluster_id) == 22

    store.close()
    assert node.start().directory_ids() == ids
    assert node.cluster_id == cluster_id


def test_logs_come_back_after_a_clean_stop(node: StoreNode) -> None:
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)
    append(log, count=5)
    store.record_broker_epoch(4)
    store.close()

    again = node.start()

    assert (again.last_end, again.previous_broker_epoch) == (LastEnd.CLEAN, 4)
    found = again.logs[ORDERS]
    assert (found.topic_id, found.end_offset, found.high_watermark, found.recovery_point) == (ID, 5, 5, 5)


def test_after_kill_9_nothing_is_lost_and_the_replica_stays_eligible(node: StoreNode) -> None:
    store = node.start()
    store.record_broker_epoch(4)
    append(store.create(ORDERS, ID, OPTIONS), count=5)

    again = node.restart_after_kill()

    assert (again.last_end, again.previous_broker_epoch) == (LastEnd.PROCESS_CRASH, 4)
    assert again.logs[ORDERS].end_offset == 5


def test_a_torn_tail_is_named_and_a_stop_in_order_says_nothing(
    node: StoreNode, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="ottla.log")
    log = node.start().create(ORDERS, ID, OPTIONS)
    append(log, count=5)
    whole_bytes = log.size_bytes
    segment = node.disk.open(f"{log.directory}/00000000000000000000.log")
    segment.write_at(whole_bytes, b"half of a batch")

    node.restart_after_kill().close()

    assert [record.getMessage() for record in caplog.records] == [
        f"orders-0: truncated 15 bytes that are not complete batches: {log.directory}/00000000000000000000.log"
        f" at byte {whole_bytes}: 15 bytes are less than a header",
        f"the last run ended by kill -9 or a crash: checked {whole_bytes} bytes of 1 partitions,"
        " truncated 15 bytes of 1 of them",
    ]
    caplog.clear()
    node.start()
    assert caplog.records == []


def test_of_many_torn_tails_only_some_have_a_line_of_their_own(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="ottla.log")
    notes = RecoveryNotes()

    for index in range(MAX_LINES + 5):
        notes.note(TopicPartition("orders", index), RecoveryReport(checked_bytes=10, cut_bytes=2, cut_reason="torn"))
    notes.sum_up(LastEnd.POWER_LOSS)

    assert len(caplog.records) == MAX_LINES + 1
    assert "truncated 50 bytes of 25 of them" in caplog.records[-1].getMessage()


def test_after_power_loss_the_replica_is_not_eligible(node: StoreNode) -> None:
    store = node.start()
    store.record_broker_epoch(4)
    append(store.create(ORDERS, ID, OPTIONS), count=5)

    again = node.restart_after_power_loss()

    assert (again.last_end, again.previous_broker_epoch) == (LastEnd.POWER_LOSS, -1)


def test_flushed_records_of_a_new_partition_survive_power_loss() -> None:
    for seed in range(20):
        node = StoreNode("/deep/below/a")
        log = node.start().create(ORDERS, ID, OPTIONS)
        append(log, count=5)
        job = log.flush_job()
        assert job is not None
        job.run()
        log.flush_done(job)

        node.disk = MemoryDisk(node.disk.power_loss(SimRng(seed), nasty=True))

        assert node.start().logs[ORDERS].end_offset == 5


def test_a_disk_error_makes_the_next_start_assume_the_worst(node: StoreNode) -> None:
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)

    assert store.mark_directory_failed(log, OSError(errno.EIO, "broken")) == [ORDERS]
    store.close()

    assert node.restart_after_kill().last_end is LastEnd.POWER_LOSS


def test_a_refused_start_leaves_the_directory_free_and_clean(node: StoreNode) -> None:
    node.start().close()

    with pytest.raises(InvalidConfig):
        node.new_store(node_id=2).open_directories(None)

    assert node.start().last_end is LastEnd.CLEAN


def test_a_start_that_ends_before_the_logs_are_open_stays_clean(node: StoreNode) -> None:
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


def test_a_start_that_ends_early_after_a_crash_does_not_hide_it(node: StoreNode) -> None:
    append(node.start().create(ORDERS, ID, OPTIONS))
    node.disk = MemoryDisk(node.disk.kill())

    early = node.new_store()
    early.open_directories(None)
    early.close(clean=True)

    assert node.start().last_end is LastEnd.PROCESS_CRASH


def test_a_clean_stop_leaves_the_index_files_that_kafka_looks_for(node: StoreNode) -> None:
    store = node.start()
    for index in range(3):
        store.create(TopicPartition("orders", index), ID, OPTIONS)
    append(store.logs[ORDERS])
    store.close()

    assert all(node.disk.exists(f"/a/orders-{index}/00000000000000000000.index") for index in range(3))


def test_a_stop_does_not_take_long_for_files_that_only_kafka_needs(node: StoreNode) -> None:
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
