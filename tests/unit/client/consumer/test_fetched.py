"""From fetched bytes to records: what is taken, and where the position is then."""

import pytest

from ottla.client.consumer.fetch_buffer import FetchBuffer, TakenRows
from ottla.client.consumer.fetched import FetchedPartition, Frame
from ottla.client.consumer.positions import PartitionState, Position
from ottla.client.consumer.reset_policy import EARLIEST
from ottla.client.errors import CorruptRecords
from ottla.model.topic import TopicPartition
from ottla.records.batch import patch_offset_and_epoch
from ottla.records.builder import build_batch
from ottla.records.control import build_marker_batch
from ottla.records.record import Record
from ottla.records.record_columns import delta_at

ORDERS = TopicPartition("orders", 3)


def state(offset: int = 0, partition: TopicPartition = ORDERS) -> PartitionState:
    made = PartitionState(partition, EARLIEST, uses_committed=False)
    made.reset_found(Position(offset))
    return made


def batch(base_offset: int, *values: bytes, epoch: int = 7, producer_id: int = -1) -> bytes:
    records = [Record(0, 1000 + index, b"k", value) for index, value in enumerate(values)]
    is_transactional = producer_id >= 0
    data = build_batch(
        records,
        producer_id=producer_id,
        producer_epoch=0 if is_transactional else -1,
        base_sequence=0 if is_transactional else -1,
        is_transactional=is_transactional,
    )
    patch_offset_and_epoch(data, 0, base_offset, epoch)
    return bytes(data)


def marker(base_offset: int, producer_id: int, *, is_commit: bool) -> bytes:
    data = build_marker_batch(
        is_commit=is_commit, producer_id=producer_id, producer_epoch=0, coordinator_epoch=0, timestamp_ms=0
    )
    patch_offset_and_epoch(data, 0, base_offset, 7)
    return bytes(data)


def values(part: FetchedPartition, max_count: int = 100) -> list[bytes]:
    found = []
    while records := part.take(max_count):
        found += [record.value for record in records]
    return found


def test_records_have_topic_partition_timestamp_and_epoch() -> None:
    part = FetchedPartition(state(), batch(5, b"a", b"b"), 5)

    first = part.take(1)[0]

    assert first == ("orders", 3, 5, 1000, b"k", b"a", (), 0, 7, None)
    assert part.position == Position(6, 7)
    assert part.take(1)[0].offset == 6
    assert part.position == Position(7, 7)
    assert part.take(1) == []
    assert part.is_done


def test_records_before_the_wanted_offset_are_left_out() -> None:
    part = FetchedPartition(state(7), batch(5, b"a", b"b", b"c", b"d"), 7)

    assert values(part) == [b"c", b"d"]


def test_a_batch_that_is_cut_off_is_fetched_again() -> None:
    part = FetchedPartition(state(), batch(0, b"a") + batch(1, b"b")[:-3], 0)

    assert part.end == Position(1, 7)
    assert values(part) == [b"a"]


def test_aborted_records_are_not_seen_and_the_position_is_behind_them() -> None:
    data = (
        batch(0, b"aborted", producer_id=1)
        + batch(1, b"committed", producer_id=2)
        + marker(2, 1, is_commit=False)
        + batch(3, b"later", producer_id=1)
        + marker(4, 2, is_commit=True)
    )
    part = FetchedPartition(state(), data, 0, aborted=[(1, 0)])

    assert values(part) == [b"committed", b"later"]
    assert part.position == Position(5, 7)


def test_a_damaged_batch_is_an_error_and_what_comes_before_it_is_not_lost() -> None:
    damaged = bytearray(batch(1, b"b"))
    damaged[-1] ^= 1
    part = FetchedPartition(state(), batch(0, b"a") + bytes(damaged) + batch(2, b"c"), 0)

    assert [record.value for record in part.take(10)] == [b"a"]
    with pytest.raises(CorruptRecords, match=r"orders-3: the batch at offset 1 .*CRC.*seek to 2") as caught:
        part.take(10)
    assert (caught.value.offset, caught.value.next_offset) == (1, 2)
    assert part.position == Position(1, 7)


def test_bytes_that_hold_no_whole_batch_are_an_error() -> None:
    part = FetchedPartition(state(), batch(0, b"a")[:-3], 0)

    with pytest.raises(CorruptRecords, match="does not fit"):
        part.take(1)
    assert part.is_damaged


def test_a_buffer_moves_the_position_and_counts_bytes_until_the_response_is_consumed() -> None:
    buffer, frame = FetchBuffer(), Frame()
    first, second = state(), state(partition=TopicPartition("orders", 4))
    data = batch(0, b"a", b"b")
    for each in (first, second):
        buffer.add(FetchedPartition(each, data, 0, frame=frame))
    frame.size = 2 * len(data)
    buffer.hold(frame)

    assert first.fetch_offset == 2
    taken = buffer.take(10)
    assert taken is not None
    assert (taken.state, [record.value for record in taken.records]) == (first, [b"a", b"b"])
    assert first.position == Position(2, 7)
    assert first.buffered_bytes == 0
    assert buffer.held_bytes == frame.size
    buffer.take(10)
    assert buffer.take(10) is None
    assert buffer.held_bytes == 0


def test_paused_partitions_keep_what_they_have_and_a_jump_drops_it() -> None:
    buffer, paused = FetchBuffer(), state()
    buffer.add(FetchedPartition(paused, batch(0, b"a"), 0))
    paused.is_paused = True

    assert buffer.take(1) is None
    paused.is_paused = False
    paused.seek(Position(50))
    assert buffer.take(1) is None
    assert len(buffer) == 0
    assert paused.buffered_bytes == 0


def test_records_that_are_put_back_come_first_and_are_not_shown_twice() -> None:
    buffer, mine = FetchBuffer(), state()
    buffer.add(FetchedPartition(mine, batch(0, b"a", b"b", b"c") + batch(3, b"d"), 0))
    taken = buffer.take(3)
    assert taken is not None
    mine.advance(Position(1, 7))
    buffer.put_back(mine, taken.records[1:], Position(3, 7))

    again = buffer.take(1)
    assert again is not None
    assert again.was_shown
    assert [record.value for record in again.records] == [b"b"]
    assert mine.position == Position(2, 7)
    rest = [buffer.take(10), buffer.take(10)]
    assert [record.value for taken in rest if taken for record in taken.records] == [b"c", b"d"]


def test_damage_is_reported_and_fetched_again() -> None:
    buffer, mine = FetchBuffer(), state()
    damaged = bytearray(batch(0, b"b"))
    damaged[-1] ^= 1
    buffer.add(FetchedPartition(mine, bytes(damaged), 0))

    with pytest.raises(CorruptRecords):
        buffer.take(1)
    assert len(buffer) == 0
    assert mine.fetch_offset == 0


def rows_of(taken: TakenRows | None) -> list[int]:
    assert taken is not None
    return [
        row.header.base_offset + delta_at(row.block, each) for row in taken.rows for each in range(row.first, row.last)
    ]


def test_columns_pass_over_gaps_of_compaction_and_the_position_follows() -> None:
    one = state()
    buffer = FetchBuffer()
    kept = [Record(offset, 0, b"k", b"v") for offset in (2, 5, 9)]
    compacted = build_batch(kept, base_offset=0, keep_offsets=True, last_offset_delta=19)
    buffer.add(FetchedPartition(one, bytes(compacted) + batch(30, b"x"), 0))

    assert rows_of(buffer.take_rows(2, 1000)) == [2, 5]
    assert one.position == Position(6, -1)
    assert rows_of(buffer.take_rows(1, 1000)) == [9]
    assert one.position == Position(20, -1)
    assert rows_of(buffer.take_rows(9, 1000)) == [30]
    assert buffer.take_rows(9, 1000) is None
    assert len(buffer) == 0


def test_what_was_taken_in_part_as_records_is_fetched_again_for_columns_and_the_reverse() -> None:
    one = state()
    buffer = FetchBuffer()
    data = batch(0, b"a", b"b", b"c", b"d")
    buffer.add(FetchedPartition(one, data, 0))
    taken = buffer.take(1)
    assert taken is not None

    assert buffer.take_rows(1, 1000) is None
    assert one.fetch_offset == 1

    buffer.add(FetchedPartition(one, data, 1))
    assert rows_of(buffer.take_rows(1, 1000)) == [1]
    assert buffer.take(1) is None
    assert one.fetch_offset == 2


def test_rows_before_damage_are_taken_and_then_it_is_reported() -> None:
    one = state()
    buffer = FetchBuffer()
    damaged = bytearray(batch(2, b"c"))
    damaged[-1] ^= 1
    buffer.add(FetchedPartition(one, batch(0, b"a", b"b") + bytes(damaged), 0))

    assert rows_of(buffer.take_rows(9, 1000)) == [0, 1]
    with pytest.raises(CorruptRecords, match="offset 2"):
        buffer.take_rows(9, 1000)
    assert one.position == Position(2, 7)
