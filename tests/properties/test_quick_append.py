"""The short way of an append takes nothing that the ordinary way would not take, and does the same with it."""

import resource
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import PartitionLog
from ottla.log.quick_append import NOT_TAKEN
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.records.batch import HEADER_SIZE, patch_checksum
from ottla.runtime.disk import OsDisk
from tests.support.memory_disk import MemoryDisk
from tests.unit.log.log_builders import NOW_MS, append, batch_of, content, new_log

SETTINGS: list[dict[str, str]] = [
    {},
    {"max.message.bytes": "120"},
    {"message.timestamp.type": "LogAppendTime"},
    {"message.timestamp.before.max.ms": "1000", "message.timestamp.after.max.ms": "1000"},
    {"cleanup.policy": "compact"},
    {"compression.type": "zstd"},
    {"produce.validate": "records"},
    {"internal.segment.bytes": "300"},
    {"index.interval.bytes": "1"},
]
PREFIX = b"what stands before it"


def a_log(settings: dict[str, str], filled: bool) -> PartitionLog:
    log = new_log(MemoryDisk(), TopicOptions(settings))
    if filled:
        append(log, batch_of(b"k1", key=b"k") if "compact" in settings.get("cleanup.policy", "") else batch_of(b"k1"))
    return log


def log_in_files(parent: Path) -> PartitionLog:
    """Real ones, which have descriptors."""
    parent.mkdir()
    return PartitionLog.open(
        OsDisk(), str(parent / "orders-0"), TopicPartition("orders", 0), TopicOptions(), now_ms=NOW_MS, clean=False
    )


@st.composite
def batches(draw: st.DrawFn) -> bytearray:
    """Good ones, and good ones with some bytes of the header changed; the checksum is right in most cases."""
    batch = batch_of(
        *[b"v" * draw(st.integers(0, 60)) for _ in range(draw(st.integers(1, 4)))],
        at_ms=NOW_MS + draw(st.sampled_from([0, -5000, 5000])),
    )
    for _ in range(draw(st.integers(0, 2))):
        batch[draw(st.integers(0, HEADER_SIZE - 1))] = draw(st.integers(0, 255))
    if draw(st.integers(0, 5)):
        patch_checksum(batch, 0, len(batch))
    return batch


@given(batch=batches(), settings=st.sampled_from(SETTINGS), filled=st.booleans())
def test_both_ways_come_to_the_same(batch: bytearray, settings: dict[str, str], filled: bool) -> None:
    quick, ordinary = a_log(settings, filled), a_log(settings, filled)
    data = memoryview(bytearray(PREFIX + batch))
    before = quick.state_digest(), bytes(data)

    base_offset = quick.append_quickly(data, len(PREFIX), len(batch), 0, NOW_MS)
    if base_offset == NOT_TAKEN:
        assert (quick.state_digest(), bytes(data)) == before
        return
    try:
        appended = ordinary.append_as_leader(batch, leader_epoch=0, now_ms=NOW_MS)
    except Refused as refusal:
        raise AssertionError(f"taken, but {refusal}") from refusal
    assert (base_offset, -1, False) == (appended.base_offset, appended.log_append_time_ms, appended.is_duplicate)
    assert quick.state_digest() == ordinary.state_digest()
    assert content(quick) == content(ordinary)
    assert data[len(PREFIX) :] == batch


@given(sizes=st.lists(st.integers(0, 3000), min_size=1, max_size=40))
def test_on_a_real_file_both_ways_leave_the_same_bytes_and_indexes(sizes: list[int]) -> None:
    with TemporaryDirectory() as directory:
        quick, ordinary = log_in_files(Path(directory) / "quick"), log_in_files(Path(directory) / "ordinary")
        append(quick, batch_of(b"first"))
        append(ordinary, batch_of(b"first"))
        for number, size in enumerate(sizes):
            batch = batch_of(b"v" * size, at_ms=NOW_MS + number % 7)
            assert quick.append_quickly(memoryview(bytearray(batch)), 0, len(batch), 0, NOW_MS) == number + 1
            append(ordinary, batch)

        assert quick.state_digest() == ordinary.state_digest()
        assert content(quick) == content(ordinary)
        left, right = quick.segments.active, ordinary.segments.active
        assert list(left.offset_index.positions) == list(right.offset_index.positions)
        assert left.largest_timestamp() == right.largest_timestamp()
        assert left.max_timestamp_offset == right.max_timestamp_offset
        assert [left.recent_position(offset) for offset in range(len(sizes) + 1)] == [
            right.recent_position(offset) for offset in range(len(sizes) + 1)
        ]


def test_a_file_that_takes_only_half_of_a_batch_is_cut_back(tmp_path: Path) -> None:
    log = log_in_files(tmp_path / "data")
    append(log, batch_of(b"first"))
    size = log.size_bytes
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    batch = batch_of(b"v" * 200)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, before[1]))
    try:
        with pytest.raises(OSError, match="large"):
            log.append_quickly(memoryview(bytearray(batch)), 0, len(batch), 0, NOW_MS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert (log.end_offset, log.size_bytes, len(content(log))) == (1, size, size)
    assert log.append_quickly(memoryview(bytearray(batch)), 0, len(batch), 0, NOW_MS) == 1


@pytest.mark.parametrize("at_ms", [-1, -(2**63), 2**63 - 1])
def test_times_at_the_end_of_their_range_are_left_to_the_ordinary_way(at_ms: int) -> None:
    log = a_log({"message.timestamp.before.max.ms": "1000", "message.timestamp.after.max.ms": "1000"}, filled=True)
    batch = batch_of(b"v", at_ms=at_ms)
    assert log.append_quickly(memoryview(bytearray(batch)), 0, len(batch), 0, NOW_MS) == NOT_TAKEN


def test_an_ordinary_batch_is_taken() -> None:
    log = a_log({}, filled=True)
    batch = memoryview(bytearray(batch_of(b"a", b"b")))
    assert log.append_quickly(batch, 0, len(batch), 0, NOW_MS) == 1
    assert log.end_offset == 3
