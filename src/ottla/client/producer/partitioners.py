"""Which partition a record goes to. No I/O.

The default is Kafka's: murmur2 of the key; records without a key stick to one partition until it has got `batch.size`
bytes, then the next one is drawn, less often where many batches wait (KIP-794).

A partitioner of your own is a callable: (topic, key bytes or None, partition count) -> partition. It is named in
`partitioner.class`, or passed as `partitioner_class=`.
"""

import zlib
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeAlias

from ottla.doors.rng import Rng
from ottla.model.murmur2 import key_partition

Partitioner: TypeAlias = Callable[[str, bytes | None, int], int]

#: Keys whose partition is remembered: real streams have few keys that come often.
_REMEMBERED_KEYS = 10_000


class KeyPartitions:
    """murmur2 of keys, with a memory: it is slow in Python."""

    __slots__ = ("_count", "_known")

    def __init__(self, partition_count: int) -> None:
        self._count = partition_count
        self._known: dict[bytes, int] = {}

    def of(self, key: bytes) -> int:
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _REMEMBERED_KEYS:
                self._known.clear()
            known = self._known[key] = key_partition(key, self._count)
        return known


def drawn_partition(partitions: Sequence[int], waiting: Sequence[int], rng: Rng) -> int:
    """A partition for records without a key; `waiting` are the batches that wait in each, or empty to draw evenly."""
    if len(partitions) == 1:
        return partitions[0]
    if not waiting:
        return partitions[rng.below(len(partitions))]
    # The longest queue gets the smallest share, but some.
    most = max(waiting) + 1
    shares = list(accumulate(most - count for count in waiting))
    return partitions[bisect_right(shares, rng.below(shares[-1]))]


def round_robin() -> Partitioner:
    """Every record to the next partition, whatever its key."""
    turns: dict[str, int] = {}

    def choose(topic: str, key: bytes | None, partition_count: int) -> int:
        turns[topic] = turn = turns.get(topic, -1) + 1
        return turn % partition_count

    return choose


def crc32_of_key() -> Partitioner:
    """librdkafka's `consistent`: CRC-32 of the key; without a key always the same partition."""

    def choose(topic: str, key: bytes | None, partition_count: int) -> int:
        return zlib.crc32(key or b"") % partition_count

    return choose


def murmur2_of_key() -> Partitioner:
    """librdkafka's `murmur2`: as Kafka's, but records without a key go where an empty key goes."""

    def choose(topic: str, key: bytes | None, partition_count: int) -> int:
        return key_partition(key or b"", partition_count)

    return choose


#: None: the default, which the producer does itself.
NAMED: dict[str, Callable[[], Partitioner] | None] = {
    "default": None,
    "murmur2_random": None,
    "org.apache.kafka.clients.producer.RoundRobinPartitioner": round_robin,
    "roundrobin": round_robin,
    "consistent": crc32_of_key,
    "murmur2": murmur2_of_key,
}
