"""The walk over keys says what a plain reader of whole records says, on good batches and on damaged ones."""

from hypothesis import given
from hypothesis import strategies as st

from ottla.records.batch import BatchHeader, read_header
from ottla.records.builder import build_batch
from ottla.records.errors import CorruptRecord
from ottla.records.key_walk import walk_keys
from ottla.records.reader import records_bytes
from ottla.records.record import Record
from tests.support.plain_records import plain_records
from tests.support.record_strategies import damage, records


def by_records(data: bytes, header: BatchHeader) -> tuple[int, list[int]] | None:
    found = plain_records(records_bytes(data, 0, header), header)
    if found is None:
        return None
    latest = max(record.timestamp_ms for record in found) - header.base_timestamp
    return latest, [index for index, record in enumerate(found) if record.key is None]


def by_keys(data: bytes, header: BatchHeader) -> tuple[int, list[int]] | None:
    try:
        return tuple(walk_keys(records_bytes(data, 0, header), header))  # type: ignore[return-value]
    except CorruptRecord:
        return None


@given(records, st.sampled_from([0, 1]))
def test_good_batches_are_seen_alike(given_records: list[Record], codec: int) -> None:
    data = bytes(build_batch(given_records, codec=codec))
    header = read_header(data)

    found = by_keys(data, header)

    assert found is not None
    assert found == by_records(data, header)


@given(records, st.data())
def test_damaged_batches_are_refused_alike(given_records: list[Record], draw: st.DataObject) -> None:
    data = bytearray(build_batch(given_records))
    damage(data, draw)
    header = read_header(data)

    assert by_keys(bytes(data), header) == by_records(bytes(data), header)
