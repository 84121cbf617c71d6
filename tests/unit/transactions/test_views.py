"""DescribeTransactions and ListTransactions."""

from typing import Any

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.describe_transactions_response import Topics
from ottla.protocol.generated.describe_transactions_response import TransactionStates as Described
from ottla.protocol.generated.list_transactions_request import ListTransactionsRequest
from ottla.protocol.generated.list_transactions_response import ListTransactionsResponse
from tests.support.transaction_coordinator import START_MS, Coordinator


def listed(coordinator: Coordinator, **filters: Any) -> ListTransactionsResponse:
    request = ListTransactionsRequest(**filters)
    return coordinator.run(lambda now: coordinator.shard.list_transactions(request, now))


def names(response: ListTransactionsResponse) -> list[str]:
    return [each.transactional_id for each in response.transaction_states]


def described(coordinator: Coordinator, transactional_id: str) -> Described:
    return coordinator.run(lambda now: coordinator.shard.describe(transactional_id, now))


@pytest.fixture
def three(coordinator: Coordinator) -> Coordinator:
    """'idle' is empty, 'open' has run for 5 s, 'done' has committed."""
    for transactional_id in ("idle", "open", "done"):
        coordinator.transactional_id = transactional_id
        producer = coordinator.starts()
        if transactional_id != "idle":
            coordinator.add(producer, "orders-1", "orders-0", "audit-0")
        if transactional_id == "done":
            coordinator.end(producer)
            coordinator.writes_markers()
    coordinator.time_passes(5_000)
    return coordinator


def test_an_open_transaction_is_described(three: Coordinator) -> None:
    assert described(three, "open") == Described(
        transactional_id="open",
        transaction_state="Ongoing",
        transaction_timeout_ms=60_000,
        transaction_start_time_ms=START_MS,
        producer_id=1002,
        producer_epoch=0,
        topics=[Topics(topic="audit", partitions=[0]), Topics(topic="orders", partitions=[0, 1])],
    )


def test_an_empty_one_has_no_start(three: Coordinator) -> None:
    idle = described(three, "idle")

    assert (idle.transaction_state, idle.transaction_start_time_ms, idle.topics) == ("Empty", -1, [])


def test_unknown_ids_are_not_found(three: Coordinator) -> None:
    assert described(three, "nobody") == Described(
        error_code=ErrorCode.TRANSACTIONAL_ID_NOT_FOUND, transactional_id="nobody"
    )
    assert described(three, "") == Described(error_code=ErrorCode.INVALID_REQUEST, transactional_id="")


def test_without_filters_all_are_listed(three: Coordinator) -> None:
    found = listed(three).transaction_states

    assert [(each.transactional_id, each.producer_id, each.transaction_state) for each in found] == [
        ("idle", 1001, "Empty"),
        ("open", 1002, "Ongoing"),
        ("done", 1003, "CompleteCommit"),
    ]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"state_filters": ["Empty", "Ongoing"]}, ["idle", "open"]),
        ({"state_filters": ["empty"]}, []),
        ({"producer_id_filters": [1003, 1]}, ["done"]),
        ({"duration_filter": -1}, ["idle", "open", "done"]),
        ({"duration_filter": 4_999}, ["idle", "open", "done"]),
        ({"duration_filter": 5_000}, ["idle"]),
        ({"transactional_id_pattern": "(open|done)"}, ["open", "done"]),
        ({"transactional_id_pattern": "o"}, []),
        ({"transactional_id_pattern": "o.*"}, ["open"]),
        ({"transactional_id_pattern": ""}, ["idle", "open", "done"]),
        ({"state_filters": ["Ongoing"], "producer_id_filters": [1001]}, []),
    ],
)
def test_filters_narrow_the_list(three: Coordinator, filters: dict[str, Any], expected: list[str]) -> None:
    assert names(listed(three, **filters)) == expected


def test_unknown_states_are_reported(three: Coordinator) -> None:
    response = listed(three, state_filters=["Nonsense", "Ongoing", "empty"])

    assert response.unknown_state_filters == ["Nonsense", "empty"]
    assert names(response) == ["open"]


def test_a_broken_pattern_is_refused(three: Coordinator) -> None:
    response = listed(three, transactional_id_pattern="[")

    assert response == ListTransactionsResponse(error_code=ErrorCode.INVALID_REGULAR_EXPRESSION)
