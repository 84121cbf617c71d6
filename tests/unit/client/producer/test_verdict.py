"""What a produce response means."""

import pytest

from ottla.client.producer.verdict import Verdict, verdict_of
from ottla.model.error_codes import ErrorCode


def verdict(code: ErrorCode, *, idempotent: bool = True, first: bool = True, count: int = 3) -> Verdict:
    return verdict_of(code, is_idempotent=idempotent, is_first_undecided=first, record_count=count)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (ErrorCode.NONE, Verdict.ACKNOWLEDGED),
        (ErrorCode.DUPLICATE_SEQUENCE_NUMBER, Verdict.ACKNOWLEDGED),
        (ErrorCode.NOT_LEADER_OR_FOLLOWER, Verdict.RETRY),
        (ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND, Verdict.RETRY),
        (ErrorCode.MESSAGE_TOO_LARGE, Verdict.SPLIT),
        (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, Verdict.NEW_SEQUENCES),
        (ErrorCode.UNKNOWN_PRODUCER_ID, Verdict.NEW_SEQUENCES),
        (ErrorCode.INVALID_PRODUCER_EPOCH, Verdict.NEW_SEQUENCES),
        (ErrorCode.TOPIC_AUTHORIZATION_FAILED, Verdict.FAIL),
        (ErrorCode.INVALID_RECORD, Verdict.FAIL),
        (ErrorCode.UNKNOWN_SERVER_ERROR, Verdict.FAIL),
    ],
)
def test_codes(code: ErrorCode, expected: Verdict) -> None:
    assert verdict(code) is expected


def test_behind_an_undecided_batch_out_of_order_means_again() -> None:
    assert verdict(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, first=False) is Verdict.RETRY


def test_a_single_record_that_is_too_large_fails() -> None:
    assert verdict(ErrorCode.MESSAGE_TOO_LARGE, count=1) is Verdict.FAIL


def test_without_idempotence_sequences_are_no_reason() -> None:
    assert verdict(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, idempotent=False) is Verdict.FAIL
