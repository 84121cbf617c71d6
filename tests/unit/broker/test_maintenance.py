"""Chores that take things away, after the clock has jumped."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from ottla.broker.maintenance import Maintenance
from ottla.broker.retention_clock import RetentionClock
from ottla.config.broker_options import BrokerOptions
from ottla.log.partition_log import PartitionLog
from tests.support.memory_disk import MemoryDisk
from tests.unit.broker.test_retention_clock import HOUR_MS, START_MS, TwoClocks
from tests.unit.log.log_builders import append, batch_of, new_log, small_segments

DAY_MS = 24 * HOUR_MS


class Node:
    """What the chores need of a node: one log, its clocks, a place for files to be removed."""

    def __init__(self) -> None:
        self.clock = TwoClocks()
        self.retention_clock = RetentionClock(self.clock, HOUR_MS)
        self.options = BrokerOptions()
        self.log: PartitionLog = new_log(MemoryDisk(), small_segments(**{"retention.ms": str(DAY_MS)}))
        self.partitions = [SimpleNamespace(log=self.log)]
        self.removed: list[str] = []
        self.store = SimpleNamespace(schedule_removal=lambda paths, due_ms: self.removed.extend(paths))
        broker: Any = self
        self.maintenance = Maintenance(broker)

    def retires(self) -> None:
        asyncio.run(self.maintenance._retire_segments())

    def expires_producers(self) -> None:
        asyncio.run(self.maintenance._expire_producers())


@pytest.fixture
def node() -> Node:
    node = Node()
    for number in range(20):
        append(node.log, batch_of(b"value", at_ms=START_MS, producer=(7, 0, number)))
    node.log.advance_high_watermark(node.log.end_offset)
    return node


def test_records_that_have_grown_old_go(node: Node) -> None:
    node.clock.passes(2 * DAY_MS)
    node.retires()

    assert node.log.log_start_offset == node.log.end_offset


def test_a_jump_of_the_clock_takes_no_records_away(node: Node) -> None:
    node.retires()
    node.clock.jumps(30 * DAY_MS)
    node.retires()

    assert node.log.log_start_offset == 0
    assert node.removed == []
    node.clock.passes(HOUR_MS)
    node.retires()
    assert node.log.log_start_offset == node.log.end_offset, "the jump has lasted"


def test_a_jump_of_the_clock_forgets_no_producer(node: Node) -> None:
    node.expires_producers()
    node.clock.jumps(30 * DAY_MS)
    node.expires_producers()

    assert list(node.log.producers.entries) == [7]
    node.clock.passes(DAY_MS)
    node.expires_producers()
    assert list(node.log.producers.entries) == []
