"""Data directories that Apache Kafka 4.3 wrote are opened as they are, after a clean stop and after kill -9."""

from collections.abc import Callable
from typing import Any

import pytest

from ottla.log.compaction.cleaner import Cleaner
from ottla.log.compaction.segment_cleaning import clean_segments
from ottla.log.partition_log import PartitionLog
from ottla.log.store.checkpoints import HIGH_WATERMARKS, read_checkpoint
from ottla.log.store.clean_shutdown import LastEnd
from ottla.model.errors import InUse, InvalidConfig
from ottla.model.topic import TopicPartition
from ottla.records.record import Record
from tests.support.kafka_directory import KafkaDirectory
from tests.support.log_view import committed_view, uncommitted_view
from tests.support.memory_disk import MemoryDisk
from tests.support.store_node import append


@pytest.fixture(params=["clean", "unclean"])
def opened(request: pytest.FixtureRequest) -> KafkaDirectory:
    return KafkaDirectory(request.param)


def as_manifest(record: Record) -> list[Any]:
    value = None if record.value is None else record.value.decode()[-24:]
    headers = [[name, None if content is None else content.decode()] for name, content in record.headers]
    return [record.offset, record.timestamp_ms, None if record.key is None else record.key.decode(), value, headers]


def check_records(seen: list[Record], expected: Any) -> None:
    found = [as_manifest(record) for record in seen]
    if isinstance(expected, dict):
        # Of a large partition the manifest has only the ends.
        assert {"count": len(found), "first": found[0], "last": found[-1]} == expected
    else:
        assert found == expected


def test_every_partition_is_found_and_none_is_offline(opened: KafkaDirectory) -> None:
    assert opened.store.offline == {}
    names = {log.topic_partition.topic for log in opened.store.logs.values()}
    assert {*opened.manifest["topics"], "__consumer_offsets", "__transaction_state"} == names
    assert all(log.topic_id is not None for log in opened.store.logs.values())


def test_the_end_of_the_last_run_is_known(opened: KafkaDirectory) -> None:
    is_clean = opened.kind == "clean"
    assert opened.store.last_end is (LastEnd.CLEAN if is_clean else LastEnd.POWER_LOSS)
    assert opened.store.previous_broker_epoch == (326 if is_clean else -1)


@pytest.mark.parametrize(
    ("level", "view"), [("read_uncommitted", uncommitted_view), ("read_committed", committed_view)]
)
def test_records_are_those_that_kafkas_clients_read(
    opened: KafkaDirectory, level: str, view: Callable[[PartitionLog], list[Record]]
) -> None:
    for log, expected in opened.partitions():
        log.advance_high_watermark(log.end_offset)
        check_records(view(log), expected[level])
        start_offset, end_offset = expected["start_end"]
        assert (log.log_start_offset, log.last_stable_offset) == (start_offset, end_offset)


def test_the_log_goes_on_after_a_stop_of_ours(opened: KafkaDirectory) -> None:
    before = {tp: uncommitted_view(log) for tp, log in opened.store.logs.items()}
    opened.store.record_broker_epoch(9)
    opened.store.close(clean=True)

    store = opened.start()

    assert (store.last_end, store.previous_broker_epoch) == (LastEnd.CLEAN, 9)
    assert {tp: uncommitted_view(log) for tp, log in store.logs.items()} == before


def test_kafkas_compacted_topic_can_be_compacted_further(opened: KafkaDirectory) -> None:
    log = opened.store.logs[TopicPartition("compacted", 0)]
    log.advance_high_watermark(log.end_offset)
    log.roll()
    before = {record.key: record for record in uncommitted_view(log)}
    cleaner = Cleaner(opened.disk, opened.store.cleaner_offsets)

    plan = cleaner.choose([log], 2_000_000_000_000)
    assert plan is not None
    assert plan.first_dirty_offset == 80
    cleaner.finish(plan, clean_segments(opened.disk, plan), log)

    after = uncommitted_view(log)
    # An hour after Kafka cleaned them its tombstones may go.
    assert {record.key: record for record in after} == {k: r for k, r in before.items() if r.value is not None}
    assert opened.store.cleaner_offsets[log.topic_partition] == log.end_offset


def test_another_node_or_cluster_keeps_its_hands_off(opened: KafkaDirectory) -> None:
    opened.store.close(clean=True)

    with pytest.raises(InvalidConfig, match=r"belongs to node 1, but node.id=2"):
        opened.new_store(node_id=2).open_directories(None)
    with pytest.raises(InvalidConfig, match="belongs to cluster"):
        opened.new_store().open_directories("another")


def test_two_processes_cannot_have_one_directory(opened: KafkaDirectory) -> None:
    with pytest.raises(InUse, match="in use by another process"):
        opened.new_store().open_directories(None)


def test_a_topic_that_kafka_made_leaves_nothing_to_the_next_of_its_name(opened: KafkaDirectory) -> None:
    topic_partition = next(log.topic_partition for log, _ in opened.partitions() if log.end_offset > 1)
    entries = read_checkpoint(opened.disk, f"{opened.directory}/{HIGH_WATERMARKS}").offsets
    assert entries[topic_partition] > 1
    opened.store.delete(topic_partition)
    assert opened.store.write_checkpoints() == []

    append(opened.store.create(topic_partition, bytes(16), opened.any_options("")))
    opened.disk = MemoryDisk(opened.disk.kill())
    again = opened.start()

    assert again.offline == {}
    assert (again.logs[topic_partition].log_start_offset, again.logs[topic_partition].end_offset) == (0, 1)
