"""AddPartitionsToTxn, its VerifyOnly form, and AddOffsetsToTxn."""

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from ottla.protocol.generated.add_offsets_to_txn_response import AddOffsetsToTxnResponse
from ottla.transactions.transaction import TransactionVersion
from tests.support.transaction_coordinator import START_MS, Coordinator, partitions_of

NONE = ErrorCode.NONE


def test_the_first_partition_opens_the_transaction(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    coordinator.time_passes(500)

    assert coordinator.add(producer, "orders-0", "audit-1") is NONE
    assert coordinator.state == "Ongoing"
    assert coordinator.transaction.start_ms == START_MS + 500
    assert coordinator.transaction.partitions == tuple(partitions_of("audit-1", "orders-0"))


def test_later_partitions_keep_the_start_time(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    coordinator.add(producer, "orders-0")
    coordinator.time_passes(500)

    assert coordinator.add(producer, "orders-1") is NONE
    assert coordinator.transaction.start_ms == START_MS
    assert coordinator.transaction.last_update_ms == START_MS + 500


def test_a_repeated_request_writes_nothing(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    coordinator.add(producer, "orders-0", "orders-1")
    size = len(coordinator.log)

    assert coordinator.add(producer, "orders-1") is NONE
    assert len(coordinator.log) == size


def test_no_partitions_open_no_transaction(coordinator: Coordinator) -> None:
    producer = coordinator.starts()

    assert coordinator.run(lambda now: coordinator.shard.add_partitions("transfer", *producer, [], now)) is NONE
    assert coordinator.state == "Empty"


def test_strangers_are_refused(coordinator: Coordinator) -> None:
    producer_id, epoch = coordinator.starts()

    assert coordinator.add((producer_id + 7, epoch)) is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert coordinator.add((producer_id, epoch + 1)) is ErrorCode.PRODUCER_FENCED
    assert coordinator.add((producer_id, epoch - 1)) is ErrorCode.PRODUCER_FENCED
    coordinator.transactional_id = "nobody"
    assert coordinator.add((producer_id, epoch)) is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    coordinator.transactional_id = ""
    assert coordinator.add((producer_id, epoch)) is ErrorCode.INVALID_REQUEST


def test_a_decided_transaction_takes_no_partitions(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    coordinator.add(producer, client_version=TransactionVersion.TV0)
    coordinator.end(producer, version=4)

    assert coordinator.add(producer, "orders-1") is ErrorCode.CONCURRENT_TRANSACTIONS
    assert coordinator.verify(producer, "orders-0") == [ErrorCode.CONCURRENT_TRANSACTIONS]


def test_verify_tells_each_partition(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    coordinator.add(producer, "orders-0")

    assert coordinator.verify(producer, "orders-0", "orders-1") == [NONE, ErrorCode.TRANSACTION_ABORTABLE]
    assert coordinator.verify((1, 0), "orders-0") == [ErrorCode.INVALID_PRODUCER_ID_MAPPING]
    assert coordinator.verify((producer[0], 9), "orders-0") == [ErrorCode.PRODUCER_FENCED]
    assert len(coordinator.log) == 2


def test_verify_finds_nothing_after_the_end(coordinator: Coordinator) -> None:
    producer = coordinator.starts()
    coordinator.add(producer, "orders-0", client_version=TransactionVersion.TV0)
    coordinator.end(producer, version=4)
    coordinator.writes_markers()

    assert coordinator.verify(producer, "orders-0") == [ErrorCode.TRANSACTION_ABORTABLE]


def add_offsets(coordinator: Coordinator, producer: tuple[int, int], version: int = 4) -> AddOffsetsToTxnResponse:
    request = AddOffsetsToTxnRequest(
        transactional_id=coordinator.transactional_id,
        producer_id=producer[0],
        producer_epoch=producer[1],
        group_id="readers",
    )
    return coordinator.run(lambda now: coordinator.shard.add_offsets(request, version, now, 39))


def test_offsets_add_the_partition_of_their_group(coordinator: Coordinator) -> None:
    producer = coordinator.starts()

    assert add_offsets(coordinator, producer) == AddOffsetsToTxnResponse()
    assert coordinator.transaction.partitions == tuple(partitions_of("__consumer_offsets-39"))


@pytest.mark.parametrize(("version", "code"), [(1, ErrorCode.INVALID_PRODUCER_EPOCH), (2, ErrorCode.PRODUCER_FENCED)])
def test_fenced_offsets_are_refused_in_the_words_of_the_version(
    coordinator: Coordinator, version: int, code: ErrorCode
) -> None:
    producer_id, epoch = coordinator.starts()

    assert add_offsets(coordinator, (producer_id, epoch + 1), version).error_code == code
