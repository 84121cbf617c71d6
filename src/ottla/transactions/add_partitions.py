"""AddPartitionsToTxn and AddOffsetsToTxn (keys 24, 25): which partitions a transaction writes to.

Only a partition that is in the log can be sent a marker, so no leader takes transactional data before it is there.
TV1 clients add partitions themselves, and leaders verify that they did (VerifyOnly). With TV2 the leader adds them.
"""

from collections.abc import Sequence

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.transactions.outcome import Outcome, refused
from ottla.transactions.state import IDLE, ONGOING
from ottla.transactions.transaction import Transaction, TransactionVersion


def add_partitions(
    transaction: Transaction | None,
    producer_id: int,
    producer_epoch: int,
    partitions: Sequence[TopicPartition],
    client_version: TransactionVersion,
    now_ms: int,
) -> Outcome:
    problem = _problem(transaction, producer_id, producer_epoch)
    if problem is not ErrorCode.NONE:
        return refused(problem)
    assert transaction is not None
    if not partitions or (transaction.state is ONGOING and transaction.includes_all(partitions)):
        return Outcome(ErrorCode.NONE)
    return Outcome(ErrorCode.NONE, (transaction.with_partitions(partitions, client_version, now_ms),))


def verify_partitions(
    transaction: Transaction | None, producer_id: int, producer_epoch: int, partitions: Sequence[TopicPartition]
) -> dict[TopicPartition, ErrorCode]:
    """Whether each partition is part of the producer's open transaction."""
    problem = _problem(transaction, producer_id, producer_epoch)
    if problem is not ErrorCode.NONE:
        return dict.fromkeys(partitions, problem)
    assert transaction is not None
    return {
        partition: ErrorCode.NONE if transaction.includes(partition) else ErrorCode.TRANSACTION_ABORTABLE
        for partition in partitions
    }


def _problem(transaction: Transaction | None, producer_id: int, producer_epoch: int) -> ErrorCode:
    if transaction is None or transaction.producer_id != producer_id:
        return ErrorCode.INVALID_PRODUCER_ID_MAPPING
    if transaction.producer_epoch != producer_epoch:
        return ErrorCode.PRODUCER_FENCED
    if transaction.state is not ONGOING and transaction.state not in IDLE:
        return ErrorCode.CONCURRENT_TRANSACTIONS
    return ErrorCode.NONE
