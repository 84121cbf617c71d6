"""Partition records: new partitions of a topic, and more partitions for one that exists."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ottla.controller.placement import check_assignment, place_partitions
from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
from ottla.metadata.image import MetadataImage
from ottla.metadata.partition_registration import UNASSIGNED_DIRECTORY
from ottla.metadata.topics_image import TopicImage
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.protocol.generated.create_partitions_request import CreatePartitionsRequest
from ottla.protocol.generated.create_partitions_request import Topics as WantedTopic
from ottla.protocol.generated.create_partitions_response import CreatePartitionsResponse
from ottla.protocol.generated.create_partitions_response import Results as TopicResult
from ottla.protocol.generated.partition_record import PartitionRecord

MAX_PARTITIONS_PER_REQUEST = 10_000


class PartitionRoom:
    """How many more partitions one request may make."""

    def __init__(self, view: ClusterView) -> None:
        self._limit: int = view.layers.options.ottla_partitions_max
        self._count = view.image.topics.partition_count

    def take(self, more: int) -> None:
        """Raises POLICY_VIOLATION when there is no room for so many."""
        if self._count + more > self._limit:
            message = f"There are {self._count} partitions, and at most {self._limit} are allowed."
            raise Refused(ErrorCode.POLICY_VIOLATION, f"{message} (ottla.partitions.max)")
        self._count += more


def partition_records(
    image: MetadataImage, topic_id: bytes, assignments: Sequence[Sequence[int]], first_index: int = 0
) -> list[PartitionRecord]:
    """Records of new partitions; the first active replica leads. Raises when a partition would have nobody."""
    records: list[PartitionRecord] = []
    shared: dict[tuple[int, ...], tuple[list[int], list[int], list[bytes]]] = {}
    for index, replicas in enumerate(assignments, first_index):
        key = tuple(replicas)
        lists = shared.get(key)
        if lists is None:
            # Partitions with equal replicas share their lists: records are never changed after they are created.
            lists = shared[key] = _lists_of(image, replicas, index)
        all_replicas, in_sync, directories = lists
        records.append(
            PartitionRecord(
                partition_id=index,
                topic_id=topic_id,
                replicas=all_replicas,
                isr=in_sync,
                leader=in_sync[0],
                leader_epoch=0,
                partition_epoch=0,
                directories=directories,
            )
        )
    return records


def _lists_of(image: MetadataImage, replicas: Sequence[int], index: int) -> tuple[list[int], list[int], list[bytes]]:
    in_sync = [broker_id for broker_id in replicas if image.is_active(broker_id)]
    if not in_sync:
        raise Refused(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"All brokers specified in the manual partition assignment for partition {index} are fenced or in "
            "controlled shutdown.",
        )
    return list(replicas), in_sync, [default_directory(image, broker_id) for broker_id in replicas]


def default_directory(image: MetadataImage, broker_id: int) -> bytes:
    """A broker with one directory has no choice; one with several reports its choice to the controller."""
    broker = image.broker(broker_id)
    if broker is None or len(broker.usable_log_dirs) != 1:
        return UNASSIGNED_DIRECTORY
    return broker.usable_log_dirs[0]


def create_partitions(view: ClusterView, request: CreatePartitionsRequest) -> Steps[Decision[CreatePartitionsResponse]]:
    counts = Counter(topic.name for topic in request.topics)
    records: list[Any] = []
    results: list[TopicResult] = []
    room = PartitionRoom(view)
    for name, topic in {topic.name: topic for topic in request.topics}.items():
        yield
        try:
            if counts[name] > 1:
                raise Refused(ErrorCode.INVALID_REQUEST, "Duplicate topic name.")
            more = _more_partitions(view, topic, MAX_PARTITIONS_PER_REQUEST - len(records))
            room.take(len(more))
            records += more
            results.append(TopicResult(name=name))
        except Refused as refusal:
            results.append(TopicResult(name=name, error_code=refusal.code, error_message=refusal.message))
    response = CreatePartitionsResponse(results=results)
    return Decision(response, [] if request.validate_only else records)


def _more_partitions(view: ClusterView, wanted: WantedTopic, limit: int) -> list[PartitionRecord]:
    topic = view.image.topic(wanted.name)
    if topic is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    count = topic.partition_count
    if wanted.count == count:
        raise Refused(ErrorCode.INVALID_PARTITIONS, f"Topic already has {count} partition(s).")
    if wanted.count < count:
        message = f"The topic {topic.name} currently has {count} partition(s); {wanted.count} would not be an increase."
        raise Refused(ErrorCode.INVALID_PARTITIONS, message)
    if wanted.count - count > limit:
        raise Refused(ErrorCode.UNKNOWN_SERVER_ERROR)
    return partition_records(view.image, topic.topic_id, _assignments_for(view, topic, wanted), count)


def _assignments_for(view: ClusterView, topic: TopicImage, wanted: WantedTopic) -> Sequence[Sequence[int]]:
    additional = wanted.count - topic.partition_count
    first = topic.partition(0)
    replication_factor = len(first.replicas) if first is not None else 1
    if wanted.assignments is None:
        return place_partitions(list(view.image.brokers.values()), additional, replication_factor, view.rng)
    if len(wanted.assignments) != additional:
        raise Refused(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"Attempted to add {additional} additional partition(s), but only {len(wanted.assignments)} "
            "assignment(s) were specified.",
        )
    for assignment in wanted.assignments:
        check_assignment(view.image.brokers, assignment.broker_ids, replication_factor)
    return [assignment.broker_ids for assignment in wanted.assignments]
