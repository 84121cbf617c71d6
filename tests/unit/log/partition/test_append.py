"""What a leader takes, and how it answers what it does not take."""

import sys
from collections.abc import Callable
from typing import TypeVar

import pytest

from ottla.doors.disk import Buffer
from ottla.log.partition.append_rules import BatchRefused
from ottla.log.partition_log import AppendOrigin, PartitionLog
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import BatchHeader, checksum, patch_checksum, read_header
from ottla.records.builder import Record, build_batch
from ottla.records.reader import iterate_records
from tests.support.batches import batch_of
from tests.support.log_builders import (
    NOW_MS,
    append,
    content,
    end_transaction,
    log_with,
    new_log,
    small_segments,
    values_in,
)
from tests.support.memory_disk import MemoryDisk


def refusal(log: PartitionLog, batch: bytes | bytearray) -> Refused:
    before = log.state_digest()
    with pytest.raises(Refused) as caught:
        append(log, bytearray(batch))
    assert log.state_digest() == before
    return caught.value


def patched(batch: bytearray, position: int, *data: int) -> bytearray:
    batch[position : position + len(data)] = bytes(data)
    patch_checksum(batch, 0, len(batch))
    return batch


def test_offsets_count_records() -> None:
    log = log_with()

    assert append(log, batch_of(b"a", b"b")) == (0, 1, -1, False)
    assert append(log, batch_of(b"c")) == (2, 2, -1, False)
    assert log.end_offset == 3
    assert values_in(content(log)) == [b"a", b"b", b"c"]


def test_offset_and_epoch_are_set_and_the_checksum_still_holds() -> None:
    log = log_with()
    append(log, epoch=4)
    append(log, epoch=7)

    data = log.read_bytes(1, 1000)
    header = read_header(data)

    assert (header.base_offset, header.leader_epoch) == (1, 7)
    assert header.crc == checksum(data, 0, header.size)
    assert log.epochs.items() == [(4, 0), (7, 1)]


def test_a_memoryview_into_a_larger_buffer_is_taken() -> None:
    log = log_with()
    batch = batch_of(b"x")
    buffer = bytearray(b"....") + batch + b"...."

    log.append_as_leader(memoryview(buffer)[4 : 4 + len(batch)], leader_epoch=0, now_ms=NOW_MS)

    assert values_in(content(log)) == [b"x"]
    assert buffer[:4] == b"...." == buffer[-4:]


@pytest.mark.parametrize(
    ("batch", "code"),
    [
        (b"", ErrorCode.INVALID_RECORD),
        (bytes(batch_of())[:40], ErrorCode.INVALID_RECORD),
        (bytes(batch_of())[:-1], ErrorCode.INVALID_RECORD),
        (bytes(batch_of()) + bytes(batch_of()), ErrorCode.INVALID_RECORD),
        (bytes(batch_of()) + b"junk", ErrorCode.INVALID_RECORD),
        (b"\xff" * 100, ErrorCode.CORRUPT_MESSAGE),
        (bytes(100), ErrorCode.CORRUPT_MESSAGE),
        (bytes(8) + (20).to_bytes(4, "big") + bytes(4) + b"\x02" + bytes(15), ErrorCode.CORRUPT_MESSAGE),
    ],
)
def test_bytes_that_are_not_one_batch_are_refused(batch: bytes, code: ErrorCode) -> None:
    assert refusal(log_with(), batch).code == code


@pytest.mark.parametrize(("magic", "code"), [(0, 87), (1, 87), (3, 2), (-1, 2)])
def test_other_formats_are_refused(magic: int, code: int) -> None:
    batch = batch_of()
    batch[16] = magic & 0xFF
    assert refusal(log_with(), batch).code == code


def test_a_wrong_checksum_is_refused() -> None:
    batch = batch_of()
    batch[-1] ^= 1
    assert refusal(log_with(), batch).code == ErrorCode.CORRUPT_MESSAGE


@pytest.mark.parametrize(
    ("position", "data", "code"),
    [
        (57, (0, 0, 0, 2), ErrorCode.INVALID_RECORD),  # one record more than offsets
        (57, (0, 0, 0, 0), ErrorCode.INVALID_RECORD),
        (57, (255, 255, 255, 255), ErrorCode.INVALID_RECORD),
        (23, (0, 0, 0, 9), ErrorCode.INVALID_RECORD),  # offsets that no record has
        (22, (0x20,), ErrorCode.INVALID_RECORD),  # control batch
        (22, (0x40,), ErrorCode.INVALID_RECORD),  # delete horizon
        (22, (0x80,), ErrorCode.INVALID_RECORD),
        (21, (0x01,), ErrorCode.INVALID_RECORD),
        (22, (0x05,), ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        (22, (0x10,), ErrorCode.INVALID_RECORD),  # transactional without a producer
        (22, (0x08,), ErrorCode.INVALID_TIMESTAMP),  # log append time
        (0, (0, 0, 0, 0, 0, 0, 0, 5), ErrorCode.INVALID_RECORD),  # an offset of its own
    ],
)
def test_headers_that_make_no_sense_are_refused(position: int, data: tuple[int, ...], code: ErrorCode) -> None:
    assert refusal(log_with(), patched(batch_of(), position, *data)).code == code


@pytest.mark.parametrize("producer", [(5, -1, 0), (5, 0, -1), (-2, -1, -1)])
def test_a_producer_needs_epoch_and_sequence(producer: tuple[int, int, int]) -> None:
    assert refusal(log_with(), batch_of(producer=producer)).code == ErrorCode.INVALID_RECORD


def test_the_largest_batch_is_the_one_that_was_sent() -> None:
    size = len(batch_of(b"x" * 100))
    assert refusal(log_with(max_message_bytes=str(size - 1)), batch_of(b"x" * 100)).code == ErrorCode.MESSAGE_TOO_LARGE
    append(log_with(max_message_bytes=str(size)), batch_of(b"x" * 100))


def test_a_batch_larger_than_a_segment_is_refused() -> None:
    log = new_log(MemoryDisk(), small_segments())
    append(log, batch_of(b"x"))
    assert refusal(log, batch_of(b"x" * 700)).code == ErrorCode.RECORD_LIST_TOO_LARGE


def test_records_from_the_future_are_refused_by_name() -> None:
    hour_ms = 3_600_000
    records = [Record(0, at, b"k", b"v") for at in (NOW_MS, NOW_MS + hour_ms + 1, NOW_MS + hour_ms)]

    refused = refusal(log_with(), build_batch(records))

    assert isinstance(refused, BatchRefused)
    assert refused.code == ErrorCode.INVALID_TIMESTAMP
    assert [error.batch_index for error in refused.record_errors] == [1]


def test_a_maximum_from_the_future_that_no_record_has_is_mended() -> None:
    batch = build_batch([Record(0, at, b"k", b"v") for at in (NOW_MS - 7, NOW_MS - 9)])
    log = log_with()

    append(log, patched(batch, 35, 0x7F, 0, 0, 0, 0, 0, 0, 0))

    data = content(log)
    assert read_header(data).max_timestamp == NOW_MS - 7
    assert read_header(data).crc == checksum(data, 0, len(data))


@pytest.mark.parametrize("options", [{"cleanup_policy": "compact"}, {"compression_type": "gzip"}])
@pytest.mark.parametrize("times", [(NOW_MS, NOW_MS + 9_000_000), (NOW_MS + 9_000_000,)])
def test_records_from_the_future_are_found_behind_a_maximum_that_is_too_small(
    options: dict[str, str], times: tuple[int, ...]
) -> None:
    batch = build_batch([Record(0, at, b"k", b"v") for at in times])

    refused = refusal(log_with(**options), patched(batch, 35, *NOW_MS.to_bytes(8, "big")))

    assert refused.code == ErrorCode.INVALID_TIMESTAMP


def test_records_from_long_ago_are_refused_only_where_the_topic_says_so() -> None:
    old = batch_of(at_ms=NOW_MS - 5000)
    append(log_with(), old)
    strict = log_with(message_timestamp_before_max_ms="1000")
    assert refusal(strict, batch_of(at_ms=NOW_MS - 5000)).code == ErrorCode.INVALID_TIMESTAMP
    append(strict, batch_of(at_ms=-1))


def test_a_record_from_long_ago_is_found_behind_a_new_one() -> None:
    records = [Record(0, at, b"k", b"v") for at in (NOW_MS, NOW_MS - 5000, NOW_MS - 1000)]

    refused = refusal(log_with(message_timestamp_before_max_ms="1000"), build_batch(records))

    assert isinstance(refused, BatchRefused)
    assert refused.code == ErrorCode.INVALID_TIMESTAMP
    assert [error.batch_index for error in refused.record_errors] == [1]


def test_log_append_time_stamps_the_batch() -> None:
    log = log_with(message_timestamp_type="LogAppendTime")

    appended = append(log, batch_of(b"a", b"b", at_ms=5), now_ms=NOW_MS + 7)

    data = log.read_bytes(0, 1000)
    header = read_header(data)
    assert appended.log_append_time_ms == NOW_MS + 7
    assert header.crc == checksum(data, 0, header.size)
    assert [record.timestamp_ms for record in iterate_records(data, 0, header)] == [NOW_MS + 7] * 2


def test_producers_do_not_stamp_batches_even_where_the_topic_does() -> None:
    log = log_with(message_timestamp_type="LogAppendTime")
    assert refusal(log, patched(batch_of(), 22, 0x08)).code == ErrorCode.INVALID_TIMESTAMP


def test_compacted_topics_need_keys() -> None:
    log = log_with(cleanup_policy="compact")
    records = [Record(0, NOW_MS, key, b"v") for key in (b"k", None, b"", None)]

    refused = refusal(log, build_batch(records))

    assert isinstance(refused, BatchRefused)
    assert refused.code == ErrorCode.INVALID_RECORD
    assert [error.batch_index for error in refused.record_errors] == [1, 3]
    append(log, batch_of(b"v"))


@pytest.mark.parametrize("codec", [0, 1, 2, 3, 4])
def test_batches_are_stored_as_they_came(codec: int) -> None:
    log = log_with()
    batch = batch_of(*[b"v" * 50] * 20, codec=codec)
    append(log, batch)
    assert log.read_bytes(0, 1 << 20) == batch


@pytest.mark.parametrize(("name", "codec"), [("uncompressed", 0), ("gzip", 1), ("snappy", 2), ("lz4", 3), ("zstd", 4)])
def test_a_forced_codec_packs_batches_anew(name: str, codec: int) -> None:
    log = log_with(compression_type=name)
    append(log, batch_of(b"a" * 50, b"b" * 50, codec=1 if codec == 0 else 0, producer=(3, 0, 0)))

    data = content(log)
    header = read_header(data)

    assert header.codec == codec
    assert (header.producer_id, header.base_sequence, header.record_count) == (3, 0, 2)
    assert values_in(data) == [b"a" * 50, b"b" * 50]


Walked = TypeVar("Walked")


class CountedWalks:
    def __init__(self, log: PartitionLog) -> None:
        self.count = 0
        log._rules.walk_records = self._counted(log._rules.walk_records)
        log._rules.walk_keys = self._counted(log._rules.walk_keys)

    def _counted(self, walk: Callable[[Buffer, BatchHeader], Walked]) -> Callable[[Buffer, BatchHeader], Walked]:
        def counted(data: Buffer, header: BatchHeader) -> Walked:
            self.count += 1
            return walk(data, header)

        return counted


@pytest.mark.parametrize(
    ("settings", "walks"),
    [
        ({}, 0),
        ({"message_timestamp_type": "LogAppendTime"}, 0),
        ({"compression_type": "uncompressed"}, 0),
        ({"compression_type": "zstd"}, 1),
        ({"cleanup_policy": "compact"}, 1),
        ({"produce_validate": "records"}, 1),
    ],
)
def test_records_are_walked_only_where_the_topic_needs_it(settings: dict[str, str], walks: int) -> None:
    log = log_with(**settings)
    counted = CountedWalks(log)
    append(log, batch_of(*[b"v"] * 500))
    assert counted.count == walks


def _calls_of_an_append(record_count: int) -> int:
    """Calls of Python and C functions while one batch is appended to a log that has some already."""
    log = log_with()
    append(log, batch_of(b"first"))
    batch = batch_of(*[b"v"] * record_count)
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        log.append_as_leader(batch, leader_epoch=0, now_ms=NOW_MS)
    finally:
        sys.setprofile(None)
    return calls


def test_the_work_of_an_append_does_not_grow_with_its_records() -> None:
    assert _calls_of_an_append(3_000) == _calls_of_an_append(2)


def test_broken_records_pass_unless_they_are_validated() -> None:
    broken = batch_of(b"abc")
    broken[-5] = 0x7E  # the length of the value
    patch_checksum(broken, 0, len(broken))

    append(log_with(), bytearray(broken))
    assert refusal(log_with(produce_validate="records"), broken).code == ErrorCode.CORRUPT_MESSAGE


def test_a_wrong_largest_timestamp_is_mended_when_records_are_seen() -> None:
    log = log_with(produce_validate="records")
    append(log, patched(batch_of(b"a", b"b", at_ms=5), 35, *(0).to_bytes(8, "big")))

    data = content(log)
    assert read_header(data).max_timestamp == 6
    assert read_header(data).crc == checksum(data, 0, len(data))


@pytest.mark.parametrize("settings", [{"cleanup_policy": "compact"}, {"compression_type": "gzip"}])
def test_a_largest_timestamp_cannot_hide_a_record_from_the_future(settings: dict[str, str]) -> None:
    records = [Record(0, at, b"k", b"v") for at in (NOW_MS, NOW_MS + 7_200_000)]
    batch = patched(build_batch(records), 35, *NOW_MS.to_bytes(8, "big"))

    refused = refusal(log_with(**settings), batch)

    assert isinstance(refused, BatchRefused)
    assert refused.code == ErrorCode.INVALID_TIMESTAMP
    assert [error.batch_index for error in refused.record_errors] == [1]
    append(log_with(message_timestamp_type="LogAppendTime", **settings), batch)


@pytest.mark.parametrize("timestamp_type", ["CreateTime", "LogAppendTime"])
def test_a_timestamp_beyond_64_bits_is_refused_when_records_are_seen(timestamp_type: str) -> None:
    batch = patched(batch_of(b"a", b"b", at_ms=5), 27, 0x7F, *b"\xff" * 7)

    log = log_with(cleanup_policy="compact", message_timestamp_type=timestamp_type)

    assert refusal(log, batch).code == ErrorCode.CORRUPT_MESSAGE


def test_coordinators_may_write_control_batches() -> None:
    log = log_with()
    append(log, batch_of(producer=(9, 0, 0), is_transactional=True))

    end_transaction(log, 9, 0, commit=True)

    assert log.end_offset == 2
    assert log.producers.open_transactions == {}


def test_a_damaged_batch_of_our_own_is_refused() -> None:
    batch = batch_of()
    batch[-1] ^= 1
    with pytest.raises(Refused, match="CORRUPT_MESSAGE"):
        log_with().append_as_leader(batch, leader_epoch=0, now_ms=NOW_MS, origin=AppendOrigin.COORDINATOR)


def test_a_follower_takes_what_continues_its_log() -> None:
    leader = log_with()
    for i in range(20):
        append(leader, batch_of(b"%d" % i, producer=(1, 0, i)), epoch=i // 5)
    follower = new_log(MemoryDisk(), small_segments())
    data = content(leader)

    follower.append_as_follower(data[:200], now_ms=NOW_MS)
    rest = leader.read_bytes(follower.end_offset, 1 << 20)
    follower.append_as_follower(rest, now_ms=NOW_MS)

    assert content(follower) == data
    assert follower.epochs.items() == leader.epochs.items()
    assert follower.producers.digest() == leader.producers.digest()
    assert len(follower.segments) > 1
    follower.check_invariants()


def test_a_follower_refuses_what_it_has_already_and_what_is_damaged() -> None:
    leader, follower = log_with(), log_with()
    append(leader)
    append(leader)
    data = bytearray(content(leader))
    follower.append_as_follower(data, now_ms=NOW_MS)

    with pytest.raises(Refused, match="expected 2"):
        follower.append_as_follower(data, now_ms=NOW_MS)
    append(leader)
    damaged = bytearray(leader.read_bytes(2, 1000))
    damaged[-1] ^= 1
    with pytest.raises(Refused, match="CORRUPT_MESSAGE"):
        follower.append_as_follower(damaged, now_ms=NOW_MS)
    assert follower.end_offset == 2
