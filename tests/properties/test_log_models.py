"""Producer state and indexes against the simplest thing that could be right."""

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.config.topic_options import TopicOptions
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.reader import iterate_batches, iterate_records
from tests.support.batches import batch_of
from tests.support.log_builders import NOW_MS, append, content, end_transaction, new_log
from tests.support.memory_disk import MemoryDisk

LAST_SEQUENCE = 2**31 - 1


class Sent(NamedTuple):
    epoch: int
    first: int
    last: int
    offset: int


class NaiveProducer:
    """Keeps everything and looks at the end of it."""

    def __init__(self) -> None:
        self.epoch: int | None = None
        self.history: list[Sent] = []
        self.is_open = False

    def answer(self, epoch: int, first: int, count: int, offset: int, transactional: bool) -> int | ErrorCode:
        last = (first + count - 1) % (LAST_SEQUENCE + 1)
        for sent in self.history[-5:]:
            if sent[:3] == (epoch, first, last) and epoch == self.epoch:
                return sent.offset
        if self.epoch is not None:
            if epoch < self.epoch:
                return ErrorCode.INVALID_PRODUCER_EPOCH
            same_epoch = [sent for sent in self.history if sent.epoch == epoch]
            expected = (same_epoch[-1].last + 1) % (LAST_SEQUENCE + 1) if same_epoch else 0
            if first != expected:
                return ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
            if self.is_open and not transactional:
                return ErrorCode.INVALID_TXN_STATE
        if epoch != self.epoch:
            self.history = []
        self.epoch = epoch
        self.is_open = self.is_open or transactional
        self.history.append(Sent(epoch, first, last, offset))
        return offset


step = st.tuples(
    st.integers(1, 2),  # producer
    st.integers(0, 2),  # epoch
    st.sampled_from([0, 1, 2, 3, 4, 5, 6, LAST_SEQUENCE - 1, LAST_SEQUENCE]),
    st.integers(1, 3),  # records
    st.sampled_from(["data", "data", "data", "transactional", "commit", "abort", "next", "next", "next", "again"]),
)


@settings(max_examples=300, deadline=None)
@given(steps=st.lists(step, max_size=40))
def test_producers_are_answered_as_a_naive_model_answers(steps: list[tuple[int, int, int, int, str]]) -> None:
    log = new_log(MemoryDisk())
    naive = {1: NaiveProducer(), 2: NaiveProducer()}
    for producer_id, epoch, first, count, kind in steps:
        model = naive[producer_id]
        if kind in ("commit", "abort"):
            if model.is_open and model.epoch is not None:
                end_transaction(log, producer_id, model.epoch, commit=kind == "commit")
                model.is_open = False
            continue
        if kind == "next" and model.history:
            epoch, first = model.history[-1].epoch, (model.history[-1].last + 1) % (LAST_SEQUENCE + 1)
        if kind == "again" and model.history:
            epoch, first, last, _ = model.history[-1]
            count = (last - first) % (LAST_SEQUENCE + 1) + 1
        transactional = kind == "transactional" or (kind == "next" and model.is_open)
        batch = batch_of(*[b"v"] * count, producer=(producer_id, epoch, first), is_transactional=transactional)
        expected = model.answer(epoch, first, count, log.end_offset, transactional)
        try:
            found: int | ErrorCode = append(log, batch).base_offset
        except Refused as refused:
            found = refused.code
        assert found == expected
    assert len(log.producers.open_transactions) == sum(model.is_open for model in naive.values())


@settings(max_examples=60, deadline=None)
@given(
    batches=st.lists(st.tuples(st.integers(1, 4), st.integers(0, 300), st.integers(-50, 50)), min_size=1, max_size=40),
    interval_bytes=st.integers(0, 500),
    segment_bytes=st.integers(600, 3000),
)
def test_lookups_find_what_a_linear_scan_finds(
    batches: list[tuple[int, int, int]], interval_bytes: int, segment_bytes: int
) -> None:
    options = TopicOptions({"internal.segment.bytes": str(segment_bytes), "index.interval.bytes": str(interval_bytes)})
    log = new_log(MemoryDisk(), options)
    for count, size, at in batches:
        append(log, batch_of(*[b"v" * (size // count)] * count, at_ms=NOW_MS + at))
    log.check_invariants()
    data = content(log)
    headers = [header for _, header in iterate_batches(data)]
    records = [
        record for position, header in iterate_batches(data) for record in iterate_records(data, position, header)
    ]
    for segment in log.segments:
        segment.forget_recent()

    for offset in range(log.end_offset):
        expected = next(header for header in headers if header.last_offset >= offset)
        found = log.read_bytes(offset, 1)
        assert next(iterate_batches(found))[1] == expected
    for at in range(NOW_MS - 52, NOW_MS + 55, 3):
        expected_record = next((record for record in records if record.timestamp_ms >= at), None)
        found_time = log.offset_for_time(at, log.end_offset)
        assert (found_time and found_time[:2]) == (
            expected_record and (expected_record.timestamp_ms, expected_record.offset)
        )
    latest = max(records, key=lambda record: record.timestamp_ms)
    found_latest = log.max_timestamp_offset()
    assert found_latest is not None
    assert found_latest[:2] == (latest.timestamp_ms, latest.offset)
