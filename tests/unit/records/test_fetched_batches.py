"""Which batches of a fetch response are shown, and where the next fetch starts."""

import pytest

from ottla.records.builder import Record, build_batch
from ottla.records.control import build_marker_batch
from ottla.records.errors import CorruptRecord
from ottla.records.fetched_batches import FetchedBatches


def data_batch(base_offset: int, count: int, producer_id: int | None = None) -> bytes:
    records = [Record(0, 1000, None, b"v") for _ in range(count)]
    if producer_id is None:
        return bytes(build_batch(records, base_offset=base_offset))
    return bytes(
        build_batch(
            records,
            base_offset=base_offset,
            producer_id=producer_id,
            producer_epoch=0,
            base_sequence=0,
            is_transactional=True,
        )
    )


def marker(base_offset: int, producer_id: int, *, is_commit: bool) -> bytes:
    batch = build_marker_batch(
        is_commit=is_commit, producer_id=producer_id, producer_epoch=0, coordinator_epoch=0, timestamp_ms=1
    )
    batch[:8] = base_offset.to_bytes(8, "big")
    return bytes(batch)


def shown(fetched: FetchedBatches) -> list[int]:
    return [header.base_offset for _, header in fetched]


def test_all_batches_are_shown_and_the_next_fetch_starts_after_them() -> None:
    fetched = FetchedBatches(data_batch(0, 3) + data_batch(3, 2), 0)

    assert shown(fetched) == [0, 3]
    assert fetched.next_offset == 5


def test_batches_before_the_start_and_after_the_end_are_not_shown() -> None:
    data = b"".join(data_batch(offset, 3) for offset in range(0, 15, 3))

    fetched = FetchedBatches(data, 4, end_offset=9)

    assert shown(fetched) == [3, 6]
    assert fetched.next_offset == 9


def test_an_end_inside_a_batch_ends_the_range_there() -> None:
    fetched = FetchedBatches(data_batch(0, 10), 0, end_offset=4)

    assert shown(fetched) == [0]
    assert fetched.next_offset == 4


def test_a_range_that_ends_in_a_gap_ends() -> None:
    fetched = FetchedBatches(data_batch(0, 3) + data_batch(9, 3), 0, end_offset=7)

    assert shown(fetched) == [0]
    assert fetched.next_offset == 7


def test_a_cut_batch_at_the_end_is_fetched_again() -> None:
    fetched = FetchedBatches(data_batch(0, 3) + data_batch(3, 2)[:-1], 0)

    assert shown(fetched) == [0]
    assert fetched.next_offset == 3


def test_markers_are_not_shown_but_passed() -> None:
    fetched = FetchedBatches(data_batch(0, 2, producer_id=7) + marker(2, 7, is_commit=True), 0)

    assert shown(fetched) == [0]
    assert fetched.next_offset == 3


def test_aborted_data_are_skipped_until_the_abort_marker() -> None:
    data = (
        data_batch(0, 1, producer_id=7)  # aborted
        + data_batch(1, 1, producer_id=8)  # of another producer
        + data_batch(2, 1)  # not transactional
        + marker(3, 7, is_commit=False)
        + data_batch(4, 1, producer_id=7)  # the next transaction
        + marker(5, 7, is_commit=True)
        + data_batch(6, 1, producer_id=7)  # aborted again
    )

    fetched = FetchedBatches(data, 0, aborted=[(7, 6), (7, 0)])

    assert shown(fetched) == [1, 2, 4]
    assert fetched.next_offset == 7


def test_a_marker_of_a_commit_does_not_end_an_abort() -> None:
    data = data_batch(0, 1, producer_id=7) + marker(1, 7, is_commit=True) + data_batch(2, 1, producer_id=7)

    assert shown(FetchedBatches(data, 0, aborted=[(7, 0)])) == []


def test_a_batch_without_records_is_passed() -> None:
    empty = bytes(build_batch([], base_offset=0, last_offset_delta=4))

    fetched = FetchedBatches(empty + data_batch(5, 1), 0)

    assert shown(fetched) == [5]


def test_a_wrong_crc_is_corrupt_unless_nobody_looks() -> None:
    data = bytearray(data_batch(0, 1))
    data[-1] ^= 1

    with pytest.raises(CorruptRecord, match="the CRC of the batch at offset 0 is wrong"):
        shown(FetchedBatches(data, 0))
    assert shown(FetchedBatches(data, 0, check_crcs=False)) == [0]
