"""Where the indexes of a segment get entries, however its batches come."""

from random import Random
from typing import NamedTuple

import pytest

from ottla.log.segments.index_builder import BuiltIndexes, IndexBuilder
from ottla.log.segments.offset_index import OffsetIndex
from ottla.log.segments.time_index import TimeIndex

BASE_OFFSET = 1000
INTERVAL_BYTES = 400


class Batch(NamedTuple):
    position: int
    size: int
    last_offset: int
    max_timestamp: int


def batches_of(*rows: tuple[int, int]) -> list[Batch]:
    """Of one record each, by size and timestamp."""
    found, position = [], 0
    for number, (size, timestamp) in enumerate(rows):
        found.append(Batch(position, size, BASE_OFFSET + number, timestamp))
        position += size
    return found


def built(batches: list[Batch]) -> tuple[IndexBuilder, BuiltIndexes]:
    indexes = BuiltIndexes(OffsetIndex(), TimeIndex())
    builder = IndexBuilder(BASE_OFFSET, INTERVAL_BYTES, indexes)
    for batch in batches:
        builder.note(*batch)
    return builder, indexes


def entries(indexes: BuiltIndexes) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    offsets, times = indexes
    return list(zip(offsets.offsets, offsets.positions, strict=True)), list(
        zip(times.timestamps, times.offsets, strict=True)
    )


def test_the_first_batch_behind_the_interval_has_an_entry_with_the_largest_timestamp() -> None:
    builder, indexes = built(batches_of((300, 50), (300, 90), (300, 70), (300, 60), (300, 95)))

    assert entries(indexes) == ([(2, 600), (4, 1200)], [(90, 1), (95, 4)])
    assert (builder.first_timestamp, builder.max_timestamp, builder.max_timestamp_offset) == (50, 95, BASE_OFFSET + 4)


def test_without_timestamps_there_are_offsets_only() -> None:
    builder, indexes = built(batches_of((500, -1), (500, -1)))
    builder.note_latest()

    assert entries(indexes) == ([(1, 500)], [])


@pytest.mark.parametrize("seed", range(20))
def test_after_a_resume_everything_is_as_if_there_had_been_no_pause(seed: int) -> None:
    random = Random(seed)
    batches = batches_of(*((random.randrange(70, 900), random.randrange(100)) for _ in range(40)))
    expected_builder, expected = built(batches)
    _, indexes = built(batches[: random.randrange(1, 40)])

    builder = IndexBuilder(BASE_OFFSET, INTERVAL_BYTES, indexes)
    start = builder.resume()
    for batch in batches:
        if batch.position >= start:
            builder.note_again(*batch)

    assert entries(indexes) == entries(expected)
    assert builder.bytes_since_entry == expected_builder.bytes_since_entry
    assert (builder.max_timestamp, builder.max_timestamp_offset) == (
        expected_builder.max_timestamp,
        expected_builder.max_timestamp_offset,
    )
