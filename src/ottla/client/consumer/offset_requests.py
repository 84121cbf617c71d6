"""Requests about offsets, each asked once: ListOffsets, OffsetForLeaderEpoch, OffsetFetch, OffsetCommit.

What a response says of one partition is a value or an error, so that one bad partition does not hide the others.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ottla.client.cluster import Cluster
from ottla.client.consumer.positions import NO_EPOCH
from ottla.client.consumer.record import OffsetAndTimestamp
from ottla.client.errors import ClientError, raise_for, refusal
from ottla.client.nodes import Purpose
from ottla.client.offsets import ConsumerGroupMetadata, OffsetAndMetadata
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import (
    list_offsets_request,
    offset_commit_request,
    offset_fetch_request,
    offset_for_leader_epoch_request,
)
from ottla.protocol.generated.list_offsets_request import ListOffsetsRequest
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_fetch_request import OffsetFetchRequest
from ottla.protocol.generated.offset_for_leader_epoch_request import OffsetForLeaderEpochRequest

T = TypeVar("T")
Outcomes: TypeAlias = dict[TopicPartition, T | ClientError]

_CONSUMER = -1
#: From this version on OffsetFetch asks for several groups, and names the member.
_GROUPS_VERSION = 8
#: The last versions that name topics by their names.
_NAMES_VERSION = 9


class EpochEnd(NamedTuple):
    """Where the log of an epoch ends; both are negative when the broker does not know the epoch."""

    epoch: int
    end_offset: int


def by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[TopicPartition]]:
    topics: dict[str, list[TopicPartition]] = {}
    for partition in partitions:
        topics.setdefault(partition.topic, []).append(partition)
    return topics


async def list_offsets(
    cluster: Cluster,
    node_id: int,
    timestamps: Mapping[TopicPartition, int],
    *,
    is_committed_only: bool,
    timeout_ms: int | None = None,
) -> Outcomes[OffsetAndTimestamp | None]:
    """Of partitions that the node leads. None when no record is at or after the time."""
    request = ListOffsetsRequest(
        replica_id=_CONSUMER,
        isolation_level=1 if is_committed_only else 0,
        topics=[
            list_offsets_request.Topics(
                topic,
                [
                    list_offsets_request.Partitions(
                        partition.partition, _leader_epoch(cluster, partition), timestamps[partition]
                    )
                    for partition in partitions
                ],
            )
            for topic, partitions in by_topic(timestamps).items()
        ],
        timeout_ms=timeout_ms if timeout_ms is not None else cluster.options.request_timeout_ms,
    )
    response = await cluster.ask(node_id, request)
    outcomes: Outcomes[OffsetAndTimestamp | None] = {}
    for topic in response.topics:
        for row in topic.partitions:
            partition = TopicPartition(topic.name, row.partition_index)
            if row.error_code:
                outcomes[partition] = refusal(row.error_code, str(partition))
            elif row.offset < 0:
                outcomes[partition] = None
            else:
                outcomes[partition] = OffsetAndTimestamp(row.offset, row.timestamp, row.leader_epoch)
    return outcomes


async def epoch_ends(cluster: Cluster, node_id: int, epochs: Mapping[TopicPartition, int]) -> Outcomes[EpochEnd]:
    """Where the log of these epochs ends at their leader (KIP-320)."""
    request = OffsetForLeaderEpochRequest(
        replica_id=_CONSUMER,
        topics=[
            offset_for_leader_epoch_request.Topics(
                topic,
                [
                    offset_for_leader_epoch_request.Partitions(
                        partition.partition, _leader_epoch(cluster, partition), epochs[partition]
                    )
                    for partition in partitions
                ],
            )
            for topic, partitions in by_topic(epochs).items()
        ],
    )
    response = await cluster.ask(node_id, request)
    outcomes: Outcomes[EpochEnd] = {}
    for topic in response.topics:
        for row in topic.partitions:
            partition = TopicPartition(topic.topic, row.partition)
            if row.error_code:
                outcomes[partition] = refusal(row.error_code, str(partition))
            else:
                outcomes[partition] = EpochEnd(row.leader_epoch, row.end_offset)
    return outcomes


def _leader_epoch(cluster: Cluster, partition: TopicPartition) -> int:
    view = cluster.image.partition(partition)
    return view.leader_epoch if view is not None else NO_EPOCH


async def fetch_committed(
    cluster: Cluster, node_id: int, member: ConsumerGroupMetadata, partitions: Iterable[TopicPartition]
) -> Outcomes[OffsetAndMetadata | None]:
    """What the group has committed, None for nothing. Offsets of open transactions are waited for: an error until then.

    Raises for errors of the group as a whole.
    """
    topics = by_topic(partitions)
    version = min(_NAMES_VERSION, await cluster.version_for(node_id, OffsetFetchRequest, _NAMES_VERSION))
    if version >= _GROUPS_VERSION:
        group = offset_fetch_request.Groups(
            member.group_id,
            member.member_id or None,
            member.generation_id,
            [
                offset_fetch_request.GroupsTopics(name=topic, partition_indexes=[row.partition for row in rows])
                for topic, rows in topics.items()
            ],
        )
        request = OffsetFetchRequest(groups=[group], require_stable=True)
    else:
        request = OffsetFetchRequest(
            group_id=member.group_id,
            topics=[
                offset_fetch_request.Topics(topic, [row.partition for row in rows]) for topic, rows in topics.items()
            ],
            require_stable=True,
        )
    response = await cluster.ask(node_id, request, version=version, purpose=Purpose.COORDINATION)
    found: Any = response.groups[0] if version >= _GROUPS_VERSION else response
    raise_for(found.error_code, f"group {member.group_id}")
    return {
        TopicPartition(topic.name, row.partition_index): _committed(topic.name, row)
        for topic in found.topics
        for row in topic.partitions
    }


def _committed(topic: str, row: Any) -> OffsetAndMetadata | None | ClientError:
    if row.error_code:
        return refusal(row.error_code, f"{topic}-{row.partition_index}")
    if row.committed_offset < 0:
        return None
    return OffsetAndMetadata(row.committed_offset, row.metadata or "", row.committed_leader_epoch)


async def commit(
    cluster: Cluster, node_id: int, member: ConsumerGroupMetadata, offsets: Mapping[TopicPartition, OffsetAndMetadata]
) -> Outcomes[None]:
    """None for what is committed now."""
    request = OffsetCommitRequest(
        group_id=member.group_id,
        generation_id_or_member_epoch=member.generation_id,
        member_id=member.member_id,
        group_instance_id=member.group_instance_id,
        topics=[
            offset_commit_request.Topics(
                name=topic,
                partitions=[
                    offset_commit_request.Partitions(
                        partition.partition,
                        offsets[partition].offset,
                        offsets[partition].leader_epoch,
                        offsets[partition].metadata,
                    )
                    for partition in partitions
                ],
            )
            for topic, partitions in by_topic(offsets).items()
        ],
    )
    version = await cluster.version_for(node_id, OffsetCommitRequest, _NAMES_VERSION)
    response = await cluster.ask(node_id, request, version=version, purpose=Purpose.COORDINATION)
    outcomes: Outcomes[None] = {}
    for topic in response.topics:
        for row in topic.partitions:
            partition = TopicPartition(topic.name, row.partition_index)
            outcomes[partition] = refusal(row.error_code, str(partition)) if row.error_code else None
    return outcomes
