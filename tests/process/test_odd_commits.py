"""Offset commits that no library sends, on a running broker."""

from collections.abc import Iterator

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import create_topics_request, offset_fetch_request, txn_offset_commit_request
from ottla.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from ottla.protocol.generated.create_topics_request import CreateTopicsRequest
from ottla.protocol.generated.list_groups_request import ListGroupsRequest
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest, Partitions, Topics
from ottla.protocol.generated.offset_fetch_request import OffsetFetchRequest
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from tests.support.kit_broker import KitBroker
from tests.support.partition_requests import create
from tests.support.transactional_client import TransactionalClient
from tests.support.wire import Wire, await_coordinator

TOO_LARGE = ErrorCode.OFFSET_METADATA_TOO_LARGE
MISSING = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


@pytest.fixture
def wire() -> Iterator[Wire]:
    with KitBroker() as broker, Wire(broker) as connection:
        await_coordinator(connection)
        topic = create_topics_request.Topics(name="orders", num_partitions=1, replication_factor=1)
        answer = connection.ask(CreateTopicsRequest(topics=[topic], timeout_ms=10_000), 7).topics[0]
        assert answer.error_code == ErrorCode.NONE
        yield connection


def at(offset: int, *, metadata: str = "", partition: int = 0) -> Partitions:
    return Partitions(partition_index=partition, committed_offset=offset, committed_metadata=metadata)


def commit(wire: Wire, *topics: Topics) -> list[list[int]]:
    answer = wire.ask(OffsetCommitRequest(group_id="g", topics=list(topics)), 8)
    assert [topic.name for topic in answer.topics] == [topic.name for topic in topics]
    return [[each.error_code for each in topic.partitions] for topic in answer.topics]


def committed(wire: Wire) -> int:
    topics = [offset_fetch_request.GroupsTopics(name="orders", partition_indexes=[0])]
    answer = wire.ask(OffsetFetchRequest(groups=[offset_fetch_request.Groups(group_id="g", topics=topics)]), 8)
    offset: int = answer.groups[0].topics[0].partitions[0].committed_offset
    return offset


def test_a_partition_that_is_named_twice_gets_a_code_each_time_also_beside_a_missing_topic(wire: Wire) -> None:
    missing = Topics(name="nowhere", partitions=[at(1)])
    good, bad = at(1), at(2, metadata="x" * 5_000)

    assert commit(wire, Topics(name="orders", partitions=[good, bad]), missing) == [[0, TOO_LARGE], [MISSING]]
    assert committed(wire) == 1
    assert commit(wire, missing, Topics(name="orders", partitions=[bad, good])) == [[MISSING], [TOO_LARGE, 0]]
    beside = Topics(name="orders", partitions=[bad, at(3, partition=7), at(4)])
    assert commit(wire, beside, missing) == [[TOO_LARGE, MISSING, 0], [MISSING]]
    assert committed(wire) == 4


def test_a_retention_without_end_is_the_longest_there_is(wire: Wire) -> None:
    topics = [Topics(name="orders", partitions=[at(5)])]
    answer = wire.ask(OffsetCommitRequest(group_id="g", retention_time_ms=2**63 - 1, topics=topics), 2)

    assert answer.topics[0].partitions[0].error_code == ErrorCode.NONE
    assert committed(wire) == 5
    assert [each.group_id for each in wire.ask(ListGroupsRequest(), 4).groups] == ["g"]


def test_a_fenced_producer_is_told_so_also_when_the_coordinator_is_not_asked() -> None:
    with KitBroker(transaction_partition_verification_enable="false") as broker, Wire(broker) as wire:
        await_coordinator(wire)
        create(wire, "orders")
        fenced, newer = TransactionalClient(broker, "writer"), TransactionalClient(broker, "writer")
        fenced.starts()
        add = AddOffsetsToTxnRequest("writer", fenced.producer_id, fenced.epoch, group_id="g")
        assert wire.ask(add, 3).error_code == ErrorCode.NONE
        assert commit_in_transaction(wire, fenced) == ErrorCode.NONE
        newer.starts()

        assert commit_in_transaction(wire, fenced) == ErrorCode.INVALID_PRODUCER_EPOCH


def commit_in_transaction(wire: Wire, producer: TransactionalClient) -> int:
    partition = txn_offset_commit_request.Partitions(partition_index=0, committed_offset=1)
    request = TxnOffsetCommitRequest(
        transactional_id=producer.transactional_id,
        group_id="g",
        producer_id=producer.producer_id,
        producer_epoch=producer.epoch,
        topics=[txn_offset_commit_request.Topics(name="orders", partitions=[partition])],
    )
    code: int = wire.ask(request, 3).topics[0].partitions[0].error_code
    return code
