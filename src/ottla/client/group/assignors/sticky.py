"""sticky and cooperative-sticky: as balanced as possible, and as much as possible stays where it was.

Balanced means: no partition could move to a member that wants it and has two or more partitions less. Of two members
that claim a partition the one with the newer generation owns it; with the same generation neither does.
"""

import heapq

from ottla.client.group.assignors.member import (
    NO_RACKS,
    Assigned,
    MemberSubscription,
    PartitionCounts,
    PartitionRacks,
    partitions_of,
    subscribed_topics,
)
from ottla.model.topic import TopicPartition


def assign_sticky(
    members: list[MemberSubscription], counts: PartitionCounts, racks: PartitionRacks = NO_RACKS
) -> Assigned:
    ordered = sorted(members, key=lambda member: member.order)
    topics = subscribed_topics(members, counts)
    partitions = partitions_of(topics, counts)
    owners = _owners(ordered, set(partitions))
    wanted = {frozenset(member.topics & set(topics)) for member in members}
    if len(wanted) == 1:
        assigned = _assign_equals(ordered, partitions, owners)
    else:
        assigned = _assign_different(ordered, partitions, owners)
    return {member_id: sorted(mine) for member_id, mine in assigned.items()}


def assign_cooperatively(
    members: list[MemberSubscription], counts: PartitionCounts, racks: PartitionRacks = NO_RACKS
) -> Assigned:
    """As `assign_sticky`, without the partitions that somebody else has to give up first: they come the next time."""
    claims: dict[TopicPartition, set[str]] = {}
    for member in members:
        for partition in member.owned:
            claims.setdefault(partition, set()).add(member.member_id)
    return {
        member_id: [partition for partition in mine if claims.get(partition, set()) <= {member_id}]
        for member_id, mine in assign_sticky(members, counts).items()
    }


def _owners(members: list[MemberSubscription], partitions: set[TopicPartition]) -> dict[TopicPartition, str]:
    """Who may keep what."""
    claims: dict[TopicPartition, list[MemberSubscription]] = {}
    for member in members:
        for partition in member.owned:
            if partition in partitions and partition.topic in member.topics:
                claims.setdefault(partition, []).append(member)
    owners = {}
    for partition, claimants in claims.items():
        newest = max(member.generation for member in claimants)
        rightful = [member for member in claimants if member.generation == newest]
        if len(rightful) == 1:
            owners[partition] = rightful[0].member_id
    return owners


def _assign_equals(
    members: list[MemberSubscription], partitions: list[TopicPartition], owners: dict[TopicPartition, str]
) -> Assigned:
    """All want the same: everybody gets a share, and the first ones that need it one more."""
    share, rest = divmod(len(partitions), len(members))
    assigned: Assigned = {member.member_id: [] for member in members}
    for partition in partitions:
        if partition in owners:
            assigned[owners[partition]].append(partition)
    free = [partition for partition in partitions if partition not in owners]
    for mine in assigned.values():
        may_keep = share + (len(mine) > share and rest > 0)
        rest -= may_keep > share
        free += mine[may_keep:]
        del mine[may_keep:]
    heap = [(len(assigned[member.member_id]), number) for number, member in enumerate(members)]
    heapq.heapify(heap)
    for partition in sorted(free):
        count, number = heap[0]
        assigned[members[number].member_id].append(partition)
        heapq.heapreplace(heap, (count + 1, number))
    return assigned


def _assign_different(
    members: list[MemberSubscription], partitions: list[TopicPartition], owners: dict[TopicPartition, str]
) -> Assigned:
    """Members want different topics: the pickiest partitions first, then one is moved as long as that helps."""
    balance = _Balance(members, owners)
    for partition in sorted(partitions, key=balance.pickiness):
        if partition not in balance.held:
            balance.give(partition, balance.poorest(partition))
    # Every move makes the counts more equal, so this ends.
    while sum(balance.move_if_better(partition) for partition in partitions):
        continue
    assigned: Assigned = {member.member_id: [] for member in members}
    for partition, member_id in balance.held.items():
        assigned[member_id].append(partition)
    return assigned


class _Balance:
    """Who holds what, and how much."""

    def __init__(self, members: list[MemberSubscription], owners: dict[TopicPartition, str]) -> None:
        self.held = dict(owners)
        self._order = {member.member_id: number for number, member in enumerate(members)}
        self._counts = dict.fromkeys(self._order, 0)
        for owner in owners.values():
            self._counts[owner] += 1
        self._interested: dict[str, list[str]] = {}
        for member in members:
            for topic in member.topics:
                self._interested.setdefault(topic, []).append(member.member_id)

    def pickiness(self, partition: TopicPartition) -> tuple[int, TopicPartition]:
        """Few members want it: little choice is left if others are given away first."""
        return len(self._interested[partition.topic]), partition

    def poorest(self, partition: TopicPartition) -> str:
        candidates = self._interested[partition.topic]
        return min(candidates, key=lambda member_id: (self._counts[member_id], self._order[member_id]))

    def give(self, partition: TopicPartition, member_id: str) -> None:
        if partition in self.held:
            self._counts[self.held[partition]] -= 1
        self.held[partition] = member_id
        self._counts[member_id] += 1

    def move_if_better(self, partition: TopicPartition) -> bool:
        member_id = self.poorest(partition)
        is_better = self._counts[self.held[partition]] > self._counts[member_id] + 1
        if is_better:
            self.give(partition, member_id)
        return is_better
