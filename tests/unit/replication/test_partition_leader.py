"""When a batch counts as committed: at once, after a flush, or every so many records."""

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import PartitionLog
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.records.builder import build_batch
from ottla.records.record import Record
from ottla.replication.partition_leader import ACKS_ALL, PartitionLeader
from tests.support.memory_disk import MemoryDisk

NOW_MS = 1_700_000_000_000


class LeaderStage:
    def __init__(self, **settings: str) -> None:
        self.disk = MemoryDisk()
        self.disk.make_directories("/logs/orders-0")
        self.settings = {name.replace("_", "."): value for name, value in settings.items()}
        self.wanted: list[PartitionLeader] = []
        self.told = 0
        self.leader = self.lead(self.open())

    def open(self) -> PartitionLog:
        return PartitionLog.open(
            self.disk,
            "/logs/orders-0",
            TopicPartition("orders", 0),
            TopicOptions(self.settings),
            now_ms=NOW_MS,
            clean=False,
        )

    def lead(self, log: PartitionLog) -> PartitionLeader:
        leader = PartitionLeader(log, 3, on_flush_wanted=self.wanted.append)
        leader.watch(self.count)
        return leader

    def count(self) -> None:
        self.told += 1

    def append(self, count: int = 1) -> int:
        """The last offset of a batch of `count` records."""
        batch = build_batch([Record(index, NOW_MS, None, b"v", ()) for index in range(count)])
        _, last_offset, _, _ = self.leader.append(batch, NOW_MS)
        return last_offset

    def flush(self) -> None:
        job = self.leader.log.flush_job()
        assert job is not None
        job.run()
        self.leader.log.flush_done(job)
        self.leader.flushed()


def test_with_one_replica_an_append_is_committed_at_once() -> None:
    stage = LeaderStage()

    last_offset = stage.append(3)

    assert stage.leader.is_committed(last_offset)
    assert stage.leader.high_watermark == 3
    assert stage.wanted == []
    assert stage.told == 1


def test_an_append_that_waits_for_its_flush_is_committed_though_the_setting_is_changed_meanwhile() -> None:
    stage = LeaderStage(flush_messages="1")
    last_offset = stage.append(3)

    stage.leader.log.update_options(TopicOptions({}), NOW_MS)
    stage.flush()

    assert stage.leader.is_committed(last_offset)
    assert stage.told == 1


def test_where_a_flush_comes_first_nobody_reads_before_it() -> None:
    stage = LeaderStage(flush_messages="1")

    last_offset = stage.append(3)

    assert not stage.leader.is_committed(last_offset)
    assert stage.leader.read(0, 1000, committed_only=False, at_least_one_batch=True) is None
    assert stage.wanted == [stage.leader]
    stage.flush()
    assert stage.leader.is_committed(last_offset)
    assert stage.leader.read(0, 1000, committed_only=False, at_least_one_batch=True) is not None
    assert stage.told == 1


def test_every_so_many_records_an_ack_waits_for_a_flush() -> None:
    stage = LeaderStage(flush_messages="10")

    first = stage.append(6)
    assert stage.leader.is_committed(first)
    second = stage.append(6)

    assert not stage.leader.is_committed(second)
    assert stage.leader.high_watermark == 12
    assert stage.wanted == [stage.leader]
    stage.flush()
    assert stage.leader.is_committed(second)


def test_acks_of_one_replica_wait_for_its_flush_alone() -> None:
    stage = LeaderStage(flush_messages="1")
    last_offset = stage.append()
    assert not stage.leader.may_acknowledge(last_offset, acks=1)

    stage.flush()
    # As with a follower that is behind.
    stage.leader.log.high_watermark = 0

    assert stage.leader.may_acknowledge(last_offset, acks=1)
    assert not stage.leader.may_acknowledge(last_offset, ACKS_ALL)


def test_a_repeated_batch_wants_the_flush_that_the_first_one_did_not_want() -> None:
    stage = LeaderStage()
    record = Record(0, NOW_MS, None, b"v", ())
    batch = build_batch([record], producer_id=7, producer_epoch=0, base_sequence=0)
    stage.leader.append(bytearray(batch), NOW_MS)

    stage.leader.log.update_options(TopicOptions({"flush.messages": "1"}), NOW_MS)
    _, last_offset, _, is_duplicate = stage.leader.append(bytearray(batch), NOW_MS)

    assert is_duplicate
    assert not stage.leader.may_acknowledge(last_offset, acks=1)
    assert stage.wanted == [stage.leader]
    stage.flush()
    assert stage.leader.may_acknowledge(last_offset, acks=1)


def test_what_a_crash_left_unflushed_counts_only_after_a_flush() -> None:
    stage = LeaderStage(flush_messages="1")
    stage.append(5)
    stage.wanted.clear()

    stage.leader = stage.lead(stage.open())

    assert stage.leader.log.end_offset == 5
    assert stage.leader.high_watermark == 0
    assert stage.wanted == [stage.leader]
    stage.flush()
    assert stage.leader.high_watermark == 5


@pytest.mark.parametrize(("epoch", "code"), [(2, ErrorCode.FENCED_LEADER_EPOCH), (4, ErrorCode.UNKNOWN_LEADER_EPOCH)])
def test_a_client_with_another_view_of_the_leader_is_refused(epoch: int, code: ErrorCode) -> None:
    stage = LeaderStage()

    with pytest.raises(Refused) as refusal:
        stage.leader.check_epoch(epoch)

    assert refusal.value.code is code
    stage.leader.check_epoch(3)
    stage.leader.check_epoch(-1)
