"""Calls about topics."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ottla.client.admin.call import Call
from ottla.client.errors import raise_for
from ottla.client.metadata import NOTHING_KNOWN, PartitionView, image_after
from ottla.protocol.generated import create_topics_request, delete_topics_request
from ottla.protocol.generated.metadata_request import MetadataRequest
from ottla.protocol.generated.metadata_request import Topics as MetadataTopic


class NewTopic(NamedTuple):
    """A topic to create. -1 leaves the count to the broker's defaults; `assignment` names the replicas instead."""

    name: str
    partitions: int = -1
    replication_factor: int = -1
    configs: Mapping[str, str] = {}
    assignment: Mapping[int, Sequence[int]] | None = None


class TopicListing(NamedTuple):
    name: str
    topic_id: bytes
    is_internal: bool


class TopicDescription(NamedTuple):
    name: str
    topic_id: bytes
    is_internal: bool
    partitions: list[PartitionView]


async def create_topics(call: Call, topics: Sequence[NewTopic], *, validate_only: bool) -> None:
    request = create_topics_request.CreateTopicsRequest(
        topics=[_creation(topic) for topic in topics], timeout_ms=call.left_ms, validate_only=validate_only
    )
    await call.controller(request, _raise_for_topics)


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


def _raise_for_topics(response: Any) -> None:
    for row in response.topics:
        raise_for(row.error_code, f"topic {row.name}: {row.error_message or ''}".rstrip(": "))


async def delete_topics(call: Call, topics: Sequence[str]) -> None:
    request = delete_topics_request.DeleteTopicsRequest(
        topics=[delete_topics_request.Topics(name=name) for name in topics],
        topic_names=list(topics),
        timeout_ms=call.left_ms,
    )

    def read(response: Any) -> None:
        for row in response.responses:
            raise_for(row.error_code, f"topic {row.name}: {row.error_message or ''}".rstrip(": "))

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
        for row in response.topics:
            raise_for(row.error_code, f"topic {row.name}")
        views = image_after(NOTHING_KNOWN, response).topics
        return {
            name: TopicDescription(name, views[name].id, views[name].is_internal, list(views[name].partitions))
            for name in topics
        }

    return await call.any_node(request, read)
