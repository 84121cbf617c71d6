"""The `uniform` assignor: every member gets the same number of partitions, as near as it can be, and keeps what it has.

With equal subscriptions the numbers differ by at most one. With different ones no move of a single partition would make
the loads more equal. A partition goes to a member in one of its racks if that costs no balance.
"""

from collections.abc import Mapping, Sequence

from ottla.groups.consumer.assignors.subject import Place, Subscriber, collect, places
from ottla.groups.consumer.member import Assignment
from ottla.groups.topics import TopicInfo


def assign_uniformly(members: Sequence[Subscriber], topics: Sequence[TopicInfo]) -> Mapping[str, Assignment]:
    if not members:
        return {}
    ordered = sorted(members, key=lambda member: member.member_id)
    if all(member.topics == ordered[0].topics for member in ordered):
        wanted = [topic for topic in topics if topic.topic_id in ordered[0].topics]
        return collect(_Equal(ordered, places(wanted)).run())
    return collect(_Unequal(ordered, places(topics)).run())


class _Equal:
    """All members have the same subscription: quotas are known before anything is assigned."""

    def __init__(self, members: Sequence[Subscriber], partitions: list[Place]) -> None:
        self._members = members
        self._quota, self._extra = divmod(len(partitions), len(members))
        self._shares: dict[str, list[Place]] = {member.member_id: [] for member in members}
        self._unassigned = {(place.topic.topic_id, place.partition): place for place in partitions}

    def run(self) -> dict[str, list[Place]]:
        for member in self._members:
            self._keep_current(member)
        for member in self._members:
            if member.rack_id is not None:
                near = [place for place in self._unassigned.values() if _is_near(member, place)]
                self._fill(member, near, self._quota)
        rest = list(self._unassigned.values())
        for limit in (self._quota, self._quota + 1):
            for member in self._members:
                rest = self._fill(member, rest, limit)
        return self._shares

    def _keep_current(self, member: Subscriber) -> None:
        keys = ((topic_id, each) for topic_id, found in sorted(member.current.items()) for each in sorted(found))
        kept = [place for key in keys if (place := self._unassigned.get(key)) is not None]
        kept.sort(key=lambda place: not _is_near(member, place))
        limit = self._quota
        if len(kept) > limit and self._extra:
            limit += 1
            self._extra -= 1
        for place in kept[:limit]:
            self._take(member, place)

    def _fill(self, member: Subscriber, candidates: list[Place], limit: int) -> list[Place]:
        """Takes the first of the candidates up to the limit, one above the quota only while there are extra ones."""
        room = max(0, limit - len(self._shares[member.member_id]))
        if limit > self._quota:
            room = min(room, self._extra)
            self._extra -= room
        for place in candidates[:room]:
            self._take(member, place)
        return candidates[room:]

    def _take(self, member: Subscriber, place: Place) -> None:
        del self._unassigned[place.topic.topic_id, place.partition]
        self._shares[member.member_id].append(place)


class _Unequal:
    """Subscriptions differ: assign to the least loaded, then move single partitions while that evens the loads."""

    def __init__(self, members: Sequence[Subscriber], partitions: list[Place]) -> None:
        self._members = {member.member_id: member for member in members}
        self._subscribers: dict[bytes, list[str]] = {}
        for place in partitions:
            self._subscribers.setdefault(
                place.topic.topic_id,
                [member.member_id for member in members if place.topic.topic_id in member.topics],
            )
        self._owner: dict[Place, str] = {}
        self._load = dict.fromkeys(self._members, 0)
        # Topics with few subscribers first: there is least choice for them.
        self._partitions = sorted(
            (place for place in partitions if self._subscribers[place.topic.topic_id]),
            key=lambda place: (len(self._subscribers[place.topic.topic_id]), place.topic.name, place.partition),
        )

    def run(self) -> dict[str, list[Place]]:
        self._keep_current()
        for place in self._partitions:
            if place not in self._owner:
                self._give(place, self._least_loaded(place))
        while self._even_out():
            pass
        shares: dict[str, list[Place]] = {member_id: [] for member_id in self._members}
        for place, owner in self._owner.items():
            shares[owner].append(place)
        return shares

    def _keep_current(self) -> None:
        for place in self._partitions:
            for member_id in self._subscribers[place.topic.topic_id]:
                if place.partition in self._members[member_id].current.get(place.topic.topic_id, ()):
                    self._give(place, member_id)
                    break

    def _least_loaded(self, place: Place) -> str:
        return min(
            self._subscribers[place.topic.topic_id],
            key=lambda member_id: (self._load[member_id], not _is_near(self._members[member_id], place), member_id),
        )

    def _give(self, place: Place, member_id: str) -> None:
        old = self._owner.get(place)
        if old is not None:
            self._load[old] -= 1
        self._owner[place] = member_id
        self._load[member_id] += 1

    def _even_out(self) -> bool:
        """One pass; every move makes the sum of squares of the loads smaller, so the passes come to an end."""
        has_moved = False
        for place in reversed(self._partitions):
            target = self._least_loaded(place)
            if self._load[self._owner[place]] - self._load[target] > 1:
                self._give(place, target)
                has_moved = True
        return has_moved


def _is_near(member: Subscriber, place: Place) -> bool:
    return member.rack_id is not None and member.rack_id in place.racks
