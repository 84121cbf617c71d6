"""Calls about topics and their records."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ottla.client.admin.call import Call, by_topic, raise_failures
from ottla.client.errors import raise_for
from ottla.client.metadata import NOTHING_KNOWN, PartitionView, image_after
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import (
    create_partitions_request,
    create_topics_request,
    delete_records_request,
    delete_topics_request,
    describe_topic_partitions_request,
)
from ottla.protocol.generated.metadata_request import MetadataRequest
from ottla.protocol.generated.metadata_request import Topics as MetadataTopic


class NewTopic(NamedTuple):
    """A topic to create. -1 leaves a number to the broker's defaults; `assignment` names the replicas instead.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("audits", partitions=3, configs={"cleanup.policy": "compact"})])
    ...     len(admin.describe_topics(["audits"])["audits"].partitions)
    3
    """

    name: str
    partitions: int = -1
    replication_factor: int = -1
    configs: Mapping[str, str] = {}
    assignment: Mapping[int, Sequence[int]] | None = None


class TopicListing(NamedTuple):
    """From `admin.list_topics()`.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("listings")])
    ...     [topic.is_internal for topic in admin.list_topics() if topic.name == "listings"]
    [False]
    """

    name: str
    topic_id: bytes
    is_internal: bool


class TopicDescription(NamedTuple):
    """From `admin.describe_topics()`.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("descriptions", partitions=2)])
    ...     topic = admin.describe_topics(["descriptions"])["descriptions"]
    >>> [view.partition for view in topic.partitions]
    [0, 1]
    """

    name: str
    topic_id: bytes
    is_internal: bool
    partitions: list[PartitionView]


async def create_topics(call: Call, topics: Sequence[NewTopic], *, validate_only: bool) -> None:
    request = create_topics_request.CreateTopicsRequest(
        topics=[_creation(topic) for topic in topics], timeout_ms=call.left_ms, validate_only=validate_only
    )

    def read(response: Any) -> None:
        raise_failures({row.name: (row.error_code, row.error_message) for row in response.topics})

    await call.controller(request, read)


def _creation(topic: NewTopic) -> create_topics_request.Topics:
    placed = topic.assignment or {}
    return create_topics_request.Topics(
        name=topic.name,
        num_partitions=-1 if placed else topic.partitions,
        replication_factor=-1 if placed else topic.replication_factor,
        assignments=[
            create_topics_request.Assignments(partition, list(replicas)) for partition, replicas in placed.items()
        ],
        configs=[create_topics_request.Configs(name, str(value)) for name, value in topic.configs.items()],
    )


async def delete_topics(call: Call, topics: Sequence[str]) -> None:
    request = delete_topics_request.DeleteTopicsRequest(
        topics=[delete_topics_request.Topics(name=name) for name in topics],
        topic_names=list(topics),
        timeout_ms=call.left_ms,
    )

    def read(response: Any) -> None:
        raise_failures({row.name: (row.error_code, row.error_message) for row in response.responses})

    await call.controller(request, read)


async def list_topics(call: Call, *, include_internal: bool) -> list[TopicListing]:
    def read(response: Any) -> list[TopicListing]:
        raise_for(response.error_code)
        rows = [TopicListing(row.name, row.topic_id, row.is_internal) for row in response.topics if not row.error_code]
        return sorted(row for row in rows if include_internal or not row.is_internal)

    return await call.any_node(MetadataRequest(topics=None, allow_auto_topic_creation=False), read)


async def describe_topics(call: Call, topics: Sequence[str]) -> dict[str, TopicDescription]:
    request = MetadataRequest(topics=[MetadataTopic(name=name) for name in topics], allow_auto_topic_creation=False)

    def read(response: Any) -> dict[str, TopicDescription]:
        raise_for(response.error_code)
        raise_failures({row.name: (row.error_code, None) for row in response.topics})
        views = image_after(NOTHING_KNOWN, response).topics
        return {
            name: TopicDescription(name, views[name].id, views[name].is_internal, list(views[name].partitions))
            for name in topics
        }

    return await call.any_node(request, read)


class EligibleLeaders(NamedTuple):
    """From `admin.eligible_leaders()`.

    Replicas that may lead without loss of records (KIP-966), and those that may have been the last ones.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("elections")])
    ...     admin.eligible_leaders(["elections"])[TopicPartition("elections", 0)]
    EligibleLeaders(eligible=(), last_known=())
    """

    eligible: tuple[int, ...]
    last_known: tuple[int, ...]


async def eligible_leaders(call: Call, topics: Sequence[str]) -> dict[TopicPartition, EligibleLeaders | None]:
    """None where the broker does not know. Raises UnsupportedByBroker before Kafka 3.7."""
    module = describe_topic_partitions_request
    found: dict[TopicPartition, EligibleLeaders | None] = {}
    cursor: Any = None

    def read(response: Any) -> Any:
        for topic in response.topics:
            for row in topic.partitions:
                elr, last = row.eligible_leader_replicas, row.last_known_elr
                known = None if elr is None and last is None else EligibleLeaders(tuple(elr or ()), tuple(last or ()))
                found[TopicPartition(topic.name, row.partition_index)] = known
        return response.next_cursor

    while True:
        names = [name for name in sorted(topics) if cursor is None or name >= cursor.topic_name]
        request = module.DescribeTopicPartitionsRequest([module.Topics(name) for name in names], cursor=cursor)
        following = await call.any_node(request, read)
        if following is None:
            return found
        cursor = module.Cursor(following.topic_name, following.partition_index)


async def create_partitions(
    call: Call,
    counts: Mapping[str, int],
    assignments: Mapping[str, Sequence[Sequence[int]]],
    *,
    validate_only: bool,
) -> None:
    module = create_partitions_request
    request = module.CreatePartitionsRequest(
        topics=[
            module.Topics(
                name,
                count,
                [module.Assignments(list(replicas)) for replicas in assignments[name]] if name in assignments else None,
            )
            for name, count in counts.items()
        ],
        timeout_ms=call.left_ms,
        validate_only=validate_only,
    )

    def read(response: Any) -> None:
        raise_failures({row.name: (row.error_code, row.error_message) for row in response.results})

    await call.controller(request, read)


async def delete_records(call: Call, offsets: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
    def build(partitions: list[TopicPartition]) -> delete_records_request.DeleteRecordsRequest:
        return delete_records_request.DeleteRecordsRequest(
            topics=[
                delete_records_request.Topics(
                    topic,
                    [
                        delete_records_request.Partitions(number, offsets[TopicPartition(topic, number)])
                        for number in numbers
                    ],
                )
                for topic, numbers in by_topic(partitions).items()
            ],
            timeout_ms=call.left_ms,
        )

    def read(response: Any) -> dict[TopicPartition, tuple[int, int]]:
        return {
            TopicPartition(topic.name, row.partition_index): (row.error_code, row.low_watermark)
            for topic in response.topics
            for row in topic.partitions
        }

    return await call.leaders(offsets, build, read)
