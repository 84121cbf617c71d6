"""Which members are near which partitions: a replica is in the member's rack (KIP-881)."""

from collections.abc import Iterable

from ottla.client.group.assignors.member import MemberSubscription, PartitionRacks, racks_matter
from ottla.model.topic import TopicPartition


class Nearness:
    """Of one assignment. Where racks make no difference nobody is near or far."""

    def __init__(
        self, members: list[MemberSubscription], partitions: Iterable[TopicPartition], racks: PartitionRacks
    ) -> None:
        self._racks = {partition: racks.get(partition, frozenset()) for partition in partitions}
        self.matters = racks_matter(members, self._racks.values())
        self._rack_of = {member.member_id: member.rack for member in members if member.rack} if self.matters else {}
        self._members_in: dict[str, list[str]] = {}
        for member_id, rack in self._rack_of.items():
            self._members_in.setdefault(rack, []).append(member_id)

    def is_near(self, member_id: str, partition: TopicPartition) -> bool:
        return self._rack_of.get(member_id) in self._racks[partition]

    def is_far(self, member_id: str, partition: TopicPartition) -> bool:
        """A member without a rack is neither near nor far."""
        return member_id in self._rack_of and not self.is_near(member_id, partition)

    def near_members(self, partition: TopicPartition) -> list[str]:
        return [member_id for rack in sorted(self._racks[partition]) for member_id in self._members_in.get(rack, ())]
