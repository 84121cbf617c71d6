"""How much one micro-batch takes."""

from ottla.model.topic import TopicPartition
from ottla.spark.admission import MinimumRows, limited

A, B = TopicPartition("orders", 0), TopicPartition("orders", 1)


def test_partitions_share_the_limit_by_what_they_have() -> None:
    assert limited({A: 10, B: 0}, {A: 310, B: 100}, 40) == {A: 40, B: 10}


def test_the_limit_is_used_up_and_never_exceeded() -> None:
    assert limited({A: 0, B: 0}, {A: 2, B: 2}, 3) == {A: 2, B: 1}


def test_without_so_many_records_all_are_taken() -> None:
    assert limited({A: 5, B: 5}, {A: 8, B: 5}, 100) == {A: 8, B: 5}


def test_a_batch_waits_for_enough_records_or_for_its_delay() -> None:
    minimum = MinimumRows(100, max_delay_ms=1000)

    assert not minimum.is_reached(99, 0)
    assert minimum.is_reached(100, 10)
    assert not minimum.is_reached(1, 1009)
    assert minimum.is_reached(1, 1010)
