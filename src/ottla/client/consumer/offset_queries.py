"""Offsets that a caller asks for: of any partition, assigned or not, until a deadline."""

from collections.abc import Mapping

from ottla.client.cluster import Cluster
from ottla.client.consumer.offset_requests import Outcomes, list_offsets
from ottla.client.consumer.position_lookups import CommittedLookup
from ottla.client.consumer.record import OffsetAndTimestamp
from ottla.client.errors import ClientError, raise_for
from ottla.client.offsets import OffsetAndMetadata
from ottla.client.retrying import Deadline
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition


async def query_offsets(
    cluster: Cluster, timestamps: Mapping[TopicPartition, int], *, is_committed_only: bool, timeout_ms: int, what: str
) -> dict[TopicPartition, OffsetAndTimestamp | None]:
    """From the leaders; errors that may pass are retried. Raises TimedOut, UnknownTopic, AuthorizationFailed."""
    deadline = Deadline(cluster.clock, timeout_ms)
    found: dict[TopicPartition, OffsetAndTimestamp | None] = {}

    async def attempt() -> None:
        """Asks for what is missing, one leader after another; raises the first error."""
        missing = {partition: timestamp for partition, timestamp in timestamps.items() if partition not in found}
        error: ClientError | None = None
        for node_id, rows in (await _by_leader(cluster, missing, deadline)).items():
            outcomes: Outcomes[OffsetAndTimestamp | None] = await list_offsets(
                cluster, node_id, rows, is_committed_only=is_committed_only, timeout_ms=deadline.left_ms
            )
            for partition, outcome in outcomes.items():
                if isinstance(outcome, ClientError):
                    error = outcome
                else:
                    found[partition] = outcome
        if error is not None:
            raise error

    if timestamps:
        await cluster.retry(attempt, timeout_ms=timeout_ms, what=what)
    return {partition: found[partition] for partition in timestamps}


async def query_committed(
    cluster: Cluster, fetch: CommittedLookup, partitions: list[TopicPartition], *, timeout_ms: int
) -> dict[TopicPartition, OffsetAndMetadata | None]:
    """From the group's coordinator, None for nothing; errors that may pass are retried."""

    async def attempt() -> dict[TopicPartition, OffsetAndMetadata | None]:
        found: dict[TopicPartition, OffsetAndMetadata | None] = {}
        for partition, outcome in (await fetch(partitions)).items():
            if isinstance(outcome, ClientError):
                raise outcome
            found[partition] = outcome
        return found

    return await cluster.retry(attempt, timeout_ms=timeout_ms, what="committed offsets")


async def _by_leader(
    cluster: Cluster, timestamps: Mapping[TopicPartition, int], deadline: Deadline
) -> dict[int, dict[TopicPartition, int]]:
    by_leader: dict[int, dict[TopicPartition, int]] = {}
    for partition, timestamp in timestamps.items():
        view = await cluster.topic(partition.topic, deadline)
        if not 0 <= partition.partition < len(view.partitions):
            raise_for(
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"{partition}: the topic has {len(view.partitions)} partitions"
            )
        leader = cluster.leader_of(partition)
        if leader is None:
            raise_for(ErrorCode.LEADER_NOT_AVAILABLE, str(partition))
            continue
        by_leader.setdefault(leader.id, {})[partition] = timestamp
    return by_leader
