"""OffsetCommit and TxnOffsetCommit: who may commit, how large the metadata may be, which records are written."""

from collections.abc import Callable
from typing import Final, TypeAlias

from ottla.coordination.shard import ProducerOfRecords
from ottla.groups.classic.rebalance import restart_session
from ottla.groups.operation import GroupOperation
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.classic_states import ClassicState
from ottla.groups.state.groups_state import Group
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
#: Decides for one partition of an accepted commit whether its offset may be taken.
PartitionCheck: TypeAlias = Callable[[str, bytes, int], ErrorCode]
_Partition: TypeAlias = offset_commit_request.Partitions | txn_offset_commit_request.Partitions


def commit_offsets(operation: GroupOperation, request: OffsetCommitRequest, version: int) -> None:
    try:
        group = _group_to_commit_to(operation, request.group_id, request.generation_id_or_member_epoch, version)
        may_commit = _check_member(group, request, version)
    except Refused as refused:
        operation.reply(_all_refused(request, refused.code))
        return
    if request.member_id:
        keep_session(operation, group, request.member_id)
    group_id = request.group_id
    expire_ms = -1 if request.retention_time_ms < 0 else operation.now.wall_ms + request.retention_time_ms
    results = []
    for topic in request.topics:
        name, topic_id = topic.name, topic.topic_id
        codes = []
        for partition in topic.partitions:
            index = partition.partition_index
            code = _NONE if may_commit is None else may_commit(name, topic_id, index)
            if code is _NONE:
                code = _write(operation, group_id, name, topic_id, partition, expire_ms)
            codes.append(PartitionResult(index, code))
        results.append(TopicResult(topic_id, name, codes))
    operation.decision.response = OffsetCommitResponse(0, results)


def _group_to_commit_to(operation: GroupOperation, group_id: str, generation: int, version: int) -> Group:
    group = operation.state.find(group_id)
    if group is not None:
        return group
    if generation < 0:
        # A tool, or a consumer that assigns itself: its first commit makes the group.
        return operation.state.find_or_create(group_id)
    raise Refused(ErrorCode.GROUP_ID_NOT_FOUND if version >= 9 else ErrorCode.ILLEGAL_GENERATION)


def _check_member(group: Group, request: OffsetCommitRequest, version: int) -> PartitionCheck | None:
    """None: every partition may be committed."""
    generation = request.generation_id_or_member_epoch
    if isinstance(group, ClassicGroup):
        group.check_commit(request.member_id, request.group_instance_id, generation, is_transactional=False)
        return None
    return group.check_commit(request.member_id, request.group_instance_id, generation, version)


def keep_session(operation: GroupOperation, group: Group, member_id: str) -> None:
    """In the classic protocol a commit counts as a sign of life, except while the leader's assignment is awaited."""
    if isinstance(group, ClassicGroup) and group.state in (ClassicState.STABLE, ClassicState.PREPARING_REBALANCE):
        member = group.members.get(member_id)
        if member is not None:
            restart_session(operation, group, member)


def _write(
    operation: GroupOperation,
    group_id: str,
    topic: str,
    topic_id: bytes,
    partition: _Partition,
    expire_timestamp_ms: int,
) -> ErrorCode:
    metadata = partition.committed_metadata or ""
    if len(metadata) > operation.state.settings.metadata_max_bytes:
        return ErrorCode.OFFSET_METADATA_TOO_LARGE
    operation.write(
        OffsetCommitKey(group_id, topic, partition.partition_index),
        OffsetCommitValue(
            partition.committed_offset,
            partition.committed_leader_epoch,
            metadata,
            operation.now.wall_ms,
            # Version 1, the one that can expire, has no place for the id; what is stored must equal what is replayed.
            topic_id if expire_timestamp_ms == -1 else NO_TOPIC_ID,
            expire_timestamp_ms,
        ),
    )
    return _NONE


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


def commit_transactional_offsets(operation: GroupOperation, request: TxnOffsetCommitRequest) -> None:
    """The offsets count with the COMMIT marker of the transaction; until then readers may have to wait (KIP-447)."""
    try:
        refusal = ErrorCode.NONE
        _check_transactional(operation, request)
    except Refused as refused:
        refusal = refused.code
    response = TxnOffsetCommitResponse()
    for topic in request.topics:
        result = txn_offset_commit_response.Topics(name=topic.name)
        response.topics.append(result)
        for partition in topic.partitions:
            code = refusal
            if code is ErrorCode.NONE:
                code = _write(operation, request.group_id, topic.name, _topic_id(operation, topic.name), partition, -1)
            result.partitions.append(
                txn_offset_commit_response.Partitions(partition_index=partition.partition_index, error_code=code)
            )
    if operation.decision.records:
        operation.decision.producer = ProducerOfRecords(request.producer_id, request.producer_epoch)
    operation.reply(response)


def _check_transactional(operation: GroupOperation, request: TxnOffsetCommitRequest) -> None:
    group = _group_to_commit_to(operation, request.group_id, request.generation_id, version=0)
    if isinstance(group, ClassicGroup):
        group.check_commit(request.member_id, request.group_instance_id, request.generation_id, is_transactional=True)
    else:
        group.check_transactional_commit(request.member_id, request.group_instance_id, request.generation_id)


def _topic_id(operation: GroupOperation, name: str) -> bytes:
    return operation.state.topics.id_of(name) or NO_TOPIC_ID
