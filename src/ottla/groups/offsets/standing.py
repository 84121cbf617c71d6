"""Commits of who commits the same partitions again and again: all but the offsets is known already.

A consumer names its group, itself and its partitions in every commit, and all of that is read, looked up and encoded
once for all of them. The rules stay where they are (`commit`): a commit that is not plainly fine goes the ordinary way.
"""

from ottla.groups.records import SHORT_METADATA_BYTES, CommitSlot, commit_key_bytes
from ottla.protocol.generated import offset_commit_request
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_commit_response import OffsetCommitResponse, Partitions, Topics


class StandingCommit:
    """What is the same in all commits of one kind. `model` is one of them, with names and ids of its topics."""

    __slots__ = ("accepted", "longest_metadata", "model", "slots")

    def __init__(self, model: OffsetCommitRequest) -> None:
        self.model = model
        self.slots = tuple(
            _slot(model.group_id, topic, partition) for topic in model.topics for partition in topic.partitions
        )
        self.longest_metadata = max((len(slot.metadata) for slot in self.slots), default=0)
        #: The answer when every partition is committed; shared, nobody changes it.
        self.accepted = OffsetCommitResponse(
            topics=[
                Topics(
                    topic_id=topic.topic_id,
                    name=topic.name,
                    partitions=[Partitions(partition_index=each.partition_index) for each in topic.partitions],
                )
                for topic in model.topics
            ]
        )


def can_stand(request: OffsetCommitRequest) -> bool:
    """Whether a `StandingCommit` can be made of it: offsets that expire and long metadata go the ordinary way."""
    return request.retention_time_ms < 0 and all(
        len((each.committed_metadata or "").encode()) <= SHORT_METADATA_BYTES
        for topic in request.topics
        for each in topic.partitions
    )


def with_offsets(model: OffsetCommitRequest, offsets: tuple[int, ...]) -> OffsetCommitRequest:
    """The whole request; `offsets` in the order of the model's partitions."""
    left = iter(offsets)
    return OffsetCommitRequest(
        model.group_id,
        model.generation_id_or_member_epoch,
        model.member_id,
        model.group_instance_id,
        model.retention_time_ms,
        [
            offset_commit_request.Topics(
                topic.topic_id,
                topic.name,
                [
                    offset_commit_request.Partitions(
                        each.partition_index, next(left), each.committed_leader_epoch, each.committed_metadata
                    )
                    for each in topic.partitions
                ],
            )
            for topic in model.topics
        ],
    )


def _slot(
    group_id: str, topic: offset_commit_request.Topics, partition: offset_commit_request.Partitions
) -> CommitSlot:
    metadata = partition.committed_metadata or ""
    return CommitSlot(
        group_id,
        topic.name,
        partition.partition_index,
        partition.committed_leader_epoch,
        metadata,
        topic.topic_id,
        commit_key_bytes(group_id, topic.name, partition.partition_index),
        metadata.encode(),
    )
