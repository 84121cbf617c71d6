"""The first batch of a transaction needs the verification that was begun for it (KIP-890)."""

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.partition.append_rules import AppendOrigin
from ottla.log.partition_log import PartitionLog
from ottla.log.producers.verification import NOT_ASKED, Verification
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import SEQUENCE_MASK, read_header
from tests.support.batches import batch_of
from tests.support.log_builders import NOW_MS, end_transaction, new_log
from tests.support.memory_disk import MemoryDisk

PRODUCER = 5


@pytest.fixture
def log() -> PartitionLog:
    return new_log(MemoryDisk())


def begin(log: PartitionLog, sequence: int, *, epoch: int = 0, joins: bool = False) -> Verification:
    return log.producers.verifications.begin(PRODUCER, epoch, sequence, joins=joins)


def send(log: PartitionLog, sequence: int, verification: Verification | None, *, epoch: int = 0) -> int:
    batch = batch_of(producer=(PRODUCER, epoch, sequence), is_transactional=True)
    return log.append_as_leader(batch, 0, NOW_MS, AppendOrigin.CLIENT, verification)[0]


def refused_code(log: PartitionLog, sequence: int, verification: Verification, *, epoch: int = 0) -> ErrorCode:
    before = log.state_digest()
    with pytest.raises(Refused) as caught:
        send(log, sequence, verification, epoch=epoch)
    assert log.state_digest() == before
    return caught.value.code


def test_what_was_verified_is_appended(log: PartitionLog) -> None:
    assert send(log, 0, begin(log, 0)) == 0
    assert send(log, 1, NOT_ASKED) == 1
    assert not len(log.producers.verifications)


def test_a_marker_between_the_question_and_the_first_append_ends_the_verification(log: PartitionLog) -> None:
    verification = begin(log, 0)
    end_transaction(log, PRODUCER, 0, commit=False)

    assert refused_code(log, 0, verification) is ErrorCode.INVALID_TXN_STATE


def test_a_marker_between_the_question_and_a_later_append_ends_the_verification(log: PartitionLog) -> None:
    send(log, 0, begin(log, 0))
    end_transaction(log, PRODUCER, 0, commit=True)
    verification = begin(log, 1)
    end_transaction(log, PRODUCER, 0, commit=False)

    assert refused_code(log, 1, verification) is ErrorCode.INVALID_TXN_STATE
    assert send(log, 1, begin(log, 1)) == 3


def test_a_batch_of_an_open_transaction_is_refused_when_that_has_ended(log: PartitionLog) -> None:
    send(log, 0, begin(log, 0))
    end_transaction(log, PRODUCER, 0, commit=True)

    assert refused_code(log, 1, NOT_ASKED) is ErrorCode.INVALID_TXN_STATE


def test_the_verification_of_an_earlier_transaction_is_not_that_of_the_next(log: PartitionLog) -> None:
    late = begin(log, 0)
    end_transaction(log, PRODUCER, 0, commit=False)
    present = begin(log, 0)

    assert refused_code(log, 0, late) is ErrorCode.INVALID_TXN_STATE
    assert send(log, 0, present) == 1


def test_a_repeated_batch_is_answered_though_its_transaction_has_ended(log: PartitionLog) -> None:
    send(log, 0, begin(log, 0))
    end_transaction(log, PRODUCER, 0, commit=True)

    assert send(log, 0, begin(log, 0)) == 0
    assert log.end_offset == 2


def test_an_old_epoch_is_the_first_reason(log: PartitionLog) -> None:
    send(log, 0, begin(log, 0, epoch=1), epoch=1)

    assert refused_code(log, 1, NOT_ASKED, epoch=0) is ErrorCode.INVALID_PRODUCER_EPOCH


def test_what_was_refused_first_is_appended_first(log: PartitionLog) -> None:
    """Several requests are in flight: the first meets a coordinator that loads, the second does not."""
    begin(log, 0)

    assert refused_code(log, 1, begin(log, 1)) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, 0, begin(log, 0)) == 0
    assert send(log, 1, NOT_ASKED) == 1


def test_a_lower_sequence_that_comes_later_counts(log: PartitionLog) -> None:
    begin(log, 3)
    begin(log, 2)

    assert refused_code(log, 3, begin(log, 3)) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, 2, begin(log, 2)) == 0


def test_the_largest_sequence_comes_before_zero(log: PartitionLog) -> None:
    begin(log, SEQUENCE_MASK)
    begin(log, 0)

    assert refused_code(log, 0, begin(log, 0)) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, SEQUENCE_MASK, begin(log, SEQUENCE_MASK)) == 0
    assert send(log, 0, NOT_ASKED) == 1


def test_a_new_epoch_forgets_the_sequences_of_the_old_one(log: PartitionLog) -> None:
    begin(log, 0)

    assert send(log, 7, begin(log, 7, epoch=1), epoch=1) == 0


def test_who_joins_starts_at_zero_where_it_is_not_known(log: PartitionLog) -> None:
    assert refused_code(log, 3, begin(log, 3, joins=True)) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_in_version_2_the_marker_of_the_last_transaction_leaves_the_next_alone(log: PartitionLog) -> None:
    """It has the epoch that the next transaction begins with, and may come after its first question."""
    send(log, 0, begin(log, 0, joins=True))
    joining = begin(log, 0, epoch=1, joins=True)
    end_transaction(log, PRODUCER, 1, commit=True, version=2)

    assert send(log, 0, joining, epoch=1) == 2


def test_in_version_2_the_marker_ends_what_belongs_to_its_transaction(log: PartitionLog) -> None:
    joining = begin(log, 0, joins=True)
    end_transaction(log, PRODUCER, 1, commit=False, version=2)

    assert refused_code(log, 0, joining) is ErrorCode.INVALID_PRODUCER_EPOCH


def test_verifications_expire_with_the_producers(log: PartitionLog) -> None:
    begin(log, 0)
    assert log.producers.expire(1_000, 500) == []
    begin(log, 0)
    log.producers.expire(1_500, 500)
    assert len(log.producers.verifications) == 1
    log.producers.expire(2_000, 500)
    assert len(log.producers.verifications) == 0


def test_a_late_batch_is_known_as_repeated_and_so_asks_for_nothing(log: PartitionLog) -> None:
    """A verification with its sequence would stand in the way of the next transaction."""
    send(log, 0, begin(log, 0))
    late = read_header(batch_of(producer=(PRODUCER, 0, 0), is_transactional=True))
    end_transaction(log, PRODUCER, 0, commit=True)

    assert log.producers.is_repeated(late)
    assert not log.producers.is_repeated(read_header(batch_of(producer=(PRODUCER, 0, 1), is_transactional=True)))


def test_the_oldest_verification_gives_way(log: PartitionLog) -> None:
    log.update_options(TopicOptions({"ottla.producers.max": "1"}), NOW_MS)
    oldest = begin(log, 0)
    log.producers.verifications.begin(PRODUCER + 1, 0, 0, joins=False)

    assert len(log.producers.verifications) == 1
    assert refused_code(log, 0, oldest) is ErrorCode.INVALID_TXN_STATE
