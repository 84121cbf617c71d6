"""Compaction: which log is next, which of its segments, and what they become."""

from ottla.log.compaction.cleaning_plan import SegmentToClean
from ottla.log.compaction.planning import grouped, measure
from tests.support.compacted_log import DIRECTORY, TOPIC, CompactedLog, values
from tests.support.log_view import uncommitted_view


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
    compacted = CompactedLog(cleanup_policy="delete")
    compacted.write(("a", "1"))
    compacted.log.roll()

    assert compacted.clean() is None


def test_compact_and_delete_go_together() -> None:
    compacted = CompactedLog(cleanup_policy="compact,delete", retention_ms="5000")
    compacted.write(("a", "1"))
    compacted.write(("a", "2"))
    compacted.log.roll()
    compacted.write(("b", "1"))
    compacted.clean()
    assert values(compacted) == [(1, b"a", b"2"), (2, b"b", b"1")]

    compacted.log.retire_segments(compacted.clock.now_ms() + 5001)

    assert compacted.log.log_start_offset == 3


def test_young_records_wait_for_min_compaction_lag() -> None:
    compacted = CompactedLog(min_compaction_lag_ms="100")
    compacted.write(("a", "1"))
    compacted.write(("a", "2"))
    compacted.log.roll()

    assert compacted.clean() is None
    compacted.clock.wall_ms += 100
    assert compacted.clean() == 2


def test_max_compaction_lag_overrides_the_ratio() -> None:
    compacted = CompactedLog(max_compaction_lag_ms="5000", min_cleanable_dirty_ratio="1")
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
