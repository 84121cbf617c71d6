"""The bytes that classic members of type "consumer" exchange through the coordinator: subscription and assignment."""

import struct
from collections.abc import Iterable, Sequence
from typing import Any

from ottla.client.group.assignors.member import MemberSubscription
from ottla.model.errors import RemoteProtocolError
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import consumer_protocol_assignment, consumer_protocol_subscription
from ottla.protocol.generated.consumer_protocol_assignment import ConsumerProtocolAssignment
from ottla.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription

PROTOCOL_TYPE = "consumer"
_VERSION = struct.Struct(">h")
_INT16 = struct.Struct(">h")
_INT32 = struct.Struct(">i")
_NEWEST = 3
STICKY = "sticky"
_COOPERATIVE = "cooperative-sticky"


def subscription_bytes(
    assignor: str, topics: Iterable[str], owned: Iterable[TopicPartition], generation: int, rack: str | None
) -> bytes:
    """What a member says of itself, for one assignor. `owned` is what it had before this rebalance."""
    by_topic = _by_topic(owned)
    user_data: bytes | None = None
    if assignor == STICKY:
        # An eager member has given everything up by now: what it had goes into data of the assignor's own.
        user_data = _sticky_data(by_topic, generation)
        by_topic = {}
    elif assignor == _COOPERATIVE:
        user_data = _INT32.pack(generation)
    subscription = ConsumerProtocolSubscription(
        topics=sorted(topics),
        user_data=user_data,
        owned_partitions=[
            consumer_protocol_subscription.OwnedPartitions(topic, partitions) for topic, partitions in by_topic.items()
        ],
        generation_id=generation,
        rack_id=rack or None,
    )
    data = bytearray(_VERSION.pack(_NEWEST))
    subscription.encode(data, _NEWEST)
    return bytes(data)


def read_subscription(assignor: str, member_id: str, instance_id: str | None, data: bytes) -> MemberSubscription:
    """Of any member, whatever client it is. One that makes no sense is a member without topics."""
    subscription = _decoded(ConsumerProtocolSubscription, data)
    if subscription is None:
        return MemberSubscription(member_id, frozenset(), instance_id)
    owned = [TopicPartition(each.topic, index) for each in subscription.owned_partitions for index in each.partitions]
    generation = subscription.generation_id
    user_data = bytes(subscription.user_data or b"")
    if assignor == STICKY:
        owned, generation = _read_sticky_data(user_data)
    elif assignor == _COOPERATIVE and generation < 0 and len(user_data) >= _INT32.size:
        # Before version 2 the generation was in the assignor's data.
        (generation,) = _INT32.unpack_from(user_data)
    return MemberSubscription(
        member_id, frozenset(subscription.topics), instance_id, tuple(owned), generation, subscription.rack_id
    )


def assignment_bytes(partitions: Iterable[TopicPartition]) -> bytes:
    assignment = ConsumerProtocolAssignment(
        assigned_partitions=[
            consumer_protocol_assignment.AssignedPartitions(topic, indexes)
            for topic, indexes in _by_topic(partitions).items()
        ]
    )
    data = bytearray(_VERSION.pack(_NEWEST))
    assignment.encode(data, _NEWEST)
    return bytes(data)


def read_assignment(data: bytes) -> list[TopicPartition]:
    """Raises RemoteProtocolError when the leader has sent something else. Empty bytes are no partitions."""
    if not data:
        return []
    assignment = _decoded(ConsumerProtocolAssignment, data)
    if assignment is None:
        raise RemoteProtocolError(f"the leader of the group has sent an assignment that cannot be read: {data[:40]!r}")
    return [TopicPartition(each.topic, index) for each in assignment.assigned_partitions for index in each.partitions]


def _decoded(kind: Any, data: bytes) -> Any:
    if len(data) < _VERSION.size:
        return None
    (version,) = _VERSION.unpack_from(data)
    # Fields are only ever added at the end. Some clients name a version and leave out its later fields.
    for candidate in dict.fromkeys((min(version, _NEWEST), 0)) if version >= 0 else ():
        try:
            return kind.decode(data, _VERSION.size, candidate)[0]
        except RemoteProtocolError:
            continue
    return None


def _by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[int]]:
    topics: dict[str, list[int]] = {}
    for topic, partition in sorted(partitions):
        topics.setdefault(topic, []).append(partition)
    return topics


# What the sticky assignor of Kafka's Java client puts into user data: the previous assignment and its generation.


def _sticky_data(owned: dict[str, list[int]], generation: int) -> bytes:
    data = bytearray(_INT32.pack(len(owned)))
    for topic, partitions in owned.items():
        name = topic.encode()
        data += _INT16.pack(len(name)) + name + _INT32.pack(len(partitions))
        data += b"".join(map(_INT32.pack, partitions))
    return bytes(data + _INT32.pack(generation))


def _read_sticky_data(data: bytes) -> tuple[list[TopicPartition], int]:
    """Nothing when it cannot be read: the member is then one without a past."""
    try:
        owned, at = _read_owned(data)
        # The first version had no generation.
        generation = _INT32.unpack_from(data, at)[0] if at < len(data) else -1
    except (struct.error, UnicodeDecodeError, ValueError):
        return [], -1
    return owned, generation


def _read_owned(data: bytes) -> tuple[list[TopicPartition], int]:
    if not data:
        return [], 0
    owned: list[TopicPartition] = []
    (topic_count,) = _INT32.unpack_from(data)
    at = _INT32.size
    for _ in range(_count(topic_count, data)):
        (size,) = _INT16.unpack_from(data, at)
        at += _INT16.size + size
        topic = data[at - size : at].decode()
        (count,) = _INT32.unpack_from(data, at)
        at += _INT32.size
        partitions: Sequence[int] = struct.unpack_from(f">{_count(count, data)}i", data, at)
        at += _INT32.size * count
        owned += [TopicPartition(topic, index) for index in partitions]
    return owned, at


def _count(count: int, data: bytes) -> int:
    """An entry takes four bytes or more."""
    if not 0 <= count <= len(data) // 4:
        raise ValueError(f"{count} entries in {len(data)} bytes")
    return count
