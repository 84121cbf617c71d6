"""Compaction step by step: what goes, what stays, when, and what a crash leaves."""

import contextlib
import pickle

import pytest

from ottla.log.cleaning_plan import SegmentToClean, grouped, measure
from ottla.log.cleaning_transactions import CleaningTransactions
from ottla.log.offset_map import OffsetMap
from ottla.log.segment_cleaning import clean_segments
from ottla.log.transaction_index import AbortedTransaction
from ottla.model.errors import CorruptLog
from ottla.records.batch import read_header
from ottla.records.builder import Record, build_batch
from ottla.records.control import EndTransactionMarker, build_marker_batch
from ottla.records.reader import iterate_batches
from tests.support.compacted_log import DIRECTORY, RETENTION_MS, TOPIC, CompactedLog
from tests.support.log_view import committed_view, headers_of, uncommitted_view
from tests.support.memory_disk import MemoryDisk, SimRng, SimulatedCrash


def values(compacted: CompactedLog) -> list[tuple[int, bytes | None, bytes | None]]:
    return [(record.offset, record.key, record.value) for record in uncommitted_view(compacted.log)]


def batch_attributes(compacted: CompactedLog) -> dict[int, tuple[bool, int]]:
    """Base offset -> has a delete horizon, base timestamp."""
    found = {}
    for segment in compacted.log.segments:
        for _, header in iterate_batches(segment.file().read_at(0, segment.size)):
            found[header.base_offset] = (header.has_delete_horizon, header.base_timestamp)
    return found


def test_the_last_value_of_each_key_stays_with_its_offset() -> None:
    compacted = CompactedLog()
    for value in ("1", "2", "3"):
        compacted.write(("a", value), ("b", value))
    compacted.write(("c", "only"))

    compacted.clean_all()

    assert values(compacted) == [(4, b"a", b"3"), (5, b"b", b"3"), (6, b"c", b"only")]
    assert compacted.log.end_offset == 7


def test_a_batch_that_loses_some_records_keeps_its_last_offset_and_codec() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", "1"), ("a", "2"), codec=4)
    compacted.write(("a", "3"))

    compacted.clean_all()

    assert headers_of(compacted.log)[0] == (0, 2, 1)
    data = compacted.log.read_bytes(0, 1000)
    assert read_header(data).codec == 4


def test_the_active_segment_is_never_touched() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.write(("a", "2"))

    assert compacted.clean() is None

    compacted.log.roll()
    compacted.write(("a", "3"))
    assert compacted.clean() == 2
    assert values(compacted) == [(1, b"a", b"2"), (2, b"a", b"3")]


def test_nothing_at_or_above_the_high_watermark_is_touched() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.log.roll()
    compacted.write(("a", "2"))
    compacted.log.roll()
    compacted.log.high_watermark = 1

    assert compacted.clean() == 1
    compacted.log.advance_high_watermark(2)
    assert values(compacted) == [(0, b"a", b"1"), (1, b"a", b"2")]


def test_nothing_of_an_open_transaction_or_after_it_is_touched() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.write(("a", "2"))
    compacted.log.roll()
    compacted.write(("a", "open"), producer_id=1, transactional=True)
    compacted.write(("b", "1"))
    compacted.log.roll()
    compacted.write(("b", "2"))
    compacted.log.roll()

    assert compacted.clean() == 2
    compacted.end_transaction(1, commit=True)
    assert compacted.clean() == 5


def test_a_tombstone_stays_until_its_horizon_and_then_goes() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.write(("a", None))
    compacted.write(("b", "1"))
    now_ms = compacted.clock.now_ms()

    compacted.clean_all()
    assert values(compacted) == [(1, b"a", None), (2, b"b", b"1")]
    assert batch_attributes(compacted)[1] == (True, now_ms + RETENTION_MS)

    compacted.clock.wall_ms += RETENTION_MS - 1
    compacted.clean_all()
    assert values(compacted) == [(1, b"a", None), (2, b"b", b"1")]
    assert batch_attributes(compacted)[1] == (True, now_ms + RETENTION_MS)

    compacted.clock.wall_ms += 1
    compacted.clean_all()
    assert values(compacted) == [(2, b"b", b"1")]


def test_a_horizon_leaves_the_timestamps_of_records_alone() -> None:
    compacted = CompactedLog()
    compacted.write(("a", None), ("b", "1"))
    before = uncommitted_view(compacted.log)

    compacted.clean_all()

    assert uncommitted_view(compacted.log) == before


def test_a_commit_marker_goes_only_after_its_data_and_the_horizon() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"), producer_id=1, transactional=True)
    compacted.end_transaction(1, commit=True)
    compacted.write(("a", "2"))
    compacted.write(("x", "end"), producer_id=1)

    compacted.clean_all()
    assert [base for base, _, _ in headers_of(compacted.log)] == [1, 2, 3]
    compacted.clean_all()
    assert batch_attributes(compacted)[1][0]
    compacted.clock.wall_ms += RETENTION_MS
    compacted.clean_all()
    assert [base for base, _, _ in headers_of(compacted.log)] == [2, 3]


def test_aborted_data_go_at_once_and_do_not_hide_older_values() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "good"))
    compacted.write(("a", "aborted"), producer_id=1, transactional=True)
    compacted.end_transaction(1, commit=False)
    compacted.write(("b", "1"), producer_id=1)

    compacted.clean_all()

    assert values(compacted) == [(0, b"a", b"good"), (3, b"b", b"1")]
    assert compacted.log.aborted_transactions(0, 4) == [(1, 1)]
    compacted.clean_all()
    # Now a reader meets no data of that transaction: an entry would make it skip what the producer wrote later.
    assert compacted.log.aborted_transactions(0, 4) == []
    assert [record.offset for record in committed_view(compacted.log)] == [0, 3]


def test_an_abort_marker_in_the_active_segment_counts() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "good"))
    compacted.write(("a", "aborted"), producer_id=1, transactional=True)
    compacted.log.roll()
    compacted.end_transaction(1, commit=False)

    compacted.clean()

    assert values(compacted) == [(0, b"a", b"good")]
    assert compacted.log.aborted_transactions(0, 3) == [(1, 1)]


def test_a_producers_last_sequence_survives_as_an_empty_batch() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("a", "2"), producer_id=7)
    compacted.write(("a", "3"))

    compacted.clean_all()

    assert headers_of(compacted.log)[0] == (0, 1, 0)
    for name in compacted.disk.list(DIRECTORY):
        if name.endswith(".snapshot"):
            compacted.disk.remove(f"{DIRECTORY}/{name}")
    compacted.log = compacted.open(clean=False)
    compacted.write(("b", "goes on"), producer_id=7)


def test_records_without_a_key_go() -> None:
    compacted = CompactedLog()
    compacted.write((None, "no key"), ("a", "1"))
    compacted.log.roll()

    plan = compacted.cleaner.choose([compacted.log], 0)
    assert plan is not None
    result = clean_segments(compacted.disk, plan)
    compacted.cleaner.finish(plan, result, compacted.log)

    assert values(compacted) == [(1, b"a", b"1")]
    assert (result.records_read, result.records_kept, result.records_without_key) == (2, 1, 1)


def test_small_segments_become_one() -> None:
    compacted = CompactedLog()
    for index in range(20):
        compacted.write((f"k{index % 5}", "v" * 100))
        compacted.log.roll()
    assert len(compacted.log.segments) == 21

    compacted.clean()

    assert [segment.base_offset for segment in compacted.log.segments] == [0, 20]
    assert [record.offset for record in uncommitted_view(compacted.log)] == [15, 16, 17, 18, 19]
    deleted = [name for name in compacted.disk.list(DIRECTORY) if name.endswith(".log.deleted")]
    assert len(deleted) == 20


def test_groups_hold_what_fits_into_a_segment() -> None:
    segments = [
        SegmentToClean(base, base + 10, size) for base, size in ((0, 40), (10, 50), (20, 30), (30, 200), (40, 1))
    ]

    assert [[segment.base_offset for segment in group] for group in grouped(segments, 100)] == [
        [0, 10],
        [20],
        [30],
        [40],
    ]


def test_a_group_never_spans_more_offsets_than_an_index_can_tell() -> None:
    segments = [SegmentToClean(0, 2**31, 1), SegmentToClean(2**31, 2**31 + 5, 1)]

    assert len(grouped(segments, 100)) == 2


def test_the_dirtiest_log_is_first_and_the_ratio_decides() -> None:
    clean, dirty = CompactedLog(), CompactedLog()
    for compacted in (clean, dirty):
        compacted.write(("a", "v" * 1000))
        compacted.log.roll()
        compacted.clean()
    clean.write(("b", "v"))
    dirty.write(("b", "v" * 1000))
    for compacted in (clean, dirty):
        compacted.log.roll()

    dirty.log.topic_partition = TOPIC._replace(partition=1)
    clean.cleaned_to[dirty.log.topic_partition] = 1
    plan = clean.cleaner.choose([clean.log, dirty.log], 0)

    assert plan is not None
    assert plan.topic_partition.partition == 1
    clean.log.options = clean.options.with_changes({"min.cleanable.dirty.ratio": "0.5"})
    assert clean.cleaner.choose([clean.log], 0) is None


def test_a_log_is_cleaned_by_one_at_a_time() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.log.roll()

    plan = compacted.cleaner.choose([compacted.log], 0)
    assert plan is not None
    assert compacted.cleaner.choose([compacted.log], 0) is None
    compacted.cleaner.failed(plan, OSError("no room"))
    assert compacted.cleaner.choose([compacted.log], 0) is not None


def test_logs_that_only_delete_are_not_compacted() -> None:
    compacted = CompactedLog(**{"cleanup.policy": "delete"})
    compacted.write(("a", "1"))
    compacted.log.roll()

    assert compacted.clean() is None


def test_compact_and_delete_go_together() -> None:
    compacted = CompactedLog(**{"cleanup.policy": "compact,delete", "retention.ms": "5000"})
    compacted.write(("a", "1"))
    compacted.write(("a", "2"))
    compacted.log.roll()
    compacted.write(("b", "1"))
    compacted.clean()
    assert values(compacted) == [(1, b"a", b"2"), (2, b"b", b"1")]

    compacted.log.retire_segments(compacted.clock.now_ms() + 5001)

    assert compacted.log.log_start_offset == 3


def test_young_records_wait_for_min_compaction_lag() -> None:
    compacted = CompactedLog(**{"min.compaction.lag.ms": "100"})
    compacted.write(("a", "1"))
    compacted.write(("a", "2"))
    compacted.log.roll()

    assert compacted.clean() is None
    compacted.clock.wall_ms += 100
    assert compacted.clean() == 2


def test_max_compaction_lag_overrides_the_ratio() -> None:
    compacted = CompactedLog(**{"max.compaction.lag.ms": "5000", "min.cleanable.dirty.ratio": "1"})
    compacted.write(("a", "1"))
    compacted.log.roll()

    assert not measure(compacted.log, None, compacted.clock.now_ms() + 5000).is_overdue
    assert compacted.clean() is None
    compacted.clock.wall_ms += 5001
    assert compacted.clean() == 1


def test_a_checkpoint_outside_the_log_counts_for_nothing() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.log.roll()

    assert measure(compacted.log, 99, 0).first_dirty_offset == 0


def test_a_corrupt_log_is_left_alone_and_named() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.write(("a", "2"))
    compacted.log.roll()
    compacted.disk.image.flip_bit(f"{DIRECTORY}/00000000000000000000.log", 74 + 70)

    plan = compacted.cleaner.choose([compacted.log], 0)
    assert plan is not None
    with pytest.raises(CorruptLog) as raised:
        clean_segments(compacted.disk, plan)
    compacted.cleaner.failed(plan, raised.value)

    assert compacted.cleaner.choose([compacted.log], 0) is None
    assert "checksum" in compacted.cleaner.uncleanable[TOPIC]
    assert not [name for name in compacted.disk.list(DIRECTORY) if name.endswith(".cleaned")]


def test_a_topic_made_again_is_not_blamed_for_the_old_one() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.log.roll()
    plan = compacted.cleaner.choose([compacted.log], 0)
    assert plan is not None
    compacted.cleaner.failed(plan, CorruptLog("x", 0, "broken"))
    assert compacted.cleaner.choose([compacted.log], 0) is None

    compacted.log.topic_id = b"another topic id"

    assert compacted.cleaner.choose([compacted.log], 0) is not None
    assert compacted.cleaner.uncleanable == {}


def test_a_plan_and_its_result_travel_between_processes() -> None:
    compacted = CompactedLog()
    compacted.write(("a", "1"), producer_id=1, transactional=True)
    compacted.end_transaction(1, commit=False)
    compacted.log.roll()
    plan = compacted.cleaner.choose([compacted.log], 0)
    assert plan is not None

    assert pickle.loads(pickle.dumps(plan)) == plan
    result = clean_segments(compacted.disk, pickle.loads(pickle.dumps(plan)))
    assert pickle.loads(pickle.dumps(result)) == result


@pytest.mark.parametrize("change", ["deleted", "truncated", "retired", "moved"])
def test_a_result_that_came_too_late_is_thrown_away(change: str) -> None:
    compacted = CompactedLog(**{"cleanup.policy": "compact,delete", "retention.ms": "5000"})
    compacted.write(("a", "1"))
    compacted.log.roll()
    compacted.write(("a", "2"))
    compacted.log.roll()
    plan = compacted.cleaner.choose([compacted.log], 0)
    assert plan is not None
    result = clean_segments(compacted.disk, plan)
    log = compacted.log
    if change == "truncated":
        log.truncate_fully_at(0)
    elif change == "retired":
        log.retire_segments(compacted.clock.now_ms() + 5001)
    elif change == "moved":
        log.moved_to("/data/elsewhere-0")

    removed = compacted.cleaner.finish(plan, result, None if change == "deleted" else log)

    assert removed == []
    assert TOPIC not in compacted.cleaned_to
    assert not [name for name in compacted.disk.list(DIRECTORY) if name.endswith((".cleaned", ".swap"))]


@pytest.mark.parametrize("change", ["truncated", "emptied", "retired", "deleted"])
def test_a_log_that_changes_while_the_device_is_waited_for_stays_as_it_is(change: str) -> None:
    compacted = CompactedLog(**{"cleanup.policy": "compact,delete", "retention.ms": "5000"})
    for value in ("1", "2", "3"):
        compacted.write(("a", value))
        compacted.log.roll()
    plan = compacted.cleaner.choose([compacted.log], 0)
    assert plan is not None
    log = compacted.log
    gone = log.directory + ".gone"
    steps = compacted.cleaner.steps(plan, clean_segments(compacted.disk, plan), lambda: log)
    next(steps)()
    assert [name for name in compacted.disk.list(DIRECTORY) if name.endswith(".swap")]
    if change == "truncated":
        log.truncate_to(1)
    elif change == "emptied":
        log.truncate_fully_at(0)
    elif change == "retired":
        log.retire_segments(compacted.clock.now_ms() + 5001)
    else:
        compacted.disk.rename(DIRECTORY, gone)
        log.moved_to(gone)
    after_crash = MemoryDisk(compacted.disk.image.copy()).list(log.directory)
    end_offset = log.end_offset

    with contextlib.suppress(StopIteration):
        while True:
            next(steps)()

    left = compacted.disk.list(log.directory)
    assert not [name for name in left if name.endswith((".cleaned", ".swap"))]
    if change in ("truncated", "emptied"):
        # Not even a crash in between brings back what was cut.
        assert not [name for name in after_crash if name.endswith(".swap")]
        assert TOPIC not in compacted.cleaned_to
    assert log.end_offset == end_offset
    log.check_invariants()


def history(compacted: CompactedLog) -> None:
    """Three groups, so that a crash can fall between them; the last removes a tombstone whose value is in the first."""
    for index in range(4):
        compacted.write((f"k{index % 2}", "v" * 30), ("t", "dead"))
        compacted.write(("a", "aborted"), producer_id=1, transactional=True)
        compacted.end_transaction(1, commit=index % 2 == 0)
        compacted.log.roll()
    compacted.write(("t", None))
    compacted.log.roll()


def flushed(compacted: CompactedLog) -> None:
    job = compacted.log.flush_job()
    if job is not None:
        job.run()
        compacted.log.flush_done(job)


@pytest.mark.parametrize("has_power", [True, False])
def test_a_crash_at_any_step_of_a_cleaning_leaves_a_valid_log(has_power: bool) -> None:
    step = 0
    while True:
        compacted = CompactedLog()
        history(compacted)
        flushed(compacted)
        compacted.disk.sync_directory("/data")
        # Small groups: several swaps in one cleaning.
        compacted.log.options = compacted.options.with_changes({"internal.segment.bytes": "300"})
        before = committed_view(compacted.log)
        truth = {record.key: record.value for record in before if record.value is not None and record.key != b"t"}
        end_offset = compacted.log.end_offset

        compacted.disk.faults.crash_at(compacted.disk.operation_count + step, written_bytes=step * 7 % 50)
        with contextlib.suppress(SimulatedCrash):
            compacted.clean()
            assert len(compacted.log.segments) >= 4
            compacted.clock.wall_ms += RETENTION_MS
            compacted.cleaned_to.clear()
            compacted.clean()
        has_crashed = not compacted.disk.is_alive
        image = compacted.disk.kill()
        compacted.disk = MemoryDisk(image if has_power else image.after_power_loss(SimRng(step), nasty=True))
        compacted.log = log = compacted.open(clean=False, recovery_point=end_offset)
        log.advance_high_watermark(log.end_offset)

        assert log.end_offset == end_offset
        after = committed_view(log)
        assert [record for record in before if record in after] == after
        table: dict[bytes | None, bytes] = {}
        for record in after:
            if record.value is None:
                table.pop(record.key, None)
            else:
                table[record.key] = record.value
        assert table == truth
        assert not [name for name in compacted.disk.list(DIRECTORY) if name.endswith((".cleaned", ".swap"))]
        if not has_crashed:
            break
        step += 1
    assert step > 30


# the parts


def test_the_offset_map_tells_long_keys_apart_and_is_bounded() -> None:
    offsets = OffsetMap(2)
    assert offsets.has_room_for(1000)
    offsets.put(b"x" * 1000, 1)
    offsets.put(b"x" * 1001, 2)

    assert offsets.is_newest(b"x" * 1000, 1)
    assert not offsets.is_newest(b"x" * 1001, 1)
    assert offsets.is_newest(b"unknown", 0)
    assert len(offsets) == 2
    assert not offsets.has_room_for(1)
    assert OffsetMap.within(2000).capacity == 10


def test_an_index_entry_without_a_marker_does_not_swallow_later_transactions() -> None:
    transactions = CleaningTransactions([AbortedTransaction(1, 0, 5, 6)])
    records = [Record(0, 0, b"k", b"v")]
    inside = build_batch(
        records, base_offset=2, producer_id=1, producer_epoch=0, base_sequence=0, is_transactional=True
    )
    later = build_batch(records, base_offset=8, producer_id=1, producer_epoch=0, base_sequence=1, is_transactional=True)

    assert transactions.is_aborted(read_header(inside))
    assert not transactions.is_aborted(read_header(later))


def test_control_records_that_are_no_markers_stay() -> None:
    transactions = CleaningTransactions([])
    marker = build_marker_batch(is_commit=True, producer_id=1, producer_epoch=0, coordinator_epoch=0, timestamp_ms=0)

    assert transactions.end(read_header(marker), None) == (False, None)
    assert transactions.end(read_header(marker), EndTransactionMarker(True, 0)) == (True, None)
