"""The reader of keys says what a plain reader of whole records says; a batch cut down has exactly what was wanted."""

from hypothesis import given
from hypothesis import strategies as st

from ottla.records.batch import BatchHeader, is_intact, read_header
from ottla.records.builder import build_batch
from ottla.records.errors import CorruptRecord
from ottla.records.reader import read_records, records_bytes
from ottla.records.record import Record
from ottla.records.record_picking import BatchKeys, read_keys, without_others
from tests.support.plain_records import plain_records
from tests.support.record_strategies import damage, records, some_gaps, with_gaps


def by_records(data: bytes, header: BatchHeader) -> BatchKeys | None:
    found = plain_records(records_bytes(data, 0, header), header)
    if found is None:
        return None
    return BatchKeys(
        [record.key for record in found],
        [record.offset - header.base_offset for record in found],
        [index for index, record in enumerate(found) if record.value is None],
    )


def by_keys(data: bytes, header: BatchHeader) -> BatchKeys | None:
    try:
        return read_keys(records_bytes(data, 0, header), header)
    except CorruptRecord:
        return None


@given(records, some_gaps, st.sampled_from([0, 1]))
def test_good_batches_are_read_alike(given_records: list[Record], gaps: list[int], codec: int) -> None:
    data = bytes(build_batch(with_gaps(given_records, gaps), codec=codec, keep_offsets=True))
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


@given(records, some_gaps, st.sampled_from([0, 1]), st.booleans(), st.data())
def test_a_batch_cut_down_has_the_records_that_were_wanted(
    given_records: list[Record], gaps: list[int], codec: int, is_stamped: bool, draw: st.DataObject
) -> None:
    whole = bytes(
        build_batch(
            with_gaps(given_records, gaps),
            base_offset=0,
            codec=codec,
            leader_epoch=3,
            producer_id=7,
            producer_epoch=2,
            base_sequence=11,
            is_transactional=True,
            keep_offsets=True,
            log_append_time_ms=1_800_000_000_000 if is_stamped else None,
        )
    )
    header = read_header(whole)
    indexes = range(header.record_count)
    wanted = [index for index in indexes if draw.draw(st.booleans())] or [draw.draw(st.sampled_from(indexes))]

    cut = bytes(without_others(records_bytes(whole, 0, header), header, wanted))

    expected = [read_records(whole, 0, header)[index] for index in wanted]
    found = read_header(cut)
    assert read_records(cut, 0, found) == expected
    assert is_intact(cut, 0, found)
    latest = header.max_timestamp if is_stamped else max(record.timestamp_ms for record in expected)
    assert found == header._replace(
        batch_length=len(cut) - 12, crc=found.crc, max_timestamp=latest, record_count=len(wanted)
    )
