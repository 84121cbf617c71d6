"""Creating and deleting topics, with the checks and texts of Apache Kafka 4.3."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ottla.config.alter import check_topic_overrides
from ottla.controller.partitions import MAX_PARTITIONS_PER_REQUEST, PartitionRoom, partition_records
from ottla.controller.placement import check_assignment, place_partitions
from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
from ottla.metadata.image import TOPIC_RESOURCE
from ottla.metadata.topics_image import TopicImage
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.model.topic import CLUSTER_METADATA, NO_TOPIC_ID, metric_name, name_problem
from ottla.protocol.generated.config_record import ConfigRecord
from ottla.protocol.generated.create_topics_request import CreateTopicsRequest
from ottla.protocol.generated.create_topics_request import Topics as WantedTopic
from ottla.protocol.generated.create_topics_response import Configs as ConfigOfTopic
from ottla.protocol.generated.create_topics_response import CreateTopicsResponse
from ottla.protocol.generated.create_topics_response import Topics as TopicResult
from ottla.protocol.generated.topic_record import TopicRecord

#: From this version on the response contains partitions, replication factor and configs.
_VERSION_WITH_CONFIGS = 5


class _NewTopic(NamedTuple):
    records: list[Any]
    result: TopicResult
    partition_count: int


def create_topics(
    view: ClusterView, request: CreateTopicsRequest, version: int
) -> Steps[Decision[CreateTopicsResponse]]:
    wanted = {topic.name: topic for topic in request.topics}
    if _total_partitions(view, request.topics) > MAX_PARTITIONS_PER_REQUEST:
        message = "Excessively large number of partitions per request."
        too_many = Refused(ErrorCode.POLICY_VIOLATION, message)
        return Decision(CreateTopicsResponse(topics=[refused_topic(name, too_many) for name in wanted]))
    counts = Counter(topic.name for topic in request.topics)
    collisions = _collisions(view)
    room = PartitionRoom(view)
    descriptions = _Descriptions(view)
    records: list[Any] = []
    results: list[TopicResult] = []
    for name, topic in wanted.items():
        yield
        try:
            if counts[name] > 1:
                raise Refused(ErrorCode.INVALID_REQUEST, "Duplicate topic name.")
            _check_new_name(view, name, collisions)
            made = _create_one(view, topic, descriptions if version >= _VERSION_WITH_CONFIGS else None)
            room.take(made.partition_count)
            records += made.records
            results.append(made.result)
        except Refused as refusal:
            results.append(refused_topic(name, refusal))
    return Decision(CreateTopicsResponse(topics=results), [] if request.validate_only else records)


def _total_partitions(view: ClusterView, topics: Sequence[WantedTopic]) -> int:
    default = view.layers.options.num_partitions
    return sum(
        len(topic.assignments) or (topic.num_partitions if topic.num_partitions > 0 else default) for topic in topics
    )


def _collisions(view: ClusterView) -> dict[str, str]:
    """Metric name -> a topic that has it, for the topics whose metric name can be confused with another's."""
    return {metric_name(name): name for name in view.image.topics.by_name if "." in name or "_" in name}


def _check_new_name(view: ClusterView, name: str, collisions: Mapping[str, str]) -> None:
    if name == CLUSTER_METADATA:
        message = f"Creation of internal topic {CLUSTER_METADATA} is prohibited."
        raise Refused(ErrorCode.INVALID_REQUEST, message)
    problem = name_problem(name)
    if problem is not None:
        raise Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic name is invalid: {problem}")
    if view.image.topic(name) is not None:
        raise Refused(ErrorCode.TOPIC_ALREADY_EXISTS, f"Topic '{name}' already exists.")
    if ("." in name or "_" in name) and metric_name(name) in collisions:
        message = f"Topic '{name}' collides with existing topic: {collisions[metric_name(name)]}"
        raise Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, message)


def _create_one(view: ClusterView, topic: WantedTopic, descriptions: "_Descriptions | None") -> _NewTopic:
    overrides = {config.name: config.value for config in topic.configs}
    checked = check_topic_configs(view, overrides)
    assignments = _assignments_for(view, topic)
    topic_id = view.rng.uuid()
    records: list[Any] = [TopicRecord(name=topic.name, topic_id=topic_id)]
    records += [
        ConfigRecord(resource_type=TOPIC_RESOURCE, resource_name=topic.name, name=key, value=value)
        for key, value in checked.items()
    ]
    records += partition_records(view.image, topic_id, assignments)
    result = TopicResult(name=topic.name, topic_id=topic_id, error_message=None)
    if descriptions is not None:
        result.num_partitions = len(assignments)
        result.replication_factor = len(assignments[0])
        result.configs = descriptions.of(checked)
    return _NewTopic(records, result, len(assignments))


def check_topic_configs(view: ClusterView, overrides: Mapping[str, str | None]) -> dict[str, str]:
    """The overrides of a topic, known to be valid together. Raises INVALID_CONFIG with the first problem."""
    nulls = [name for name, value in overrides.items() if value is None]
    if nulls:
        raise Refused(ErrorCode.INVALID_CONFIG, f"Null value not supported for topic configs: {','.join(nulls)}")
    values = {name: value for name, value in overrides.items() if value is not None}
    check_topic_overrides(values, view.layers)
    return values


class _Descriptions:
    """The settings of new topics for the response. Topics with equal ones share a list: it is never changed.

    Without it, a request for thousands of topics would make hundreds of thousands of equal objects.
    """

    def __init__(self, view: ClusterView) -> None:
        self._view = view
        self._known: dict[tuple[tuple[str, str], ...], list[ConfigOfTopic]] = {}

    def of(self, overrides: Mapping[str, str]) -> list[ConfigOfTopic]:
        key = tuple(overrides.items())
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = [
                ConfigOfTopic(
                    name=row.name,
                    value=overrides.get(row.name, row.value),
                    read_only=row.read_only,
                    config_source=row.source,
                    is_sensitive=row.is_sensitive,
                )
                for row in self._view.layers.describe_topic(overrides)
            ]
        return found


def _assignments_for(view: ClusterView, topic: WantedTopic) -> Sequence[Sequence[int]]:
    if topic.assignments:
        return _manual_assignments(view, topic)
    count, replication_factor = topic.num_partitions, topic.replication_factor
    if replication_factor < -1 or replication_factor == 0:
        message = "Replication factor must be larger than 0, or -1 to use the default value."
        raise Refused(ErrorCode.INVALID_REPLICATION_FACTOR, message)
    if count < -1 or count == 0:
        message = "Number of partitions was set to an invalid non-positive value."
        raise Refused(ErrorCode.INVALID_PARTITIONS, message)
    options = view.layers.options
    return place_partitions(
        list(view.image.brokers.values()),
        options.num_partitions if count == -1 else count,
        options.default_replication_factor if replication_factor == -1 else replication_factor,
        view.rng,
    )


def _manual_assignments(view: ClusterView, topic: WantedTopic) -> list[list[int]]:
    if topic.replication_factor != -1:
        message = "A manual partition assignment was specified, but replication factor was not set to -1."
        raise Refused(ErrorCode.INVALID_REQUEST, message)
    if topic.num_partitions != -1:
        message = "A manual partition assignment was specified, but numPartitions was not set to -1."
        raise Refused(ErrorCode.INVALID_REQUEST, message)
    by_index: dict[int, list[int]] = {}
    expected_count: int | None = None
    for assignment in topic.assignments:
        index = assignment.partition_index
        if index in by_index:
            message = f"Found multiple manual partition assignments for partition {index}"
            raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
        check_assignment(view.image.brokers, assignment.broker_ids, expected_count)
        expected_count = len(assignment.broker_ids)
        by_index[index] = assignment.broker_ids
    if sorted(by_index) != list(range(len(by_index))):
        message = "partitions should be a consecutive 0-based integer sequence"
        raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
    return [by_index[index] for index in range(len(by_index))]


def refused_topic(name: str, refusal: Refused) -> TopicResult:
    return TopicResult(
        name=name, topic_id=NO_TOPIC_ID, error_code=refusal.code, error_message=refusal.message, configs=[]
    )


def topic_by_name_or_id(view: ClusterView, name: str | None, topic_id: bytes) -> TopicImage:
    """Raises Kafka's error for a topic that is not there: by name 3, by id 100."""
    if name is not None:
        found = view.image.topic(name)
        if found is None:
            raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition.")
        return found
    found = view.image.topic_by_id(topic_id)
    if found is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_ID, "This server does not host this topic ID.")
    return found
