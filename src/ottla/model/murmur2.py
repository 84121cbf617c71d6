"""Kafka's hash of record keys, which decides their partition. Compiled where that is possible (`murmur2.pxd`)."""

_MULTIPLIER = 0x5BD1E995
_SEED = 0x9747B28C
#: Compiled code counts in 32 bits by itself.
_MASK = 0xFFFF_FFFF


def murmur2(data: bytes) -> int:
    """As a signed 32-bit number."""
    value = hash_range(data, 0, len(data))
    return value - (1 << 32) if value >= 1 << 31 else value


def key_partition(key: bytes, partition_count: int) -> int:
    """Where Kafka's default partitioner puts a record with this key."""
    return (hash_range(key, 0, len(key)) & 0x7FFF_FFFF) % partition_count


def hash_range(data: bytes | memoryview, start: int, size: int) -> int:
    """Of `size` bytes from `start` on, as an unsigned number."""
    value = _SEED ^ size & _MASK
    at, end = start, start + (size & ~3)
    while at < end:
        word = data[at] | data[at + 1] << 8 | data[at + 2] << 16 | data[at + 3] << 24
        word = word * _MULTIPLIER & _MASK
        word ^= word >> 24
        value = (value * _MULTIPLIER & _MASK) ^ (word * _MULTIPLIER & _MASK)
        at += 4
    rest = size & 3
    if rest:
        word = data[at]
        if rest > 1:
            word |= data[at + 1] << 8
        if rest > 2:
            word |= data[at + 2] << 16
        value = (value ^ word) * _MULTIPLIER & _MASK
    value ^= value >> 13
    value = value * _MULTIPLIER & _MASK
    return value ^ value >> 15
