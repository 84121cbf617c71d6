"""AlterReplicaLogDirs (key 34), versions 1–2.

Moves replicas of this broker to another of its log directories. The response means that a move has begun;
DescribeLogDirs shows how far it is. v2 flexible
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog
from ottla.model.topic import TopicPartition
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context, Services
    from ottla.protocol.generated.alter_replica_log_dirs_request import AlterReplicaLogDirsRequest
    from ottla.protocol.generated.alter_replica_log_dirs_response import AlterReplicaLogDirsResponse


@handles(ApiKey.ALTER_REPLICA_LOG_DIRS, 1, 2)
async def alter_replica_log_dirs(request: AlterReplicaLogDirsRequest, context: Context) -> AlterReplicaLogDirsResponse:
    from ottla.protocol.generated.alter_replica_log_dirs_response import (
        AlterReplicaLogDirsResponse,
        Partitions,
        Results,
    )

    # A partition that is named for several directories goes to the last of them.
    wanted = {
        TopicPartition(topic.name, index): directory.path
        for directory in request.dirs
        for topic in directory.topics
        for index in topic.partitions
    }
    if not all(context.services.store.is_free(topic_partition) for topic_partition in wanted):
        # It was in the target a moment ago.
        await context.services.checkpoints.forget_deleted()
    by_topic: dict[str, list[Partitions]] = {}
    pace = context.services.time_slices.pace()
    for topic_partition, path in wanted.items():
        code = _begin_move(context.services, path, topic_partition)
        by_topic.setdefault(topic_partition.topic, []).append(Partitions(topic_partition.partition, code))
        await pace.step()
    return AlterReplicaLogDirsResponse(
        results=[Results(topic_name=name, partitions=rows) for name, rows in by_topic.items()]
    )


def _begin_move(services: Services, path: str, topic_partition: TopicPartition) -> ErrorCode:
    if path not in services.store.directory_paths():
        return ErrorCode.LOG_DIR_NOT_FOUND
    if services.partitions.get(*topic_partition) is None and topic_partition not in services.store.logs:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if not services.store.is_free(topic_partition):
        return ErrorCode.KAFKA_STORAGE_ERROR
    try:
        services.store.start_move(topic_partition, path)
        services.moving.drive(topic_partition)
    except (KeyError, OSError):
        return ErrorCode.KAFKA_STORAGE_ERROR
    except CorruptLog as error:
        return services.faults.log_failed(topic_partition, error)
    return ErrorCode.NONE
