"""Moving replicas: starting, cancelling and listing reassignments (KIP-455).

While a move is on, the replicas are the target ones plus those that will go; new ones must get in sync first. A move
that adds nobody is done at once.
"""

from typing import Any

from ottla.controller.leaders import elect
from ottla.controller.partitions import default_directory
from ottla.controller.placement import check_assignment
from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
from ottla.metadata.partition_registration import NO_LEADER, PartitionRegistration
from ottla.metadata.topics_image import TopicImage
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.alter_partition_reassignments_request import AlterPartitionReassignmentsRequest
from ottla.protocol.generated.alter_partition_reassignments_request import Partitions as WantedPartition
from ottla.protocol.generated.alter_partition_reassignments_response import AlterPartitionReassignmentsResponse
from ottla.protocol.generated.alter_partition_reassignments_response import Partitions as PartitionResult
from ottla.protocol.generated.alter_partition_reassignments_response import Responses as TopicResult
from ottla.protocol.generated.list_partition_reassignments_request import ListPartitionReassignmentsRequest
from ottla.protocol.generated.list_partition_reassignments_response import ListPartitionReassignmentsResponse
from ottla.protocol.generated.list_partition_reassignments_response import Partitions as OngoingPartition
from ottla.protocol.generated.list_partition_reassignments_response import Topics as OngoingTopic
from ottla.protocol.generated.partition_change_record import PartitionChangeRecord


def alter_partition_reassignments(
    view: ClusterView, request: AlterPartitionReassignmentsRequest
) -> Decision[AlterPartitionReassignmentsResponse]:
    allows_other_count = request.allow_replication_factor_change
    records: list[Any] = []
    topics: list[TopicResult] = []
    for wanted in request.topics:
        results: list[PartitionResult] = []
        for each in wanted.partitions:
            try:
                records += _alter_one(view, wanted.name, each, allows_other_count)
                results.append(PartitionResult(each.partition_index, ErrorCode.NONE, None))
            except Refused as refusal:
                results.append(PartitionResult(each.partition_index, refusal.code, refusal.message))
        topics.append(TopicResult(name=wanted.name, partitions=results))
    response = AlterPartitionReassignmentsResponse(
        allow_replication_factor_change=allows_other_count, error_message=None, responses=topics
    )
    return Decision(response, records)


def _alter_one(view: ClusterView, name: str, wanted: WantedPartition, allows_other_count: bool) -> list[Any]:
    topic = view.image.topic(name)
    if topic is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Unable to find a topic named {name}.")
    index = wanted.partition_index
    partition = topic.partition(index)
    if partition is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Unable to find partition {name}:{index}.")
    if wanted.replicas is None:
        return [_cancelled(view, topic, index, partition)]
    check_assignment(view.image.brokers, wanted.replicas, None)
    original = _original_replicas(partition)
    if not allows_other_count and len(wanted.replicas) != len(original):
        raise Refused(
            ErrorCode.INVALID_REPLICATION_FACTOR,
            f"The replication factor is changed from {len(original)} to {len(wanted.replicas)}",
        )
    record = _moved(view, topic, index, partition, wanted.replicas)
    return [] if record is None else [record]


def _original_replicas(partition: PartitionRegistration) -> list[int]:
    return [replica for replica in partition.replicas if replica not in partition.adding_replicas]


def _moved(
    view: ClusterView, topic: TopicImage, index: int, partition: PartitionRegistration, target: list[int]
) -> PartitionChangeRecord | None:
    """None when the replicas are as wanted already."""
    current = _original_replicas(partition)
    adding = [replica for replica in target if replica not in current]
    removing = [replica for replica in current if replica not in target]
    # What only leaves can leave at once, if somebody who stays is in sync.
    if not adding and any(replica in partition.isr for replica in target):
        return _completed(view, topic, index, partition, target)
    replicas = target + [replica for replica in removing if replica not in target]
    if tuple(replicas) == partition.replicas and not adding and not removing:
        return None
    return PartitionChangeRecord(
        partition_id=index,
        topic_id=topic.topic_id,
        replicas=replicas,
        adding_replicas=adding,
        removing_replicas=removing,
        directories=_directories(view, partition, replicas),
    )


def _completed(
    view: ClusterView, topic: TopicImage, index: int, partition: PartitionRegistration, target: list[int]
) -> PartitionChangeRecord | None:
    if tuple(target) == partition.replicas and not partition.is_reassigning:
        return None
    in_sync = tuple(replica for replica in partition.isr if replica in target)
    record = PartitionChangeRecord(
        partition_id=index,
        topic_id=topic.topic_id,
        replicas=target,
        directories=_directories(view, partition, target),
    )
    if partition.adding_replicas:
        record.adding_replicas = []
    if partition.removing_replicas:
        record.removing_replicas = []
    if in_sync != partition.isr:
        record.isr = list(in_sync)
    if partition.leader not in target:
        after = partition._replace(replicas=tuple(target), isr=in_sync)
        elected = elect(after, view.image.is_active)
        record.leader = NO_LEADER if elected is None else elected.leader
    return record


def _cancelled(
    view: ClusterView, topic: TopicImage, index: int, partition: PartitionRegistration
) -> PartitionChangeRecord:
    if not partition.is_reassigning:
        raise Refused(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS)
    original = _original_replicas(partition)
    if not any(replica in original for replica in partition.isr):
        # Only the new replicas are in sync: to go back would lose what they have.
        raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, "None of the original replicas is in sync.")
    record = _completed(view, topic, index, partition, original)
    assert record is not None
    return record


def _directories(view: ClusterView, partition: PartitionRegistration, replicas: list[int]) -> list[bytes]:
    return [
        partition.directory_of(replica) if replica in partition.replicas else default_directory(view.image, replica)
        for replica in replicas
    ]


def list_partition_reassignments(
    view: ClusterView, request: ListPartitionReassignmentsRequest
) -> ListPartitionReassignmentsResponse:
    """Topics and partitions that are not there are left out."""
    topics: list[OngoingTopic] = []
    for name, indexes in _wanted(view, request):
        topic = view.image.topic(name)
        found = [] if topic is None else _ongoing(topic, indexes)
        if found:
            topics.append(OngoingTopic(name=name, partitions=found))
    return ListPartitionReassignmentsResponse(error_message=None, topics=topics)


def _wanted(view: ClusterView, request: ListPartitionReassignmentsRequest) -> list[tuple[str, list[int]]]:
    if request.topics is None:
        return [(topic.name, list(topic.partitions)) for topic in view.image.topics]
    return [(topic.name, topic.partition_indexes) for topic in request.topics]


def _ongoing(topic: TopicImage, indexes: list[int]) -> list[OngoingPartition]:
    return [
        OngoingPartition(
            partition_index=index,
            replicas=list(partition.replicas),
            adding_replicas=list(partition.adding_replicas),
            removing_replicas=list(partition.removing_replicas),
        )
        for index in indexes
        if (partition := topic.partition(index)) is not None and partition.is_reassigning
    ]
