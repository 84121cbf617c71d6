"""EndTxn (key 26), and the ends that no client asks for: fencing and timeouts.

The Prepare record decides; after it the outcome is final, whatever happens. The client gets its response when that
record is committed; the markers follow. Two versions recognize a repeated request in different ways:

    TV1 (v0-4)  the epoch stays: the same outcome asked again in a Complete state is taken for a repetition
    TV2 (v5)    the epoch grows with each transaction: a repetition names the epoch before, so a late EndTxn can never
                touch a later transaction (KIP-890)
"""

from ottla.model.error_codes import ErrorCode
from ottla.transactions.outcome import NewProducerId, Outcome, refused
from ottla.transactions.state import (
    COMPLETE_ABORT,
    COMPLETE_COMMIT,
    EMPTY,
    IDLE,
    ONGOING,
    PREPARE_ABORT,
    PREPARE_COMMIT,
    PREPARED,
)
from ottla.transactions.transaction import LAST_CLIENT_EPOCH, NO_PRODUCER_ID, Transaction, TransactionVersion

_TV0 = TransactionVersion.TV0
_TV2 = TransactionVersion.TV2


def end_unbumped(
    transaction: Transaction | None, producer_id: int, producer_epoch: int, committed: bool, now_ms: int
) -> Outcome:
    """EndTxn below v5."""
    if transaction is None or transaction.producer_id != producer_id:
        return refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    if transaction.producer_epoch != producer_epoch:
        return refused(ErrorCode.PRODUCER_FENCED)
    if transaction.state is ONGOING:
        prepared = transaction.prepared(
            committed=committed, client_version=_TV0, next_producer_id=NO_PRODUCER_ID, now_ms=now_ms
        )
        return Outcome(ErrorCode.NONE, (prepared,), prepared.producer_id, prepared.producer_epoch)
    return _asked_again(transaction, committed)


def end_bumped(
    transaction: Transaction | None,
    producer_id: int,
    producer_epoch: int,
    committed: bool,
    now_ms: int,
    new_producer_id: NewProducerId,
) -> Outcome:
    """EndTxn from v5 on: the response has the producer id and epoch of the next transaction."""
    if transaction is None:
        return refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    is_after_rotation = _missed_rotation(transaction, producer_id, producer_epoch)
    if transaction.producer_id != producer_id and not is_after_rotation:
        return refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    is_repeated = is_after_rotation or producer_epoch + 1 == transaction.producer_epoch
    is_current = producer_epoch == transaction.producer_epoch
    if is_repeated and transaction.state is not ONGOING and transaction.state is not EMPTY:
        return _asked_again(transaction, committed)
    if not is_current or transaction.state in PREPARED:
        return refused(ErrorCode.PRODUCER_FENCED)
    if transaction.state is ONGOING:
        return _prepared(transaction, committed, now_ms, new_producer_id)
    if committed or transaction.state not in IDLE:
        return refused(ErrorCode.INVALID_TXN_STATE)
    return _abort_of_nothing(transaction, now_ms, new_producer_id)


def fence(
    transaction: Transaction, now_ms: int, new_producer_id: NewProducerId, server_version: TransactionVersion
) -> Outcome:
    """Aborts an open transaction against its producer: it timed out, or another producer started."""
    rotates = server_version.bumps_epoch and transaction.is_epoch_used_up
    prepared = transaction.fenced(now_ms).prepared(
        committed=False,
        client_version=server_version,
        next_producer_id=new_producer_id() if rotates else NO_PRODUCER_ID,
        now_ms=now_ms,
    )
    return Outcome(ErrorCode.NONE, (prepared,))


def _prepared(transaction: Transaction, committed: bool, now_ms: int, new_producer_id: NewProducerId) -> Outcome:
    next_producer_id = new_producer_id() if transaction.is_epoch_used_up else NO_PRODUCER_ID
    prepared = transaction.prepared(
        committed=committed, client_version=_TV2, next_producer_id=next_producer_id, now_ms=now_ms
    )
    if next_producer_id != NO_PRODUCER_ID:
        return Outcome(ErrorCode.NONE, (prepared,), next_producer_id, 0)
    return Outcome(ErrorCode.NONE, (prepared,), prepared.producer_id, prepared.producer_epoch)


def _abort_of_nothing(transaction: Transaction, now_ms: int, new_producer_id: NewProducerId) -> Outcome:
    """No partition was added, so no marker is due: both records are written at once."""
    outcome = _prepared(transaction, False, now_ms, new_producer_id)
    (prepared,) = outcome.moves
    return outcome._replace(moves=(prepared, prepared.completed(now_ms)))


def _asked_again(transaction: Transaction, committed: bool) -> Outcome:
    """The decision was made before: the same one succeeds again, and it never changes."""
    finished, under_way = (COMPLETE_COMMIT, PREPARE_COMMIT) if committed else (COMPLETE_ABORT, PREPARE_ABORT)
    if transaction.state is finished:
        return Outcome(ErrorCode.NONE, (), transaction.producer_id, transaction.producer_epoch)
    if transaction.state is under_way:
        return refused(ErrorCode.CONCURRENT_TRANSACTIONS)
    return refused(ErrorCode.INVALID_TXN_STATE)


def _missed_rotation(transaction: Transaction, producer_id: int, producer_epoch: int) -> bool:
    """The client does not know yet that the end of its transaction gave it a new producer id."""
    return (
        producer_id == transaction.previous_producer_id != transaction.producer_id
        and producer_epoch == LAST_CLIENT_EPOCH
        and transaction.producer_epoch == 0
    )
