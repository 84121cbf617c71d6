"""What classic members tell each other, as other clients write and read it."""

import struct

import pytest

from ottla.client.group.subscription_bytes import (
    assignment_bytes,
    read_assignment,
    read_subscription,
    subscription_bytes,
)
from ottla.model.errors import RemoteProtocolError
from ottla.model.topic import TopicPartition

OWNED = [TopicPartition("a", 0), TopicPartition("b", 2)]


@pytest.mark.parametrize("assignor", ["range", "sticky", "cooperative-sticky"])
def test_a_subscription_survives_the_trip(assignor: str) -> None:
    data = subscription_bytes(assignor, ["b", "a"], OWNED, 7, "north")

    seen = read_subscription(assignor, "m", "i", data)

    assert seen.topics == {"a", "b"}
    assert list(seen.owned) == OWNED
    assert (seen.generation, seen.instance_id, seen.rack) == (7, "i", "north")


def test_the_first_version_has_topics_only() -> None:
    data = struct.pack(">hi h1s i", 0, 1, 1, b"a", -1)

    assert read_subscription("range", "m", None, data).topics == {"a"}


def test_a_cooperative_member_of_an_older_client_has_its_generation_in_its_user_data() -> None:
    user_data = struct.pack(">i", 12)
    data = struct.pack(">hi h1s i4s", 1, 1, 1, b"a", 4, user_data) + struct.pack(">i h1s ii", 1, 1, b"a", 1, 0)

    seen = read_subscription("cooperative-sticky", "m", None, data)

    assert seen.generation == 12
    assert seen.owned == (TopicPartition("a", 0),)


@pytest.mark.parametrize("data", [b"", b"\x00", b"\xff\xff", b"\x00\x00\x7f\xff\xff\xff"])
def test_bytes_that_make_no_sense_are_a_member_without_topics(data: bytes) -> None:
    assert read_subscription("range", "m", None, data).topics == frozenset()


@pytest.mark.parametrize("user_data", [b"", b"\x00", struct.pack(">i", 2**31 - 1), b"\x00\x00\x00\x01\x7f\xff"])
def test_sticky_data_that_makes_no_sense_is_a_member_without_a_past(user_data: bytes) -> None:
    data = struct.pack(">hi h1s i", 0, 1, 1, b"a", len(user_data)) + user_data

    seen = read_subscription("sticky", "m", None, data)

    assert (seen.topics, seen.owned) == (frozenset("a"), ())


def test_an_assignment_survives_the_trip_and_nonsense_is_an_error() -> None:
    assert read_assignment(assignment_bytes(OWNED)) == OWNED
    assert read_assignment(b"") == []
    with pytest.raises(RemoteProtocolError, match="cannot be read"):
        read_assignment(b"\x00")
