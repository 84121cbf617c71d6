"""The two hashes that decide where things live in Kafka."""

import struct


def java_string_hash(text: str) -> int:
    """Java's String.hashCode: over UTF-16 units, as a signed 32-bit number."""
    value = 0
    for unit in struct.unpack(f"<{len(text.encode('utf-16-le')) // 2}H", text.encode("utf-16-le")):
        value = (31 * value + unit) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def coordinator_partition(key: str, partition_count: int) -> int:
    """Which partition of an internal topic coordinates a group or transactional id."""
    value = java_string_hash(key)
    # Java's Utils.abs maps the smallest number to 0, because its absolute value does not fit.
    return (0 if value == -(1 << 31) else abs(value)) % partition_count


def murmur2(data: bytes) -> int:
    """Kafka's murmur2 of a record key, as a signed 32-bit number."""
    m, mask = 0x5BD1E995, 0xFFFFFFFF
    value = (0x9747B28C ^ len(data)) & mask
    whole = len(data) & ~3
    for (k,) in struct.iter_unpack("<I", data[:whole]):
        k = (k * m) & mask
        k ^= k >> 24
        value = ((value * m) & mask) ^ ((k * m) & mask)
    tail = data[whole:]
    if tail:
        value ^= int.from_bytes(tail, "little")
        value = (value * m) & mask
    value ^= value >> 13
    value = (value * m) & mask
    value ^= value >> 15
    return value - (1 << 32) if value >= 1 << 31 else value


def key_partition(key: bytes, partition_count: int) -> int:
    """Where Kafka's default partitioner puts a record with this key."""
    return (murmur2(key) & 0x7FFFFFFF) % partition_count
