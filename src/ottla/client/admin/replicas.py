"""Replicas: where they are, which one leads, in which directory they lie."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ottla.client.admin.call import Call, by_topic, raise_failures
from ottla.client.errors import RequestRefused, raise_for, refusal
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import (
    alter_partition_reassignments_request,
    alter_replica_log_dirs_request,
    describe_log_dirs_request,
    elect_leaders_request,
    list_partition_reassignments_request,
)

_PREFERRED, _UNCLEAN = 0, 1


class Reassignment(NamedTuple):
    """A move in progress, from `admin.list_partition_reassignments()`.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.list_partition_reassignments()  # nothing moves
    {}
    >>> Reassignment(replicas=(1, 2, 3), adding_replicas=(3,), removing_replicas=(1,)).adding_replicas
    (3,)
    """

    replicas: tuple[int, ...]
    adding_replicas: tuple[int, ...]
    removing_replicas: tuple[int, ...]


class ReplicaSize(NamedTuple):
    """A replica in a `LogDirectory`. `is_future`: a copy that replaces the replica when it has caught up.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("sized")])
    ...     [directory] = next(iter(admin.describe_log_dirs().values()))
    >>> directory.replicas[TopicPartition("sized", 0)].size
    0
    """

    size: int
    offset_lag: int
    is_future: bool


class LogDirectory(NamedTuple):
    """From `admin.describe_log_dirs()`.

    Sizes of the disk are -1 when they are not known; `error` is set for a directory that is offline.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     [directories] = admin.describe_log_dirs().values()
    >>> directories[0].error is None
    True
    """

    path: str
    error: RequestRefused | None
    total_bytes: int
    usable_bytes: int
    replicas: dict[TopicPartition, ReplicaSize]


async def alter_partition_reassignments(call: Call, targets: Mapping[TopicPartition, Sequence[int] | None]) -> None:
    module = alter_partition_reassignments_request
    request = module.AlterPartitionReassignmentsRequest(
        timeout_ms=call.left_ms,
        topics=[
            module.Topics(name, [module.Partitions(n, _listed(targets[TopicPartition(name, n)])) for n in numbers])
            for name, numbers in by_topic(targets).items()
        ],
    )

    def read(response: Any) -> None:
        raise_for(response.error_code, response.error_message)
        raise_failures(
            {
                TopicPartition(topic.name, row.partition_index): (row.error_code, row.error_message)
                for topic in response.responses
                for row in topic.partitions
            }
        )

    await call.controller(request, read)


def _listed(replicas: Sequence[int] | None) -> list[int] | None:
    return None if replicas is None else list(replicas)


async def list_partition_reassignments(
    call: Call, partitions: Sequence[TopicPartition] | None
) -> dict[TopicPartition, Reassignment]:
    module = list_partition_reassignments_request
    topics = None if partitions is None else [module.Topics(n, p) for n, p in by_topic(partitions).items()]

    def read(response: Any) -> dict[TopicPartition, Reassignment]:
        raise_for(response.error_code, response.error_message)
        return {
            TopicPartition(topic.name, row.partition_index): Reassignment(
                tuple(row.replicas), tuple(row.adding_replicas), tuple(row.removing_replicas)
            )
            for topic in response.topics
            for row in topic.partitions
        }

    return await call.controller(module.ListPartitionReassignmentsRequest(call.left_ms, topics), read)


async def elect_leaders(
    call: Call, partitions: Sequence[TopicPartition] | None, *, unclean: bool, reports_not_needed: bool
) -> dict[TopicPartition, RequestRefused | None]:
    """What became of each: None where a leader was elected."""
    module = elect_leaders_request
    no_errors = {ErrorCode.NONE} if reports_not_needed else {ErrorCode.NONE, ErrorCode.ELECTION_NOT_NEEDED}
    topics = None if partitions is None else [module.TopicPartitions(n, p) for n, p in by_topic(partitions).items()]

    def read(response: Any) -> dict[TopicPartition, RequestRefused | None]:
        raise_for(response.error_code)
        return {
            TopicPartition(topic.topic, row.partition_id): refusal(row.error_code, row.error_message)
            if row.error_code not in no_errors
            else None
            for topic in response.replica_election_results
            for row in topic.partition_result
        }

    request = module.ElectLeadersRequest(_UNCLEAN if unclean else _PREFERRED, topics, call.left_ms)
    return await call.controller(request, read)


async def describe_log_dirs(call: Call, broker_ids: Sequence[int] | None) -> dict[int, list[LogDirectory]]:
    def read(response: Any) -> list[LogDirectory]:
        raise_for(response.error_code)
        return [_directory(row) for row in response.results]

    nodes = await call.all_nodes() if broker_ids is None else broker_ids
    request = describe_log_dirs_request.DescribeLogDirsRequest(topics=None)
    return {node_id: await call.node(node_id, request, read) for node_id in nodes}


def _directory(row: Any) -> LogDirectory:
    return LogDirectory(
        row.log_dir,
        refusal(row.error_code, row.log_dir) if row.error_code else None,
        row.total_bytes,
        row.usable_bytes,
        {
            TopicPartition(topic.name, part.partition_index): ReplicaSize(
                part.partition_size, part.offset_lag, part.is_future_key
            )
            for topic in row.topics
            for part in topic.partitions
        },
    )


async def alter_replica_log_dirs(call: Call, broker_id: int, directories: Mapping[TopicPartition, str]) -> None:
    module = alter_replica_log_dirs_request
    by_path: dict[str, list[TopicPartition]] = {}
    for partition, path in directories.items():
        by_path.setdefault(path, []).append(partition)
    request = module.AlterReplicaLogDirsRequest(
        [
            module.Dirs(path, [module.Topics(name, numbers) for name, numbers in by_topic(partitions).items()])
            for path, partitions in by_path.items()
        ]
    )

    def read(response: Any) -> None:
        raise_failures(
            {
                TopicPartition(topic.topic_name, row.partition_index): (row.error_code, None)
                for topic in response.results
                for row in topic.partitions
            }
        )

    await call.node(broker_id, request, read)
