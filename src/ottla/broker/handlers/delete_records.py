"""DeleteRecords (key 21), versions 0–2.

Moves the log start offset forward; -1 means up to the high watermark (KIP-107). The new start is on the device before
the response: deleted records do not come back after a crash. v2 flexible
"""

from __future__ import annotations

import posixpath

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import INTERNAL_TOPICS, TopicPartition
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.delete_records_request import DeleteRecordsRequest
from ottla.protocol.generated.delete_records_response import DeleteRecordsResponse, Partitions, Topics

_TO_HIGH_WATERMARK = -1


@handles(ApiKey.DELETE_RECORDS, 0, 2)
async def delete_records(request: DeleteRecordsRequest, context: Context) -> DeleteRecordsResponse:
    response = DeleteRecordsResponse()
    pace = context.services.time_slices.pace()
    for topic in request.topics:
        topic_response = Topics(name=topic.name)
        response.topics.append(topic_response)
        for wanted in topic.partitions:
            topic_response.partitions.append(_cut(topic.name, wanted.partition_index, wanted.offset, context))
            await pace.step()
    if any(not partition.error_code for topic in response.topics for partition in topic.partitions):
        failed = await context.services.checkpoints.save_log_starts()
        _refuse_unsaved(response, failed, context)
    return response


def _refuse_unsaved(response: DeleteRecordsResponse, failed: list[str], context: Context) -> None:
    for topic in response.topics:
        for partition in topic.partitions:
            log = context.services.store.logs.get(TopicPartition(topic.name, partition.partition_index))
            is_saved = log is not None and posixpath.dirname(log.directory) not in failed
            if not partition.error_code and not is_saved:
                partition.low_watermark, partition.error_code = -1, ErrorCode.KAFKA_STORAGE_ERROR


def _cut(topic: str, index: int, offset: int, context: Context) -> Partitions:
    try:
        if topic in INTERNAL_TOPICS:
            raise Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, f"records of {topic} cannot be deleted")
        leader = context.services.partitions.find(topic, index)
        log = leader.log
        if not log.allows_deletion:
            raise Refused(ErrorCode.POLICY_VIOLATION, "the topic's cleanup.policy does not delete")
        target = log.high_watermark if offset == _TO_HIGH_WATERMARK else offset
        if not 0 <= target <= log.high_watermark:
            raise Refused(ErrorCode.OFFSET_OUT_OF_RANGE)
        log.advance_log_start_offset(target)
    except Refused as refusal:
        return Partitions(partition_index=index, low_watermark=-1, error_code=refusal.code)
    except OSError as error:
        context.services.faults.io_failed((topic, index), error)
        return Partitions(partition_index=index, low_watermark=-1, error_code=ErrorCode.KAFKA_STORAGE_ERROR)
    return Partitions(partition_index=index, low_watermark=log.log_start_offset)
