"""Indexes that are searched in their files: the same answers, few bytes read, damage noticed."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.doors.disk import Buffer
from ottla.log.segments.offset_index import OffsetIndex
from ottla.log.segments.stored_index import (
    BLOCK_BYTES,
    BLOCK_ENTRIES,
    IndexDamaged,
    StoredOffsetIndex,
    stored_time_lookup,
)
from ottla.log.segments.time_index import TimeIndex
from tests.support.memory_disk import MemoryDisk

PATH = "/index"
LOG_SIZE = 1 << 30
#: As many as the index of a full segment has.
FULL = 262_000


def stored(data: Buffer, *, may_be_empty: bool = False) -> StoredOffsetIndex:
    return StoredOffsetIndex(disk_with(data), PATH, log_size=LOG_SIZE, may_be_empty=may_be_empty)


def disk_with(data: Buffer) -> MemoryDisk:
    disk = MemoryDisk()
    disk.open(PATH, create=True).write_at(0, data)
    return disk


def an_index(steps: list[tuple[int, int]]) -> OffsetIndex:
    index = OffsetIndex()
    offset, position = 0, 0
    for offset_step, position_step in steps:
        offset += offset_step
        position += position_step
        index.append(offset, position)
    return index


def regular(count: int) -> OffsetIndex:
    return an_index([(3, 4000)] * count)


STEPS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 5000)), min_size=1, max_size=80)


@settings(max_examples=60, deadline=None)
@given(
    steps=STEPS,
    repeated=st.integers(1, 30),
    questions=st.lists(st.tuples(st.sampled_from("opf"), st.integers(-2, 110)), max_size=40),
)
def test_the_answers_are_those_of_the_index_in_memory(
    steps: list[tuple[int, int]], repeated: int, questions: list[tuple[str, int]]
) -> None:
    index = an_index(steps * repeated)
    found = stored(index.encoded_from(0))

    for kind, percent in questions:
        offset = index.offsets[-1] * percent // 100
        position = index.positions[-1] * percent // 100
        if kind == "o":
            assert found.lookup(offset) == index.lookup(offset)
        elif kind == "p":
            assert found.position_below(position) == index.position_below(position)
        else:
            assert found.offset_from(position) == index.offset_from(position)


@pytest.mark.parametrize("count", [1, BLOCK_ENTRIES - 1, BLOCK_ENTRIES, BLOCK_ENTRIES + 1, 3 * BLOCK_ENTRIES])
def test_every_entry_is_found_also_at_the_edges_of_blocks(count: int) -> None:
    index = regular(count)
    found = stored(index.encoded_from(0))

    for offset in range(index.offsets[-1] + 2):
        assert found.lookup(offset) == index.lookup(offset)
    for number in range(count - 1, -1, -1):
        position = index.positions[number]
        assert found.offset_from(position) == index.offset_from(position)
        assert found.position_below(position) == index.position_below(position)


def test_an_empty_index_is_one_where_the_log_is_small() -> None:
    found = stored(b"", may_be_empty=True)

    assert (found.lookup(5), found.position_below(5), found.offset_from(5)) == (0, 0, None)
    with pytest.raises(IndexDamaged):
        stored(b"")


def test_a_look_into_the_index_of_a_full_segment_reads_little(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = disk_with(regular(FULL).encoded_from(0))
    read: list[int] = []
    file_type = type(disk.open(PATH))
    original = file_type.read_at

    def counted(self: object, position: int, size: int) -> bytes:
        read.append(size)
        return original(self, position, size)  # type: ignore[arg-type]

    monkeypatch.setattr(file_type, "read_at", counted)
    found = StoredOffsetIndex(disk, PATH, log_size=LOG_SIZE, may_be_empty=False)
    for offset in range(0, 3 * FULL, 3 * FULL // 7):
        found.lookup(offset)

    assert sum(read) < 8 * BLOCK_BYTES
    read.clear()
    for offset in range(600_000, 600_900, 10):
        found.lookup(offset)
    assert len(read) <= 2 * 10, "a reader that goes on needs one block, or two"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (regular(10).encoded_from(0) + b"x", "81 bytes"),
        (regular(10).encoded_from(0) + bytes(80), "not rise|behind the end"),
        (regular(10).encoded_from(0) + struct.pack(">ii", 40, LOG_SIZE), "not rise|behind the end"),
        (regular(10).encoded_from(0) + regular(10).encoded_from(5), "not rise"),
    ],
    ids=["half an entry", "zeros", "behind the log", "falls"],
)
def test_damage_is_noticed(data: bytes, problem: str) -> None:
    with pytest.raises(IndexDamaged, match=problem):
        stored(data)


def test_damage_in_a_later_block_is_noticed_when_it_is_read() -> None:
    data = bytearray(regular(5 * BLOCK_ENTRIES).encoded_from(0))
    struct.pack_into(">ii", data, 8 * (3 * BLOCK_ENTRIES + 7), 1, 1)
    found = stored(data)

    assert found.lookup(30) == 40_000
    with pytest.raises(IndexDamaged, match="not rise"):
        found.lookup(3 * (3 * BLOCK_ENTRIES + 20))


def test_a_missing_file_is_damage() -> None:
    with pytest.raises(IndexDamaged, match="missing"):
        StoredOffsetIndex(MemoryDisk(), PATH, log_size=9, may_be_empty=True)
    with pytest.raises(IndexDamaged, match="missing"):
        stored_time_lookup(MemoryDisk(), PATH, 5)


# times


def a_time_index(steps: list[tuple[int, int]]) -> TimeIndex:
    index = TimeIndex()
    timestamp, offset = 1000, 0
    for time_step, offset_step in steps:
        timestamp += time_step
        offset += offset_step
        index.append_if_later(timestamp, offset)
    return index


@settings(max_examples=60, deadline=None)
@given(steps=STEPS, percents=st.lists(st.integers(-2, 110), max_size=20))
def test_times_are_found_as_in_memory(steps: list[tuple[int, int]], percents: list[int]) -> None:
    index = a_time_index(steps)
    disk = disk_with(index.encoded_from(0))

    for percent in percents:
        at = 1000 + (index.last()[0] - 1000) * percent // 100
        assert stored_time_lookup(disk, PATH, at) == index.lookup(at)
    for at in index.timestamps:
        assert stored_time_lookup(disk, PATH, at) == index.lookup(at)
        assert stored_time_lookup(disk, PATH, at + 1) == index.lookup(at + 1)


@pytest.mark.parametrize("entry", [(0, 0), (5, 15), (1_000_000, 15), (1012, -4)], ids=str)
def test_a_damaged_time_entry_gives_no_place_behind_the_right_one(entry: tuple[int, int]) -> None:
    index = a_time_index([(2, 3)] * 9)
    data = bytearray(index.encoded_from(0))
    struct.pack_into(">qi", data, 12 * 4, *entry)
    disk = disk_with(data)

    for at in range(1000, 1022):
        try:
            assert stored_time_lookup(disk, PATH, at) <= index.lookup(at)
        except IndexDamaged:
            continue
