"""Consumer groups: who is in them, what they have committed."""

import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ottla.client.admin.call import Call, by_topic, raise_failures
from ottla.client.coordinators import CoordinatorKind
from ottla.client.errors import ClientError, RequestRefused, UnsupportedByBroker, raise_for
from ottla.client.offsets import OffsetAndMetadata, Offsets
from ottla.client.offsets import by_topic as offsets_by_topic
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import RemoteProtocolError
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import (
    leave_group_request,
    offset_commit_request,
    offset_delete_request,
    offset_fetch_request,
)
from ottla.protocol.generated.consumer_group_describe_request import ConsumerGroupDescribeRequest
from ottla.protocol.generated.consumer_protocol_assignment import ConsumerProtocolAssignment
from ottla.protocol.generated.delete_groups_request import DeleteGroupsRequest
from ottla.protocol.generated.describe_groups_request import DescribeGroupsRequest
from ottla.protocol.generated.list_groups_request import ListGroupsRequest

#: From the next versions on, topics are named by their ids; names are what people have.
_LAST_FETCH_BY_NAME = 9
_LAST_COMMIT_BY_NAME = 9
_NEWEST_ASSIGNMENT = 3
_CONSUMER_MEMBER = 1


class GroupListing(NamedTuple):
    """From `admin.list_groups()`.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("listed")])
    ...     admin.alter_group_offsets("listed-group", {TopicPartition("listed", 0): 0})
    ...     [group.state for group in admin.list_groups() if group.group_id == "listed-group"]
    ['Empty']
    """

    group_id: str
    protocol_type: str
    state: str
    type: str


class MemberDescription(NamedTuple):
    """A member in a `GroupDescription`.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     metadata = producer.send("tasks", b"1").result()
    >>> options = {"group.id": "team", "client.id": "one", "auto.offset.reset": "earliest"}
    >>> with Consumer(options, bootstrap_servers=servers, topics=["tasks"]) as consumer:
    ...     record = next(iter(consumer))
    ...     with Admin(bootstrap_servers=servers) as admin:
    ...         [member.client_id for member in admin.describe_groups(["team"])["team"].members]
    ['one']
    """

    member_id: str
    group_instance_id: str | None
    client_id: str
    host: str
    assignment: frozenset[TopicPartition]
    #: Only consumer groups have what follows. `is_upgraded`: the member speaks the protocol of its group.
    epoch: int | None = None
    target_assignment: frozenset[TopicPartition] = frozenset()
    is_upgraded: bool | None = None


class GroupDescription(NamedTuple):
    """From `admin.describe_groups()`.

    `type` is classic or consumer; `assignor` the assignor, or the protocol that the members agreed on.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("described")])
    ...     admin.alter_group_offsets("described-group", {TopicPartition("described", 0): 0})
    ...     group = admin.describe_groups(["described-group"])["described-group"]
    >>> group.type, group.state, group.members
    ('classic', 'Empty', [])
    """

    group_id: str
    type: str
    state: str
    assignor: str
    members: list[MemberDescription]
    coordinator_id: int
    #: Only consumer groups have epochs.
    epoch: int | None = None
    assignment_epoch: int | None = None


async def list_groups(call: Call, *, states: Sequence[str], types: Sequence[str]) -> list[GroupListing]:
    def read(response: Any) -> list[GroupListing]:
        raise_for(response.error_code)
        return [
            GroupListing(row.group_id, row.protocol_type, row.group_state, row.group_type) for row in response.groups
        ]

    found: list[GroupListing] = []
    for node_id in await call.all_nodes():
        found += await call.node(node_id, ListGroupsRequest(list(states), list(types)), read)
    return sorted(found)


async def describe_groups(call: Call, group_ids: Sequence[str]) -> dict[str, GroupDescription]:
    return {group_id: await _describe(call, group_id) for group_id in group_ids}


async def _describe(call: Call, group_id: str) -> GroupDescription:
    """As a consumer group; if it is none, as a classic one."""
    coordinator = (CoordinatorKind.GROUP, group_id)

    def read_consumer(response: Any) -> Any:
        raise_for(response.groups[0].error_code, response.groups[0].error_message)
        return response.groups[0]

    def read_classic(response: Any) -> Any:
        raise_for(response.groups[0].error_code, response.groups[0].error_message)
        return response.groups[0]

    try:
        row = await call.coordinator(coordinator, ConsumerGroupDescribeRequest([group_id]), read_consumer)
        members = [_consumer_member(member) for member in row.members]
        kind, assignor = "consumer", row.assignor_name
    except (RequestRefused, UnsupportedByBroker) as error:
        if not _may_be_classic(error):
            raise
        row = await call.coordinator(coordinator, DescribeGroupsRequest([group_id]), read_classic)
        members = [_classic_member(member) for member in row.members]
        kind, assignor = "classic", row.protocol_data
    node_id = await call.cluster.coordinators.find(*coordinator)
    epochs = (row.group_epoch, row.assignment_epoch) if kind == "consumer" else (None, None)
    return GroupDescription(group_id, kind, row.group_state, assignor, members, node_id, *epochs)


def _may_be_classic(error: ClientError) -> bool:
    return isinstance(error, UnsupportedByBroker) or error.code in (
        ErrorCode.GROUP_ID_NOT_FOUND,
        ErrorCode.UNSUPPORTED_VERSION,
    )


def _consumer_member(row: Any) -> MemberDescription:
    return MemberDescription(
        row.member_id,
        row.instance_id,
        row.client_id,
        row.client_host,
        _named_partitions(row.assignment),
        row.member_epoch,
        _named_partitions(row.target_assignment),
        None if row.member_type < 0 else row.member_type == _CONSUMER_MEMBER,
    )


def _named_partitions(assignment: Any) -> frozenset[TopicPartition]:
    return frozenset(
        TopicPartition(topic.topic_name, number) for topic in assignment.topic_partitions for number in topic.partitions
    )


def _classic_member(row: Any) -> MemberDescription:
    assigned = _read_assignment(row.member_assignment)
    return MemberDescription(row.member_id, row.group_instance_id, row.client_id, row.client_host, assigned)


def _read_assignment(data: bytes) -> frozenset[TopicPartition]:
    """Empty for groups whose members are no consumers: only they know what the bytes mean."""
    if len(data) < 2:
        return frozenset()
    (version,) = struct.unpack_from(">h", data)
    try:
        assignment, _ = ConsumerProtocolAssignment.decode(data, 2, max(0, min(version, _NEWEST_ASSIGNMENT)))
    except RemoteProtocolError:
        return frozenset()
    return frozenset(
        TopicPartition(topic.topic, number) for topic in assignment.assigned_partitions for number in topic.partitions
    )


async def delete_groups(call: Call, group_ids: Sequence[str]) -> None:
    failures: dict[str, tuple[int, str | None]] = {}
    for group_id in group_ids:

        def read(response: Any) -> int:
            code: int = response.results[0].error_code
            if code in (ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS):
                raise_for(code)
            return code

        coordinator = (CoordinatorKind.GROUP, group_id)
        failures[group_id] = (await call.coordinator(coordinator, DeleteGroupsRequest([group_id]), read), None)
    raise_failures(failures)


async def list_group_offsets(
    call: Call, group_id: str, partitions: Sequence[TopicPartition] | None, *, require_stable: bool
) -> dict[TopicPartition, OffsetAndMetadata]:
    topics = None if partitions is None else by_topic(partitions)
    request = offset_fetch_request.OffsetFetchRequest(
        groups=[
            offset_fetch_request.Groups(
                group_id=group_id,
                topics=None
                if topics is None
                else [
                    offset_fetch_request.GroupsTopics(name=name, partition_indexes=numbers)
                    for name, numbers in topics.items()
                ],
            )
        ],
        group_id=group_id,
        topics=None if topics is None else [offset_fetch_request.Topics(name, n) for name, n in topics.items()],
        require_stable=require_stable,
    )
    return await call.coordinator((CoordinatorKind.GROUP, group_id), request, _read_offsets, _LAST_FETCH_BY_NAME)


def _read_offsets(response: Any) -> dict[TopicPartition, OffsetAndMetadata]:
    group = response.groups[0] if response.groups else response
    raise_for(group.error_code)
    found = {}
    for topic in group.topics:
        for row in topic.partitions:
            partition = TopicPartition(topic.name, row.partition_index)
            raise_for(row.error_code, str(partition))
            if row.committed_offset >= 0:
                found[partition] = OffsetAndMetadata(
                    row.committed_offset, row.metadata or "", row.committed_leader_epoch
                )
    return found


async def alter_group_offsets(call: Call, group_id: str, offsets: Offsets) -> None:
    request = offset_commit_request.OffsetCommitRequest(
        group_id=group_id,
        topics=[
            offset_commit_request.Topics(
                name=topic,
                partitions=[
                    offset_commit_request.Partitions(number, noted.offset, noted.leader_epoch, noted.metadata)
                    for number, noted in rows
                ],
            )
            for topic, rows in offsets_by_topic(offsets).items()
        ],
    )
    await call.coordinator((CoordinatorKind.GROUP, group_id), request, _raise_for_partitions, _LAST_COMMIT_BY_NAME)


async def delete_group_offsets(call: Call, group_id: str, partitions: Sequence[TopicPartition]) -> None:
    request = offset_delete_request.OffsetDeleteRequest(
        group_id=group_id,
        topics=[
            offset_delete_request.Topics(name, [offset_delete_request.Partitions(number) for number in numbers])
            for name, numbers in by_topic(partitions).items()
        ],
    )

    def read(response: Any) -> None:
        raise_for(response.error_code)
        _raise_for_partitions(response)

    await call.coordinator((CoordinatorKind.GROUP, group_id), request, read)


def _raise_for_partitions(response: Any) -> None:
    codes: Mapping[TopicPartition, tuple[int, str | None]] = {
        TopicPartition(topic.name, row.partition_index): (row.error_code, None)
        for topic in response.topics
        for row in topic.partitions
    }
    raise_failures(codes)


async def remove_members(
    call: Call, group_id: str, *, member_ids: Sequence[str], instance_ids: Sequence[str], reason: str
) -> None:
    members = [leave_group_request.Members(member_id=member_id, reason=reason) for member_id in member_ids]
    members += [leave_group_request.Members(group_instance_id=name, reason=reason) for name in instance_ids]

    def read(response: Any) -> None:
        raise_for(response.error_code)
        raise_failures({row.group_instance_id or row.member_id: (row.error_code, None) for row in response.members})

    request = leave_group_request.LeaveGroupRequest(group_id=group_id, members=members)
    await call.coordinator((CoordinatorKind.GROUP, group_id), request, read)
