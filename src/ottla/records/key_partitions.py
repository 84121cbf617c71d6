"""Partitions of a column of keys. Compiled where that is possible (`key_partitions.pxd`)."""

from ottla.model import murmur2
from ottla.records.record_writing import BinarySource


def fill_partitions(keys: BinarySource, rows: int, partition_count: int, out: memoryview) -> None:
    """Where Kafka's default partitioner puts each row; -1 for a row without a key."""
    for row in range(rows):
        size = keys.size_at(row)
        if size < 0:
            out[row] = -1
        else:
            hashed = murmur2.hash_range(keys.data, keys.ends[keys.first + row], size)
            out[row] = (hashed & 0x7FFF_FFFF) % partition_count
