"""Abandoned transactions are aborted, forgotten ids are forgotten; only the monotonic clock decides."""

import pytest

from ottla.coordination.shard import Now
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.transactions.settings import TransactionSettings
from ottla.transactions.transaction import TransactionVersion
from tests.support.transaction_coordinator import START_MS, Coordinator, at_epoch

WEEK_MS = 604_800_000


def test_an_abandoned_transaction_is_aborted(coordinator: Coordinator) -> None:
    producer = coordinator.starts(timeout_ms=10_000)
    coordinator.add(producer)

    coordinator.time_passes(9_999)
    assert coordinator.state == "Ongoing"
    coordinator.time_passes(1)
    assert (coordinator.state, coordinator.epoch) == ("PrepareAbort", 1)
    (order,) = coordinator.writes_markers()
    assert (order.committed, order.producer_epoch) == (False, 1)


def test_more_partitions_do_not_lengthen_the_life_of_a_transaction(coordinator: Coordinator) -> None:
    producer = coordinator.starts(timeout_ms=10_000)
    coordinator.add(producer, "orders-0")
    coordinator.time_passes(9_000)
    coordinator.add(producer, "orders-1")

    coordinator.time_passes(1_000)

    assert coordinator.state == "PrepareAbort"


def test_a_timed_out_producer_cannot_go_on(coordinator: Coordinator) -> None:
    producer = coordinator.starts(timeout_ms=10_000)
    coordinator.add(producer)
    coordinator.time_passes(10_000)
    coordinator.writes_markers()

    assert coordinator.add(producer) is ErrorCode.PRODUCER_FENCED
    assert coordinator.end(producer).error_code == ErrorCode.INVALID_TXN_STATE
    assert coordinator.end(producer, version=4).error_code == ErrorCode.PRODUCER_FENCED


def test_a_time_out_follows_the_feature_as_it_is_now(coordinator: Coordinator) -> None:
    coordinator.add(coordinator.starts(timeout_ms=10_000))
    coordinator.transaction_version = TransactionVersion.TV1

    coordinator.time_passes(10_000)

    (order,) = coordinator.writes_markers()
    assert (order.transaction_version, order.producer_epoch) == (TransactionVersion.TV1, 1)


def test_a_decided_transaction_does_not_time_out(coordinator: Coordinator) -> None:
    producer = coordinator.starts(timeout_ms=10_000)
    coordinator.add(producer)
    coordinator.end(producer)

    coordinator.time_passes(WEEK_MS * 2)

    assert coordinator.state == "PrepareCommit"


def test_the_next_transaction_has_its_own_time(coordinator: Coordinator) -> None:
    producer_id, epoch = coordinator.starts(timeout_ms=10_000)
    coordinator.add((producer_id, epoch))
    coordinator.time_passes(9_000)
    coordinator.end((producer_id, epoch))
    coordinator.writes_markers()
    coordinator.add((producer_id, epoch + 1))

    coordinator.time_passes(9_000)
    assert coordinator.state == "Ongoing"
    coordinator.time_passes(1_000)
    assert coordinator.state == "PrepareAbort"


def test_a_restart_does_not_lengthen_the_time(coordinator: Coordinator) -> None:
    producer = coordinator.starts(timeout_ms=10_000)
    coordinator.add(producer)
    coordinator.time_passes(7_000)

    coordinator.restarts()

    coordinator.time_passes(2_999)
    assert coordinator.state == "Ongoing"
    coordinator.time_passes(1)
    assert coordinator.state == "PrepareAbort"


@pytest.mark.parametrize("jump_ms", [-WEEK_MS, WEEK_MS])
def test_a_jump_of_the_wall_clock_does_not_end_a_live_transaction(coordinator: Coordinator, jump_ms: int) -> None:
    producer = coordinator.starts(timeout_ms=10_000)
    coordinator.add(producer, "orders-0")

    # Only the wall clock jumps; the producer goes on.
    jumped = Now(START_MS + jump_ms, coordinator.now_ms)
    decision = coordinator.shard.add_partitions("transfer", *producer, [], jumped)
    coordinator.time_passes(9_999)

    assert decision.response is ErrorCode.NONE
    assert coordinator.state == "Ongoing"


def test_without_a_producer_id_the_time_out_is_tried_again(coordinator: Coordinator) -> None:
    producer = at_epoch(coordinator, 32766)
    coordinator.add(producer)
    coordinator.shard._new_producer_id = _none_left
    coordinator.time_passes(60_000)
    assert coordinator.state == "Ongoing"

    coordinator.shard._new_producer_id = coordinator.new_producer_id
    coordinator.time_passes(100)

    assert coordinator.state == "PrepareAbort"


def _none_left() -> int:
    raise Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)


def test_an_unused_id_is_forgotten() -> None:
    coordinator = Coordinator(settings=TransactionSettings(id_expiration_ms=50_000))
    producer = coordinator.starts()
    coordinator.time_passes(49_999)
    assert coordinator.state == "Empty"

    coordinator.time_passes(1)

    assert coordinator.shard.transactions() == []
    assert coordinator.log[-1][1] is None
    assert coordinator.add(producer) is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    coordinator.check_invariants()


def test_use_keeps_an_id_alive() -> None:
    coordinator = Coordinator(settings=TransactionSettings(id_expiration_ms=50_000))
    producer_id, epoch = coordinator.starts()

    for _ in range(5):
        coordinator.time_passes(40_000)
        assert coordinator.add((producer_id, epoch)) is ErrorCode.NONE
        coordinator.end((producer_id, epoch))
        coordinator.writes_markers()
        epoch += 1

    coordinator.time_passes(50_000)
    assert coordinator.shard.transactions() == []


def test_an_id_with_an_open_transaction_is_not_forgotten() -> None:
    coordinator = Coordinator(settings=TransactionSettings(id_expiration_ms=1_000))
    producer = coordinator.starts(timeout_ms=60_000)
    coordinator.add(producer)

    coordinator.time_passes(59_999)

    assert coordinator.state == "Ongoing"


def test_ids_expire_after_a_restart_too() -> None:
    coordinator = Coordinator(settings=TransactionSettings(id_expiration_ms=50_000))
    coordinator.starts()
    coordinator.time_passes(30_000)

    coordinator.restarts()

    coordinator.time_passes(19_999)
    assert coordinator.state == "Empty"
    coordinator.time_passes(1)
    assert coordinator.shard.transactions() == []


def test_ids_do_not_expire_by_a_clock_that_is_not_believed() -> None:
    settings = TransactionSettings(id_expiration_ms=50_000, believed_ms=lambda wall_ms: wall_ms - 40_000)
    coordinator = Coordinator(settings=settings)
    coordinator.starts()
    coordinator.time_passes(30_000)

    coordinator.restarts()

    coordinator.time_passes(49_999)
    assert coordinator.state == "Empty"
