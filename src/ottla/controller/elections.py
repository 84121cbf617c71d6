"""ElectLeaders: an operator asks for the preferred leaders back, or for any leader at all (KIP-183, KIP-460)."""

from collections.abc import Iterable
from typing import Any

from ottla.controller.leaders import elect, leader_record
from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
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
