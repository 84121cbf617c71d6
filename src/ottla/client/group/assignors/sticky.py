"""sticky and cooperative-sticky: as balanced as possible, and as much as possible stays where it was.

Balanced means: no partition could move to a member that wants it and has two or more partitions less. Of two members
that claim a partition the one with the newer generation owns it; with the same generation neither does.

With racks (KIP-881) a partition goes to a member near one of its replicas where the balance allows it, also if another
member has owned it. `_Shares` is for members that all want the same, `_Balance` for the others.
"""

import heapq
from collections import Counter

from ottla.client.group.assignors.member import (
    NO_RACKS,
    Assigned,
    MemberSubscription,
    PartitionCounts,
    PartitionRacks,
    partitions_of,
    subscribed_topics,
)
from ottla.client.group.assignors.nearness import Nearness
from ottla.model.topic import TopicPartition

_Owners = dict[TopicPartition, str]


def assign_sticky(
    members: list[MemberSubscription], counts: PartitionCounts, racks: PartitionRacks = NO_RACKS
) -> Assigned:
    ordered = sorted(members, key=lambda member: member.order)
    topics = subscribed_topics(members, counts)
    partitions = partitions_of(topics, counts)
    owners = _owners(ordered, set(partitions))
    nearness = Nearness(ordered, partitions, racks)
    wanted = {frozenset(member.topics & set(topics)) for member in members}
    if len(wanted) == 1:
        assigned = _assign_equals(ordered, partitions, owners, nearness)
    else:
        assigned = _assign_different(ordered, partitions, owners, nearness)
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
        for member_id, mine in assign_sticky(members, counts, racks).items()
    }


def _owners(members: list[MemberSubscription], partitions: set[TopicPartition]) -> _Owners:
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


# members that want the same


def _assign_equals(
    members: list[MemberSubscription], partitions: list[TopicPartition], owners: _Owners, nearness: Nearness
) -> Assigned:
    shares = _Shares(members, len(partitions))
    free = shares.keep(partitions, {each: owner for each, owner in owners.items() if not nearness.is_far(owner, each)})
    if nearness.matters:
        free = shares.give_near(free, nearness)
        # Nobody near has room: where it was is as good as anywhere else.
        free = shares.give_back(free, owners)
    shares.give_rest(free)
    return shares.assigned


class _Shares:
    """Everybody gets a share, and some one more. Lives for one assignment."""

    def __init__(self, members: list[MemberSubscription], partition_count: int) -> None:
        self._share, self._extra_count = divmod(partition_count, len(members))
        self._order = {member.member_id: number for number, member in enumerate(members)}
        self.assigned: Assigned = {member.member_id: [] for member in members}

    def keep(self, partitions: list[TopicPartition], owners: _Owners) -> list[TopicPartition]:
        """To their owners as much as the shares allow, member by member; what is left over."""
        owned = sorted(owners, key=lambda each: (self._order[owners[each]], each))
        kept = {partition for partition in owned if self._give(partition, owners[partition])}
        return [partition for partition in partitions if partition not in kept]

    def give_near(self, partitions: list[TopicPartition], nearness: Nearness) -> list[TopicPartition]:
        """Those with the fewest near members first; what is left over."""
        choices = {partition: nearness.near_members(partition) for partition in partitions}
        left = []
        for partition in sorted(partitions, key=lambda each: (len(choices[each]), each)):
            member_id = min(choices[partition], key=self._poverty, default=None)
            if member_id is None or not self._give(partition, member_id):
                left.append(partition)
        return sorted(left)

    def give_back(self, partitions: list[TopicPartition], owners: _Owners) -> list[TopicPartition]:
        return [each for each in partitions if each not in owners or not self._give(each, owners[each])]

    def give_rest(self, partitions: list[TopicPartition]) -> None:
        """To whoever has the least."""
        heap = [(*self._poverty(member_id), member_id) for member_id in self.assigned]
        heapq.heapify(heap)
        for partition in partitions:
            count, number, member_id = heap[0]
            self.assigned[member_id].append(partition)
            heapq.heapreplace(heap, (count + 1, number, member_id))

    def _poverty(self, member_id: str) -> tuple[int, int]:
        return len(self.assigned[member_id]), self._order[member_id]

    def _give(self, partition: TopicPartition, member_id: str) -> bool:
        """Whether the member had room for it."""
        mine = self.assigned[member_id]
        if len(mine) > self._share or (len(mine) == self._share and not self._extra_count):
            return False
        self._extra_count -= len(mine) == self._share
        mine.append(partition)
        return True


# members that want different topics


def _assign_different(
    members: list[MemberSubscription], partitions: list[TopicPartition], owners: _Owners, nearness: Nearness
) -> Assigned:
    balance = _spread(_Balance(members, owners, nearness), partitions)
    if nearness.matters:
        # Who begins with what is near may end farther away than who looks at the balance alone: the nearer one counts.
        plain = _spread(_Balance(members, owners, Nearness(members, partitions, NO_RACKS)), partitions)
        balance = max(balance, _Balance(members, plain.held, nearness), key=_Balance.count_near)
        # Every move brings one partition near, and none away.
        while sum(balance.move_if_nearer(partition) for partition in partitions):
            continue
    assigned: Assigned = {member.member_id: [] for member in members}
    for partition, member_id in balance.held.items():
        assigned[member_id].append(partition)
    return assigned


def _spread(balance: "_Balance", partitions: list[TopicPartition]) -> "_Balance":
    """The pickiest partitions first, then one is moved as long as that helps."""
    for partition in sorted(partitions, key=balance.pickiness):
        if partition not in balance.held:
            balance.give(partition, balance.poorest_near(partition) or balance.poorest(partition))
    # Every move makes the counts more equal, so this ends.
    while sum(balance.move_if_better(partition) for partition in partitions):
        continue
    return balance


class _Balance:
    """Who holds what, and how much. Lives for one assignment."""

    def __init__(self, members: list[MemberSubscription], owners: _Owners, nearness: Nearness) -> None:
        self.held = dict(owners)
        self._nearness = nearness
        self._order = {member.member_id: number for number, member in enumerate(members)}
        self._counts = dict.fromkeys(self._order, 0)
        for owner in owners.values():
            self._counts[owner] += 1
        self._interested: dict[str, list[str]] = {}
        for member in members:
            for topic in member.topics:
                self._interested.setdefault(topic, []).append(member.member_id)
        #: How many partitions of each topic a member holds.
        self._topics: dict[str, Counter[str]] = {member_id: Counter() for member_id in self._order}
        for partition, owner in owners.items():
            self._topics[owner][partition.topic] += 1

    def count_near(self) -> int:
        return sum(self._nearness.is_near(member_id, partition) for partition, member_id in self.held.items())

    def pickiness(self, partition: TopicPartition) -> tuple[int, TopicPartition]:
        """Few members want it: little choice is left if others are given away first."""
        return len(self._interested[partition.topic]), partition

    def poorest(self, partition: TopicPartition) -> str:
        return min(self._interested[partition.topic], key=self._poverty)

    def poorest_near(self, partition: TopicPartition) -> str | None:
        interested = self._interested[partition.topic]
        near = [member_id for member_id in interested if self._nearness.is_near(member_id, partition)]
        return min(near, key=self._poverty, default=None)

    def give(self, partition: TopicPartition, member_id: str) -> None:
        if partition in self.held:
            self._counts[self.held[partition]] -= 1
            self._topics[self.held[partition]][partition.topic] -= 1
        self.held[partition] = member_id
        self._counts[member_id] += 1
        self._topics[member_id][partition.topic] += 1

    def move_if_better(self, partition: TopicPartition) -> bool:
        """To a member near it, if that helps as well."""
        for member_id in (self.poorest_near(partition), self.poorest(partition)):
            if member_id is not None and self._counts[self.held[partition]] > self._counts[member_id] + 1:
                self.give(partition, member_id)
                return True
        return False

    def move_if_nearer(self, partition: TopicPartition) -> bool:
        """To a member near it that has less, if all is as even as before."""
        holder, member_id = self.held[partition], self.poorest_near(partition)
        if (
            member_id is None
            or not self._nearness.is_far(holder, partition)
            or self._counts[holder] <= self._counts[member_id]
        ):
            return False
        self.give(partition, member_id)
        if self._is_uneven(holder, member_id):
            self.give(partition, holder)
            return False
        return True

    def _is_uneven(self, poorer: str, richer: str) -> bool:
        """Whether a partition should move for the sake of balance, now that one has less and one has more."""
        counts = self._counts
        return any(
            counts[other] + 1 < counts[richer] for topic in self._held_by(richer) for other in self._interested[topic]
        ) or any(
            counts[poorer] + 1 < counts[other]
            and any(poorer in self._interested[topic] for topic in self._held_by(other))
            for other in counts
        )

    def _held_by(self, member_id: str) -> list[str]:
        return [topic for topic, count in self._topics[member_id].items() if count]

    def _poverty(self, member_id: str) -> tuple[int, int]:
        return self._counts[member_id], self._order[member_id]
