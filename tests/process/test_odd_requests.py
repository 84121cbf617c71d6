"""Requests that no usual client sends get the answers of Apache Kafka: a code, never a closed connection."""

import struct
from typing import Any

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.describe_client_quotas_request import Components, DescribeClientQuotasRequest
from ottla.protocol.generated.describe_topic_partitions_request import Cursor, DescribeTopicPartitionsRequest
from ottla.protocol.generated.describe_topic_partitions_request import Topics as Paged
from ottla.protocol.generated.fetch_request import ForgottenTopicsData
from ottla.protocol.generated.list_offsets_request import ListOffsetsRequest
from ottla.protocol.generated.list_offsets_request import Partitions as OffsetPartition
from ottla.protocol.generated.list_offsets_request import Topics as OffsetTopic
from ottla.protocol.generated.metadata_request import MetadataRequest
from ottla.protocol.generated.metadata_request import Topics as Wanted
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.generated.unregister_broker_request import UnregisterBrokerRequest
from ottla.records.builder import build_batch
from ottla.records.record import Record
from tests.support.batches import START_MS, batch_of
from tests.support.partition_requests import create, fetch, fetch_of, produce
from tests.support.wire import Wire

NO_ID = bytes(16)
EXACT, DEFAULT, ANY = 0, 1, 2
ALL_OPERATIONS_OF_A_TOPIC = 3576


def metadata(wire: Wire, *topics: Wanted, version: int = 13, **more: Any) -> Any:
    return wire.ask(MetadataRequest(topics=list(topics), allow_auto_topic_creation=False, **more), version)


def offset_at(wire: Wire, topic: str, timestamp: int, *, version: int = 11) -> Any:
    wanted = OffsetPartition(partition_index=0, timestamp=timestamp)
    [topic_answer] = wire.ask(ListOffsetsRequest(topics=[OffsetTopic(topic, [wanted])]), version).topics
    return topic_answer.partitions[0]


def produce_once(wire: Wire, topic: str, batch: bytearray, version: int = 9) -> Any:
    data = TopicData(name=topic, partition_data=[PartitionData(index=0, records=batch)])
    [answer] = wire.ask(ProduceRequest(acks=-1, timeout_ms=5000, topic_data=[data]), version).responses
    return answer.partition_responses[0]


def refused_with_log_start(wire: Wire, topic: str, batch: bytearray) -> tuple[int, int]:
    answer = produce_once(wire, topic, batch)
    return answer.error_code, answer.log_start_offset


def test_more_in_sync_replicas_cannot_be_demanded_than_a_partition_has(wire: Wire) -> None:
    create(wire, "one-replica", min_insync_replicas="2")

    assert produce(wire, "one-replica", batch_of(b"a")) == (0, 0)
    assert produce(wire, "one-replica", batch_of(b"b"), acks=1) == (0, 1)


def test_a_topic_that_is_asked_for_twice_is_described_once(wire: Wire) -> None:
    create(wire, "twice")

    answer = metadata(wire, Wanted(name="twice"), Wanted(name="nowhere"), Wanted(name="twice"), Wanted(name="nowhere"))

    assert [topic.name for topic in answer.topics] == ["twice", "nowhere"]


@pytest.mark.parametrize("version", [10, 11])
def test_ids_are_refused_where_the_version_cannot_ask_by_id(wire: Wire, version: int) -> None:
    topic_id = create(wire, f"by-id-{version}")

    known = metadata(wire, Wanted(topic_id, f"by-id-{version}"), version=version)
    unknown = metadata(wire, Wanted(b"\3" * 16, "by-nobody"), version=version)
    nameless = metadata(wire, Wanted(NO_ID, None), version=version)

    for answer, name in ((known, f"by-id-{version}"), (unknown, "by-nobody"), (nameless, "")):
        assert [(topic.name, topic.error_code) for topic in answer.topics] == [(name, ErrorCode.INVALID_REQUEST)]


def test_operations_are_told_for_topics_that_are_not_there(wire: Wire) -> None:
    answer = metadata(wire, Wanted(name="nowhere"), Wanted(name="a b"), include_topic_authorized_operations=True)

    assert [topic.topic_authorized_operations for topic in answer.topics] == [ALL_OPERATIONS_OF_A_TOPIC] * 2


def test_a_fetch_session_ends_with_its_last_partition(wire: Wire) -> None:
    create(wire, "forgotten")
    session_id = fetch(wire, fetch_of("forgotten", 0), session_id=0, session_epoch=0).session_id

    forgotten = [ForgottenTopicsData(topic="forgotten", partitions=[0])]
    last = fetch(wire, session_id=session_id, session_epoch=1, forgotten_topics_data=forgotten)
    later = fetch(wire, session_id=session_id, session_epoch=2)

    assert session_id != 0
    assert (last.error_code, last.session_id, last.responses) == (0, 0, [])
    assert later.error_code == ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_a_broker_that_is_not_registered_cannot_be_unregistered(wire: Wire) -> None:
    for broker_id in (9, -1):
        answer = wire.ask(UnregisterBrokerRequest(broker_id=broker_id), 0)

        assert answer.error_code == ErrorCode.BROKER_ID_NOT_REGISTERED
        assert answer.error_message


def test_pages_go_on_with_a_topic_of_the_list_only(wire: Wire) -> None:
    for name in ("page-a", "page-c"):
        create(wire, name)

    for cursor in (Cursor("page-b", 0), Cursor("page-a", -1), Cursor("page-d", 0)):
        request = DescribeTopicPartitionsRequest(topics=[Paged("page-c"), Paged("page-a")], cursor=cursor)
        answer = wire.ask(request, 0)

        assert [(topic.error_code, topic.partitions) for topic in answer.topics] == [(42, [])] * 2


@pytest.mark.parametrize(
    "components",
    [
        [Components("ip", EXACT, "1.1.1.1"), Components("user", EXACT, "x")],
        [Components("client-id", ANY, None), Components("ip", ANY, None)],
        [Components("user", EXACT, None)],
        [Components("user", DEFAULT, "x")],
        [Components("user", ANY, "x")],
    ],
)
def test_quotas_are_not_looked_for_with_a_filter_that_contradicts_itself(
    wire: Wire, components: list[Components]
) -> None:
    answer = wire.ask(DescribeClientQuotasRequest(components=components), 1)

    assert (answer.error_code, answer.entries) == (ErrorCode.INVALID_REQUEST, None)
    assert answer.error_message


def test_a_special_time_that_a_version_does_not_know_is_refused_before_the_topic_is_looked_for(wire: Wire) -> None:
    assert offset_at(wire, "nowhere", -3, version=6).error_code == ErrorCode.UNSUPPORTED_VERSION
    assert offset_at(wire, "nowhere", -100).error_code == ErrorCode.UNSUPPORTED_VERSION
    assert offset_at(wire, "nowhere", -3).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


@pytest.mark.parametrize("version", [9, 12])
def test_a_negative_leader_epoch_asks_for_no_check(wire: Wire, version: int) -> None:
    create(wire, f"unfenced-{version}")

    answer = fetch(wire, fetch_of(f"unfenced-{version}", 0, current_leader_epoch=-2), version=version)

    assert answer.responses[0].partitions[0].error_code == 0


def test_only_partitions_that_are_not_there_come_with_an_empty_list_of_aborted_transactions(wire: Wire) -> None:
    create(wire, "stable")

    answer = fetch(wire, fetch_of("stable", 99), fetch_of("nowhere", 0), isolation_level=1)

    found = {topic.topic: topic.partitions[0].aborted_transactions for topic in answer.responses}
    assert found == {"stable": None, "nowhere": []}


def test_a_batch_with_bad_records_is_refused_with_the_start_of_the_log_and_no_batch_without(wire: Wire) -> None:
    create(wire, "starts")
    moved = bytearray(batch_of(b"a"))
    moved[7] = 9

    assert refused_with_log_start(wire, "starts", moved) == (ErrorCode.INVALID_RECORD, 0)
    assert refused_with_log_start(wire, "starts", batch_of(b"a") * 2) == (ErrorCode.INVALID_RECORD, -1)
    assert refused_with_log_start(wire, "starts", bytearray()) == (ErrorCode.INVALID_RECORD, -1)


def test_an_internal_topic_that_is_not_there_yet_is_unknown_to_producers(wire: Wire) -> None:
    code, _ = produce(wire, "__transaction_state", batch_of(b"a"))

    assert code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_wrong_times_are_told_together_with_missing_keys(wire: Wire) -> None:
    create(wire, "compacted", cleanup_policy="compact", message_timestamp_after_max_ms="1000")
    records = [Record(0, START_MS, None, b"a", ()), Record(1, 2 * START_MS, b"k", b"b", ())]

    answer = produce_once(wire, "compacted", build_batch(records))

    assert answer.error_code == ErrorCode.INVALID_TIMESTAMP
    assert [error.batch_index for error in answer.record_errors] == [0, 1]


@pytest.mark.parametrize("flags", [0x04, 0x10])
def test_an_old_format_is_refused_as_such_and_not_for_its_codec_or_transaction(wire: Wire, flags: int) -> None:
    create(wire, f"old-format-{flags}")
    message = bytes([1, 0]) + bytes(4) + bytes([flags]) * 60  # where newer batches have zstd, or a transaction
    message_set = bytearray(struct.pack(">qiI", 0, 4 + len(message), 0) + message)
    answer = produce_once(wire, f"old-format-{flags}", message_set, 3)

    assert answer.error_code == ErrorCode.INVALID_RECORD
