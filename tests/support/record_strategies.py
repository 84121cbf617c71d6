"""Records of all shapes, and batches that are damaged, for Hypothesis."""

from hypothesis import strategies as st

from ottla.records.record import Record

_NOW_MS = 1_700_000_000_000
_some_bytes = st.one_of(st.none(), st.binary(max_size=8), st.integers(0, 40_000).map(bytes))
_headers = st.lists(st.tuples(st.text(max_size=3), st.one_of(st.none(), st.binary(max_size=4))), max_size=2).map(tuple)
_timestamps = st.one_of(st.integers(-70, 70), st.integers(-20_000, 20_000), st.integers(-(2**40), 2**40))
_some_records = st.builds(
    lambda at, key, value, more: Record(0, _NOW_MS + at, key, value, more),
    _timestamps,
    _some_bytes,
    _some_bytes,
    _headers,
)
records = st.lists(_some_records, min_size=1, max_size=70)
#: How many offsets are left out before each record.
some_gaps = st.one_of(st.just([0] * 70), st.lists(st.sampled_from([0, 0, 1, 200, 20_000]), min_size=70, max_size=70))


def with_gaps(given_records: list[Record], gaps: list[int]) -> list[Record]:
    offset = -1
    placed = []
    for record, gap in zip(given_records, gaps, strict=False):
        offset += 1 + gap
        placed.append(record._replace(offset=offset))
    return placed


def damage(batch: bytearray, draw: st.DataObject) -> None:
    """Other bytes at one to three places behind the header of the batch."""
    for _ in range(draw.draw(st.integers(1, 3))):
        # Mostly near the beginning, where lengths are; the rest of it is mostly values.
        position = draw.draw(st.one_of(st.integers(61, min(len(batch) - 1, 90)), st.integers(61, len(batch) - 1)))
        batch[position] = draw.draw(st.integers(0, 255))
