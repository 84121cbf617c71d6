"""The short way of an append takes nothing that the ordinary way would not take, and does the same with it."""

from hypothesis import given
from hypothesis import strategies as st

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import PartitionLog
from ottla.log.quick_append import NOT_TAKEN
from ottla.model.errors import Refused
from ottla.records.batch import HEADER_SIZE, patch_checksum
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


def test_an_ordinary_batch_is_taken() -> None:
    log = a_log({}, filled=True)
    batch = memoryview(bytearray(batch_of(b"a", b"b")))
    assert log.append_quickly(batch, 0, len(batch), 0, NOW_MS) == 1
    assert log.end_offset == 3
