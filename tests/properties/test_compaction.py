"""Compaction against a naive model: whatever was written and however often it is cleaned, readers see the same."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.log.partition_log import PartitionLog
from ottla.records.record import Record
from tests.support.compacted_log import RETENTION_MS, TOPIC, CompactedLog
from tests.support.log_view import committed_view, headers_of, uncommitted_view

KEYS = ["a", "b", "c", "d", "a key that is longer than its digest would be"]
VALUES = [None, None, "1", "2", "x" * 50]


def some_steps(seed: int, count: int = 80) -> list[tuple[object, ...]]:
    """A long history. Hypothesis alone would keep to short ones, and markers need many steps to come and go."""
    rng = random.Random(seed)
    return [_some_step(rng) for _ in range(count)]


def _some_step(rng: random.Random) -> tuple[object, ...]:
    kinds = ["write", "transactional", "end", "roll", "clean", "wait", "fetch", "reopen"]
    kind = rng.choices(kinds, weights=[3, 6, 6, 4, 6, 2, 3, 1])[0]
    pairs = [(rng.choice(KEYS), rng.choice(VALUES)) for _ in range(rng.randint(1, 3))]
    details: dict[str, tuple[object, ...]] = {
        "write": (pairs, rng.choice([-1, 7, 8])),
        "transactional": (pairs, rng.randint(1, 2)),
        "end": (rng.randint(1, 2), rng.random() < 0.5),
        "wait": (rng.choice([1, RETENTION_MS // 2, RETENTION_MS + 1]),),
        "fetch": (rng.choice([1, 200, 1000]),),
    }
    return (kind, *details.get(kind, ()))


class Reader:
    """Keeps the latest value of each key, as a consumer of a compacted topic does."""

    def __init__(self) -> None:
        self.table: dict[bytes | None, bytes] = {}
        self.offset = 0

    def catch_up(self, compacted: CompactedLog) -> None:
        for record in committed_view(compacted.log):
            if record.offset >= self.offset:
                fold(self.table, record)
        self.offset = compacted.log.last_stable_offset


class Follower:
    """Replicates the log, now a little, now a lot; what it has fetched before a cleaning it keeps."""

    def __init__(self, compacted: CompactedLog) -> None:
        self.log = compacted.open(clean=False, directory="/data/follower-0")

    def fetch(self, leader: PartitionLog, max_bytes: int) -> bool:
        """False when there is nothing left."""
        if self.log.end_offset >= leader.end_offset:
            return False
        data = leader.read_bytes(self.log.end_offset, max_bytes, end_offset=leader.end_offset)
        if not data:
            return False
        self.log.append_as_follower(bytearray(data), now_ms=0)
        self.log.advance_high_watermark(self.log.end_offset)
        return True

    def catch_up(self, leader: PartitionLog) -> None:
        while self.fetch(leader, 1 << 20):
            pass

    def check(self, compacted: CompactedLog) -> None:
        """Every transaction that is decided for the leader is decided here too."""
        self.catch_up(compacted.log)
        assert self.log.producers.open_transactions.keys() == compacted.log.producers.open_transactions.keys()
        table: dict[bytes | None, bytes] = {}
        for record in committed_view(self.log):
            fold(table, record)
        assert table == true_table(compacted)


def fold(table: dict[bytes | None, bytes], record: Record) -> None:
    if record.value is None:
        table.pop(record.key, None)
    else:
        table[record.key] = record.value


def true_table(compacted: CompactedLog) -> dict[bytes | None, bytes]:
    """What the committed records say, all of them, as if nothing had ever been cleaned."""
    table: dict[bytes | None, bytes] = {}
    for entry in compacted.records:
        if not entry.is_aborted and entry.record.offset < compacted.log.last_stable_offset:
            fold(table, entry.record)
    return table


def take(compacted: CompactedLog, step: tuple[object, ...], reader: Reader, follower: Follower) -> None:
    match step:
        case ("write", list(pairs), int(producer_id)):
            compacted.write(*pairs, producer_id=producer_id)
        case ("transactional", list(pairs), int(producer_id)):
            compacted.write(*pairs, producer_id=producer_id, transactional=True, codec=producer_id + 1)
        case ("end", int(producer_id), bool(commit)) if producer_id in compacted.open_transactions:
            compacted.end_transaction(producer_id, commit=commit)
        case ("roll",):
            compacted.log.roll()
        case ("clean",):
            compacted.clean()
        case ("wait", int(duration_ms)):
            wait(compacted, duration_ms, reader, follower)
        case ("fetch", int(max_bytes)):
            follower.fetch(compacted.log, max_bytes)
        case ("reopen",):
            reopen(compacted)


def wait(compacted: CompactedLog, duration_ms: int, reader: Reader, follower: Follower) -> None:
    # Whoever falls behind by more than delete.retention.ms is promised nothing.
    if duration_ms >= RETENTION_MS // 2:
        reader.catch_up(compacted)
        follower.catch_up(compacted.log)
    compacted.clock.wall_ms += duration_ms


def reopen(compacted: CompactedLog) -> None:
    """As after a crash, without any snapshot: all state is rebuilt from the cleaned batches."""
    log = compacted.log
    before = (log.end_offset, log.last_stable_offset, log.producers.digest(), headers_of(log))
    for name in compacted.disk.list(log.directory):
        if name.endswith(".snapshot"):
            compacted.disk.remove(f"{log.directory}/{name}")
    compacted.log = log = compacted.open(clean=False)
    log.advance_high_watermark(log.end_offset)
    assert (log.end_offset, log.last_stable_offset, log.producers.digest(), headers_of(log)) == before


def check_views(compacted: CompactedLog) -> None:
    assert uncommitted_view(compacted.log) == compacted.expected_uncommitted()
    assert committed_view(compacted.log) == compacted.expected_committed()
    fresh = Reader()
    fresh.catch_up(compacted)
    assert fresh.table == true_table(compacted)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_readers_see_what_the_model_says(seed: int) -> None:
    compacted = CompactedLog()
    reader, follower = Reader(), Follower(compacted)
    for step in some_steps(seed):
        take(compacted, step, reader, follower)
        check_views(compacted)
    reader.catch_up(compacted)
    assert reader.table == true_table(compacted)
    follower.check(compacted)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_repeated_cleaning_leaves_the_newest_values_alone(seed: int) -> None:
    compacted = CompactedLog()
    reader, follower = Reader(), Follower(compacted)
    for step in some_steps(seed):
        take(compacted, step, reader, follower)
    for producer_id in list(compacted.open_transactions):
        compacted.end_transaction(producer_id, commit=True)

    for _ in range(4):
        compacted.clean_all()
        check_views(compacted)
        compacted.clock.wall_ms += RETENTION_MS + 1
    reopen(compacted)
    check_views(compacted)

    survivors = uncommitted_view(compacted.log)
    assert {record.key: record.value for record in survivors} == true_table(compacted)
    assert len(survivors) == len(true_table(compacted))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), capacity=st.integers(1, 4))
def test_a_small_map_cleans_in_several_passes(seed: int, capacity: int) -> None:
    compacted = CompactedLog(map_memory_bytes=capacity * 200)
    reader, follower = Reader(), Follower(compacted)
    for step in some_steps(seed):
        take(compacted, step, reader, follower)
        check_views(compacted)
    for producer_id in list(compacted.open_transactions):
        compacted.end_transaction(producer_id, commit=False)
    compacted.log.roll()
    while compacted.clean() is not None:
        check_views(compacted)
    if compacted.records:
        assert compacted.cleaned_to[TOPIC] == compacted.log.end_offset
