"""The hash that decides where groups and transactional ids are coordinated."""

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
