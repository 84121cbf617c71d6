"""Committed offsets, as tests speak of them: commit, fetch, delete."""

from collections.abc import Mapping
from typing import Any

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import NO_TOPIC_ID
from ottla.protocol.generated import (
    offset_commit_request,
    offset_delete_request,
    offset_fetch_request,
    txn_offset_commit_request,
)
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_delete_request import OffsetDeleteRequest
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from tests.support.group_host import GroupHost, Person


class OffsetRequests(GroupHost):
    """Part of `GroupTest`."""

    def commit(
        self,
        name: str | None,
        offset: int,
        *,
        topic: str = "orders",
        partition: int = 0,
        version: int = 9,
        metadata: str | None = "",
        retention_ms: int = -1,
        generation: int | None = None,
    ) -> ErrorCode:
        """Without a name: a tool, or a consumer without membership."""
        person = self.person(name) if name else Person("")
        info = self.topics.by_name(topic)
        request = OffsetCommitRequest(
            group_id=self.group_id,
            generation_id_or_member_epoch=person.generation if generation is None else generation,
            member_id=person.member_id,
            group_instance_id=person.instance_id,
            retention_time_ms=retention_ms,
            topics=[
                offset_commit_request.Topics(
                    name=topic,
                    topic_id=info.topic_id if info else NO_TOPIC_ID,
                    partitions=[
                        offset_commit_request.Partitions(
                            partition_index=partition, committed_offset=offset, committed_metadata=metadata
                        )
                    ],
                )
            ],
        )
        response = self.run(lambda now: self.shard.commit_offsets(request, version=version, now=now))
        return ErrorCode(response.topics[0].partitions[0].error_code)

    def commit_in_transaction(
        self,
        offset: int,
        *,
        producer_id: int = 7,
        topic: str = "orders",
        partition: int = 0,
        metadata: str | None = "",
        **fields: Any,
    ) -> ErrorCode:
        request = TxnOffsetCommitRequest(
            transactional_id="t",
            group_id=self.group_id,
            producer_id=producer_id,
            producer_epoch=0,
            topics=[
                txn_offset_commit_request.Topics(
                    name=topic,
                    partitions=[
                        txn_offset_commit_request.Partitions(
                            partition_index=partition, committed_offset=offset, committed_metadata=metadata
                        )
                    ],
                )
            ],
            **fields,
        )
        response = self.run(lambda now: self.shard.commit_transactional_offsets(request, now=now))
        return ErrorCode(response.topics[0].partitions[0].error_code)

    def fetch(self, topic: str = "orders", partition: int = 0, **more: Any) -> Any:
        """The partition's entry in the answer to OffsetFetch."""
        response = self.fetch_group({topic: [partition]}, **more)
        return response.topics[0].partitions[0]

    def fetch_group(
        self, topics: Mapping[str, list[int]] | None, *, require_stable: bool = False, **fields: Any
    ) -> Any:
        request = offset_fetch_request.Groups(
            group_id=self.group_id,
            topics=None
            if topics is None
            else [
                offset_fetch_request.GroupsTopics(name=name, partition_indexes=partitions)
                for name, partitions in topics.items()
            ],
            **fields,
        )
        return self.shard.fetch_offsets(request, require_stable=require_stable).response

    def committed(self, topic: str = "orders", partition: int = 0) -> int:
        return int(self.fetch(topic, partition).committed_offset)

    def delete_offsets(self, topic: str = "orders", partition: int = 0) -> tuple[ErrorCode, list[ErrorCode]]:
        request = OffsetDeleteRequest(
            group_id=self.group_id,
            topics=[
                offset_delete_request.Topics(
                    name=topic, partitions=[offset_delete_request.Partitions(partition_index=partition)]
                )
            ],
        )
        response = self.run(lambda now: self.shard.delete_offsets(request, now=now))
        codes = [ErrorCode(each.error_code) for found in response.topics for each in found.partitions]
        return ErrorCode(response.error_code), codes
