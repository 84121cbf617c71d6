"""Markers that a partition has lost although the transaction was decided."""

from ottla.model.topic import TopicPartition
from ottla.transactions.transaction import TransactionVersion
from tests.support.transaction_coordinator import Coordinator

ORDERS = TopicPartition("orders", 0)


def ended(coordinator: Coordinator, *, committed: bool, version: int = 5) -> tuple[int, int]:
    producer = coordinator.starts()
    client_version = TransactionVersion.TV2 if version >= 5 else TransactionVersion.TV0
    coordinator.add(producer, "orders-0", client_version=client_version)
    coordinator.end(producer, committed=committed, version=version)
    coordinator.writes_markers()
    return producer


def test_the_decision_is_known_after_the_end(coordinator: Coordinator) -> None:
    producer_id, epoch = ended(coordinator, committed=True)
    coordinator.restarts()

    missing = coordinator.shard.missing_marker(producer_id, epoch, ORDERS)

    assert missing is not None
    assert (missing.committed, missing.producer_epoch, missing.coordinator_epoch) == (True, epoch + 1, 1)


def test_old_clients_end_with_the_epoch_they_have(coordinator: Coordinator) -> None:
    producer_id, epoch = ended(coordinator, committed=False, version=4)

    missing = coordinator.shard.missing_marker(producer_id, epoch, ORDERS)

    assert missing is not None
    assert (missing.committed, missing.producer_epoch) == (False, epoch)


def test_a_time_out_below_transaction_version_2_is_known_as_well(coordinator: Coordinator) -> None:
    coordinator.transaction_version = TransactionVersion.TV1
    producer_id, epoch = coordinator.starts(timeout_ms=1_000)
    coordinator.add((producer_id, epoch), "orders-0", client_version=TransactionVersion.TV0)
    coordinator.time_passes(1_000)
    coordinator.writes_markers()

    missing = coordinator.shard.missing_marker(producer_id, epoch, ORDERS)

    assert missing is not None
    assert (missing.committed, missing.producer_epoch) == (False, epoch + 1)


def test_the_next_transaction_is_not_ended_by_the_last_decision(coordinator: Coordinator) -> None:
    producer_id, epoch = ended(coordinator, committed=True)

    assert coordinator.shard.missing_marker(producer_id, epoch + 1, ORDERS) is None
    coordinator.add((producer_id, epoch + 1), "orders-0")
    assert coordinator.shard.missing_marker(producer_id, epoch + 1, ORDERS) is None


def test_markers_on_their_way_are_not_missing(coordinator: Coordinator) -> None:
    producer_id, epoch = coordinator.starts()
    coordinator.add((producer_id, epoch), "orders-0")
    assert coordinator.shard.missing_marker(producer_id, epoch, ORDERS) is None

    coordinator.end((producer_id, epoch))

    assert coordinator.shard.missing_marker(producer_id, epoch, ORDERS) is None


def test_nothing_is_said_of_other_partitions_and_producers(coordinator: Coordinator) -> None:
    producer_id, epoch = ended(coordinator, committed=True)

    assert coordinator.shard.missing_marker(producer_id, epoch, TopicPartition("orders", 1)) is None
    assert coordinator.shard.missing_marker(producer_id + 1, epoch, ORDERS) is None
    assert coordinator.shard.missing_marker(producer_id, epoch - 1, ORDERS) is None
