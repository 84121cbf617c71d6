"""Fetch and ListOffsets as a client on the wire sees them: long polls, byte limits, sessions, ids, epochs, times."""

from collections.abc import Iterator
from typing import Any

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import delete_records_request, fetch_request, offset_for_leader_epoch_request
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.records.reader import iterate_batches
from tests.support.batches import START_MS, batch_of
from tests.support.broker_process import BrokerProcess
from tests.support.partition_requests import (
    FETCH_BY_NAME,
    create,
    fetch,
    fetch_of,
    fetch_request_of,
    list_offset,
    produce,
)
from tests.support.wire import Wire

LATEST, EARLIEST, MAX_TIMESTAMP, EARLIEST_LOCAL, LATEST_TIERED, EARLIEST_PENDING_UPLOAD = range(-1, -7, -1)
#: Longer than any test may take: who waits for its end fails.
FOR_EVER_MS = 600_000
SIZE = len(batch_of(b"v"))


@pytest.fixture
def reader(broker: BrokerProcess) -> Iterator[Wire]:
    with Wire(broker) as connection:
        yield connection


def partitions_of(answer: Any) -> list[Any]:
    return [partition for topic in answer.responses for partition in topic.partitions]


def codes_of(answer: Any) -> list[int]:
    return [partition.error_code for partition in partitions_of(answer)]


def offsets_of(partition: Any) -> list[int]:
    return [header.base_offset for _, header in iterate_batches(partition.records, allow_partial=True)]


def test_a_long_poll_waits_until_there_are_enough_bytes(wire: Wire, reader: Wire) -> None:
    create(wire, "patient")
    reader.send(fetch_request_of(fetch_of("patient", 0), max_wait_ms=FOR_EVER_MS, min_bytes=2 * SIZE), FETCH_BY_NAME)

    produce(wire, "patient", batch_of(b"a"))
    produce(wire, "patient", batch_of(b"b"))

    [answer] = partitions_of(reader.receive(fetch_request.FetchRequest, FETCH_BY_NAME))
    assert (offsets_of(answer), answer.high_watermark) == ([0, 1], 2)


def test_a_long_poll_whose_time_is_up_gets_what_there_is(wire: Wire) -> None:
    create(wire, "hasty")
    produce(wire, "hasty", batch_of(b"a"))

    [answer] = partitions_of(fetch(wire, fetch_of("hasty", 0), max_wait_ms=50, min_bytes=1 << 20))

    assert offsets_of(answer) == [0]


def test_a_long_poll_hears_that_its_topic_is_deleted(wire: Wire, reader: Wire) -> None:
    create(wire, "doomed")
    reader.send(fetch_request_of(fetch_of("doomed", 0), max_wait_ms=FOR_EVER_MS), FETCH_BY_NAME)

    wire.ask(DeleteTopicsRequest(topic_names=["doomed"], timeout_ms=5000), 5)

    answer = reader.receive(fetch_request.FetchRequest, FETCH_BY_NAME)
    assert codes_of(answer) == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]


def test_the_first_batch_is_whole_whatever_the_limits_and_the_others_keep_them(wire: Wire) -> None:
    create(wire, "large", 2)
    for partition in (0, 1):
        for _ in range(3):
            produce(wire, "large", batch_of(b"v"), partition=partition)
    both = [fetch_of("large", 0), fetch_of("large", 0, partition=1)]

    tiny = partitions_of(fetch(wire, *both, max_bytes=1))
    two = partitions_of(fetch(wire, *both, max_bytes=2 * SIZE))
    tiny_share = partitions_of(fetch(wire, fetch_of("large", 0, max_bytes=1), both[1]))

    assert [offsets_of(each) for each in tiny] == [[0], []]
    assert [len(each.records) for each in two] == [2 * SIZE, 0]
    assert [offsets_of(each) for each in tiny_share] == [[0], [0, 1, 2]]


def test_a_session_tells_only_news(wire: Wire) -> None:
    create(wire, "news", 2)
    both = [fetch_of("news", 0), fetch_of("news", 0, partition=1)]
    first = fetch(wire, *both, session_epoch=0)
    session_id = first.session_id

    nothing = fetch(wire, session_id=session_id, session_epoch=1)
    produce(wire, "news", batch_of(b"a"), partition=1)
    news = fetch(wire, session_id=session_id, session_epoch=2)
    moved_on = fetch(wire, fetch_of("news", 1, partition=1), session_id=session_id, session_epoch=3)
    forgotten = [fetch_request.ForgottenTopicsData(topic="news", partitions=[1])]
    produce(wire, "news", batch_of(b"b"), partition=1)
    silent = fetch(wire, session_id=session_id, session_epoch=4, forgotten_topics_data=forgotten)

    assert session_id > 0
    assert [each.partition_index for each in partitions_of(first)] == [0, 1]
    assert [partitions_of(each) for each in (nothing, moved_on, silent)] == [[], [], []]
    assert [(each.partition_index, offsets_of(each)) for each in partitions_of(news)] == [(1, [0])]
    assert fetch(wire, session_id=session_id, session_epoch=9).error_code == ErrorCode.INVALID_FETCH_SESSION_EPOCH
    assert fetch(wire, session_id=-5, session_epoch=1).error_code == ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_topics_are_named_by_their_ids(wire: Wire) -> None:
    topic_id = create(wire, "named")
    produce(wire, "named", batch_of(b"a"))
    wanted = [fetch_request.Partitions(partition=0, partition_max_bytes=1 << 20)]

    answer = fetch(
        wire,
        fetch_request.Topics(topic_id=topic_id, partitions=wanted),
        fetch_request.Topics(topic_id=bytes(range(16)), partitions=wanted),
        version=18,
    )

    assert [each.topic_id for each in answer.responses] == [topic_id, bytes(range(16))]
    assert codes_of(answer) == [0, ErrorCode.UNKNOWN_TOPIC_ID]


def test_offsets_and_epochs_that_are_not_there_are_refused(wire: Wire) -> None:
    create(wire, "short")
    produce(wire, "short", batch_of(b"a"))

    assert codes_of(fetch(wire, fetch_of("short", 2))) == [ErrorCode.OFFSET_OUT_OF_RANGE]
    assert codes_of(fetch(wire, fetch_of("short", -1))) == [ErrorCode.OFFSET_OUT_OF_RANGE]
    assert codes_of(fetch(wire, fetch_of("short", 0, partition=7))) == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]
    assert codes_of(fetch(wire, fetch_of("short", 0, current_leader_epoch=9))) == [ErrorCode.UNKNOWN_LEADER_EPOCH]
    assert list_offset(wire, "short", LATEST, current_leader_epoch=9)[0] == ErrorCode.UNKNOWN_LEADER_EPOCH


def test_a_reader_whose_log_went_another_way_is_told_where_to_cut(wire: Wire) -> None:
    create(wire, "forked")
    produce(wire, "forked", batch_of(b"a"))

    [answer] = partitions_of(fetch(wire, fetch_of("forked", 9, last_fetched_epoch=0)))
    unknown = fetch(wire, fetch_of("forked", 1, last_fetched_epoch=5))

    assert (answer.error_code, answer.diverging_epoch.epoch, answer.diverging_epoch.end_offset) == (0, 0, 1)
    assert codes_of(unknown) == [ErrorCode.OFFSET_OUT_OF_RANGE]


def epoch_end(wire: Wire, topic: str, epoch: int) -> tuple[int, int, int]:
    wanted = offset_for_leader_epoch_request.Partitions(partition=0, current_leader_epoch=-1, leader_epoch=epoch)
    topics = [offset_for_leader_epoch_request.Topics(topic=topic, partitions=[wanted])]
    [end] = wire.ask(offset_for_leader_epoch_request.OffsetForLeaderEpochRequest(topics=topics), 4).topics[0].partitions
    return end.error_code, end.leader_epoch, end.end_offset


def test_the_end_of_a_leader_epoch_is_known(wire: Wire) -> None:
    create(wire, "epochs")
    produce(wire, "epochs", batch_of(b"a", b"b"))

    assert epoch_end(wire, "epochs", 0) == (0, 0, 2)
    assert epoch_end(wire, "epochs", 5)[2] == -1
    assert epoch_end(wire, "nowhere", 0)[0] == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_times_and_special_times_lead_to_offsets(wire: Wire) -> None:
    create(wire, "times")
    produce(wire, "times", batch_of(b"a", b"b", at_ms=START_MS))
    produce(wire, "times", batch_of(b"c", at_ms=START_MS + 5_000))
    produce(wire, "times", batch_of(b"d", at_ms=START_MS + 2_000))

    found = {time_ms: list_offset(wire, "times", time_ms) for time_ms in range(LATEST, EARLIEST_PENDING_UPLOAD - 1, -1)}

    assert found == {
        LATEST: (0, -1, 4),
        EARLIEST: (0, -1, 0),
        MAX_TIMESTAMP: (0, START_MS + 5_000, 2),
        EARLIEST_LOCAL: (0, -1, 0),
        LATEST_TIERED: (0, -1, -1),
        EARLIEST_PENDING_UPLOAD: (0, -1, -1),
    }
    assert list_offset(wire, "times", START_MS - 1) == (0, START_MS, 0)
    assert list_offset(wire, "times", START_MS + 1) == (0, START_MS + 1, 1)
    assert list_offset(wire, "times", START_MS + 1_500) == (0, START_MS + 5_000, 2)
    assert list_offset(wire, "times", START_MS + 9_000) == (0, -1, -1)
    assert list_offset(wire, "times", MAX_TIMESTAMP, version=6)[0] == ErrorCode.UNSUPPORTED_VERSION


def test_what_was_deleted_is_before_the_earliest(wire: Wire) -> None:
    create(wire, "cut")
    for value in (b"a", b"b", b"c"):
        produce(wire, "cut", batch_of(value))
    cut = delete_records_request.Partitions(partition_index=0, offset=2)
    request = delete_records_request.DeleteRecordsRequest(
        topics=[delete_records_request.Topics(name="cut", partitions=[cut])], timeout_ms=5000
    )

    [answer] = wire.ask(request, 2).topics[0].partitions

    assert (answer.error_code, answer.low_watermark) == (0, 2)
    assert list_offset(wire, "cut", EARLIEST) == (0, -1, 2)
    assert codes_of(fetch(wire, fetch_of("cut", 1))) == [ErrorCode.OFFSET_OUT_OF_RANGE]


def test_one_replica_is_enough_where_a_partition_has_but_one(wire: Wire) -> None:
    create(wire, "careful", min_insync_replicas="2")

    assert produce(wire, "careful", batch_of(b"a"), acks=-1) == (0, 0)
    assert produce(wire, "careful", batch_of(b"a"), acks=2) == (ErrorCode.INVALID_REQUIRED_ACKS, -1)


def test_an_unknown_topic_is_reported_before_wrong_acks(wire: Wire) -> None:
    assert produce(wire, "nowhere", batch_of(b"a"), acks=2) == (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, -1)
