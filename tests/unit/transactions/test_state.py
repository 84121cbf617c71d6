"""The table of states."""

import pytest

from ottla.model.errors import Bug
from ottla.transactions.state import (
    COMPLETE_ABORT,
    COMPLETE_COMMIT,
    DEAD,
    IDLE,
    NEXT_STATES,
    ONGOING,
    PREPARE_ABORT,
    PREPARE_COMMIT,
    STATE_OF_LABEL,
    TransactionState,
)
from ottla.transactions.transaction import Transaction, TransactionVersion


def test_every_state_has_a_row_and_a_label() -> None:
    assert set(NEXT_STATES) == set(TransactionState)
    assert [state.label for state in TransactionState] == list(STATE_OF_LABEL)


def test_a_decision_has_only_one_end() -> None:
    assert NEXT_STATES[PREPARE_COMMIT] == {COMPLETE_COMMIT}
    assert NEXT_STATES[PREPARE_ABORT] == {COMPLETE_ABORT}


def test_only_idle_ids_die_and_the_dead_stay_dead() -> None:
    assert {state for state, following in NEXT_STATES.items() if DEAD in following} == IDLE
    assert NEXT_STATES[DEAD] == frozenset()


@pytest.mark.parametrize("state", [PREPARE_COMMIT, PREPARE_ABORT])
def test_a_decided_transaction_cannot_be_moved_elsewhere(state: TransactionState) -> None:
    decided = Transaction("transfer", 1, 0, state, 60_000)

    with pytest.raises(Bug):
        decided.with_partitions([], TransactionVersion.TV2, 0)
    with pytest.raises(Bug):
        decided.fenced(0)
    with pytest.raises(Bug):
        decided.initialised(epoch=1, previous_epoch=-1, timeout_ms=1, now_ms=0)
    for committed in (True, False):
        with pytest.raises(Bug):
            decided.prepared(committed=committed, client_version=TransactionVersion.TV2, next_producer_id=-1, now_ms=0)


def test_an_open_transaction_cannot_complete_without_a_decision() -> None:
    with pytest.raises(Bug):
        Transaction("transfer", 1, 0, ONGOING, 60_000).completed(0)


def test_partitions_are_found_in_any_order() -> None:
    from tests.support.transaction_coordinator import partitions_of

    transaction = Transaction("transfer", 1, 0, ONGOING, 60_000)
    grown = transaction.with_partitions(partitions_of("b-1", "a-2", "b-0", "a-2"), TransactionVersion.TV2, 0)

    assert grown.partitions == tuple(partitions_of("a-2", "b-0", "b-1"))
    assert grown.includes_all(partitions_of("b-1", "a-2"))
    assert not any(map(grown.includes, partitions_of("a-1", "a-3", "b-2", "c-0")))
