"""InitProducerId with a transactional id (key 22): who is the one producer that may use it from now on.

A new producer gets the next epoch, which fences the ones before it. A producer that continues after an error names its
id and epoch (KIP-360) and gets PRODUCER_FENCED when another has started meanwhile. An open transaction is aborted
first: the response is CONCURRENT_TRANSACTIONS until its markers are written.
"""

from typing import NamedTuple

from ottla.model.error_codes import ErrorCode
from ottla.transactions.end_transaction import fence
from ottla.transactions.outcome import NewProducerId, Outcome, refused
from ottla.transactions.state import IDLE, ONGOING
from ottla.transactions.transaction import (
    LAST_CLIENT_EPOCH,
    NO_EPOCH,
    NO_PRODUCER_ID,
    Transaction,
    TransactionVersion,
    new_transaction,
)


class KnownProducer(NamedTuple):
    """The producer id and epoch that a client claims."""

    producer_id: int
    producer_epoch: int

    @property
    def is_whole(self) -> bool:
        """Both are named, or none."""
        return (self.producer_id == NO_PRODUCER_ID) == (self.producer_epoch == NO_EPOCH)


def may_time_out_after(timeout_ms: int, max_timeout_ms: int) -> bool:
    return 0 < timeout_ms <= max_timeout_ms


def first_init(transactional_id: str, timeout_ms: int, now_ms: int, new_producer_id: NewProducerId) -> Outcome:
    """The id is new, or was forgotten. A producer that means to continue gets the new producer id as well."""
    return _accepted(new_transaction(transactional_id, new_producer_id(), timeout_ms, now_ms))


def init_again(
    transaction: Transaction,
    known: KnownProducer | None,
    timeout_ms: int,
    now_ms: int,
    new_producer_id: NewProducerId,
    server_version: TransactionVersion,
) -> Outcome:
    if known is not None and not _may_be(known, transaction):
        return refused(ErrorCode.PRODUCER_FENCED)
    if transaction.state is ONGOING:
        # Kafka looks at the producer id only; then a delayed request with an old epoch would abort a later transaction.
        if known is not None and known.producer_epoch != transaction.producer_epoch:
            return refused(ErrorCode.PRODUCER_FENCED)
        fenced = fence(transaction, now_ms, new_producer_id, server_version)
        return Outcome(ErrorCode.CONCURRENT_TRANSACTIONS, fenced.moves)
    if transaction.state not in IDLE:
        return refused(ErrorCode.CONCURRENT_TRANSACTIONS)
    return _next_epoch(transaction, known, timeout_ms, now_ms, new_producer_id)


def _next_epoch(
    transaction: Transaction,
    known: KnownProducer | None,
    timeout_ms: int,
    now_ms: int,
    new_producer_id: NewProducerId,
) -> Outcome:
    epoch = transaction.producer_epoch
    if transaction.is_epoch_used_up and (known is None or known.producer_epoch == epoch):
        kept = NO_EPOCH if known is None else epoch
        rotated = transaction.rotated(new_producer_id(), previous_epoch=kept, timeout_ms=timeout_ms, now_ms=now_ms)
        return _accepted(rotated)
    if known is None:
        next_epoch, kept = epoch + 1, NO_EPOCH
    elif known.producer_epoch == epoch:
        next_epoch, kept = epoch + 1, epoch
    elif known.producer_epoch == transaction.previous_epoch:
        # The response to an earlier request was lost. Nobody else has started since: that would have dropped the epoch.
        next_epoch, kept = epoch, transaction.previous_epoch
    else:
        return refused(ErrorCode.PRODUCER_FENCED)
    return _accepted(
        transaction.initialised(epoch=next_epoch, previous_epoch=kept, timeout_ms=timeout_ms, now_ms=now_ms)
    )


def _may_be(known: KnownProducer, transaction: Transaction) -> bool:
    if known.producer_id == transaction.producer_id:
        return True
    # A producer whose epochs ran out may not have heard of its new id yet.
    return known.producer_id == transaction.previous_producer_id and known.producer_epoch >= LAST_CLIENT_EPOCH


def _accepted(transaction: Transaction) -> Outcome:
    return Outcome(ErrorCode.NONE, (transaction,), transaction.producer_id, transaction.producer_epoch)
