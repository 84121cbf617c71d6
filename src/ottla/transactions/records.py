"""The records of `__transaction_state`: one kind, the whole state of a transactional id; no value deletes it.

Key: int16 type 0, transactional id. Value: int16 version, then the fields; version 1 is flexible and has the tagged
fields of KIP-890 (written when `transaction.version` >= 1), version 0 is what older brokers read.
"""

from itertools import groupby
from typing import NamedTuple

from ottla.model.errors import RemoteProtocolError
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.transaction_log_key import TransactionLogKey
from ottla.protocol.generated.transaction_log_value import TransactionLogValue, TransactionPartitions
from ottla.transactions.state import EMPTY, TransactionState
from ottla.transactions.transaction import FinalisedVersion, Transaction, TransactionVersion


class TransactionRecord(NamedTuple):
    """`transaction` None: the id is forgotten."""

    transactional_id: str
    transaction: Transaction | None


class TransactionCodec:
    """A `RecordCodec`. `previous_epoch` is not written: it only helps a retry that meets the same coordinator."""

    def __init__(self, finalised_version: FinalisedVersion) -> None:
        self._finalised_version = finalised_version

    def encode(self, record: TransactionRecord) -> tuple[bytes | None, bytes | None]:
        key = bytearray(_KEY_TYPE.to_bytes(2, "big"))
        TransactionLogKey(transactional_id=record.transactional_id).encode(key, 0)
        if record.transaction is None:
            return bytes(key), None
        version = 1 if self._finalised_version() >= TransactionVersion.TV1 else 0
        value = bytearray(version.to_bytes(2, "big"))
        _value_of(record.transaction).encode(value, version)
        return bytes(key), bytes(value)

    def decode(self, key: bytes | None, value: bytes | None) -> TransactionRecord | None:
        if key is None or key[:2] != _KEY_TYPE.to_bytes(2, "big"):
            return None
        transactional_id = TransactionLogKey.decode(key, 2, 0)[0].transactional_id
        if value is None:
            return TransactionRecord(transactional_id, None)
        version = int.from_bytes(value[:2], "big", signed=True)
        if not TransactionLogValue.MIN_VERSION <= version <= TransactionLogValue.MAX_VERSION:
            return None
        return TransactionRecord(transactional_id, _transaction_of(transactional_id, value, version))


_KEY_TYPE = TransactionLogKey.RECORD_TYPE


def _value_of(transaction: Transaction) -> TransactionLogValue:
    # Kafka writes null for a transaction that has not begun and an empty list for one that is over.
    partitions = None if transaction.state is EMPTY else _by_topic(transaction.partitions)
    return TransactionLogValue(
        producer_id=transaction.producer_id,
        producer_epoch=transaction.producer_epoch,
        transaction_timeout_ms=transaction.timeout_ms,
        transaction_status=transaction.state,
        transaction_partitions=partitions,
        transaction_last_update_timestamp_ms=transaction.last_update_ms,
        transaction_start_timestamp_ms=transaction.start_ms,
        previous_producer_id=transaction.previous_producer_id,
        next_producer_id=transaction.next_producer_id,
        client_transaction_version=transaction.client_version,
    )


def _by_topic(partitions: tuple[TopicPartition, ...]) -> list[TransactionPartitions]:
    return [
        TransactionPartitions(topic=topic, partition_ids=[each.partition for each in group])
        for topic, group in groupby(partitions, key=lambda each: each.topic)
    ]


def _transaction_of(transactional_id: str, value: bytes, version: int) -> Transaction:
    stored, _ = TransactionLogValue.decode(value, 2, version)
    partitions = {
        TopicPartition(group.topic, index)
        for group in stored.transaction_partitions or ()
        for index in group.partition_ids
    }
    return Transaction(
        transactional_id,
        producer_id=stored.producer_id,
        producer_epoch=stored.producer_epoch,
        state=_state_of(stored),
        timeout_ms=stored.transaction_timeout_ms,
        partitions=tuple(sorted(partitions)),
        start_ms=stored.transaction_start_timestamp_ms,
        last_update_ms=stored.transaction_last_update_timestamp_ms,
        previous_producer_id=stored.previous_producer_id,
        next_producer_id=stored.next_producer_id,
        client_version=TransactionVersion(max(0, min(stored.client_transaction_version, TransactionVersion.TV2))),
    )


def _state_of(stored: TransactionLogValue) -> TransactionState:
    try:
        return TransactionState(stored.transaction_status)
    except ValueError:
        raise RemoteProtocolError(f"{stored.transaction_status} is not a state of a transaction") from None
