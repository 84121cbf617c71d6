"""The way of records to partitions: sticky without a key, fixed with one."""

import pytest

from ottla.client.metadata import PartitionView, TopicView
from ottla.client.producer.accumulator import Accumulator, AccumulatorLimits
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.client.producer.partitioners import Partitioner
from ottla.client.producer.routes import Route
from ottla.sim.rng import SimRng

BATCH_SIZE = 1000


class RouteStage:
    def __init__(self, leaders: list[int], *, slow: tuple[int, ...] = (), chooser: Partitioner | None = None) -> None:
        self.accumulator = Accumulator(AccumulatorLimits(batch_size=BATCH_SIZE))
        partitions = tuple(PartitionView(n, leader, 0, (), (), ()) for n, leader in enumerate(leaders))
        self.route = Route(
            TopicView("orders", bytes(16), False, partitions),
            self.accumulator,
            SimRng(1),
            chooser=chooser,
            ignores_keys=False,
            is_adaptive=True,
            slow_nodes=slow,
        )

    def fill(self, queue: PartitionQueue, size: int) -> None:
        self.accumulator.batch_for(queue, size, 0).records.append(0, None, b"", ())


def number(queue: PartitionQueue) -> int:
    return queue.partition.partition


def test_a_key_always_has_the_same_partition() -> None:
    stage = RouteStage([1, 1, 1, 1])

    assert {number(stage.route.choose(b"key")) for _ in range(20)} == {number(stage.route.choose(b"key"))}


def test_another_partition_is_drawn_when_a_batch_is_full() -> None:
    stage = RouteStage([1] * 20)
    first = stage.route.sticky_queue
    stage.fill(first, BATCH_SIZE - 100)

    assert stage.route.choose(None) is first
    assert stage.route.next_sticky() is not first


def test_a_partition_is_kept_while_its_batches_are_sent_half_empty() -> None:
    stage = RouteStage([1] * 20)
    first = stage.route.sticky_queue
    for _ in range(3):
        stage.fill(first, 250)
        first.take()
        assert stage.route.next_sticky() is first
    stage.fill(first, 250)
    first.take()

    assert stage.route.next_sticky() is not first


def test_partitions_without_leader_and_slow_nodes_are_avoided() -> None:
    drawn = set()
    stage = RouteStage([-1, 7, 8, 8], slow=(7,))
    for _ in range(50):
        stage.fill(stage.route.sticky_queue, BATCH_SIZE)
        drawn.add(number(stage.route.next_sticky()))

    assert drawn == {2, 3}


def test_slow_nodes_are_better_than_none() -> None:
    assert number(RouteStage([-1, 7], slow=(7,)).route.sticky_queue) == 1


def test_a_partitioner_of_the_users_must_choose_a_partition_that_exists() -> None:
    stage = RouteStage([1, 1], chooser=lambda topic, key, count: count)

    with pytest.raises(ValueError, match="partition 2 of orders: it has partitions 0 to 1"):
        stage.route.choose(b"x")
