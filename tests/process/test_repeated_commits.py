"""Offset commits that repeat themselves, on a running broker: the fifth is committed like the first."""

from collections.abc import Iterator

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import create_topics_request, offset_commit_request, offset_fetch_request
from ottla.protocol.generated.create_topics_request import CreateTopicsRequest
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest, Topics
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_fetch_request import OffsetFetchRequest
from tests.support.broker_process import StartBroker
from tests.support.kit_broker import KitBroker
from tests.support.waiting import eventually
from tests.support.wire import Wire, await_coordinator

NAMED, BY_ID = 9, 10


@pytest.fixture
def wire() -> Iterator[Wire]:
    with KitBroker() as broker, Wire(broker) as connection:
        await_coordinator(connection)
        yield connection


def create(wire: Wire, partitions: int = 2) -> bytes:
    """The id of the new topic."""
    topic = create_topics_request.Topics(name="orders", num_partitions=partitions, replication_factor=1)
    answer = wire.ask(CreateTopicsRequest(topics=[topic], timeout_ms=10_000), 7).topics[0]
    assert answer.error_code == ErrorCode.NONE
    return bytes(answer.topic_id)


def delete(wire: Wire) -> None:
    answer = wire.ask(DeleteTopicsRequest(topics=[Topics(name="orders")], timeout_ms=10_000), 6)
    assert answer.responses[0].error_code == ErrorCode.NONE


def commit(wire: Wire, *offsets: int, version: int = NAMED, topic_id: bytes = bytes(16)) -> list[int]:
    partitions = [
        offset_commit_request.Partitions(partition_index=index, committed_offset=offset)
        for index, offset in enumerate(offsets)
    ]
    topics = [offset_commit_request.Topics(name="orders", topic_id=topic_id, partitions=partitions)]
    answer = wire.ask(OffsetCommitRequest(group_id="g", topics=topics), version)
    assert [each.partition_index for each in answer.topics[0].partitions] == list(range(len(offsets)))
    return [each.error_code for each in answer.topics[0].partitions]


def committed(wire: Wire, count: int = 2) -> list[int]:
    topics = [offset_fetch_request.GroupsTopics(name="orders", partition_indexes=list(range(count)))]
    answer = wire.ask(OffsetFetchRequest(groups=[offset_fetch_request.Groups(group_id="g", topics=topics)]), 8)
    # No topic is named while the coordinator loads.
    return [each.committed_offset for topic in answer.groups[0].topics for each in topic.partitions]


@pytest.mark.parametrize("version", [2, 5, 7, NAMED, BY_ID])
def test_every_commit_of_a_row_is_kept(wire: Wire, version: int) -> None:
    topic_id = create(wire)

    for number in range(6):
        assert commit(wire, number, 100 + number, version=version, topic_id=topic_id) == [ErrorCode.NONE] * 2
        assert committed(wire) == [number, 100 + number]


def test_what_was_committed_in_a_row_survives_a_kill(start_broker: StartBroker) -> None:
    broker = start_broker()
    with Wire(broker) as wire:
        await_coordinator(wire)
        create(wire)
        for number in range(6):
            commit(wire, number, 100 + number)
    broker.kill()
    broker.start()

    with Wire(broker) as again:
        await_coordinator(again)
        eventually(lambda: committed(again) == [5, 105], what="the last commit")


@pytest.mark.parametrize("version", [NAMED, BY_ID])
def test_a_topic_that_is_gone_is_refused_also_in_a_row(wire: Wire, version: int) -> None:
    topic_id = create(wire)
    for number in range(5):
        commit(wire, number, number, version=version, topic_id=topic_id)
    delete(wire)

    expected = ErrorCode.UNKNOWN_TOPIC_ID if version == BY_ID else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    for number in range(3):
        assert commit(wire, number, number, version=version, topic_id=topic_id) == [expected] * 2


def test_a_topic_made_again_with_fewer_partitions_takes_those_that_exist(wire: Wire) -> None:
    create(wire, 2)
    for number in range(5):
        commit(wire, number, number)
    delete(wire)
    create(wire, 1)

    for number in range(5):
        assert commit(wire, 70 + number, 80) == [ErrorCode.NONE, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]
        assert committed(wire) == [70 + number, -1]


def test_a_topic_made_again_is_committed_to_under_its_new_id(wire: Wire) -> None:
    create(wire)
    for number in range(5):
        commit(wire, number, number)
    delete(wire)
    topic_id = create(wire)
    for number in range(5):
        assert commit(wire, 30 + number, 40) == [ErrorCode.NONE] * 2

    topics = [offset_fetch_request.GroupsTopics(topic_id=topic_id, partition_indexes=[0])]
    asked = OffsetFetchRequest(groups=[offset_fetch_request.Groups(group_id="g", topics=topics)])
    found = wire.ask(asked, 10).groups[0].topics[0]
    assert (found.topic_id, found.partitions[0].committed_offset) == (topic_id, 34)
