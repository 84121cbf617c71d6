"""Requests about groups and transactions that clients hardly ever send: the answers are those of Apache Kafka 4.3."""

from collections.abc import Iterator
from typing import Any

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import (
    add_partitions_to_txn_request,
    offset_commit_request,
    offset_delete_request,
    txn_offset_commit_request,
)
from ottla.protocol.generated.add_partitions_to_txn_request import AddPartitionsToTxnRequest
from ottla.protocol.generated.describe_producers_request import DescribeProducersRequest, Topics
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_delete_request import OffsetDeleteRequest
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from tests.support.kit_broker import KitBroker
from tests.support.topics import create_topic
from tests.support.transactional_client import TransactionalClient, state_of
from tests.support.wire import Wire, await_coordinator

NOT_ATTEMPTED = ErrorCode.OPERATION_NOT_ATTEMPTED


@pytest.fixture
def broker() -> Iterator[KitBroker]:
    with KitBroker() as started:
        create_topic(started, "orders")
        yield started


@pytest.fixture
def wire(broker: KitBroker) -> Iterator[Wire]:
    with Wire(broker) as connection:
        await_coordinator(connection)
        yield connection


@pytest.fixture
def client(broker: KitBroker) -> TransactionalClient:
    made = TransactionalClient(broker, "transfer")
    made.starts()
    return made


def added(client: TransactionalClient, *topics: tuple[str, list[int]]) -> list[tuple[str, list[ErrorCode]]]:
    request = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id="transfer",
        v3_and_below_producer_id=client.producer_id,
        v3_and_below_producer_epoch=client.epoch,
        v3_and_below_topics=[
            add_partitions_to_txn_request.V3AndBelowTopics(name=name, partitions=found) for name, found in topics
        ],
    )
    return [
        (topic.name, [ErrorCode(each.partition_error_code) for each in topic.results_by_partition])
        for topic in client.wire.ask(request, 3).results_by_topic_v3_and_below
    ]


@pytest.mark.parametrize("internal", ["__consumer_offsets", "__transaction_state"])
def test_a_client_cannot_add_internal_topics_to_its_transaction(
    broker: KitBroker, wire: Wire, client: TransactionalClient, internal: str
) -> None:
    assert added(client, ("orders", [0]), (internal, [0]), ("nowhere", [0])) == [
        ("orders", [NOT_ATTEMPTED]),
        (internal, [ErrorCode.TOPIC_AUTHORIZATION_FAILED]),
        ("nowhere", [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]),
    ]
    assert state_of(broker, "transfer") == "Empty"


def test_topics_that_are_added_to_a_transaction_are_answered_as_they_were_asked_for(
    client: TransactionalClient,
) -> None:
    fine = ErrorCode.NONE

    assert added(client, ("orders", []), ("orders", [0, 0]), ("orders", [0])) == [
        ("orders", []),
        ("orders", [fine, fine]),
        ("orders", [fine]),
    ]


def test_partitions_that_do_not_exist_cannot_be_verified(client: TransactionalClient) -> None:
    topics = [
        add_partitions_to_txn_request.Topics(name="orders", partitions=[0]),
        add_partitions_to_txn_request.Topics(name="nowhere", partitions=[0]),
    ]
    asked = add_partitions_to_txn_request.Transactions(
        transactional_id="transfer",
        producer_id=client.producer_id,
        producer_epoch=client.epoch,
        verify_only=True,
        topics=topics,
    )

    (answer,) = client.wire.ask(AddPartitionsToTxnRequest(transactions=[asked]), 5).results_by_transaction

    assert {topic.name: topic.results_by_partition[0].partition_error_code for topic in answer.topic_results} == {
        "orders": NOT_ATTEMPTED,
        "nowhere": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }


def sizes(answer: Any) -> list[tuple[str, int]]:
    return [(topic.name, len(topic.partitions)) for topic in answer.topics]


def test_topics_without_partitions_are_told_only_if_they_do_not_exist(wire: Wire, client: TransactionalClient) -> None:
    offset = offset_commit_request.Partitions(partition_index=0, committed_offset=1)
    commit = OffsetCommitRequest(
        group_id="g",
        topics=[
            offset_commit_request.Topics(name="nowhere"),
            offset_commit_request.Topics(name="orders"),
            offset_commit_request.Topics(name="orders", partitions=[offset]),
        ],
    )
    assert sizes(wire.ask(commit, 8)) == [("nowhere", 0), ("orders", 1)]

    delete = OffsetDeleteRequest(
        group_id="g",
        topics=[offset_delete_request.Topics(name="orders"), offset_delete_request.Topics(name="nowhere")],
    )
    assert sizes(wire.ask(delete, 0)) == [("nowhere", 0)]

    in_transaction = TxnOffsetCommitRequest(
        transactional_id="transfer",
        group_id="g",
        producer_id=client.producer_id,
        producer_epoch=client.epoch,
        topics=[txn_offset_commit_request.Topics(name="orders"), txn_offset_commit_request.Topics(name="nowhere")],
    )
    assert sizes(wire.ask(in_transaction, 5)) == [("nowhere", 0)]


@pytest.mark.parametrize("name", ["", "bad/name"])
def test_producers_of_a_topic_that_cannot_exist_are_not_described(wire: Wire, name: str) -> None:
    request = DescribeProducersRequest(topics=[Topics(name=name, partition_indexes=[0])])

    (partition,) = wire.ask(request, 0).topics[0].partitions

    assert partition.error_code == ErrorCode.INVALID_TOPIC_EXCEPTION
