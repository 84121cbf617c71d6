"""Where records go."""

from collections import Counter

import pytest

from ottla.client.producer.partitioners import KeyPartitions, crc32_of_key, drawn_partition, murmur2_of_key, round_robin
from ottla.sim.rng import SimRng


@pytest.mark.parametrize(("key", "partition"), [(b"21", 0), (b"foobar", 6), (b"abc", 7)])
def test_keys_go_where_kafkas_producer_puts_them(key: bytes, partition: int) -> None:
    """Of 10 partitions; the hashes are those of Kafka's own tests."""
    assert KeyPartitions(10).of(key) == partition
    assert murmur2_of_key()("t", key, 10) == partition


def test_partitions_are_drawn_evenly() -> None:
    rng = SimRng(1)

    drawn = Counter(drawn_partition([0, 1, 2, 3], [], rng) for _ in range(4000))

    assert all(800 < count < 1200 for count in drawn.values())


def test_where_batches_wait_fewer_records_go() -> None:
    rng = SimRng(1)

    drawn = Counter(drawn_partition([0, 1, 2], [0, 9, 4], rng) for _ in range(8000))

    assert drawn[0] > drawn[2] > drawn[1] > 0
    assert drawn[0] == pytest.approx(8000 * 10 / 17, rel=0.1)


def test_round_robin_takes_turns_per_topic() -> None:
    choose = round_robin()

    assert [choose("a", None, 3), choose("b", None, 3), choose("a", b"k", 3), choose("a", None, 3)] == [0, 0, 1, 2]


def test_librdkafkas_consistent_partitioner_is_crc32() -> None:
    assert crc32_of_key()("t", b"key", 7) == 0x8A90ABA9 % 7
    assert crc32_of_key()("t", None, 7) == 0
