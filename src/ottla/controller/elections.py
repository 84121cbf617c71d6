"""Who leads a partition: the order in which replicas are asked, and the records of a change of leader.

1. the leader stays while it is in sync and active (a preferred election asks the first replica first)
2. the first replica, in the order of assignment, that is in sync and active
3. the first one that is eligible: it has all committed records though it left the in-sync set (KIP-966)
4. the last known leader, when nobody is in sync or eligible any more
5. any active replica, if the topic allows unclean elections
With 4 and 5 records may be lost: the partition is marked as recovering.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
from ottla.metadata.partition_registration import NO_LEADER, RECOVERING, PartitionRegistration
from ottla.metadata.topics_image import TopicImage
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.elect_leaders_request import ElectLeadersRequest
from ottla.protocol.generated.elect_leaders_response import (
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResults,
)
from ottla.protocol.generated.partition_change_record import PartitionChangeRecord

PREFERRED, UNCLEAN = 0, 1


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


def elect_leaders(view: ClusterView, request: ElectLeadersRequest) -> Decision[ElectLeadersResponse]:
    kind = request.election_type
    known = kind in (PREFERRED, UNCLEAN)
    records: list[Any] = []
    results: list[ReplicaElectionResults] = []
    for name, indexes, is_asked in _wanted(view, request):
        outcomes: list[PartitionResult] = []
        for index in indexes:
            try:
                if not known:
                    raise Refused(ErrorCode.INVALID_REQUEST, f"Unknown election type {kind}")
                records.append(_elect_one(view, name, index, kind))
                outcomes.append(PartitionResult(partition_id=index, error_message=None))
            except Refused as refusal:
                # Without a list of partitions the client wants to hear only of those that needed an election.
                if is_asked or refusal.code != ErrorCode.ELECTION_NOT_NEEDED:
                    outcomes.append(PartitionResult(index, refusal.code, refusal.message))
        results.append(ReplicaElectionResults(topic=name, partition_result=outcomes))
    code = ErrorCode.NONE if known else ErrorCode.INVALID_REQUEST
    return Decision(ElectLeadersResponse(error_code=code, replica_election_results=results), records)


def _wanted(view: ClusterView, request: ElectLeadersRequest) -> Iterable[tuple[str, Iterable[int], bool]]:
    if request.topic_partitions is None:
        return [(topic.name, list(topic.partitions), False) for topic in view.image.topics]
    return [(topic.topic, topic.partitions, True) for topic in request.topic_partitions]


def _elect_one(view: ClusterView, name: str, index: int, kind: int) -> PartitionChangeRecord:
    topic = view.image.topic(name)
    if topic is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such topic as {name}")
    partition = topic.partition(index)
    if partition is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such partition as {name}-{index}")
    needed = partition.leader != partition.preferred_replica if kind == PREFERRED else not partition.has_leader
    if not needed:
        raise Refused(ErrorCode.ELECTION_NOT_NEEDED, "Leader election not needed for topic partition.")
    elected = elect(partition, view.image.is_active, prefers_first=kind == PREFERRED, allows_unclean=kind == UNCLEAN)
    if kind == PREFERRED and (elected is None or elected.leader != partition.preferred_replica):
        message = "The preferred leader was not available."
        raise Refused(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE, message)
    if elected is None:
        message = "Eligible topic partition leaders are not available."
        raise Refused(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE, message)
    return leader_record(topic, index, partition, elected, view.min_in_sync_replicas(name))
