"""The verdict on the header of a batch, compiled and as Python, is that of the rules written out one by one."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.records import header_verdict
from ottla.records.batch import HEADER, HEADER_SIZE, is_intact, patch_checksum, read_header
from ottla.records.builder import build_batch
from ottla.records.record import Record
from tests.support.both_forms import modules_from_source

_FORMS = [header_verdict, modules_from_source()["ottla.records.header_verdict"]]
_BYTES = HEADER_SIZE + 7


def a_batch(count: int, producer: tuple[int, int, int] = (-1, -1, -1)) -> bytearray:
    producer_id, producer_epoch, base_sequence = producer
    return build_batch(
        [Record(offset, 1_000 + offset, None, b"value") for offset in range(count)],
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        base_sequence=base_sequence,
    )


def expected_problem(data: bytes | bytearray, size_max: int) -> str | None:
    if len(data) < HEADER_SIZE:
        return "framing"
    header = read_header(data)
    rules = {
        "framing": header.magic == 2 and header.size == len(data),
        "base offset": header.base_offset == 0,
        "size": len(data) <= size_max,
        "checksum": is_intact(data, 0, header),
        "codec": header.codec <= 4,
        "control": not header.is_control,
        "attributes": header.attributes in range(0x20),
        "count": 1 <= header.record_count == header.last_offset_delta + 1,
        "sequence": header.producer_id < 0 or (header.producer_epoch >= 0 and header.base_sequence >= 0),
        "producer": header.producer_id >= -1 and not (header.producer_id < 0 and header.is_transactional),
    }
    return next((problem for problem, is_kept in rules.items() if not is_kept), None)


def check(data: bytearray, size_max: int) -> None:
    for buffer in (data, bytes(data), memoryview(data)):
        verdicts: list[Any] = [form.judge(buffer, size_max) for form in _FORMS]

        assert verdicts[0] == verdicts[1]
        problem, *fields = verdicts[0]
        assert problem == expected_problem(data, size_max)
        if len(data) >= HEADER_SIZE:
            header = read_header(data)
            assert fields == [
                header.attributes,
                header.last_offset_delta,
                header.max_timestamp,
                header.producer_id,
                header.producer_epoch,
                header.base_sequence,
            ]


@given(st.integers(1, 5), st.sampled_from([(-1, -1, -1), (0, 0, 0), (2**63 - 1, 2**15 - 1, 2**31 - 1)]))
def test_good_batches_have_no_problem(count: int, producer: tuple[int, int, int]) -> None:
    batch = a_batch(count, producer)

    assert header_verdict.judge(batch, len(batch))[0] is None
    check(batch, len(batch))


@settings(max_examples=300)
@given(st.integers(0, _BYTES - 1), st.binary(max_size=8), st.booleans(), st.integers(-4, 4))
def test_changed_headers(position: int, changed: bytes, is_checksum_right: bool, room: int) -> None:
    batch = a_batch(3)
    batch[position : position + len(changed)] = changed
    if is_checksum_right and len(batch) >= HEADER_SIZE:
        patch_checksum(batch, 0, len(batch))

    check(batch, len(batch) + room)


@settings(max_examples=300)
@given(
    st.tuples(st.integers(-1, 0x7F), st.integers(-(2**31), 2**31 - 1), st.sampled_from([-(2**63), -1, 2**63 - 1])),
    st.tuples(st.sampled_from([-(2**63), -2, -1, 0, 5]), st.integers(-2, 1), st.integers(-2, 1)),
    st.sampled_from([-(2**31), -1, 0, 1, 3, 2**31 - 1]),
)
def test_headers_at_the_edges_of_their_fields(
    first: tuple[int, int, int], producer: tuple[int, int, int], count: int
) -> None:
    attributes, delta, timestamp = first
    for last_offset_delta in (delta, max(count - 1, -(2**31))):
        header = (0, HEADER_SIZE - 12, 0, 2, 0, attributes, last_offset_delta, timestamp, timestamp, *producer, count)
        batch = bytearray(HEADER.pack(*header))
        patch_checksum(batch, 0, len(batch))

        check(batch, 1_000)


@given(st.binary(max_size=HEADER_SIZE + 1))
def test_bytes_that_are_no_batch(data: bytes) -> None:
    check(bytearray(data), 1_000)
