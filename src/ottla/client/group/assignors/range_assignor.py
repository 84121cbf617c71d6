"""range: for each topic, neighbouring partitions to each member; the first members get one more.

With racks (KIP-881) a member first gets partitions that have a replica in its rack, as long as its share allows. The
rest is divided as without racks, so that the shares are the same.
"""

from ottla.client.group.assignors.member import (
    NO_RACKS,
    Assigned,
    MemberSubscription,
    PartitionCounts,
    PartitionRacks,
    racks_matter,
    subscribed_topics,
)
from ottla.model.topic import TopicPartition


def assign_range(
    members: list[MemberSubscription], counts: PartitionCounts, racks: PartitionRacks = NO_RACKS
) -> Assigned:
    """Topics with equal counts and members are divided alike: the same member has the same partitions of each."""
    ordered = sorted(members, key=lambda member: member.order)
    topics = [
        _Topic(name, counts[name], [member for member in ordered if name in member.topics], racks)
        for name in subscribed_topics(members, counts)
    ]
    if any(topic.needs_racks for topic in topics):
        _assign_by_rack(topics)
    for topic in topics:
        topic.assign_rest()
    assigned: Assigned = {member.member_id: [] for member in members}
    for topic in topics:
        for index, member_id in sorted(topic.owners.items()):
            assigned[member_id].append(TopicPartition(topic.name, index))
    return assigned


class _Topic:
    """The division of one topic. Lives for one assignment; no member gets more than its share."""

    def __init__(self, name: str, count: int, members: list[MemberSubscription], racks: PartitionRacks) -> None:
        self.name = name
        self.count = count
        self.members = members
        self.owners: dict[int, str] = {}
        self._racks = [racks.get(TopicPartition(name, index), frozenset()) for index in range(count)]
        self._share, self._extra_count = divmod(count, len(members))
        self._taken = dict.fromkeys((member.member_id for member in members), 0)

    @property
    def needs_racks(self) -> bool:
        return racks_matter(self.members, self._racks)

    def room(self, member: MemberSubscription) -> int:
        share = self._share + (self._extra_count > 0)
        return max(0, share - self._taken[member.member_id])

    def is_near(self, member: MemberSubscription, index: int) -> bool:
        return not member.rack or member.rack in self._racks[index]

    def give(self, index: int, member: MemberSubscription) -> None:
        self.owners[index] = member.member_id
        self._taken[member.member_id] += 1
        self._extra_count -= self._taken[member.member_id] > self._share

    def assign_near(self) -> None:
        for member in self.members:
            self._give_first([index for index in self._free() if self.is_near(member, index)], member)

    def assign_rest(self) -> None:
        for member in self.members:
            self._give_first(self._free(), member)

    def _give_first(self, indexes: list[int], member: MemberSubscription) -> None:
        for index in indexes[: self.room(member)]:
            self.give(index, member)

    def _free(self) -> list[int]:
        return [index for index in range(self.count) if index not in self.owners]


def _assign_by_rack(topics: list[_Topic]) -> None:
    """Topics with the same members and counts are joined by their consumers: they stay together."""
    alike: dict[tuple[tuple[str, ...], int], list[_Topic]] = {}
    for topic in topics:
        key = tuple(member.member_id for member in topic.members), topic.count
        alike.setdefault(key, []).append(topic)
    for together in alike.values():
        if len(together) > 1:
            _assign_together(together)
        elif together[0].needs_racks:
            together[0].assign_near()


def _assign_together(topics: list[_Topic]) -> None:
    """Each partition number to the first member that is near all its replicas and has room."""
    for index in range(topics[0].count):
        for member in topics[0].members:
            if all(topic.room(member) and topic.is_near(member, index) for topic in topics):
                for topic in topics:
                    topic.give(index, member)
                break
