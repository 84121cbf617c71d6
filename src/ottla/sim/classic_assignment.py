"""What classic members of type "consumer" tell each other, and the assignments that their leader makes."""

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ottla.model.topic import TopicPartition
from ottla.protocol.generated import consumer_protocol_assignment, consumer_protocol_subscription
from ottla.protocol.generated.consumer_protocol_assignment import ConsumerProtocolAssignment
from ottla.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription

_VERSION = struct.Struct(">h")
_NEWEST = 3


class Subscribed(NamedTuple):
    """One member, as the leader sees it. Static members are sorted by their instance ids."""

    member_id: str
    sort_key: str
    owned: list[TopicPartition]
    generation: int


Assigned: TypeAlias = dict[str, list[TopicPartition]]
Assignor: TypeAlias = Callable[[Sequence[Subscribed], Sequence[TopicPartition]], Assigned]


def by_topic(partitions: Sequence[TopicPartition]) -> dict[str, list[int]]:
    topics: dict[str, list[int]] = {}
    for topic, partition in sorted(partitions):
        topics.setdefault(topic, []).append(partition)
    return topics


def subscription_bytes(topics: Sequence[str], owned: Sequence[TopicPartition], generation: int) -> bytes:
    subscription = ConsumerProtocolSubscription(
        topics=sorted(topics),
        owned_partitions=[
            consumer_protocol_subscription.OwnedPartitions(topic, partitions)
            for topic, partitions in by_topic(owned).items()
        ],
        generation_id=generation,
    )
    data = bytearray(_VERSION.pack(_NEWEST))
    subscription.encode(data, _NEWEST)
    return bytes(data)


def read_subscriptions(members: Sequence[Any]) -> list[Subscribed]:
    """From the JoinGroup answer of the leader."""
    subscribed = []
    for member in members:
        subscription, _ = ConsumerProtocolSubscription.decode(member.metadata, 2, _NEWEST)
        owned = [
            TopicPartition(each.topic, index) for each in subscription.owned_partitions for index in each.partitions
        ]
        sort_key = member.group_instance_id or member.member_id
        subscribed.append(Subscribed(member.member_id, sort_key, owned, subscription.generation_id))
    return sorted(subscribed, key=lambda each: each.sort_key)


def assignment_bytes(partitions: Sequence[TopicPartition]) -> bytes:
    assignment = ConsumerProtocolAssignment(
        assigned_partitions=[
            consumer_protocol_assignment.AssignedPartitions(topic, indexes)
            for topic, indexes in by_topic(partitions).items()
        ]
    )
    data = bytearray(_VERSION.pack(_NEWEST))
    assignment.encode(data, _NEWEST)
    return bytes(data)


def read_assignment(data: bytes) -> list[TopicPartition]:
    if not data:
        return []
    assignment, _ = ConsumerProtocolAssignment.decode(data, 2, _NEWEST)
    return [TopicPartition(each.topic, index) for each in assignment.assigned_partitions for index in each.partitions]


def assign_range(members: Sequence[Subscribed], partitions: Sequence[TopicPartition]) -> Assigned:
    """Neighbours together, everything anew each time."""
    assigned: Assigned = {}
    share, rest = divmod(len(partitions), len(members))
    start = 0
    for number, member in enumerate(members):
        end = start + share + (number < rest)
        assigned[member.member_id] = list(partitions[start:end])
        start = end
    return assigned


def assign_cooperatively(members: Sequence[Subscribed], partitions: Sequence[TopicPartition]) -> Assigned:
    """Members keep what they have, up to their share; what somebody must give up first is left out for now."""
    holders = _holders(members)
    share, rest = divmod(len(partitions), len(members))
    assigned: Assigned = {member.member_id: [] for member in members}
    free = []
    for partition in partitions:
        holder = holders.get(partition)
        limit = share + 1 if rest > 0 else share
        if holder is not None and len(assigned[holder]) < limit:
            assigned[holder].append(partition)
            rest -= len(assigned[holder]) > share
        else:
            free.append(partition)
    for partition in free:
        poorest = min(members, key=lambda member: len(assigned[member.member_id])).member_id
        assigned[poorest].append(partition)
    return {
        member_id: [partition for partition in mine if holders.get(partition) in (None, member_id)]
        for member_id, mine in assigned.items()
    }


def _holders(members: Sequence[Subscribed]) -> Mapping[TopicPartition, str]:
    """Of two members that claim a partition the one with the newer generation has it."""
    holders: dict[TopicPartition, Subscribed] = {}
    for member in members:
        for partition in member.owned:
            other = holders.get(partition)
            if other is None or member.generation > other.generation:
                holders[partition] = member
    return {partition: member.member_id for partition, member in holders.items()}


ASSIGNORS: dict[str, Assignor] = {"range": assign_range, "cooperative-sticky": assign_cooperatively}
