"""What an assignor gets and gives."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ottla.groups.state.consumer_member import Assignment
from ottla.groups.topics import TopicInfo


class Subscriber(NamedTuple):
    member_id: str
    instance_id: str | None
    rack_id: str | None
    topics: frozenset[bytes]
    #: What the last target assignment gave it: the less of it changes, the less has to move.
    current: Assignment


#: Members in the order of their names, topics in the order of theirs: so the result is the same on every node.
Assignor: TypeAlias = Callable[[Sequence[Subscriber], Sequence[TopicInfo]], Mapping[str, Assignment]]


class AssignablePartition:
    """One partition to assign. Made once for each assignment; two are the same only if they are the same object."""

    __slots__ = ("partition", "racks", "topic")

    def __init__(self, topic: TopicInfo, partition: int) -> None:
        self.topic = topic
        self.partition = partition
        self.racks = topic.racks_of(partition)


def assignable_partitions(topics: Sequence[TopicInfo]) -> list[AssignablePartition]:
    return [AssignablePartition(topic, partition) for topic in topics for partition in range(topic.partition_count)]


def collect(shares: Mapping[str, Sequence[AssignablePartition]]) -> dict[str, Assignment]:
    found: dict[str, Assignment] = {}
    for member_id, held in shares.items():
        by_topic: dict[bytes, set[int]] = {}
        for assignable in held:
            by_topic.setdefault(assignable.topic.topic_id, set()).add(assignable.partition)
        found[member_id] = {topic_id: frozenset(partitions) for topic_id, partitions in by_topic.items()}
    return found
