"""Stories of producers, read_committed readers and coordinators that fail, told on the bare shard."""

from collections.abc import Iterator

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.transactions.transaction import TransactionVersion
from tests.support.transaction_coordinator import Coordinator


@pytest.fixture
def coordinator() -> Iterator[Coordinator]:
    made = Coordinator()
    yield made
    made.check_invariants()


def trace(coordinator: Coordinator) -> list[str]:
    """The log as a reader sees it: state@epoch for each record."""
    seen = []
    for key, value in coordinator.log:
        record = coordinator.codec.decode(key, value)
        assert record is not None
        found = record.transaction
        seen.append("tombstone" if found is None else f"{found.state.label}@{found.producer_epoch}")
    return seen


def test_a_new_client_commits_and_aborts(coordinator: Coordinator) -> None:
    producer_id, epoch = coordinator.starts()
    for committed in (True, False, True):
        assert coordinator.add((producer_id, epoch)) is ErrorCode.NONE
        answer = coordinator.end((producer_id, epoch), committed=committed)
        coordinator.writes_markers()
        producer_id, epoch = answer.producer_id, answer.producer_epoch

    assert trace(coordinator) == [
        "Empty@0",
        "Ongoing@0", "PrepareCommit@1", "CompleteCommit@1",
        "Ongoing@1", "PrepareAbort@2", "CompleteAbort@2",
        "Ongoing@2", "PrepareCommit@3", "CompleteCommit@3",
    ]  # fmt: skip


def test_an_old_client_commits_and_aborts(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    for committed in (True, False):
        coordinator.add(producer, client_version=TransactionVersion.TV0)
        coordinator.end(producer, committed=committed, version=1)
        coordinator.writes_markers()

    assert trace(coordinator) == [
        "Empty@0",
        "Ongoing@0", "PrepareCommit@0", "CompleteCommit@0",
        "Ongoing@0", "PrepareAbort@0", "CompleteAbort@0",
    ]  # fmt: skip


def test_a_second_process_takes_over_from_the_first(coordinator: Coordinator) -> None:
    first = coordinator.starts()
    coordinator.add(first, "orders-0")

    second = coordinator.starts()

    assert coordinator.add(first, "orders-1") is ErrorCode.PRODUCER_FENCED
    assert coordinator.end(first).error_code == ErrorCode.PRODUCER_FENCED
    assert coordinator.add(second, "orders-0") is ErrorCode.NONE
    assert trace(coordinator) == ["Empty@0", "Ongoing@0", "PrepareAbort@1", "CompleteAbort@1", "Empty@2", "Ongoing@2"]


def test_the_first_process_cannot_decide_after_the_second_has_started(coordinator: Coordinator) -> None:
    first = coordinator.starts()
    coordinator.add(first)
    coordinator.init()

    assert coordinator.end(first).error_code == ErrorCode.INVALID_TXN_STATE
    assert coordinator.end(first, version=4).error_code == ErrorCode.PRODUCER_FENCED
    assert [order.committed for order in coordinator.writes_markers()] == [False]


def test_a_client_upgrades_between_two_transactions(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    coordinator.add(producer, client_version=TransactionVersion.TV0)
    coordinator.end(producer, version=4)
    coordinator.writes_markers()

    coordinator.add(producer)
    assert coordinator.end(producer).producer_epoch == 1
    coordinator.writes_markers()

    assert trace(coordinator)[-3:] == ["Ongoing@0", "PrepareCommit@1", "CompleteCommit@1"]


@pytest.mark.parametrize("committed", [True, False], ids=["commit", "abort"])
@pytest.mark.parametrize("crash_after", range(1, 5))
def test_a_coordinator_that_dies_after_any_record_keeps_the_outcome(committed: bool, crash_after: int) -> None:
    coordinator = Coordinator()
    producer_id, epoch = coordinator.starts(timeout_ms=10_000)

    def dies_if_due() -> None:
        if len(coordinator.log) == crash_after:
            coordinator.restarts()

    dies_if_due()
    coordinator.add((producer_id, epoch))
    dies_if_due()
    coordinator.end((producer_id, epoch), committed=committed)
    dies_if_due()
    coordinator.writes_markers()
    dies_if_due()

    again = coordinator.end((producer_id, epoch), committed=committed)
    assert (again.error_code, again.producer_id, again.producer_epoch) == (ErrorCode.NONE, producer_id, epoch + 1)
    assert coordinator.end((producer_id, epoch), committed=not committed).error_code == ErrorCode.INVALID_TXN_STATE
    coordinator.check_invariants()


def test_an_open_transaction_of_a_dead_producer_ends_after_a_restart(coordinator: Coordinator) -> None:
    producer = coordinator.starts(timeout_ms=10_000)
    coordinator.add(producer)
    coordinator.now_ms += 3_600_000  # the node is down for an hour

    coordinator.restarts()
    coordinator.time_passes(0)

    assert [order.committed for order in coordinator.writes_markers()] == [False]
    assert coordinator.state == "CompleteAbort"


def test_a_compacted_log_gives_the_same_state() -> None:
    coordinator = Coordinator()
    for transactional_id in ("a", "b", "c"):
        coordinator.transactional_id = transactional_id
        producer = coordinator.starts()
        coordinator.add(producer)
        if transactional_id != "a":
            coordinator.end(producer, committed=transactional_id == "b")
    full = coordinator.hard_state()

    latest = dict(coordinator.log)
    coordinator.log = list(latest.items())
    coordinator.restarts()

    assert coordinator.hard_state() == full
    assert [(order.transactional_id, order.committed) for order in coordinator.markers()] == [("b", True), ("c", False)]
