"""roundrobin: all partitions of all topics in turn, passing over members that do not want the topic."""

from itertools import cycle

from ottla.client.group.assignors.member import (
    NO_RACKS,
    Assigned,
    MemberSubscription,
    PartitionCounts,
    PartitionRacks,
    partitions_of,
    subscribed_topics,
)


def assign_round_robin(
    members: list[MemberSubscription], counts: PartitionCounts, racks: PartitionRacks = NO_RACKS
) -> Assigned:
    assigned: Assigned = {member.member_id: [] for member in members}
    turns = cycle(sorted(members, key=lambda member: member.order))
    for partition in partitions_of(subscribed_topics(members, counts), counts):
        member = next(member for member in turns if partition.topic in member.topics)
        assigned[member.member_id].append(partition)
    return assigned
