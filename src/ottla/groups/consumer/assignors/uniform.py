"""The `uniform` assignor: every member gets the same number of partitions, as near as it can be, and keeps what it has.

With equal subscriptions the numbers differ by at most one. With different ones no move of a single partition would make
the loads more equal. A partition goes to a member in one of its racks if that costs no balance.
"""

from collections.abc import Mapping, Sequence

from ottla.groups.consumer.assignors.subject import AssignablePartition, Subscriber, assignable_partitions, collect
from ottla.groups.state.consumer_member import Assignment
from ottla.groups.topics import TopicInfo


def assign_uniformly(members: Sequence[Subscriber], topics: Sequence[TopicInfo]) -> Mapping[str, Assignment]:
    if not members:
        return {}
    ordered = sorted(members, key=lambda member: member.member_id)
    if all(member.topics == ordered[0].topics for member in ordered):
        wanted = [topic for topic in topics if topic.topic_id in ordered[0].topics]
        return collect(_Equal(ordered, assignable_partitions(wanted)).run())
    return collect(_Unequal(ordered, assignable_partitions(topics)).run())


class _Equal:
    """All members have the same subscription: quotas are known before anything is assigned."""

    def __init__(self, members: Sequence[Subscriber], partitions: list[AssignablePartition]) -> None:
        self._members = members
        self._quota, self._extra = divmod(len(partitions), len(members))
        self._shares: dict[str, list[AssignablePartition]] = {member.member_id: [] for member in members}
        self._unassigned = {(assignable.topic.topic_id, assignable.partition): assignable for assignable in partitions}

    def run(self) -> dict[str, list[AssignablePartition]]:
        for member in self._members:
            self._keep_current(member)
        for member in self._members:
            if member.rack_id is not None:
                near = [assignable for assignable in self._unassigned.values() if _is_near(member, assignable)]
                self._fill(member, near, self._quota)
        rest = list(self._unassigned.values())
        for limit in (self._quota, self._quota + 1):
            for member in self._members:
                rest = self._fill(member, rest, limit)
        return self._shares

    def _keep_current(self, member: Subscriber) -> None:
        keys = ((topic_id, each) for topic_id, found in sorted(member.current.items()) for each in sorted(found))
        kept = [assignable for key in keys if (assignable := self._unassigned.get(key)) is not None]
        kept.sort(key=lambda assignable: not _is_near(member, assignable))
        limit = self._quota
        if len(kept) > limit and self._extra:
            limit += 1
            self._extra -= 1
        for assignable in kept[:limit]:
            self._take(member, assignable)

    def _fill(self, member: Subscriber, candidates: list[AssignablePartition], limit: int) -> list[AssignablePartition]:
        """Takes the first of the candidates up to the limit, one above the quota only while there are extra ones."""
        room = max(0, limit - len(self._shares[member.member_id]))
        if limit > self._quota:
            room = min(room, self._extra)
            self._extra -= room
        for assignable in candidates[:room]:
            self._take(member, assignable)
        return candidates[room:]

    def _take(self, member: Subscriber, assignable: AssignablePartition) -> None:
        del self._unassigned[assignable.topic.topic_id, assignable.partition]
        self._shares[member.member_id].append(assignable)


class _Unequal:
    """Subscriptions differ: assign to the least loaded, then move single partitions while that evens the loads."""

    def __init__(self, members: Sequence[Subscriber], partitions: list[AssignablePartition]) -> None:
        self._members = {member.member_id: member for member in members}
        self._subscribers: dict[bytes, list[str]] = {}
        for assignable in partitions:
            self._subscribers.setdefault(
                assignable.topic.topic_id,
                [member.member_id for member in members if assignable.topic.topic_id in member.topics],
            )
        self._owner: dict[AssignablePartition, str] = {}
        self._load = dict.fromkeys(self._members, 0)
        # Topics with few subscribers first: there is least choice for them.
        self._partitions = sorted(
            (assignable for assignable in partitions if self._subscribers[assignable.topic.topic_id]),
            key=lambda assignable: (
                len(self._subscribers[assignable.topic.topic_id]),
                assignable.topic.name,
                assignable.partition,
            ),
        )

    def run(self) -> dict[str, list[AssignablePartition]]:
        self._keep_current()
        for assignable in self._partitions:
            if assignable not in self._owner:
                self._give(assignable, self._least_loaded(assignable))
        while self._even_out():
            pass
        shares: dict[str, list[AssignablePartition]] = {member_id: [] for member_id in self._members}
        for assignable, owner in self._owner.items():
            shares[owner].append(assignable)
        return shares

    def _keep_current(self) -> None:
        for assignable in self._partitions:
            for member_id in self._subscribers[assignable.topic.topic_id]:
                if assignable.partition in self._members[member_id].current.get(assignable.topic.topic_id, ()):
                    self._give(assignable, member_id)
                    break

    def _least_loaded(self, assignable: AssignablePartition) -> str:
        return min(
            self._subscribers[assignable.topic.topic_id],
            key=lambda member_id: (
                self._load[member_id],
                not _is_near(self._members[member_id], assignable),
                member_id,
            ),
        )

    def _give(self, assignable: AssignablePartition, member_id: str) -> None:
        old = self._owner.get(assignable)
        if old is not None:
            self._load[old] -= 1
        self._owner[assignable] = member_id
        self._load[member_id] += 1

    def _even_out(self) -> bool:
        """One pass; every move makes the sum of squares of the loads smaller, so the passes come to an end."""
        has_moved = False
        for assignable in reversed(self._partitions):
            target = self._least_loaded(assignable)
            if self._load[self._owner[assignable]] - self._load[target] > 1:
                self._give(assignable, target)
                has_moved = True
        return has_moved


def _is_near(member: Subscriber, assignable: AssignablePartition) -> bool:
    return member.rack_id is not None and member.rack_id in assignable.racks
