"""Which decision belongs to what is open in a partition that has lost its marker."""

from ottla.model.topic import TopicPartition
from ottla.transactions.lost_markers import LostMarkers, OpenTransaction
from ottla.transactions.markers import SendMarkers
from ottla.transactions.transaction import LAST_CLIENT_EPOCH, TransactionVersion
from tests.support.transaction_coordinator import Coordinator, at_epoch

ORDERS, PARCELS = TopicPartition("orders", 0), TopicPartition("parcels", 0)


def lost(coordinator: Coordinator, *opened: OpenTransaction) -> list[SendMarkers]:
    """As the host asks after a restart."""
    coordinator.restarts()
    search = LostMarkers(coordinator.shard.unexplained(opened))
    for key, value in coordinator.log:
        record = coordinator.codec.decode(key, value)
        assert record is not None
        search.see(record.transaction)
    return search.orders(coordinator.coordinator_epoch)


def transact(coordinator: Coordinator, producer: tuple[int, int], *names: str, committed: bool) -> tuple[int, int]:
    """A whole transaction of TV2; gives the producer of the next one."""
    coordinator.add(producer, *names)
    answer = coordinator.end(producer, committed=committed)
    coordinator.writes_markers()
    return answer.producer_id, answer.producer_epoch


def test_a_decision_is_found_however_many_transactions_follow_it(coordinator: Coordinator) -> None:
    first = coordinator.starts()
    second = transact(coordinator, first, "orders-0", "parcels-0", committed=True)
    third = transact(coordinator, second, "parcels-0", committed=False)
    coordinator.add(third, "parcels-0")

    (order,) = lost(coordinator, OpenTransaction(ORDERS, *first))

    assert (order.producer_id, order.producer_epoch, order.committed) == (*second, True)
    assert order.partitions == (ORDERS,)
    assert order.coordinator_epoch == 1


def test_each_open_transaction_gets_the_decision_about_itself(coordinator: Coordinator) -> None:
    first = coordinator.starts()
    second = transact(coordinator, first, "orders-0", committed=True)
    transact(coordinator, second, "parcels-0", committed=False)

    orders = lost(coordinator, OpenTransaction(ORDERS, *first), OpenTransaction(PARCELS, *second))

    assert [(order.partitions, order.committed) for order in orders] == [((ORDERS,), True), ((PARCELS,), False)]


def test_a_transaction_that_goes_on_has_lost_nothing(coordinator: Coordinator) -> None:
    first = coordinator.starts()
    second = transact(coordinator, first, "orders-0", committed=True)
    coordinator.add(second, "orders-0")

    assert lost(coordinator, OpenTransaction(ORDERS, *second)) == []


def test_markers_that_are_still_due_are_not_lost(coordinator: Coordinator) -> None:
    first = coordinator.starts()
    coordinator.add(first, "orders-0")
    coordinator.end(first)

    assert lost(coordinator, OpenTransaction(ORDERS, *first)) == []
    assert [order.partitions for order in coordinator.markers()] == [(ORDERS,)]


def test_a_time_out_is_a_decision_too(coordinator: Coordinator) -> None:
    first = coordinator.starts(timeout_ms=1_000)
    coordinator.add(first, "orders-0")
    coordinator.time_passes(1_000)
    coordinator.writes_markers()

    (order,) = lost(coordinator, OpenTransaction(ORDERS, *first))

    assert (order.committed, order.producer_epoch) == (False, first[1] + 1)


def test_nothing_is_said_of_other_partitions_producers_and_epochs(coordinator: Coordinator) -> None:
    producer_id, epoch = coordinator.starts()
    transact(coordinator, (producer_id, epoch), "orders-0", committed=True)

    assert lost(coordinator, OpenTransaction(PARCELS, producer_id, epoch)) == []
    assert lost(coordinator, OpenTransaction(ORDERS, producer_id + 1, epoch)) == []
    assert lost(coordinator, OpenTransaction(ORDERS, producer_id, epoch + 1)) == []


def test_only_epochs_of_their_own_can_be_found_again(coordinator: Coordinator) -> None:
    """The others are complete only when their markers are on the device."""
    producer = coordinator.starts()
    coordinator.add(producer, "orders-0", client_version=TransactionVersion.TV0)
    coordinator.end(producer, version=4)
    (tv1,) = coordinator.writes_markers()
    coordinator.add(producer, "orders-0")
    coordinator.end(producer)
    (tv2,) = coordinator.writes_markers()

    assert (tv1.must_be_durable, tv2.must_be_durable) == (True, False)
    assert lost(coordinator, OpenTransaction(ORDERS, producer[0], producer[1] - 1)) == []


def test_the_last_transaction_of_a_producer_id_is_durable(coordinator: Coordinator) -> None:
    """Its successor has another id, and nothing in the state leads back to this one."""
    producer = at_epoch(coordinator, LAST_CLIENT_EPOCH)
    coordinator.add(producer, "orders-0")
    coordinator.end(producer)

    (order,) = coordinator.markers()

    assert order.must_be_durable
