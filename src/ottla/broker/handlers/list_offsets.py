"""ListOffsets (key 2), versions 1–11.

Offsets by time: the first record at or after a timestamp, or one of the special times.
v2 isolation level · v4 leader epoch · v6 flexible · v7 max timestamp · v8 local start · v9 tiered · v11 pending upload
"""

from __future__ import annotations

from typing import Any

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog, Refused
from ottla.model.steps import Steps
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.list_offsets_request import ListOffsetsRequest
from ottla.protocol.generated.list_offsets_request import Partitions as Wanted
from ottla.protocol.generated.list_offsets_response import ListOffsetsResponse, Partitions, Topics
from ottla.replication.partition_leader import PartitionLeader

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3
EARLIEST_LOCAL = -4
LATEST_TIERED = -5
EARLIEST_PENDING_UPLOAD = -6
#: The first version in which a special time means something; before it, it is an ordinary (impossible) time.
_SINCE = {MAX_TIMESTAMP: 7, EARLIEST_LOCAL: 8, LATEST_TIERED: 9, EARLIEST_PENDING_UPLOAD: 11}
_NOT_FOUND = (-1, -1, -1)


@handles(ApiKey.LIST_OFFSETS, 1, 11)
def list_offsets(request: ListOffsetsRequest, context: Context) -> Any:
    return context.services.large_messages.in_slices(_list_offsets(request, context), context)


def _list_offsets(request: ListOffsetsRequest, context: Context) -> Steps[ListOffsetsResponse]:
    committed_only = request.isolation_level == 1
    asked: dict[tuple[str, int], int] = {}
    for topic in request.topics:
        for wanted in topic.partitions:
            asked[topic.name, wanted.partition_index] = asked.get((topic.name, wanted.partition_index), 0) + 1
    response = ListOffsetsResponse()
    for topic in request.topics:
        topic_response = Topics(name=topic.name)
        response.topics.append(topic_response)
        for wanted in topic.partitions:
            is_doubled = asked[topic.name, wanted.partition_index] > 1
            topic_response.partitions.append(
                _partition_response(topic.name, wanted, committed_only, is_doubled, context)
            )
            yield
    return response


def _partition_response(
    topic: str, wanted: Wanted, committed_only: bool, is_doubled: bool, context: Context
) -> Partitions:
    try:
        if is_doubled:
            raise Refused(ErrorCode.INVALID_REQUEST, "a partition may be requested once")
        _check_time(wanted.timestamp, context.version)
        leader = context.services.partitions.find(topic, wanted.partition_index)
        leader.check_epoch(wanted.current_leader_epoch)
        timestamp, offset, epoch = _offset_at(leader, wanted.timestamp, committed_only)
    except Refused as refusal:
        return Partitions(partition_index=wanted.partition_index, error_code=refusal.code, timestamp=-1, offset=-1)
    except (OSError, CorruptLog) as error:
        # By default nobody looks into the records of a produced batch, so anybody may have sent what is found here.
        code = context.services.faults.log_failed((topic, wanted.partition_index), error)
        return Partitions(partition_index=wanted.partition_index, error_code=code, timestamp=-1, offset=-1)
    return Partitions(partition_index=wanted.partition_index, timestamp=timestamp, offset=offset, leader_epoch=epoch)


def _check_time(timestamp_ms: int, version: int) -> None:
    if timestamp_ms < EARLIEST and version < _SINCE.get(timestamp_ms, 32767):
        raise Refused(ErrorCode.UNSUPPORTED_VERSION)


def _offset_at(leader: PartitionLeader, timestamp_ms: int, committed_only: bool) -> tuple[int, int, int]:
    log = leader.log
    end_offset = log.last_stable_offset if committed_only else log.high_watermark
    if timestamp_ms == LATEST:
        return -1, end_offset, leader.leader_epoch
    if timestamp_ms in (EARLIEST, EARLIEST_LOCAL):
        return -1, log.log_start_offset, log.epochs.epoch_at(log.log_start_offset)
    if timestamp_ms in (LATEST_TIERED, EARLIEST_PENDING_UPLOAD):
        return _NOT_FOUND
    if timestamp_ms == MAX_TIMESTAMP:
        latest = log.max_timestamp_offset()
        return latest if latest is not None and latest.offset < end_offset else _NOT_FOUND
    return log.offset_for_time(timestamp_ms, end_offset) or _NOT_FOUND
