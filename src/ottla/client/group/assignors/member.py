"""What an assignor knows of the members and gives to them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from ottla.model.topic import TopicPartition

#: Topic -> number of partitions. A topic that does not exist is missing.
PartitionCounts: TypeAlias = Mapping[str, int]
#: The racks of the replicas of a partition, as far as they are known.
PartitionRacks: TypeAlias = Mapping[TopicPartition, frozenset[str]]
NO_RACKS: PartitionRacks = {}
#: Member id -> its partitions; an entry for every member.
Assigned: TypeAlias = dict[str, list[TopicPartition]]


class MemberSubscription(NamedTuple):
    """One member, as the leader of the group sees it. `owned` is what it had when it joined, in `generation`."""

    member_id: str
    topics: frozenset[str]
    instance_id: str | None = None
    owned: tuple[TopicPartition, ...] = ()
    generation: int = -1
    rack: str | None = None

    @property
    def order(self) -> tuple[bool, str]:
        """Static members first, by their instance ids: their places do not change when they restart."""
        return (self.instance_id is None, self.instance_id or self.member_id)


def subscribed_topics(members: Iterable[MemberSubscription], counts: PartitionCounts) -> list[str]:
    """Those that exist and that somebody wants, in order."""
    wanted = {topic for member in members for topic in member.topics}
    return sorted(topic for topic in wanted if counts.get(topic, 0) > 0)


def racks_matter(members: Iterable[MemberSubscription], racks: Iterable[frozenset[str]]) -> bool:
    """`racks` of partitions. Not when no rack matches, nor when every partition has replicas in the same racks."""
    placed = list(racks)
    wanted = {member.rack for member in members if member.rack}
    there = frozenset[str]().union(*placed)
    return not wanted.isdisjoint(there) and any(racks != there for racks in placed)


def partitions_of(topics: Iterable[str], counts: PartitionCounts) -> list[TopicPartition]:
    return [TopicPartition(topic, index) for topic in topics for index in range(counts[topic])]
