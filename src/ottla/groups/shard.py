"""The group shard: every operation of the coordinator, and the replay of its records.

Operations take Kafka's request and what the host knows of the client, and return a Decision with Kafka's response.
JoinGroup and SyncGroup may park: the response comes with a later decision, under the ticket. This file only hands on;
the rules are in `classic`, `consumer`, `offsets` and `admin`.
"""

from collections.abc import Collection

from ottla.coordination.shard import Decision, Now, RecordOrigin, Ticket
from ottla.doors.rng import Rng
from ottla.groups import admin, joining
from ottla.groups.classic.rebalance import prepare_rebalance
from ottla.groups.classic.rebalance import restart_session as restart_classic_session
from ottla.groups.consumer import heartbeat as consumer_heartbeat
from ottla.groups.consumer.timers import restart_session, start_rebalance_timer
from ottla.groups.offsets import commit, fetch, removal
from ottla.groups.operation import Client, GroupOperation
from ottla.groups.records import GroupRecord
from ottla.groups.settings import GroupSettings
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.groups.state.consumer_member import MemberState
from ottla.groups.state.groups_state import GroupsState
from ottla.groups.topics import Topics
from ottla.protocol.generated import (
    consumer_group_describe_response,
    describe_groups_response,
    list_groups_response,
    offset_fetch_request,
    offset_fetch_response,
)
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from ottla.protocol.generated.consumer_group_heartbeat_response import ConsumerGroupHeartbeatResponse
from ottla.protocol.generated.consumer_group_metadata_key import ConsumerGroupMetadataKey
from ottla.protocol.generated.consumer_group_partition_metadata_key import ConsumerGroupPartitionMetadataKey
from ottla.protocol.generated.delete_groups_response import DeleteGroupsResponse
from ottla.protocol.generated.group_metadata_key import GroupMetadataKey
from ottla.protocol.generated.group_metadata_value import GroupMetadataValue
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.leave_group_request import LeaveGroupRequest
from ottla.protocol.generated.leave_group_response import LeaveGroupResponse
from ottla.protocol.generated.offset_commit_key import OffsetCommitKey
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_commit_response import OffsetCommitResponse
from ottla.protocol.generated.offset_commit_value import OffsetCommitValue
from ottla.protocol.generated.offset_delete_request import OffsetDeleteRequest
from ottla.protocol.generated.offset_delete_response import OffsetDeleteResponse
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.protocol.generated.sync_group_response import SyncGroupResponse
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from ottla.protocol.generated.txn_offset_commit_response import TxnOffsetCommitResponse


class GroupShard:
    """One partition of `__consumer_offsets`. Owned by its host, from load to unload."""

    def __init__(self, settings: GroupSettings, topics: Topics, rng: Rng) -> None:
        self._state = GroupsState(settings, topics, rng)

    # -- members

    def join_group(
        self, request: JoinGroupRequest, version: int, client: Client, now: Now, ticket: Ticket
    ) -> Decision[JoinGroupResponse]:
        operation = GroupOperation(self._state, now)
        joining.join_group(operation, request, version, client, ticket)
        return operation.finish(ticket)

    def sync_group(
        self, request: SyncGroupRequest, version: int, now: Now, ticket: Ticket
    ) -> Decision[SyncGroupResponse]:
        operation = GroupOperation(self._state, now)
        joining.sync_group(operation, request, version, ticket)
        return operation.finish(ticket)

    def heartbeat(self, request: HeartbeatRequest, now: Now) -> Decision[HeartbeatResponse]:
        operation = GroupOperation(self._state, now)
        joining.heartbeat(operation, request)
        return operation.finish()

    def leave_group(self, request: LeaveGroupRequest, version: int, now: Now) -> Decision[LeaveGroupResponse]:
        operation = GroupOperation(self._state, now)
        joining.leave_group(operation, request, version)
        return operation.finish()

    def consumer_group_heartbeat(
        self, request: ConsumerGroupHeartbeatRequest, version: int, client: Client, now: Now
    ) -> Decision[ConsumerGroupHeartbeatResponse]:
        operation = GroupOperation(self._state, now)
        consumer_heartbeat.heartbeat(operation, request, version, client)
        return operation.finish()

    # -- offsets

    def commit_offsets(self, request: OffsetCommitRequest, version: int, now: Now) -> Decision[OffsetCommitResponse]:
        """Topics have names here, whatever the version; from version 10 on also the ids that the handler looked up."""
        return commit.commit_offsets(self._state, request, version, now)

    def commit_transactional_offsets(
        self, request: TxnOffsetCommitRequest, *, now: Now
    ) -> Decision[TxnOffsetCommitResponse]:
        return commit.commit_transactional_offsets(self._state, request, now)

    def fetch_offsets(
        self, request: offset_fetch_request.Groups, *, require_stable: bool
    ) -> Decision[offset_fetch_response.Groups]:
        return Decision(fetch.fetch_offsets(self._state, request, require_stable=require_stable))

    def delete_offsets(self, request: OffsetDeleteRequest, *, now: Now) -> Decision[OffsetDeleteResponse]:
        operation = GroupOperation(self._state, now)
        removal.delete_offsets(operation, request)
        return operation.finish()

    def partitions_deleted(self, gone: removal.PartitionsByTopic, *, now: Now) -> Decision[None]:
        operation = GroupOperation(self._state, now)
        removal.partitions_deleted(operation, gone)
        return operation.finish()

    def forget_deleted_topics(self, *, now: Now) -> Decision[None]:
        """For a host that has just loaded the shard and knows the topics of the cluster."""
        operation = GroupOperation(self._state, now)
        removal.forget_deleted_topics(operation, list(self._state.offsets.group_ids()))
        return operation.finish()

    # -- tools

    def list_groups(
        self, *, states: Collection[str] = (), types: Collection[str] = ()
    ) -> Decision[list[list_groups_response.Groups]]:
        return Decision(admin.list_groups(self._state, states, types))

    def describe_group(self, group_id: str, *, version: int) -> Decision[describe_groups_response.Groups]:
        return Decision(admin.describe_group(self._state, group_id, version))

    def describe_consumer_group(self, group_id: str) -> Decision[consumer_group_describe_response.Groups]:
        return Decision(admin.describe_consumer_group(self._state, group_id))

    def delete_groups(self, group_ids: Collection[str], *, now: Now) -> Decision[DeleteGroupsResponse]:
        operation = GroupOperation(self._state, now)
        operation.reply(DeleteGroupsResponse(results=admin.delete_groups(operation, group_ids)))
        return operation.finish()

    # -- notifications by the host

    def topics_changed(self, topics: Topics) -> None:
        """Groups notice at the next heartbeat of one of their members."""
        self._state.topics = topics
        self._state.topics_version += 1

    def settings_changed(self, settings: GroupSettings) -> None:
        self._state.settings = settings

    # -- the log

    def apply(self, record: GroupRecord, origin: RecordOrigin) -> None:
        key, value = record.key, record.value
        if isinstance(key, OffsetCommitKey):
            assert value is None or isinstance(value, OffsetCommitValue)
            self._state.offsets.apply(key, value, origin)
        elif isinstance(key, GroupMetadataKey):
            assert value is None or isinstance(value, GroupMetadataValue)
            self._apply_classic(key.group, value)
        elif not isinstance(key, ConsumerGroupPartitionMetadataKey):
            self._apply_consumer(record)

    def _apply_classic(self, group_id: str, value: GroupMetadataValue | None) -> None:
        group = self._state.groups.get(group_id)
        if value is None:
            if isinstance(group, ClassicGroup):
                del self._state.groups[group_id]
            return
        if not isinstance(group, ClassicGroup):
            group = self._state.groups[group_id] = ClassicGroup(group_id)
        group.apply(value)

    def _apply_consumer(self, record: GroupRecord) -> None:
        group_id: str = record.key.group_id  # type: ignore[attr-defined]  # all keys of consumer groups have it
        group = self._state.groups.get(group_id)
        if record.value is None:
            if isinstance(group, ConsumerGroup):
                if isinstance(record.key, ConsumerGroupMetadataKey):
                    del self._state.groups[group_id]
                    self._state.forget_soft(group_id)
                else:
                    group.apply(record)
            return
        if not isinstance(group, ConsumerGroup):
            group = self._state.groups[group_id] = ConsumerGroup(group_id)
        group.apply(record)

    def apply_marker(self, producer_id: int, producer_epoch: int, *, committed: bool) -> None:
        self._state.offsets.apply_marker(producer_id, committed=committed)

    def on_loaded(self, now: Now) -> Decision[None]:
        """Every member gets a full session from now: while we loaded, it could not reach us."""
        operation = GroupOperation(self._state, now)
        for group in self._state.groups.values():
            if isinstance(group, ClassicGroup):
                for classic_member in group.members.values():
                    restart_classic_session(operation, group, classic_member)
                if len(group.members) > self._state.settings.max_size:
                    prepare_rebalance(operation, group)
            else:
                for member in group.members.values():
                    restart_session(operation, group, member)
                    if member.state is MemberState.UNREVOKED_PARTITIONS:
                        start_rebalance_timer(operation, group.group_id, member)
        removal.schedule_expiry(operation)
        return operation.finish()

    def on_unloaded(self) -> None:
        old = self._state
        self._state = GroupsState(old.settings, old.topics, old.rng)

    def hard_state(self) -> object:
        """Everything the log must rebuild; two shards with the same log compare equal."""
        groups = {
            group.group_id: group.stored if isinstance(group, ClassicGroup) else group.hard_state()
            for group in self._state.groups.values()
            if isinstance(group, ConsumerGroup) or not group.is_soft
        }
        return groups, self._state.offsets.hard_state()
