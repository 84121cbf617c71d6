"""OffsetCommit and TxnOffsetCommit: who may commit, how large the metadata may be, which records are written."""

from typing import Final, TypeAlias

from ottla.config.rows import MAX_LONG
from ottla.coordination.shard import Decision, Now, ProducerOfRecords, TimerOrder
from ottla.groups.classic.rebalance import session_timer
from ottla.groups.records import GroupRecord
from ottla.groups.settings import GroupSettings
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.classic_states import ClassicState
from ottla.groups.state.groups_state import Group, GroupsState
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import NO_TOPIC_ID
from ottla.protocol.generated import (
    offset_commit_request,
    txn_offset_commit_request,
    txn_offset_commit_response,
)
from ottla.protocol.generated.offset_commit_key import OffsetCommitKey
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_commit_response import OffsetCommitResponse
from ottla.protocol.generated.offset_commit_response import Partitions as PartitionResult
from ottla.protocol.generated.offset_commit_response import Topics as TopicResult
from ottla.protocol.generated.offset_commit_value import OffsetCommitValue
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from ottla.protocol.generated.txn_offset_commit_response import TxnOffsetCommitResponse

_NONE: Final = ErrorCode.NONE
_Partition: TypeAlias = offset_commit_request.Partitions | txn_offset_commit_request.Partitions


def commit_offsets(
    state: GroupsState, request: OffsetCommitRequest, version: int, now: Now
) -> Decision[OffsetCommitResponse]:
    group_id, member_id = request.group_id, request.member_id
    generation = request.generation_id_or_member_epoch
    try:
        group = _group_to_commit_to(state, group_id, generation, version)
        may_commit = group.check_commit(member_id, request.group_instance_id, generation, version)
    except Refused as refused:
        return Decision(_all_refused(request, refused.code))
    now_ms, _ = now
    expire_ms = -1 if request.retention_time_ms < 0 else min(now_ms + request.retention_time_ms, MAX_LONG)
    settings = state.settings
    records = []
    results = []
    for topic in request.topics:
        name, topic_id = topic.name, topic.topic_id
        codes = []
        for partition in topic.partitions:
            index = partition.partition_index
            code = _NONE if may_commit is None else may_commit(name, topic_id, index)
            if code is _NONE:
                record = _record(settings, group_id, name, topic_id, partition, now_ms, expire_ms)
                if record is None:
                    code = ErrorCode.OFFSET_METADATA_TOO_LARGE
                else:
                    records.append(record)
            codes.append(PartitionResult(index, code))
        results.append(TopicResult(topic_id, name, codes))
    if records:
        state.groups[group_id] = group
    timers = _session_timers(state, group, member_id) if member_id else None
    return Decision(OffsetCommitResponse(0, results), records, None, timers)


def _group_to_commit_to(state: GroupsState, group_id: str, generation: int, version: int) -> Group:
    group = state.find(group_id)
    if group is not None:
        return group
    if generation < 0:
        # A tool, or a consumer that assigns itself: its first offset makes the group.
        state.check_room()
        return ClassicGroup(group_id)
    raise Refused(ErrorCode.GROUP_ID_NOT_FOUND if version >= 9 else ErrorCode.ILLEGAL_GENERATION)


def _session_timers(state: GroupsState, group: Group, member_id: str) -> list[TimerOrder]:
    """In the classic protocol a commit counts as a sign of life, except while the leader's assignment is awaited."""
    if isinstance(group, ClassicGroup) and group.state in (ClassicState.STABLE, ClassicState.PREPARING_REBALANCE):
        member = group.members.get(member_id)
        if member is not None:
            return [session_timer(state, group, member)]
    return []


def _record(
    settings: GroupSettings,
    group_id: str,
    topic: str,
    topic_id: bytes,
    partition: _Partition,
    now_ms: int,
    expire_timestamp_ms: int,
) -> GroupRecord | None:
    """None when the metadata is too large."""
    metadata = partition.committed_metadata or ""
    if len(metadata) > settings.metadata_max_bytes:
        return None
    return GroupRecord(
        OffsetCommitKey(group_id, topic, partition.partition_index),
        OffsetCommitValue(
            partition.committed_offset,
            partition.committed_leader_epoch,
            metadata,
            now_ms,
            # Version 1, the one that can expire, has no place for the id; what is stored must equal what is replayed.
            topic_id if expire_timestamp_ms == -1 else NO_TOPIC_ID,
            expire_timestamp_ms,
        ),
    )


def _all_refused(request: OffsetCommitRequest, code: ErrorCode) -> OffsetCommitResponse:
    return OffsetCommitResponse(
        topics=[
            TopicResult(
                topic_id=topic.topic_id,
                name=topic.name,
                partitions=[
                    PartitionResult(partition_index=partition.partition_index, error_code=code)
                    for partition in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def commit_transactional_offsets(
    state: GroupsState, request: TxnOffsetCommitRequest, now: Now
) -> Decision[TxnOffsetCommitResponse]:
    """The offsets count with the COMMIT marker of the transaction; until then readers may have to wait (KIP-447)."""
    refusal = _NONE
    group_id = request.group_id
    try:
        group = _group_to_commit_to(state, group_id, request.generation_id, version=0)
        group.check_transactional_commit(request.member_id, request.group_instance_id, request.generation_id)
    except Refused as refused:
        refusal = refused.code
    response = TxnOffsetCommitResponse()
    records = []
    for topic in request.topics:
        result = txn_offset_commit_response.Topics(name=topic.name)
        response.topics.append(result)
        topic_id = state.topics.id_of(topic.name) or NO_TOPIC_ID
        for partition in topic.partitions:
            code = refusal
            if code is _NONE:
                record = _record(state.settings, group_id, topic.name, topic_id, partition, now.wall_ms, -1)
                if record is None:
                    code = ErrorCode.OFFSET_METADATA_TOO_LARGE
                else:
                    records.append(record)
            result.partitions.append(
                txn_offset_commit_response.Partitions(partition_index=partition.partition_index, error_code=code)
            )
    if not records:
        return Decision(response)
    state.groups[group_id] = group
    return Decision(response, records, producer=ProducerOfRecords(request.producer_id, request.producer_epoch))
