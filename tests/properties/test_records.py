"""Record batches: whatever goes in comes out, and whatever is broken is found."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.records.batch import header_problem, read_header
from ottla.records.builder import Record, build_batch
from ottla.records.compression import decompress
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_batches, read_records

INT63 = st.integers(0, 2**63 - 1)
HEADERS = st.lists(st.tuples(st.text(max_size=5), st.none() | st.binary(max_size=9)), max_size=3).map(tuple)
RECORDS = st.lists(
    st.builds(
        Record,
        st.just(0),
        st.integers(0, 2**62),
        st.none() | st.binary(max_size=40),
        st.none() | st.binary(max_size=200),
        HEADERS,
    ),
    min_size=1,
    max_size=20,
)
CODEC = st.integers(0, 4)


@given(records=RECORDS, codec=CODEC, base_offset=st.integers(0, 2**62), horizon=st.none() | st.integers(0, 2**62))
def test_batches_round_trip(records: list[Record], codec: int, base_offset: int, horizon: int | None) -> None:
    batch = build_batch(records, codec=codec, base_offset=base_offset, delete_horizon_ms=horizon)

    ((position, header),) = iterate_batches(batch)

    numbered = [record._replace(offset=base_offset + index) for index, record in enumerate(records)]
    assert read_records(batch, position, header) == numbered


@given(records=RECORDS, gaps=st.lists(st.integers(1, 1000), min_size=20, max_size=20), codec=CODEC)
def test_gaps_between_offsets_are_kept(records: list[Record], gaps: list[int], codec: int) -> None:
    offsets = [100 + sum(gaps[: index + 1]) for index in range(len(records))]
    kept = [record._replace(offset=offset) for record, offset in zip(records, offsets, strict=True)]

    batch = build_batch(kept, base_offset=100, codec=codec, keep_offsets=True, last_offset_delta=30_000)

    assert read_records(batch, 0, read_header(batch)) == kept


@settings(max_examples=300)
@given(
    records=RECORDS,
    codec=CODEC,
    edits=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6),
    cut=st.integers(0, 30),
)
def test_a_mutated_batch_is_read_or_corrupt_but_nothing_else(
    records: list[Record], codec: int, edits: list[tuple[int, int]], cut: int
) -> None:
    batch = build_batch(records, codec=codec)
    for position, byte in edits:
        batch[position % len(batch)] = byte
    data = bytes(batch[: len(batch) - cut])
    try:
        for position, header in iterate_batches(data):
            read_records(data, position, header, max_decompressed_bytes=1 << 20)
    except CorruptRecord:
        pass


@given(data=st.binary(max_size=300))
def test_noise_is_never_anything_but_corrupt(data: bytes) -> None:
    try:
        header = read_header(data)
        if header_problem(header, len(data)) is None:
            read_records(data, 0, header)
    except CorruptRecord:
        pass


@given(codec=st.integers(1, 4), data=st.binary(max_size=300), prefix=st.booleans())
def test_noise_is_never_unpacked_into_another_error(codec: int, data: bytes, prefix: bool) -> None:
    magic = [
        b"",
        b"\x1f\x8b\x08\x00",
        b"\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01",
        b"\x04\x22\x4d\x18",
        b"\x28\xb5\x2f\xfd",
    ]
    try:
        unpacked = decompress(codec, magic[codec] + data if prefix else data, 1 << 16)
    except CorruptRecord:
        return
    assert len(unpacked) <= 1 << 16
