"""range: for each topic, neighbouring partitions to each member; the first members get one more."""

from ottla.client.group.assignors.member import Assigned, MemberSubscription, PartitionCounts, subscribed_topics
from ottla.model.topic import TopicPartition


def assign_range(members: list[MemberSubscription], counts: PartitionCounts) -> Assigned:
    """Topics with equal counts are divided alike: the same member has the same partitions of each."""
    assigned: Assigned = {member.member_id: [] for member in members}
    ordered = sorted(members, key=lambda member: member.order)
    for topic in subscribed_topics(members, counts):
        interested = [member for member in ordered if topic in member.topics]
        share, rest = divmod(counts[topic], len(interested))
        start = 0
        for number, member in enumerate(interested):
            end = start + share + (number < rest)
            assigned[member.member_id] += [TopicPartition(topic, index) for index in range(start, end)]
            start = end
    return assigned
