"""Transactions on a real broker, step by step, with kill -9 between the steps."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TRANSACTION_STATE as STATE_TOPIC
from ottla.protocol.generated import write_txn_markers_request
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.describe_producers_request import DescribeProducersRequest
from ottla.protocol.generated.describe_producers_request import Topics as AskedTopics
from ottla.protocol.generated.update_features_request import FeatureUpdates, UpdateFeaturesRequest
from ottla.records.builder import build_batch
from ottla.records.record import Record
from tests.support.archives import unpack
from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.kit_broker import AnyBroker, KitBroker
from tests.support.topics import create_topic
from tests.support.transactional_client import (
    READ_COMMITTED,
    TransactionalClient,
    committed_values,
    end_offset,
    state_of,
)
from tests.support.waiting import eventually
from tests.support.wire import Wire

STATE_PARTITIONS = 1
KAFKA_DATA = Path(__file__).parent.parent / "data" / "kafka-4.3-data-dirs.tar.xz"


@pytest.fixture
def broker() -> Iterator[KitBroker]:
    with KitBroker(transaction_state_log_num_partitions=str(STATE_PARTITIONS)) as started:
        create_topic(started, "orders")
        create_topic(started, "audit")
        yield started


@pytest.fixture
def client(broker: AnyBroker) -> TransactionalClient:
    return a_client(broker)


def a_client(broker: AnyBroker) -> TransactionalClient:
    client = TransactionalClient(broker, "transfer")
    client.starts()
    return client


def test_committed_data_is_read_and_aborted_data_is_not(broker: KitBroker, client: TransactionalClient) -> None:
    for number, committed in enumerate((True, False, True, False)):
        assert client.sends("orders", 0, b"%d" % number) is ErrorCode.NONE
        assert client.sends("audit", 0, b"%d" % number) is ErrorCode.NONE
        client.ends_surely(committed=committed)

    eventually(lambda: committed_values(broker, "orders") == [b"0", b"2"])
    eventually(lambda: committed_values(broker, "audit") == [b"0", b"2"])


def test_the_last_stable_offset_waits_for_the_end(broker: KitBroker, client: TransactionalClient) -> None:
    client.sends("orders", 0, b"open")

    assert end_offset(broker, "orders", isolation_level=READ_COMMITTED) == 0
    assert end_offset(broker, "orders", isolation_level=0) == 1
    client.commits()
    eventually(lambda: end_offset(broker, "orders", isolation_level=READ_COMMITTED) == 2)


def test_a_late_produce_does_not_join_a_later_transaction(broker: KitBroker, client: TransactionalClient) -> None:
    late = bytes(
        build_batch(
            [Record(0, 0, None, b"late", ())],
            producer_id=client.producer_id,
            producer_epoch=client.epoch,
            base_sequence=1,
            is_transactional=True,
        )
    )
    client.sends("orders", 0, b"in time")
    client.ends_surely(committed=False)

    assert client.sends_batch("orders", 0, late) is ErrorCode.INVALID_PRODUCER_EPOCH
    assert client.sends_batch("audit", 0, late) is ErrorCode.INVALID_PRODUCER_EPOCH
    client.sends("orders", 0, b"next")
    client.commits()
    eventually(lambda: committed_values(broker, "orders") == [b"next"])
    assert end_offset(broker, "audit", isolation_level=0) == 0


@pytest.mark.parametrize(
    ("version", "code"), [(10, ErrorCode.INVALID_TXN_STATE), (11, ErrorCode.TRANSACTION_ABORTABLE)]
)
def test_old_clients_must_add_their_partitions(client: TransactionalClient, version: int, code: ErrorCode) -> None:
    assert client.sends("orders", 0, b"never added", version=version) is code


def test_a_second_process_fences_the_first(broker: KitBroker, client: TransactionalClient) -> None:
    client.sends("orders", 0, b"first")
    second = TransactionalClient(broker, "transfer")

    second.starts()

    assert client.sends("orders", 0, b"again") is ErrorCode.INVALID_PRODUCER_EPOCH
    assert client.ends(committed=True).error_code == ErrorCode.PRODUCER_FENCED
    second.sends("orders", 0, b"second")
    second.commits()
    eventually(lambda: committed_values(broker, "orders") == [b"second"])


@pytest.mark.parametrize("committed", [True, False], ids=["commit", "abort"])
@pytest.mark.parametrize("step", ["start", "produce", "produce twice", "end"])
def test_a_killed_broker_keeps_every_outcome(start_broker: StartBroker, committed: bool, step: str) -> None:
    """Kill -9 after each step; the client goes on as if nothing had happened."""
    broker = start_broker(transaction_state_log_num_partitions=str(STATE_PARTITIONS))
    create_topic(broker, "orders")
    create_topic(broker, "audit")
    client = a_client(broker)

    def dies_after(done: str) -> None:
        if done == step:
            broker.kill()
            broker.start()
            client.reconnect()

    def sends(topic: str) -> None:
        eventually(lambda: client.sends(topic, 0, b"value") is ErrorCode.NONE)

    dies_after("start")
    sends("orders")
    dies_after("produce")
    sends("audit")
    dies_after("produce twice")
    client.ends_surely(committed=committed)
    dies_after("end")

    expected = [b"value"] if committed else []
    state = "CompleteCommit" if committed else "CompleteAbort"
    eventually(lambda: state_of(broker, "transfer") == state)
    assert committed_values(broker, "orders") == committed_values(broker, "audit") == expected
    assert end_offset(broker, "orders", isolation_level=READ_COMMITTED) == 2


def test_an_abandoned_transaction_ends_by_itself_over_a_kill(start_broker: StartBroker) -> None:
    broker = start_broker()
    create_topic(broker, "orders")
    client = TransactionalClient(broker, "transfer", timeout_ms=3_000)
    client.starts()
    eventually(lambda: client.sends("orders", 0, b"abandoned") is ErrorCode.NONE)

    broker.kill()
    broker.start()

    eventually(
        lambda: state_of(broker, "transfer") == "CompleteAbort",
        what=lambda: f"the end of a transaction that is {state_of(broker, 'transfer')}",
    )
    assert end_offset(broker, "orders", isolation_level=READ_COMMITTED) == 2
    assert committed_values(broker, "orders") == []


def writes_marker(wire: Wire, *, transaction_version: int) -> int:
    """The code for an abort marker with the epoch of the producer that is active in the partition."""
    asked = DescribeProducersRequest(topics=[AskedTopics(name="orders", partition_indexes=[0])])
    (producer,) = wire.ask(asked, 0).topics[0].partitions[0].active_producers
    assert producer.current_txn_start_offset == 0
    marker = write_txn_markers_request.Markers(
        producer_id=producer.producer_id,
        producer_epoch=producer.producer_epoch,
        transaction_result=False,
        coordinator_epoch=producer.coordinator_epoch,
        topics=[write_txn_markers_request.Topics(name="orders", partition_indexes=[0])],
        transaction_version=transaction_version,
    )
    answer = wire.ask(write_txn_markers_request.WriteTxnMarkersRequest(markers=[marker]), 2)
    code: int = answer.markers[0].topics[0].partitions[0].error_code
    return code


def test_an_administrator_ends_a_transaction_that_hangs(broker: KitBroker, client: TransactionalClient) -> None:
    client.sends("orders", 0, b"hanging")
    with Wire(broker) as wire:
        assert writes_marker(wire, transaction_version=0) == ErrorCode.NONE

    assert end_offset(broker, "orders", isolation_level=READ_COMMITTED) == 2
    assert committed_values(broker, "orders") == []


def test_a_late_marker_does_not_end_the_next_transaction(broker: KitBroker, client: TransactionalClient) -> None:
    """In version 2 a marker has the epoch after that of its transaction: an equal one belongs to an earlier one."""
    client.sends("orders", 0, b"open")
    with Wire(broker) as wire:
        assert writes_marker(wire, transaction_version=2) == ErrorCode.INVALID_PRODUCER_EPOCH

    client.commits()
    assert committed_values(broker, "orders") == [b"open"]


def test_a_changed_transaction_version_counts_at_once(broker: KitBroker, client: TransactionalClient) -> None:
    """The feature decides how the coordinator writes its records; nobody has to restart for it."""
    client.sends("orders", 0, b"before")
    client.commits()
    eventually(lambda: state_of(broker, "transfer") == "CompleteCommit")
    written = []

    for level in (0, 2):
        set_feature(broker, "transaction.version", level)
        eventually(partial(has_finalised, broker, "transaction.version", level))
        count = len(state_values(broker))
        client.sends("orders", 0, b"value")
        client.commits()
        eventually(lambda: state_of(broker, "transfer") == "CompleteCommit")
        written.append({value[:2] for value in state_values(broker)[count:]})

    assert written == [{b"\0\0"}, {b"\0\1"}]
    assert committed_values(broker, "orders") == [b"before", b"value", b"value"]


def set_feature(broker: AnyBroker, name: str, level: int) -> None:
    safe_downgrade = 2
    update = FeatureUpdates(feature=name, max_version_level=level, upgrade_type=safe_downgrade if level < 2 else 1)
    with Wire(broker) as wire:
        answer = wire.ask(UpdateFeaturesRequest(feature_updates=[update]), 2)
    assert answer.error_code == ErrorCode.NONE, answer.error_message


def has_finalised(broker: AnyBroker, name: str, level: int) -> bool:
    with Wire(broker) as wire:
        answer = wire.ask(ApiVersionsRequest(client_software_name="test", client_software_version="1"), 4)
    levels: dict[str, int] = {each.name: each.max_version_level for each in answer.finalized_features}
    return levels.get(name, 0) == level


def state_values(broker: AnyBroker) -> list[bytes]:
    """Everything the coordinators have written, partition by partition."""
    return [
        value for partition in range(STATE_PARTITIONS) for value in committed_values(broker, STATE_TOPIC, partition)
    ]


def test_a_transaction_that_kafka_left_open_is_aborted(tmp_path: Path) -> None:
    """The data directory of a killed Apache Kafka 4.3 with an open transaction, whose time is long over."""
    unpack(KAFKA_DATA, tmp_path)
    (tmp_path / "unclean").rename(tmp_path / "logs")
    broker = BrokerProcess(
        tmp_path,
        log_retention_ms="-1",
        transactional_id_expiration_ms="2147483647",
        producer_id_expiration_ms="2147483647",
    ).start()
    try:
        eventually(lambda: state_of(broker, "t-open") == "CompleteAbort")
        assert state_of(broker, "t1") == "CompleteAbort"
        assert end_offset(broker, "txn-open", isolation_level=READ_COMMITTED) == 4
        assert committed_values(broker, "txn-open") == [b"before", b"after"]
    finally:
        broker.kill()
