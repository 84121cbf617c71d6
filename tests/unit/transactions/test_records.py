"""The bytes of `__transaction_state`."""

from typing import Any

import pytest

from ottla.model.errors import RemoteProtocolError
from ottla.transactions.records import TransactionCodec, TransactionRecord
from ottla.transactions.state import TransactionState
from ottla.transactions.transaction import Transaction, TransactionVersion
from tests.support.transaction_coordinator import partitions_of

CODEC = TransactionCodec(lambda: TransactionVersion.TV2)


def a_transaction(**changes: Any) -> Transaction:
    whole = Transaction(
        "transfer",
        producer_id=1234567890123,
        producer_epoch=32767,
        state=TransactionState.PREPARE_COMMIT,
        timeout_ms=60_000,
        partitions=tuple(partitions_of("audit-3", "orders-0", "orders-7")),
        start_ms=1_700_000_000_000,
        last_update_ms=1_700_000_000_500,
        previous_producer_id=1234567890122,
        next_producer_id=1234567890124,
        client_version=TransactionVersion.TV2,
    )
    return whole._replace(**changes)


@pytest.mark.parametrize("state", list(TransactionState))
def test_what_is_written_is_read_again(state: TransactionState) -> None:
    partitions = () if state is TransactionState.EMPTY else a_transaction().partitions
    record = TransactionRecord("transfer", a_transaction(state=state, partitions=partitions))

    assert CODEC.decode(*CODEC.encode(record)) == record


def test_the_bytes_are_those_of_kafka() -> None:
    # Written by Apache Kafka 4.3 for: id 'p3', producer 38 epoch 1, CompleteCommit, TV2.
    transaction = Transaction(
        "p3",
        producer_id=38,
        producer_epoch=1,
        state=TransactionState.COMPLETE_COMMIT,
        timeout_ms=60_000,
        start_ms=1794787646073,
        last_update_ms=1794787646079,
        previous_producer_id=38,
        client_version=TransactionVersion.TV2,
    )

    key, value = CODEC.encode(TransactionRecord("p3", transaction))

    assert key == bytes.fromhex("00000002") + b"p3"
    assert value is not None
    assert value.hex() == (
        "0001" "0000000000000026" "0001" "0000ea60" "04" "01"
        "000001a1e1ae1a7f" "000001a1e1ae1a79" "02" "00" "08" "0000000000000026" "02" "02" "0002"
    )  # fmt: skip


def test_an_older_broker_gets_values_without_tags() -> None:
    old = TransactionCodec(lambda: TransactionVersion.TV0)
    record = TransactionRecord("transfer", a_transaction())

    _, value = old.encode(record)

    assert value is not None
    assert value[:2] == b"\0\0"
    assert CODEC.decode(*old.encode(record)) == TransactionRecord(
        "transfer",
        a_transaction(previous_producer_id=-1, next_producer_id=-1, client_version=TransactionVersion.TV0),
    )


def test_a_tombstone_forgets_the_id() -> None:
    key, value = CODEC.encode(TransactionRecord("transfer", None))

    assert value is None
    assert CODEC.decode(key, value) == TransactionRecord("transfer", None)


def test_kinds_of_a_later_version_are_skipped() -> None:
    key, value = CODEC.encode(TransactionRecord("transfer", a_transaction()))
    assert key is not None
    assert value is not None

    assert CODEC.decode(b"\0\x09" + key[2:], value) is None
    assert CODEC.decode(key, b"\0\x07" + value[2:]) is None
    assert CODEC.decode(None, value) is None


def test_the_epoch_for_retries_is_not_written() -> None:
    record = TransactionRecord("transfer", a_transaction(previous_epoch=7))

    assert CODEC.decode(*CODEC.encode(record)) == TransactionRecord("transfer", a_transaction(previous_epoch=-1))


def test_torn_bytes_are_a_protocol_error() -> None:
    key, value = CODEC.encode(TransactionRecord("transfer", a_transaction()))
    assert value is not None

    for size in range(2, len(value)):
        with pytest.raises(RemoteProtocolError):
            CODEC.decode(key, value[:size])
