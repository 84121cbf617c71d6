"""The rules of parallel processing: lanes, progress, retries, duplicates."""

import pytest

from ottla.client.consumer.record import ConsumerRecord
from ottla.client.errors import SerializationFailed
from ottla.client.processing.deduplicator import Deduplicator
from ottla.client.processing.lanes import Lanes
from ottla.client.processing.progress import PartitionProgress
from ottla.client.processing.retry_policy import RetryPolicy, attempts_of, due_ms
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition

ORDERS = TopicPartition("orders", 0)


def record(offset: int, key: bytes | None = None, *, partition: int = 0, timestamp_ms: int = 0) -> ConsumerRecord:
    return ConsumerRecord("orders", partition, offset, timestamp_ms, key, b"v", leader_epoch=3)


def test_only_what_is_done_without_a_gap_can_be_committed() -> None:
    progress = PartitionProgress()
    # Offset 11 is a gap, of compaction or a marker.
    records = [record(offset) for offset in (10, 12, 13)]
    for each in records:
        progress.accept(each)
    assert progress.uncommitted() is None

    progress.done(records[1])
    assert progress.uncommitted() is None
    progress.done(records[0])

    offset = progress.uncommitted()
    assert offset is not None
    assert (offset.offset, offset.leader_epoch, progress.left) == (13, 3, 1)
    progress.committed(13)
    assert progress.uncommitted() is None


def taken(lanes: Lanes) -> list[int]:
    found = []
    while (each := lanes.take()) is not None:
        found.append(each.offset)
    return found


def test_one_record_of_a_key_is_in_progress_at_a_time() -> None:
    lanes = Lanes("key")
    first = record(0, b"a")
    for each in (first, record(1, b"a"), record(2, b"b"), record(3), record(4), record(5, b"a")):
        lanes.add(each)

    assert taken(lanes) == [0, 2, 3, 4]
    lanes.finished(first)
    assert taken(lanes) == [1]


def test_order_by_partition_and_no_order() -> None:
    by_partition, without = Lanes("partition"), Lanes("none")
    for lanes in (by_partition, without):
        for each in (record(0, b"a"), record(1, b"b"), record(7, b"a", partition=1)):
            lanes.add(each)

    assert taken(by_partition) == [0, 7]
    assert taken(without) == [0, 1, 7]


def test_partitions_that_are_given_up_are_dropped_and_their_lanes_are_free_again() -> None:
    lanes = Lanes("key")
    running = record(0, b"a")
    for each in (running, record(1, b"a"), record(2, b"b"), record(3, b"b"), record(4, b"a", partition=1)):
        lanes.add(each)
    assert lanes.take() == running

    dropped = lanes.drop({ORDERS})
    lanes.finished(running)
    lanes.add(record(2, b"b"))

    assert sorted(each.offset for each in dropped) == [1, 2, 3]
    assert taken(lanes) == [4, 2]


def test_a_record_goes_through_all_retry_topics_and_then_to_the_dead_letters() -> None:
    policy = RetryPolicy(delays_ms=(100, 200))
    now_ms, failed, topics = 1000, record(41, b"k"), []
    failed = failed._replace(headers=(("trace", b"x"),))
    for _ in range(3):
        stored = policy.next_record(failed, ValueError("no"), group="g", now_ms=now_ms)
        topics.append(stored.topic)
        failed = ConsumerRecord(stored.topic, 2, 7, 0, stored.key, stored.value, stored.headers)

    assert topics == ["orders-g-retry-1", "orders-g-retry-2", "orders-g-dlq"]
    assert dict(failed.headers) == {
        "trace": b"x",
        "ottla.original.topic": b"orders",
        "ottla.original.partition": b"0",
        "ottla.original.offset": b"41",
        "ottla.original.timestamp": b"0",
        "ottla.error.class": b"builtins.ValueError",
        "ottla.error.message": b"no",
        "ottla.attempts": b"3",
    }
    assert (attempts_of(failed), due_ms(failed)) == (3, 0)


def test_retries_are_due_after_their_delay() -> None:
    stored = RetryPolicy(delays_ms=(100,)).next_record(record(1), ValueError(), group="g", now_ms=1000)

    assert due_ms(ConsumerRecord(stored.topic, 0, 0, 0, headers=stored.headers)) == 1100


@pytest.mark.parametrize("error", [SerializationFailed("broken"), KeyError("k")])
def test_some_errors_are_not_retried(error: Exception) -> None:
    stored = RetryPolicy(not_retried=(LookupError,)).next_record(record(1), error, group="g", now_ms=0)

    assert stored.topic == "orders-g-dlq"


def test_a_policy_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(InvalidConfig, match="must not be negative"):
        RetryPolicy(delays_ms=(-1,))
    with pytest.raises(InvalidConfig, match="attempt"):
        RetryPolicy(retry_topic="retries")


def test_the_memory_for_ids_is_bounded() -> None:
    seen = Deduplicator.by_key(max_ids=2)

    assert [seen.is_new(record(0, key)) for key in (b"a", b"b", b"c", b"b", b"a")] == [True, True, True, False, True]
    assert len(seen) == 2


def test_ids_count_within_the_window_only() -> None:
    seen = Deduplicator.by_key(window_ms=100)

    times = (0, 100, 101, 150)
    assert [seen.is_new(record(0, b"a", timestamp_ms=time)) for time in times] == [True, False, True, False]


def test_records_without_an_id_are_new_and_a_record_can_be_forgotten() -> None:
    seen = Deduplicator.by_key()

    assert [seen.is_new(record(0)), seen.is_new(record(1))] == [True, True]
    assert seen.is_new(record(2, b"a"))
    seen.forget(record(2, b"a"))
    assert seen.is_new(record(2, b"a"))
