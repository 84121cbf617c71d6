"""InitProducerId with a transactional id."""

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.protocol.generated.init_producer_id_response import InitProducerIdResponse
from ottla.transactions.settings import TransactionSettings
from ottla.transactions.shard import TransactionShard
from ottla.transactions.transaction import LAST_CLIENT_EPOCH, LAST_EPOCH, TransactionVersion
from tests.support.transaction_coordinator import Coordinator, at_epoch


def accepted(producer_id: int, producer_epoch: int) -> InitProducerIdResponse:
    return InitProducerIdResponse(producer_id=producer_id, producer_epoch=producer_epoch)


def refused(code: ErrorCode) -> InitProducerIdResponse:
    return InitProducerIdResponse(error_code=code, producer_id=-1, producer_epoch=-1)


def test_a_new_id_gets_a_producer_id_and_epoch_0(coordinator: Coordinator) -> None:
    assert coordinator.init() == accepted(1001, 0)
    assert coordinator.state == "Empty"


def test_the_next_producer_gets_the_next_epoch(coordinator: Coordinator) -> None:
    coordinator.init()

    assert coordinator.init(timeout_ms=5000) == accepted(1001, 1)
    assert coordinator.transaction.timeout_ms == 5000


@pytest.mark.parametrize("timeout_ms", [0, -1, 900_001])
def test_a_timeout_out_of_bounds_is_refused(coordinator: Coordinator, timeout_ms: int) -> None:
    assert coordinator.init(timeout_ms=timeout_ms) == refused(ErrorCode.INVALID_TRANSACTION_TIMEOUT)
    assert coordinator.log == []


def test_an_id_without_letters_is_refused() -> None:
    assert Coordinator("").init() == refused(ErrorCode.INVALID_REQUEST)


@pytest.mark.parametrize("known", [(7, -1), (-1, 7)])
def test_half_a_producer_is_refused(coordinator: Coordinator, known: tuple[int, int]) -> None:
    assert coordinator.init(known) == refused(ErrorCode.INVALID_REQUEST)


def test_a_producer_that_goes_on_gets_the_next_epoch(coordinator: Coordinator) -> None:
    coordinator.init()

    assert coordinator.init((1001, 0)) == accepted(1001, 1)


def test_a_producer_that_goes_on_twice_gets_the_same_answer(coordinator: Coordinator) -> None:
    coordinator.init()
    coordinator.init((1001, 0))

    assert coordinator.init((1001, 0)) == accepted(1001, 1)
    assert coordinator.init((1001, 0)) == accepted(1001, 1)


def test_a_producer_that_was_overtaken_is_fenced(coordinator: Coordinator) -> None:
    coordinator.init()
    coordinator.init()

    assert coordinator.init((1001, 0)) == refused(ErrorCode.PRODUCER_FENCED)
    assert coordinator.init((5, 5)) == refused(ErrorCode.PRODUCER_FENCED)


def test_old_clients_are_told_the_old_code(coordinator: Coordinator) -> None:
    coordinator.init()
    coordinator.init()

    assert coordinator.init((1001, 0), version=3) == refused(ErrorCode.INVALID_PRODUCER_EPOCH)
    assert coordinator.init((1001, 0), version=4) == refused(ErrorCode.PRODUCER_FENCED)


def test_a_producer_whose_id_was_forgotten_gets_a_new_one(coordinator: Coordinator) -> None:
    assert coordinator.init((77, 3)) == accepted(1001, 0)


def test_an_open_transaction_is_aborted_first(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    coordinator.add(producer)

    assert coordinator.init() == refused(ErrorCode.CONCURRENT_TRANSACTIONS)
    assert (coordinator.state, coordinator.epoch) == ("PrepareAbort", 1)
    assert coordinator.init() == refused(ErrorCode.CONCURRENT_TRANSACTIONS)
    (order,) = coordinator.writes_markers()
    assert (order.committed, order.producer_epoch) == (False, 1)
    assert coordinator.init() == accepted(1001, 2)


def test_a_late_request_with_an_old_epoch_does_not_abort_a_later_transaction(coordinator: Coordinator) -> None:
    coordinator.starts()
    producer = coordinator.starts()
    coordinator.add(producer)

    assert coordinator.init((1001, 0)) == refused(ErrorCode.PRODUCER_FENCED)
    assert coordinator.state == "Ongoing"


def test_the_answer_waits_for_markers_of_a_commit(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    coordinator.add(producer)
    coordinator.end(producer)

    assert coordinator.init() == refused(ErrorCode.CONCURRENT_TRANSACTIONS)
    assert coordinator.state == "PrepareCommit"
    coordinator.writes_markers()
    assert coordinator.init() == accepted(1001, 2)


def test_used_up_epochs_give_a_new_producer_id(coordinator: Coordinator) -> None:
    at_epoch(coordinator, LAST_CLIENT_EPOCH - 1)

    assert coordinator.init() == accepted(1001, LAST_CLIENT_EPOCH)
    assert coordinator.init() == accepted(1002, 0)
    assert coordinator.transaction.previous_producer_id == 1001


def test_a_producer_that_missed_its_new_id_is_told_again(coordinator: Coordinator) -> None:
    producer = at_epoch(coordinator, LAST_CLIENT_EPOCH)

    assert coordinator.init(producer) == accepted(1002, 0)
    assert coordinator.init(producer) == accepted(1002, 0)


def test_the_id_of_another_producer_is_not_told_to_the_one_before(coordinator: Coordinator) -> None:
    producer = at_epoch(coordinator, LAST_CLIENT_EPOCH)
    coordinator.init()

    assert coordinator.init(producer) == refused(ErrorCode.PRODUCER_FENCED)


def test_the_last_epoch_can_still_be_fenced(coordinator: Coordinator) -> None:
    producer = at_epoch(coordinator, LAST_CLIENT_EPOCH)
    coordinator.add(producer)

    assert coordinator.init() == refused(ErrorCode.CONCURRENT_TRANSACTIONS)
    assert coordinator.epoch == LAST_EPOCH
    (order,) = coordinator.writes_markers()
    assert (order.producer_id, order.producer_epoch) == (1001, LAST_EPOCH)
    assert coordinator.init() == accepted(1002, 1)


def test_a_fenced_producer_may_come_back_if_no_other_has_started(coordinator: Coordinator) -> None:
    producer = coordinator.starts(timeout_ms=1000)
    coordinator.add(producer)
    coordinator.time_passes(1001)
    coordinator.writes_markers()

    assert coordinator.init(producer) == accepted(1001, 1)


def test_without_a_producer_id_the_client_tries_again() -> None:
    def none_left() -> int:
        raise Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)

    shard = TransactionShard(TransactionSettings(), none_left, 0, lambda: TransactionVersion.TV2)
    request = InitProducerIdRequest(transactional_id="transfer", transaction_timeout_ms=60_000)

    decision = shard.init_producer_id(request, 5, Coordinator().now)

    assert decision.response == refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    assert decision.records == []
