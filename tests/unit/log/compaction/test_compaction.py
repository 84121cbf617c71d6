"""Compaction step by step: what goes, what stays, and when."""

from ottla.log.compaction.cleaning_transactions import CleaningTransactions
from ottla.log.compaction.segment_cleaning import clean_segments
from ottla.log.segments.transaction_index import AbortedTransaction
from ottla.records.batch import read_header
from ottla.records.builder import Record, build_batch
from ottla.records.control import EndTransactionMarker, build_marker_batch
from tests.support.compacted_log import DIRECTORY, RETENTION_MS, CompactedLog, batch_attributes, values
from tests.support.log_view import committed_view, headers_of, uncommitted_view


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
