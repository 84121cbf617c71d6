"""Rolling, retention, flushing."""

import errno

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.files.disk_errors import NoRoom
from ottla.log.partition.flush import INDEX_ENTRIES_MIN
from ottla.log.partition_log import PartitionLog
from ottla.model.errors import Refused
from ottla.records.batch import patch_offset_and_epoch
from ottla.sim.rng import SimRng
from tests.support.batches import batch_of
from tests.support.log_builders import (
    DIRECTORY,
    NOW_MS,
    append,
    content,
    end_transaction,
    filled_log,
    flush,
    new_log,
    open_log,
    small_segments,
)
from tests.support.memory_disk import MemoryDisk

FAR_FUTURE_MS = 2**62


def bases(log: PartitionLog) -> list[int]:
    return [segment.base_offset for segment in log.segments]


# rolling


def test_a_segment_is_full_by_size() -> None:
    log = filled_log()
    assert all(segment.size <= 600 for segment in log.segments)
    assert all(segment.size > 600 - len(batch_of(b"00")) for segment in log.segments.closed())


def test_a_segment_is_full_by_the_age_of_its_first_record() -> None:
    log = new_log(MemoryDisk(), TopicOptions({"segment.ms": "1000"}))
    append(log, batch_of(at_ms=NOW_MS))
    append(log, batch_of(at_ms=NOW_MS + 1000), now_ms=NOW_MS + 1000)
    assert bases(log) == [0]
    append(log, batch_of(at_ms=NOW_MS + 1001), now_ms=NOW_MS + 1001)
    assert bases(log) == [0, 2]


def test_jitter_makes_segments_roll_earlier() -> None:
    options = TopicOptions({"segment.ms": "1000", "segment.jitter.ms": "400"})
    log = new_log(MemoryDisk(), options, jitter_below=lambda limit: limit - 1)
    append(log, batch_of(at_ms=NOW_MS))
    append(log, batch_of(at_ms=NOW_MS + 601), now_ms=NOW_MS + 601)
    assert bases(log) == [0, 1]


def test_records_from_the_future_do_not_make_each_batch_a_segment() -> None:
    options = TopicOptions({"segment.ms": "1000", "message.timestamp.after.max.ms": str(2**63 - 1)})
    log = new_log(MemoryDisk(), options)
    for i in range(6):
        append(log, batch_of(at_ms=FAR_FUTURE_MS if i % 2 else NOW_MS))
    assert bases(log) == [0]
    append(log, batch_of(at_ms=NOW_MS + 1001), now_ms=NOW_MS + 1001)
    assert bases(log) == [0, 6]


def test_a_first_record_from_the_future_does_not_stop_rolling() -> None:
    options = TopicOptions({"segment.ms": "1000", "message.timestamp.after.max.ms": str(2**63 - 1)})
    log = new_log(MemoryDisk(), options)
    append(log, batch_of(at_ms=FAR_FUTURE_MS))
    append(log, batch_of(at_ms=NOW_MS + 1001), now_ms=NOW_MS + 1001)
    assert bases(log) == [0, 1]


def test_a_full_index_fills_the_segment() -> None:
    log = new_log(MemoryDisk(), TopicOptions({"index.interval.bytes": "1", "segment.index.bytes": "36"}))
    for _ in range(9):
        append(log)
    assert bases(log) == [0, 4, 8]
    log.check_invariants()


def test_a_follower_rolls_when_offsets_do_not_fit_into_an_index() -> None:
    leader = new_log(MemoryDisk(), log_start_offset=2**31 + 5)
    append(leader)
    follower = filled_log(count=1)
    follower.append_as_follower(content(leader), now_ms=NOW_MS)
    assert bases(follower) == [0, 1]
    assert follower.end_offset == 2**31 + 6


def test_a_quiet_segment_rolls_when_asked() -> None:
    log = new_log(MemoryDisk(), TopicOptions({"segment.ms": "1000"}))
    assert not log.roll_if_due(FAR_FUTURE_MS)
    append(log)
    assert not log.roll_if_due(NOW_MS + 1000)
    assert log.roll_if_due(NOW_MS + 1001)
    assert bases(log) == [0, 1]


@pytest.mark.parametrize("follows", [False, True])
def test_the_segment_after_a_full_one_rolls_by_age_too(follows: bool) -> None:
    log = new_log(MemoryDisk(), small_segments(**{"segment.ms": "1000"}))

    def write(at_ms: int) -> None:
        batch = batch_of(b"value", at_ms=at_ms)
        if follows:
            patch_offset_and_epoch(batch, 0, log.end_offset, 0)
            log.append_as_follower(batch, now_ms=at_ms)
        else:
            append(log, batch, now_ms=at_ms)

    while len(log.segments) == 1:
        write(NOW_MS)
    write(NOW_MS + 1001)
    assert len(log.segments) == 3
    assert log.roll_if_due(NOW_MS + 5000)


def test_a_failed_roll_leaves_the_log_as_it_was() -> None:
    disk = MemoryDisk()
    log = filled_log(disk, count=6)
    digest, before = log.state_digest(), content(log)
    size = log.segments.active.size
    for kind, part in (("write", ".timeindex"), ("create", ".index"), ("write", ".snapshot"), ("create", ".log")):
        disk.faults.fail_next(kind, errno.ENOSPC, part)
        with pytest.raises(OSError, match="No space"):
            append(log, batch_of(b"x" * (560 - size), producer=(1, 0, 6)))
        assert (log.state_digest(), content(log)) == (digest, before)
        disk.faults.heal()
    append(log, batch_of(b"small"), epoch=1)
    append(log, batch_of(b"x" * 400), epoch=1)

    log.check_invariants()
    expected = content(log)
    again = open_log(MemoryDisk(disk.kill()), small_segments())
    assert content(again) == expected


# retention


def test_old_segments_go_and_the_rest_stays() -> None:
    log = filled_log(retention_ms="1000")
    second = bases(log)[1]
    newest_of_first = NOW_MS + second - 1

    assert log.retire_segments(newest_of_first + 1000) == []
    paths = log.retire_segments(newest_of_first + 1001)

    assert paths == [f"{DIRECTORY}/{0:020d}{suffix}.deleted" for suffix in (".log", ".index", ".timeindex")]
    assert log.log_start_offset == log.segments.first_base_offset == second
    assert log.epochs.items()[0] == (second // 5, second)
    log.check_invariants()


def test_the_active_segment_goes_too_when_all_is_old() -> None:
    log = filled_log(retention_ms="1000")
    log.retire_segments(NOW_MS + 10_000_000)
    assert (log.log_start_offset, log.end_offset, bases(log)) == (20, 20, [20])
    append(log, batch_of(producer=(1, 0, 20)), epoch=9)
    assert log.end_offset == 21


def test_retention_waits_for_the_high_watermark() -> None:
    log = new_log(MemoryDisk(), small_segments(**{"retention.ms": "1"}))
    for _ in range(20):
        append(log)
    log.advance_high_watermark(9)
    log.retire_segments(FAR_FUTURE_MS)
    assert log.log_start_offset == log.segments.first_base_offset <= 9


def test_the_oldest_bytes_above_the_limit_go() -> None:
    log = filled_log(retention_bytes="500")
    before = log.size_bytes
    log.retire_segments(NOW_MS + 100)
    assert 500 <= log.size_bytes < 500 + 600
    assert before > log.size_bytes


def test_a_record_from_the_future_does_not_keep_its_segment_for_ever() -> None:
    clock = [NOW_MS]
    disk = MemoryDisk(now_ms=lambda: clock[0])
    options = small_segments(**{"retention.ms": "1000", "message.timestamp.after.max.ms": str(2**63 - 1)})
    log = new_log(disk, options)
    append(log, batch_of(at_ms=2**63 - 1))
    for _ in range(10):
        append(log)
    log.advance_high_watermark(11)

    assert log.retire_segments(NOW_MS + 900) == []
    assert log.retire_segments(NOW_MS + 1001) != []
    assert log.log_start_offset > 0


def test_compacted_topics_lose_only_what_is_below_the_start() -> None:
    log = filled_log(cleanup_policy="compact", retention_ms="1")
    assert log.retire_segments(FAR_FUTURE_MS) == []
    log.advance_log_start_offset(bases(log)[1] + 1)
    assert log.retire_segments(FAR_FUTURE_MS) != []
    assert log.segments.first_base_offset < log.log_start_offset


def test_records_are_deleted_up_to_the_high_watermark_only() -> None:
    log = filled_log()
    with pytest.raises(Refused, match="OFFSET_OUT_OF_RANGE"):
        log.advance_log_start_offset(21)
    assert log.advance_log_start_offset(20)
    assert not log.advance_log_start_offset(5)
    assert log.epochs.items() == [(3, 20)]
    assert log.last_stable_offset == 20


def test_snapshots_go_with_their_segments() -> None:
    log = filled_log(retention_ms="1")
    log.retire_segments(FAR_FUTURE_MS)
    assert len(log.snapshots.offsets) <= 3


# flushing


def test_the_recovery_point_moves_when_the_flush_is_done() -> None:
    log = filled_log()
    job = log.flush_job()
    assert job is not None
    append(log, epoch=3)
    job.run()
    assert log.recovery_point == 0

    log.flush_done(job)

    assert (log.recovery_point, log.end_offset - log.recovery_point) == (20, 1)
    flush(log)
    assert log.flush_job() is None


def test_a_log_that_is_flushed_with_each_append_writes_its_indexes_now_and_then() -> None:
    disk = MemoryDisk()
    log = new_log(disk, TopicOptions({"flush.messages": "1", "index.interval.bytes": "0"}))
    written = []
    for _ in range(2 * INDEX_ENTRIES_MIN + 3):
        append(log)
        flush(log)
        written.append(log.segments.active.indexes.offsets.written_count)

    assert sorted(set(written)) == [0, INDEX_ENTRIES_MIN, 2 * INDEX_ENTRIES_MIN]


def test_index_entries_that_a_crash_takes_are_found_again() -> None:
    disk = MemoryDisk()
    options = TopicOptions({"flush.messages": "1", "index.interval.bytes": "0"})
    log = new_log(disk, options)
    for _ in range(INDEX_ENTRIES_MIN + 3):
        append(log)
        flush(log)

    found = open_log(disk, options, recovery_point=log.recovery_point)

    assert found.end_offset == log.end_offset
    assert len(found.segments.active.indexes.offsets) == len(log.segments.active.indexes.offsets)
    found.check_invariants()


@pytest.mark.parametrize("rolls", [False, True])
def test_an_abort_during_a_flush_survives_power_loss_after_the_next_one(rolls: bool) -> None:
    """Its index is made, or grows, while the flush is under way: neither name nor entry may be taken for synced."""
    for seed in range(20):
        for aborted_before in (0, 1):
            disk = MemoryDisk()
            log = new_log(disk)
            for producer_id in range(aborted_before):
                append(log, batch_of(producer=(producer_id, 0, 0), is_transactional=True))
                end_transaction(log, producer_id, 0, commit=False)
            append(log, batch_of(producer=(4, 0, 0), is_transactional=True))
            job = log.flush_job()
            assert job is not None
            end_transaction(log, 4, 0, commit=False)
            job.run()
            if rolls:
                log.roll()
            log.flush_done(job)
            append(log)
            flush(log)

            image = disk.power_loss(SimRng(seed), nasty=True)
            again = open_log(MemoryDisk(image), recovery_point=log.recovery_point)

            assert again.aborted_transactions(0, 9) == log.aborted_transactions(0, 9)


def test_after_a_failed_fsync_nothing_is_taken_any_more() -> None:
    disk = MemoryDisk()
    log = filled_log(disk)
    job = log.flush_job()
    assert job is not None
    disk.faults.fail_next("sync", errno.EIO)
    with pytest.raises(OSError, match="Input/output") as caught:
        job.run()

    log.flush_failed(job, caught.value)

    assert log.failure is caught.value
    assert log.recovery_point == 0
    assert log.flush_job() is None
    with pytest.raises(Refused, match="KAFKA_STORAGE_ERROR"):
        append(log)


@pytest.mark.parametrize("kind", ["write", "create"])
def test_a_flush_without_room_for_the_epochs_is_tried_again(kind: str) -> None:
    disk = MemoryDisk()
    log = filled_log(disk)
    job = log.flush_job()
    assert job is not None
    disk.faults.fail_next(kind, errno.ENOSPC, "leader-epoch-checkpoint")
    with pytest.raises(NoRoom):
        job.run()

    log.flush_postponed(job)

    assert log.failure is None
    assert log.recovery_point == 0
    append(log, epoch=3)
    flush(log)
    assert log.recovery_point == 21
    stored = disk.open(f"{DIRECTORY}/leader-epoch-checkpoint")
    assert stored.read_at(0, stored.size()) == log.epochs.encoded()


def test_an_fsync_that_finds_no_room_has_failed() -> None:
    disk = MemoryDisk()
    job = filled_log(disk).flush_job()
    assert job is not None
    disk.faults.fail_next("sync", errno.ENOSPC, "leader-epoch-checkpoint")

    with pytest.raises(OSError, match="No space") as caught:
        job.run()

    assert not isinstance(caught.value, NoRoom)


def test_flush_messages_says_when_an_answer_must_wait() -> None:
    log = new_log(MemoryDisk(), TopicOptions({"flush.messages": "2"}))
    append(log)
    assert not log.needs_flush_before_ack()
    append(log)
    assert log.needs_flush_before_ack()
    flush(log)
    assert not log.needs_flush_before_ack()


def test_flush_ms_counts_from_the_first_look_at_unflushed_records() -> None:
    log = new_log(MemoryDisk(), TopicOptions({"flush.ms": "100"}))
    assert not log.flush_due(0)
    append(log)
    assert not log.flush_due(50)
    assert not log.flush_due(149)
    assert log.flush_due(150)
    flush(log)
    assert not log.flush_due(1000)


# steps that end early


def test_files_that_retention_took_away_before_it_failed_are_reported_by_the_next_round() -> None:
    disk = MemoryDisk()
    log = filled_log(disk)
    flush(log)
    log.advance_log_start_offset(log.segments.active.base_offset)
    disk.faults.fail_next("sync_directory", errno.EMFILE, after=1)

    with pytest.raises(OSError, match="Too many open files"):
        log.retire_segments(NOW_MS)
    reported = log.retire_segments(NOW_MS)

    left = [f"{DIRECTORY}/{name}" for name in disk.list(DIRECTORY) if name.endswith(".deleted")]
    assert sorted(reported) == sorted(left)
    assert log.retire_segments(NOW_MS) == []
