"""EndTxn in both generations."""

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.end_txn_response import EndTxnResponse
from ottla.transactions.markers import SendMarkers
from ottla.transactions.transaction import LAST_CLIENT_EPOCH, LAST_EPOCH, TransactionVersion
from tests.support.transaction_coordinator import Coordinator, at_epoch, partitions_of

TV1 = 4
OTHER_END = pytest.mark.parametrize("committed", [True, False], ids=["commit", "abort"])


def refused(code: ErrorCode) -> EndTxnResponse:
    return EndTxnResponse(error_code=code, producer_id=-1, producer_epoch=-1)


def opened(coordinator: Coordinator, *names: str) -> tuple[int, int]:
    producer = coordinator.starts()
    coordinator.add(producer, *names)
    return producer


@OTHER_END
def test_the_decision_is_answered_and_the_markers_follow(coordinator: Coordinator, committed: bool) -> None:
    producer = opened(coordinator, "orders-1", "audit-0")

    assert coordinator.end(producer, committed=committed) == EndTxnResponse(producer_id=1001, producer_epoch=1)
    assert coordinator.state == ("PrepareCommit" if committed else "PrepareAbort")
    assert coordinator.writes_markers() == [
        SendMarkers(
            "transfer", 1001, 1, 0, committed, TransactionVersion.TV2, tuple(partitions_of("audit-0", "orders-1"))
        )
    ]
    assert coordinator.state == ("CompleteCommit" if committed else "CompleteAbort")
    assert coordinator.transaction.partitions == ()


@OTHER_END
def test_a_repeated_end_gets_the_same_answer(coordinator: Coordinator, committed: bool) -> None:
    producer = opened(coordinator)
    answer = coordinator.end(producer, committed=committed)

    assert coordinator.end(producer, committed=committed) == refused(ErrorCode.CONCURRENT_TRANSACTIONS)
    coordinator.writes_markers()
    assert coordinator.end(producer, committed=committed) == answer
    coordinator.restarts()
    assert coordinator.end(producer, committed=committed) == answer


@OTHER_END
@pytest.mark.parametrize("version", [TV1, 5])
def test_the_decision_cannot_be_turned(coordinator: Coordinator, committed: bool, version: int) -> None:
    producer = opened(coordinator)
    coordinator.end(producer, committed=committed, version=version)
    size = len(coordinator.log)

    assert coordinator.end(producer, committed=not committed, version=version).error_code == ErrorCode.INVALID_TXN_STATE
    assert len(coordinator.log) == size
    coordinator.writes_markers()
    assert coordinator.end(producer, committed=not committed, version=version).error_code == ErrorCode.INVALID_TXN_STATE


def test_a_late_end_does_not_touch_the_next_transaction(coordinator: Coordinator) -> None:
    producer_id, epoch = opened(coordinator)
    coordinator.end((producer_id, epoch))
    coordinator.writes_markers()
    coordinator.add((producer_id, epoch + 1))

    for committed in (True, False):
        late = coordinator.end((producer_id, epoch), committed=committed)
        assert late == refused(ErrorCode.PRODUCER_FENCED)
    assert coordinator.state == "Ongoing"


def test_there_is_nothing_to_commit_in_an_empty_transaction(coordinator: Coordinator) -> None:
    producer = coordinator.starts()

    assert coordinator.end(producer) == refused(ErrorCode.INVALID_TXN_STATE)
    assert coordinator.end(producer, version=TV1).error_code == ErrorCode.INVALID_TXN_STATE
    assert coordinator.end(producer, committed=False, version=TV1).error_code == ErrorCode.INVALID_TXN_STATE


def test_an_abort_of_nothing_only_takes_the_next_epoch(coordinator: Coordinator) -> None:
    producer_id, epoch = coordinator.starts()

    for _ in range(3):
        answer = coordinator.end((producer_id, epoch), committed=False)
        assert answer == EndTxnResponse(producer_id=producer_id, producer_epoch=epoch + 1)
        assert coordinator.end((producer_id, epoch), committed=False) == answer
        assert coordinator.state == "CompleteAbort"
        assert coordinator.markers() == []
        epoch += 1


def test_a_commit_after_an_end_without_new_data_is_refused(coordinator: Coordinator) -> None:
    producer_id, epoch = opened(coordinator)
    coordinator.end((producer_id, epoch))
    coordinator.writes_markers()

    assert coordinator.end((producer_id, epoch + 1)) == refused(ErrorCode.INVALID_TXN_STATE)


def test_strangers_cannot_end(coordinator: Coordinator) -> None:
    producer_id, epoch = opened(coordinator)

    for version in (TV1, 5):
        assert coordinator.end((producer_id + 1, epoch), version=version) == refused(
            ErrorCode.INVALID_PRODUCER_ID_MAPPING
        )
        assert coordinator.end((producer_id, epoch + 3), version=version) == refused(ErrorCode.PRODUCER_FENCED)
        assert coordinator.end((producer_id, epoch - 1), version=version) == refused(ErrorCode.PRODUCER_FENCED)
    assert coordinator.end((producer_id, epoch + 3), version=1).error_code == ErrorCode.INVALID_PRODUCER_EPOCH
    coordinator.transactional_id = "nobody"
    assert coordinator.end((producer_id, epoch)) == refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    coordinator.transactional_id = ""
    assert coordinator.end((producer_id, epoch)) == refused(ErrorCode.INVALID_REQUEST)


@OTHER_END
def test_old_clients_keep_their_epoch(coordinator: Coordinator, committed: bool) -> None:
    producer = coordinator.starts()

    for _ in range(3):
        coordinator.add(producer, client_version=TransactionVersion.TV0)
        assert coordinator.end(producer, committed=committed, version=TV1).error_code == ErrorCode.NONE
        again = coordinator.end(producer, committed=committed, version=TV1)
        assert again.error_code == ErrorCode.CONCURRENT_TRANSACTIONS
        (order,) = coordinator.writes_markers()
        assert (order.producer_epoch, order.transaction_version) == (0, TransactionVersion.TV0)
        assert coordinator.end(producer, committed=committed, version=TV1).error_code == ErrorCode.NONE
        assert coordinator.epoch == 0


def test_the_last_epoch_ends_with_a_new_producer_id(coordinator: Coordinator) -> None:
    producer = at_epoch(coordinator, LAST_CLIENT_EPOCH)
    coordinator.add(producer)

    answer = coordinator.end(producer)

    assert answer == EndTxnResponse(producer_id=1002, producer_epoch=0)
    assert coordinator.end(producer) == refused(ErrorCode.CONCURRENT_TRANSACTIONS)
    (order,) = coordinator.writes_markers()
    assert (order.producer_id, order.producer_epoch) == (1001, LAST_EPOCH)
    assert coordinator.end(producer) == answer
    assert coordinator.end(producer, committed=False) == refused(ErrorCode.INVALID_TXN_STATE)
    assert coordinator.add((1002, 0)) is ErrorCode.NONE


def test_a_client_that_missed_its_new_producer_id_may_ask_for_it(coordinator: Coordinator) -> None:
    producer = at_epoch(coordinator, LAST_CLIENT_EPOCH)
    coordinator.add(producer)
    coordinator.end(producer)
    coordinator.writes_markers()

    again = coordinator.init(producer)

    assert (again.error_code, again.producer_id, again.producer_epoch) == (ErrorCode.NONE, 1002, 0)


def test_markers_told_twice_change_nothing(coordinator: Coordinator) -> None:
    producer = opened(coordinator)
    coordinator.end(producer)
    (order,) = coordinator.writes_markers()
    size = len(coordinator.log)

    assert coordinator.tell_written(order) is ErrorCode.INVALID_TXN_STATE
    assert len(coordinator.log) == size


def test_markers_of_an_earlier_transaction_do_not_complete_a_later_one(coordinator: Coordinator) -> None:
    producer_id, epoch = opened(coordinator)
    coordinator.end((producer_id, epoch))
    (earlier,) = coordinator.writes_markers()
    coordinator.add((producer_id, epoch + 1))
    coordinator.end((producer_id, epoch + 1), committed=False)

    assert coordinator.tell_written(earlier) is ErrorCode.INVALID_TXN_STATE
    assert coordinator.state == "PrepareAbort"


@OTHER_END
def test_a_restart_goes_on_with_the_markers(coordinator: Coordinator, committed: bool) -> None:
    producer = opened(coordinator, "orders-0", "orders-1")
    coordinator.end(producer, committed=committed)

    coordinator.restarts()

    (order,) = coordinator.markers()
    assert (order.committed, order.coordinator_epoch) == (committed, 1)
    assert order.partitions == tuple(partitions_of("orders-0", "orders-1"))
    coordinator.writes_markers()
    assert coordinator.state == ("CompleteCommit" if committed else "CompleteAbort")
