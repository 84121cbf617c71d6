"""What a produce response means for a batch. No I/O."""

from enum import Enum

from ottla.model.error_codes import RETRIABLE, ErrorCode


class Verdict(Enum):
    ACKNOWLEDGED = "acknowledged"
    RETRY = "retry"
    #: Not written, because the broker expects another sequence or another epoch: send it again as new.
    NEW_SEQUENCES = "new sequences"
    #: Not written: too large for the topic, but it has several records.
    SPLIT = "split"
    FAIL = "fail"


#: After these the batch may have been written all the same.
MAYBE_WRITTEN = frozenset(
    {
        ErrorCode.UNKNOWN_SERVER_ERROR,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        ErrorCode.KAFKA_STORAGE_ERROR,
    }
)
_LOST_SEQUENCE = frozenset({ErrorCode.UNKNOWN_PRODUCER_ID, ErrorCode.INVALID_PRODUCER_EPOCH})


def verdict_of(code: int, *, is_idempotent: bool, is_first_undecided: bool, record_count: int) -> Verdict:
    if code in (ErrorCode.NONE, ErrorCode.DUPLICATE_SEQUENCE_NUMBER):
        # A duplicate was written by an earlier attempt; the broker has forgotten its offset.
        return Verdict.ACKNOWLEDGED
    if code in (ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE) and record_count > 1:
        return Verdict.SPLIT
    if is_idempotent and code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER:
        # Behind a batch that failed this is what must happen; only the first one can be out of order by itself.
        return Verdict.NEW_SEQUENCES if is_first_undecided else Verdict.RETRY
    if is_idempotent and code in _LOST_SEQUENCE:
        return Verdict.NEW_SEQUENCES
    return Verdict.RETRY if code in RETRIABLE else Verdict.FAIL
