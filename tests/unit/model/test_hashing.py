"""Where groups and keys land must be where Kafka puts them."""

import pytest

from ottla.model.hashing import coordinator_partition, java_string_hash
from ottla.model.murmur2 import key_partition, murmur2


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("a", 97), ("my-group", -1906497762), ("polygenelubricants", -(2**31)), ("😀", 1772899)],
)
def test_string_hash_is_that_of_java(text: str, expected: int) -> None:
    assert java_string_hash(text) == expected


def test_group_lands_on_the_same_partition_as_with_kafka() -> None:
    assert coordinator_partition("my-group", 50) == 12


def test_smallest_hash_lands_on_partition_zero() -> None:
    assert coordinator_partition("polygenelubricants", 50) == 0


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (b"21", -973932308),
        (b"foobar", -790332482),
        (b"a-little-bit-long-string", -985981536),
        (b"a-little-bit-longer-string", -1486304829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        (b"abc", 479470107),
    ],
)
def test_murmur2_is_that_of_kafka(key: bytes, expected: int) -> None:
    assert murmur2(key) == expected


def test_key_partition_is_never_negative() -> None:
    assert all(0 <= key_partition(str(number).encode(), 7) < 7 for number in range(1000))
