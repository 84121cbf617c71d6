"""The `range` assignor: each topic is cut into consecutive ranges, in the order of the members.

Topics with the same number of partitions and the same subscribers are cut in the same way, so partition n of each of
them lands on the same member (co-partitioning). Static members come first, by instance id: a restart changes nothing.
"""

from collections.abc import Mapping, Sequence

from ottla.groups.consumer.assignors.subject import Subscriber
from ottla.groups.state.consumer_member import Assignment
from ottla.groups.topics import TopicInfo


def assign_ranges(members: Sequence[Subscriber], topics: Sequence[TopicInfo]) -> Mapping[str, Assignment]:
    found: dict[str, dict[bytes, frozenset[int]]] = {member.member_id: {} for member in members}
    ordered = sorted(members, key=_order)
    for topic in topics:
        subscribers = [member for member in ordered if topic.topic_id in member.topics]
        if not subscribers:
            continue
        size, extra = divmod(topic.partition_count, len(subscribers))
        start = 0
        for index, member in enumerate(subscribers):
            end = start + size + (index < extra)
            if end > start:
                found[member.member_id][topic.topic_id] = frozenset(range(start, end))
            start = end
    return found


def _order(member: Subscriber) -> tuple[bool, str]:
    return (False, member.instance_id) if member.instance_id is not None else (True, member.member_id)
