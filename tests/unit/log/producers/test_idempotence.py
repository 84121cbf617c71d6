"""Sequences, epochs and transactions of producers, as the log of a partition sees them."""

import contextlib

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import PartitionLog
from ottla.log.producers.older_batches import OlderSearch, TakesLong
from ottla.log.segments.segment import Segment
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from tests.support.batches import batch_of
from tests.support.log_builders import NOW_MS, append, end_transaction, flush, new_log, open_log, small_segments
from tests.support.memory_disk import MemoryDisk, SimRng, SimulatedCrash

LAST = 2**31 - 1


@pytest.fixture
def log() -> PartitionLog:
    return new_log(MemoryDisk())


def send(
    log: PartitionLog,
    sequence: int,
    count: int = 1,
    *,
    epoch: int = 0,
    producer_id: int = 5,
    transactional: bool = False,
) -> int:
    batch = batch_of(*[b"v"] * count, producer=(producer_id, epoch, sequence), is_transactional=transactional)
    return append(log, batch).base_offset


def refused_code(log: PartitionLog, sequence: int, count: int = 1, **more: int | bool) -> ErrorCode:
    before = log.state_digest()
    with pytest.raises(Refused) as caught:
        send(log, sequence, count, **more)  # type: ignore[arg-type]
    assert log.state_digest() == before
    return caught.value.code


def test_a_repeated_batch_is_answered_with_its_old_offset(log: PartitionLog) -> None:
    assert [send(log, 0, 2), send(log, 2, 3), send(log, 0, 2), send(log, 2, 3)] == [0, 2, 0, 2]
    assert log.end_offset == 5


def test_the_last_five_batches_are_remembered(log: PartitionLog) -> None:
    for sequence in range(6):
        send(log, sequence)

    assert [send(log, sequence) for sequence in range(1, 6)] == [1, 2, 3, 4, 5]
    assert refused_code(log, 0) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_another_count_is_no_repetition(log: PartitionLog) -> None:
    send(log, 0, 2)
    assert refused_code(log, 0, 3) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_a_gap_is_refused(log: PartitionLog) -> None:
    send(log, 0, 2)
    assert refused_code(log, 3) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, 2) == 2


def test_an_unknown_producer_may_start_anywhere(log: PartitionLog) -> None:
    assert send(log, 77) == 0
    assert send(log, 78) == 1


def test_sequences_wrap(log: PartitionLog) -> None:
    send(log, LAST - 1, 2)
    assert send(log, 0) == 2
    assert send(log, LAST - 1, 2) == 0


def test_a_batch_may_wrap_in_its_middle(log: PartitionLog) -> None:
    send(log, LAST, 3)
    assert send(log, 2) == 3
    assert send(log, LAST, 3) == 0


def test_a_new_epoch_starts_at_zero(log: PartitionLog) -> None:
    send(log, 0)
    assert refused_code(log, 1, epoch=1) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, 0, epoch=1) == 1
    assert send(log, 1, epoch=1) == 2


def test_an_old_epoch_is_fenced(log: PartitionLog) -> None:
    send(log, 0, epoch=3)
    assert refused_code(log, 1, epoch=2) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert refused_code(log, 0, epoch=2) == ErrorCode.INVALID_PRODUCER_EPOCH


def test_state_survives_kill_and_clean_stop() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    for sequence in range(3):
        send(log, sequence)
    again = open_log(MemoryDisk(disk.kill()))
    assert send(again, 2) == 2
    assert send(again, 3) == 3
    assert refused_code(again, 9) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_state_survives_rolls_and_retention() -> None:
    disk = MemoryDisk()
    log = new_log(disk, small_segments(**{"retention.ms": "1"}))
    for sequence in range(30):
        send(log, sequence)
    log.advance_high_watermark(30)
    log.retire_segments(now_ms=2**60)
    assert len(log.segments) == 1
    assert send(log, 29) == 29

    log.close(clean=True)
    again = open_log(MemoryDisk(disk.kill()), small_segments(), clean=True)

    assert send(again, 29) == 29
    assert send(again, 30) == 30


@pytest.mark.parametrize("recovery_point", [0, 7, 30])
def test_state_survives_rolls_and_retention_before_kill_9(recovery_point: int) -> None:
    """The recovery point in the checkpoint file is older than the first segment that is left."""
    disk = MemoryDisk()
    log = new_log(disk, small_segments(**{"retention.ms": "1"}))
    for sequence in range(30):
        send(log, sequence)
    log.advance_high_watermark(30)
    log.retire_segments(now_ms=2**60)

    again = open_log(MemoryDisk(disk.kill()), small_segments(), recovery_point=recovery_point)

    assert again.segments.first_base_offset == 30
    assert send(again, 29) == 29
    assert send(again, 30) == 30
    assert refused_code(again, 90) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_state_survives_retention_after_a_recovery() -> None:
    """Recovery reads the segments from the recovery point on; the next one may find some of them gone."""
    disk = MemoryDisk()
    log = new_log(disk, small_segments())
    for sequence in range(30):
        send(log, sequence)
    log.roll()
    for kept in (2, 1):
        disk = MemoryDisk(disk.kill())
        log = open_log(disk, small_segments(**{"retention.bytes": "0"}))
        log.advance_high_watermark(log.segments[-kept].base_offset)
        log.retire_segments(now_ms=NOW_MS)
        assert len(log.segments) == kept
    again = open_log(MemoryDisk(disk.kill()), small_segments())

    assert send(again, 29) == 29
    assert send(again, 30) == 30


@pytest.mark.parametrize("recovery_point", [0, 13])
def test_a_power_loss_at_any_step_of_retention_loses_neither_records_nor_producers(recovery_point: int) -> None:
    step = 0
    while True:
        disk = MemoryDisk()
        log = new_log(disk, small_segments(**{"retention.bytes": "300"}))
        for sequence in range(30):
            send(log, sequence)
        for sequence in range(12):
            send(log, sequence, producer_id=6)
        flush(log)
        log.advance_high_watermark(42)
        disk.faults.crash_at(disk.operation_count + step)
        with contextlib.suppress(SimulatedCrash):
            assert len(log.retire_segments(NOW_MS)) > 3
            assert 30 < log.log_start_offset < 42
        has_crashed = not disk.is_alive

        for seed in range(8):
            image = disk.image.copy().after_power_loss(SimRng(seed), nasty=True)
            again = open_log(MemoryDisk(image), small_segments(), recovery_point=recovery_point)
            assert again.end_offset == 42
            assert send(again, 29) == 29
            assert send(again, 11, producer_id=6) == 41
        if not has_crashed:
            break
        step += 1
    assert step > 5


def test_producers_expire_by_idle_time_only(log: PartitionLog) -> None:
    send(log, 0)
    send(log, 0, producer_id=6, transactional=True)

    assert log.producers.expire(1000, 500) == []
    assert log.producers.expire(1400, 500) == []
    send(log, 1)
    assert log.producers.expire(1600, 500) == []
    assert log.producers.expire(2100, 500) == [5]
    assert list(log.producers.entries) == [6]
    assert send(log, 50) == 3


# transactions


def test_an_open_transaction_holds_the_last_stable_offset(log: PartitionLog) -> None:
    append(log)
    send(log, 0, transactional=True)
    append(log)
    log.advance_high_watermark(3)
    assert log.last_stable_offset == 1

    end_transaction(log, 5, 0, commit=True)
    assert log.last_stable_offset == 1  # the marker is not replicated yet
    log.advance_high_watermark(4)

    assert log.last_stable_offset == 4
    assert log.aborted_transactions(0, 4) == []


def test_aborted_transactions_are_listed_by_first_offset(log: PartitionLog) -> None:
    send(log, 0, producer_id=1, transactional=True)
    send(log, 0, producer_id=2, transactional=True)
    send(log, 0, producer_id=3, transactional=True)
    end_transaction(log, 2, 0, commit=False)
    end_transaction(log, 3, 0, commit=True)
    end_transaction(log, 1, 0, commit=False)
    log.advance_high_watermark(6)

    assert log.last_stable_offset == 6
    assert log.aborted_transactions(0, 6) == [(1, 0), (2, 1)]
    assert log.aborted_transactions(0, 1) == [(1, 0)]
    assert log.aborted_transactions(4, 6) == [(1, 0)]


def test_the_marker_may_be_in_a_later_segment() -> None:
    disk = MemoryDisk()
    log = new_log(disk, small_segments())
    send(log, 0, transactional=True)
    for _ in range(20):
        append(log)
    end_transaction(log, 5, 0, commit=False)
    for _ in range(20):
        append(log)

    assert log.aborted_transactions(0, 2) == [(5, 0)]
    flush(log)
    again = open_log(MemoryDisk(disk.kill()), small_segments(), recovery_point=log.recovery_point)
    assert again.aborted_transactions(0, 2) == [(5, 0)]


def test_data_outside_the_open_transaction_is_refused(log: PartitionLog) -> None:
    send(log, 0, transactional=True)
    assert refused_code(log, 1) == ErrorCode.INVALID_TXN_STATE


def test_markers_of_old_epochs_and_old_coordinators_are_fenced(log: PartitionLog) -> None:
    send(log, 0, epoch=2, transactional=True)
    with pytest.raises(Refused, match="INVALID_PRODUCER_EPOCH"):
        end_transaction(log, 5, 1, commit=True)
    end_transaction(log, 5, 2, commit=True, coordinator_epoch=4)
    with pytest.raises(Refused, match="TRANSACTION_COORDINATOR_FENCED"):
        end_transaction(log, 5, 2, commit=True, coordinator_epoch=3)


def test_a_marker_with_a_new_epoch_fences_the_old_one(log: PartitionLog) -> None:
    send(log, 0, transactional=True)
    end_transaction(log, 5, 1, commit=False)

    assert refused_code(log, 1, transactional=True) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert refused_code(log, 1, epoch=1, transactional=True) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, 0, epoch=1, transactional=True) == 2


def test_from_version_two_on_a_marker_needs_a_higher_epoch(log: PartitionLog) -> None:
    send(log, 0, transactional=True)
    with pytest.raises(Refused, match="INVALID_PRODUCER_EPOCH"):
        end_transaction(log, 5, 0, commit=True, version=2)
    end_transaction(log, 5, 1, commit=True, version=2)
    end_transaction(log, 5, 1, commit=True, version=2)  # the coordinator did not hear the answer
    send(log, 0, epoch=1, transactional=True)
    with pytest.raises(Refused, match="INVALID_PRODUCER_EPOCH"):
        end_transaction(log, 5, 1, commit=False, version=2)


def test_a_marker_without_data_changes_no_offset(log: PartitionLog) -> None:
    end_transaction(log, 5, 0, commit=False)
    log.advance_high_watermark(1)
    assert log.last_stable_offset == 1
    assert log.aborted_transactions(0, 1) == []


def test_an_open_transaction_survives_a_restart() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    append(log)
    send(log, 0, transactional=True)
    log.close(clean=True)

    again = open_log(MemoryDisk(disk.kill()), clean=True, high_watermark=2)

    assert again.last_stable_offset == 1
    assert again.producers.has_open_transaction(5, 0)
    end_transaction(again, 5, 0, commit=False)
    assert again.aborted_transactions(0, 3) == [(5, 1)]


def test_all_five_batches_in_flight_are_known_after_a_clean_restart() -> None:
    disk = MemoryDisk()
    log = new_log(disk, small_segments())
    for sequence in range(9):
        send(log, sequence)
        send(log, sequence, producer_id=6)
    log.close(clean=True)
    assert len(log.segments) > 2

    again = open_log(MemoryDisk(disk.kill()), small_segments(), clean=True)

    assert [send(again, sequence) for sequence in range(4, 9)] == [8, 10, 12, 14, 16]
    assert refused_code(again, 3) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert [send(again, 9), send(again, 8), send(again, 9)] == [18, 16, 18]


def test_batches_before_and_after_a_restart_are_remembered_together() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    for sequence in range(0, 20, 2):
        send(log, sequence, 2)
    log.close(clean=True)

    again = open_log(MemoryDisk(disk.kill()), clean=True)
    send(again, 20, 3)

    assert send(again, 18, 2) == 18
    assert [send(again, sequence, 2) for sequence in (12, 14, 16)] == [12, 14, 16]
    assert refused_code(again, 10, 2) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_batches_of_an_earlier_epoch_are_not_taken_for_those_of_the_present_one() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    for sequence in range(3):
        send(log, sequence)
    send(log, 0, epoch=1)
    log.close(clean=True)

    again = open_log(MemoryDisk(disk.kill()), clean=True)

    assert refused_code(again, 2, epoch=1) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(again, 0, epoch=1) == 3


def test_sequences_that_begin_anew_are_looked_up_as_well() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    assert [send(log, LAST - 1), send(log, LAST), send(log, 0), send(log, 1)] == [0, 1, 2, 3]
    log.close(clean=True)

    again = open_log(MemoryDisk(disk.kill()), clean=True)

    assert [send(again, LAST - 1), send(again, LAST), send(again, 0)] == [0, 1, 2]


def test_the_log_is_searched_once_for_a_producer_that_is_out_of_order() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    for sequence in range(4):
        send(log, sequence)
    log.close(clean=True)
    disk = MemoryDisk(disk.kill())
    again = open_log(disk, clean=True)
    refused_code(again, 9)

    disk.faults.fail_next("read", 5, ".log")

    assert refused_code(again, 9) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(again, 1) == 1


def log_with_a_batch_far_back(megabytes: int, options: TopicOptions | None = None) -> PartitionLog:
    """Between two batches of the producer there is so much of others; then the broker was stopped and started."""
    disk = MemoryDisk()
    log = new_log(disk, options)
    send(log, 0)
    for _ in range(10 * megabytes):
        append(log, batch_of(b"x" * 100_000))
    send(log, 1)
    log.close(clean=True)
    return open_log(MemoryDisk(disk.kill()), options, clean=True)


def search_of(log: PartitionLog, sequence: int) -> OlderSearch:
    with pytest.raises(TakesLong) as caught:
        send(log, sequence)
    assert caught.value.search is not None
    return caught.value.search


def test_what_lies_far_back_is_not_searched_for() -> None:
    log = log_with_a_batch_far_back(12)

    search = search_of(log, 0)
    assert search.run() == []
    log.producers.learn(search)

    assert refused_code(log, 0) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, 1) == 121


@pytest.mark.parametrize("options", [None, TopicOptions({"index.interval.bytes": "2000000000"})])
def test_what_lies_further_back_is_found_in_steps(options: TopicOptions | None) -> None:
    """An event loop waits for each of them."""
    log = log_with_a_batch_far_back(4, options)

    search = search_of(log, 0)
    steps = 1
    while not search.step():
        steps += 1
    log.producers.learn(search)

    assert steps >= 39
    assert [send(log, 0), send(log, 1), send(log, 2)] == [0, 41, 42]


def test_a_log_without_index_entries_is_not_read_further_than_any_other() -> None:
    log = log_with_a_batch_far_back(12, TopicOptions({"index.interval.bytes": "2000000000"}))

    assert refused_code(log, 0) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_a_producer_that_goes_on_during_the_search_is_known_as_a_whole() -> None:
    log = log_with_a_batch_far_back(2)
    search = search_of(log, 0)

    assert send(log, 2) == 22
    search.run()
    log.producers.learn(search)

    assert [send(log, sequence) for sequence in range(3)] == [0, 21, 22]
    assert refused_code(log, 9) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_a_search_goes_on_when_its_segments_are_replaced() -> None:
    log = log_with_a_batch_far_back(2, TopicOptions({"internal.segment.bytes": "800000"}))
    search = search_of(log, 0)
    search.step()

    for segment in log.segments.closed():
        # As after compaction: the same batches in other files.
        twin = Segment(segment.directory, segment.base_offset, segment.size, segment.builder.interval_bytes)
        segment.release()
        log.segments.replace([segment.base_offset], [twin])
    search.run()
    log.producers.learn(search)

    assert send(log, 0) == 0


def test_a_search_says_nothing_of_a_log_that_was_cut() -> None:
    log = log_with_a_batch_far_back(2)
    search = search_of(log, 0)

    log.truncate_to(15)
    search.run()
    log.producers.learn(search)

    assert [send(log, 0), send(log, 1)] == [0, 15]


def test_a_search_says_nothing_of_a_producer_with_a_new_epoch() -> None:
    log = log_with_a_batch_far_back(2)
    search = search_of(log, 0)

    assert send(log, 0, epoch=1) == 22
    search.run()
    log.producers.learn(search)

    assert refused_code(log, 0) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert send(log, 0, epoch=1) == 22


def test_a_partition_remembers_so_many_producers_and_those_go_on() -> None:
    log = new_log(MemoryDisk(), TopicOptions({"ottla.producers.max": "2"}))
    send(log, 0, producer_id=1)
    send(log, 0, producer_id=2)

    with pytest.raises(Refused, match=r"ottla\.producers\.max") as refusal:
        send(log, 0, producer_id=3)

    assert refusal.value.code == ErrorCode.POLICY_VIOLATION
    assert send(log, 1, producer_id=1) == 2
    append(log, batch_of(b"without an id"))
    log.producers.expire(0, 1000)
    log.producers.expire(1001, 1000)
    assert send(log, 0, producer_id=3) == 4
