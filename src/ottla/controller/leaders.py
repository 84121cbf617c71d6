"""Who leads a partition: the order in which replicas are asked, and the records of a change of leader.

1. the leader stays while it is in sync and active (a preferred election asks the first replica first)
2. the first replica, in the order of assignment, that is in sync and active
3. the first one that is eligible: it has all committed records though it left the in-sync set (KIP-966)
4. the last known leader, when nobody is in sync or eligible any more
5. any active replica, if the topic allows unclean elections
With 4 and 5 records may be lost: the partition is marked as recovering.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ottla.controller.view import ClusterView
from ottla.metadata.partition_registration import NO_LEADER, RECOVERING, PartitionRegistration
from ottla.metadata.topics_image import TopicImage
from ottla.protocol.generated.partition_change_record import PartitionChangeRecord


class Elected(NamedTuple):
    leader: int
    #: The leader may lack committed records.
    is_unclean: bool = False


def elect(
    partition: PartitionRegistration,
    may_lead: Callable[[int], bool],
    *,
    prefers_first: bool = False,
    allows_unclean: bool = False,
) -> Elected | None:
    """None when nobody may lead."""
    in_sync = [broker_id for broker_id in partition.replicas if broker_id in partition.isr and may_lead(broker_id)]
    if prefers_first and in_sync and in_sync[0] == partition.preferred_replica:
        return Elected(in_sync[0])
    if partition.leader in in_sync:
        return Elected(partition.leader)
    eligible = [each for each in partition.replicas if each in partition.eligible_leader_replicas and may_lead(each)]
    if in_sync or eligible:
        return Elected((in_sync or eligible)[0])
    last_known = partition.last_known_elr
    if (
        not partition.isr
        and not partition.eligible_leader_replicas
        and len(last_known) == 1
        and may_lead(last_known[0])
    ):
        return Elected(last_known[0], is_unclean=True)
    if allows_unclean:
        for broker_id in partition.replicas:
            if may_lead(broker_id):
                return Elected(broker_id, is_unclean=True)
    return None


def leader_record(
    topic: TopicImage, index: int, partition: PartitionRegistration, elected: Elected, min_in_sync: int
) -> PartitionChangeRecord:
    """Makes `elected` the leader. Also when it is the leader already: then only its epoch rises."""
    record = PartitionChangeRecord(partition_id=index, topic_id=topic.topic_id, leader=elected.leader)
    if elected.is_unclean or elected.leader not in partition.isr:
        record.isr = [elected.leader]
        if partition.eligible_leader_replicas:
            stay = [each for each in partition.eligible_leader_replicas if each != elected.leader]
            record.eligible_leader_replicas = stay if min_in_sync > 1 and not elected.is_unclean else []
        if partition.last_known_elr:
            record.last_known_elr = []
    if elected.is_unclean:
        record.leader_recovery_state = RECOVERING
    return record


def lead_where_nobody_does(view: ClusterView, may_lead: Callable[[int], bool]) -> list[Any]:
    """Records for all partitions without a leader that can have one now: a broker has come back."""
    records: list[Any] = []
    for topic in view.image.topics:
        leaderless = [(index, each) for index, each in topic.partitions.items() if each.leader == NO_LEADER]
        if not leaderless:
            continue
        allows_unclean, min_in_sync = view.allows_unclean_election(topic.name), view.min_in_sync_replicas(topic.name)
        for index, partition in leaderless:
            elected = elect(partition, may_lead, allows_unclean=allows_unclean)
            if elected is not None:
                records.append(leader_record(topic, index, partition, elected, min_in_sync))
    return records
