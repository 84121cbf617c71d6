"""Chores: what they take away after the clock has jumped, and what they survive."""

import asyncio
import errno
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ottla.broker.maintenance.chores import Chore, _repeat
from ottla.broker.maintenance.retention import Retention
from ottla.broker.storage.name_syncs import NameSyncs
from ottla.broker.storage.retention_clock import RetentionClock
from ottla.config.broker_options import BrokerOptions
from ottla.log.partition_log import PartitionLog
from ottla.log.segments.segment_swap import Steps
from ottla.model.errors import CorruptLog
from ottla.model.topic import TopicPartition
from ottla.sim.executor import SimExecutor
from tests.support.batches import START_MS, batch_of
from tests.support.clocks import JumpingClock
from tests.support.log_builders import append, new_log, small_segments
from tests.support.memory_disk import MemoryDisk, SimRng

HOUR_MS = 60 * 60 * 1000
DAY_MS = 24 * HOUR_MS


class ChoresNode:
    """What the chores need of a node: one log, its clocks, a place for files to be removed."""

    def __init__(self) -> None:
        self.clock = JumpingClock(START_MS)
        self.retention_clock = RetentionClock(self.clock, HOUR_MS)
        self.options = BrokerOptions()
        self.log: PartitionLog = new_log(MemoryDisk(), small_segments(**{"retention.ms": str(DAY_MS)}))
        self.partitions: list[Any] = [SimpleNamespace(log=self.log)]
        self.faults = SimpleNamespace(log_failed=lambda place, error: self.failed.append((place, error)))
        self.failed: list[tuple[TopicPartition, Exception]] = []
        self.removed: list[str] = []
        self.executor = SimExecutor(MemoryDisk(), SimRng(1))

        def failed(log: Any, error: OSError) -> None:
            self.failed.append((log.topic_partition, error))

        self.name_syncs = NameSyncs(self.executor, failed)

    @property
    def store(self) -> Any:
        logs = {leader.log.topic_partition: leader.log for leader in self.partitions}
        return SimpleNamespace(logs=logs, schedule_removal=lambda paths, due_ms: self.removed.extend(paths))

    @property
    def retention(self) -> Retention:
        partitions, faults = cast(Any, self.partitions), cast(Any, self.faults)
        return Retention(
            partitions,
            self.store,
            clock=self.clock,
            retention_clock=self.retention_clock,
            executor=self.executor,
            name_syncs=self.name_syncs,
            faults=faults,
        )

    def retires(self) -> None:
        asyncio.run(self.retention.apply())

    def expires_producers(self) -> None:
        self.retention.expire_producers(self.options.producer_id_expiration_ms)


@pytest.fixture
def node() -> ChoresNode:
    node = ChoresNode()
    for number in range(20):
        append(node.log, batch_of(b"value", at_ms=START_MS, producer=(7, 0, number)))
    node.log.advance_high_watermark(node.log.end_offset)
    return node


def test_records_that_have_grown_old_go(node: ChoresNode) -> None:
    node.clock.passes(2 * DAY_MS)
    node.retires()

    assert node.log.log_start_offset == node.log.end_offset


def test_a_jump_of_the_clock_takes_no_records_away(node: ChoresNode) -> None:
    node.retires()
    node.clock.jumps(30 * DAY_MS)
    node.retires()

    assert node.log.log_start_offset == 0
    assert node.removed == []
    node.clock.passes(HOUR_MS)
    node.retires()
    assert node.log.log_start_offset == node.log.end_offset, "the jump has lasted"


def test_a_jump_of_the_clock_forgets_no_producer(node: ChoresNode) -> None:
    node.expires_producers()
    node.clock.jumps(30 * DAY_MS)
    node.expires_producers()

    assert list(node.log.producers.entries) == [7]
    node.clock.passes(DAY_MS)
    node.expires_producers()
    assert list(node.log.producers.entries) == []


class TroubledLog:
    """A log of which one thing cannot be done."""

    topic_partition = TopicPartition("troubled", 0)
    is_failed = False
    options = SimpleNamespace(cleanup_policy=["delete"], file_delete_delay_ms=0)

    def __init__(self, trouble: Exception, *, rolls: bool) -> None:
        self._trouble = trouble
        self._rolls = rolls
        self.was_retired = False

    def will_roll(self, now_ms: int) -> bool:
        return False

    def roll_if_due(self, now_ms: int) -> None:
        if not self._rolls:
            raise self._trouble

    def retirement_steps(self, now_ms: int) -> Steps[list[str]]:
        if self._rolls:
            raise self._trouble
        yield lambda: None
        self.was_retired = True
        return []


@pytest.mark.parametrize("rolls", [False, True], ids=["roll", "retire"])
@pytest.mark.parametrize(
    "trouble", [OSError(errno.EIO, "broken"), OSError(errno.ENOSPC, "full"), CorruptLog("here", 1, "damaged")], ids=str
)
def test_a_log_in_trouble_keeps_no_other_from_being_tidied_up(
    node: ChoresNode, trouble: Exception, rolls: bool
) -> None:
    troubled = TroubledLog(trouble, rolls=rolls)
    node.partitions.insert(0, SimpleNamespace(log=troubled))
    node.clock.passes(2 * DAY_MS)

    node.retires()

    assert node.failed == [(troubled.topic_partition, trouble)]
    assert node.log.log_start_offset == node.log.end_offset


def test_on_a_full_disk_a_log_that_cannot_roll_still_loses_what_is_old(node: ChoresNode) -> None:
    troubled = TroubledLog(OSError(errno.ENOSPC, "full"), rolls=False)
    node.partitions.insert(0, SimpleNamespace(log=troubled))

    node.retires()

    assert troubled.was_retired


def test_a_bug_in_a_chore_is_reported_and_not_its_end(node: ChoresNode) -> None:
    reported: list[dict[str, Any]] = []
    rounds = iter([ValueError("a bug"), None])

    async def story() -> None:
        done = asyncio.Event()

        async def chore() -> None:
            trouble = next(rounds)
            if trouble is not None:
                raise trouble
            done.set()

        asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))
        task = asyncio.ensure_future(_repeat(Chore("tidying up", 0, chore)))
        await done.wait()
        task.cancel()

    asyncio.run(story())
    assert [each["message"] for each in reported] == ["tidying up failed and will be retried"]
