"""Compaction of logs that are corrupt, that change meanwhile, and that are cut off by a crash."""

import contextlib
import pickle

import pytest

from ottla.log.compaction.segment_cleaning import clean_segments
from ottla.log.partition_log import AppendOrigin
from ottla.model.errors import CorruptLog
from ottla.records.batch import patch_checksum
from ottla.records.builder import Record, build_batch
from tests.support.compacted_log import DIRECTORY, RETENTION_MS, TOPIC, CompactedLog
from tests.support.log_view import committed_view
from tests.support.memory_disk import MemoryDisk, SimRng, SimulatedCrash


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
    compacted = CompactedLog(cleanup_policy="compact,delete", retention_ms="5000")
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
    compacted = CompactedLog(cleanup_policy="compact,delete", retention_ms="5000")
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


def late_beyond_64_bits() -> bytearray:
    batch = build_batch([Record(0, at, key, b"1") for at, key in ((5, b"b"), (6, b"c"))])
    batch[27:35] = (2**63 - 1).to_bytes(8, "big")
    patch_checksum(batch, 0, len(batch))
    return batch


@pytest.mark.parametrize("batch", [build_batch([Record(0, -(2**63), b"a", None)]), late_beyond_64_bits()])
def test_a_log_with_timestamps_that_cannot_be_written_is_left_alone(batch: bytearray) -> None:
    compacted = CompactedLog()
    # The topic was not compacted when it came: nobody has looked at its records.
    compacted.log.append_as_leader(bytearray(batch), leader_epoch=0, now_ms=0, origin=AppendOrigin.COORDINATOR)
    compacted.write(("b", "2"))
    compacted.log.roll()

    plan = compacted.cleaner.choose([compacted.log], 0)
    assert plan is not None
    with pytest.raises(CorruptLog, match="timestamp"):
        clean_segments(compacted.disk, plan)
