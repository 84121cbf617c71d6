"""What tools ask: list, describe and delete groups."""

from collections.abc import Collection

from ottla.groups.consumer.target import preferred_assignor
from ottla.groups.offsets.removal import remove_all_offsets
from ottla.groups.operation import GroupOperation
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.classic_states import ClassicState
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.groups.state.consumer_member import ConsumerMember
from ottla.groups.state.groups_state import Group, GroupsState
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated import (
    consumer_group_describe_response,
    delete_groups_response,
    describe_groups_response,
    list_groups_response,
)

CONSUMER = "consumer"
CLASSIC = "classic"
_MEMBER_TYPE_CLASSIC = 0
_MEMBER_TYPE_CONSUMER = 1


def list_groups(
    state: GroupsState, states: Collection[str], types: Collection[str]
) -> list[list_groups_response.Groups]:
    """Filters are not case sensitive; an empty one lets everything through."""
    wanted_states = {name.lower() for name in states}
    wanted_types = {name.lower() for name in types}
    found = []
    for group in state.all_groups():
        kind = CLASSIC if isinstance(group, ClassicGroup) else CONSUMER
        if wanted_states and group.state.value.lower() not in wanted_states:
            continue
        if wanted_types and kind not in wanted_types:
            continue
        found.append(
            list_groups_response.Groups(
                group_id=group.group_id,
                protocol_type=(group.protocol_type or "") if isinstance(group, ClassicGroup) else CONSUMER,
                group_state=group.state.value,
                group_type=kind,
            )
        )
    return found


def describe_group(state: GroupsState, group_id: str, version: int) -> describe_groups_response.Groups:
    """DescribeGroups. What is not a classic group is Dead; newer clients also get GROUP_ID_NOT_FOUND."""
    group = state.find(group_id)
    if not isinstance(group, ClassicGroup):
        kind = "is not a classic group" if isinstance(group, ConsumerGroup) else "not found"
        return describe_groups_response.Groups(
            group_id=group_id,
            group_state=ClassicState.DEAD.value,
            error_code=ErrorCode.GROUP_ID_NOT_FOUND if version >= 6 else ErrorCode.NONE,
            error_message=f"Group {group_id} {kind}." if version >= 6 else None,
        )
    is_stable = group.state is ClassicState.STABLE
    return describe_groups_response.Groups(
        group_id=group_id,
        group_state=group.state.value,
        protocol_type=group.protocol_type or "",
        protocol_data=(group.protocol_name or "") if is_stable else "",
        members=[
            describe_groups_response.Members(
                member_id=member.member_id,
                group_instance_id=member.instance_id,
                client_id=member.client_id,
                client_host=member.client_host,
                member_metadata=member.metadata(group.protocol_name) if is_stable else b"",
                member_assignment=member.assignment,
            )
            for member in group.members.values()
        ],
    )


def describe_consumer_group(state: GroupsState, group_id: str) -> consumer_group_describe_response.Groups:
    group = state.find(group_id)
    if not group_id:
        return consumer_group_describe_response.Groups(error_code=ErrorCode.INVALID_GROUP_ID)
    if not isinstance(group, ConsumerGroup):
        kind = "is not a consumer group" if group is not None else "not found"
        return consumer_group_describe_response.Groups(
            group_id=group_id,
            error_code=ErrorCode.GROUP_ID_NOT_FOUND,
            error_message=f"Group {group_id} {kind}.",
        )
    return consumer_group_describe_response.Groups(
        group_id=group_id,
        group_state=group.state.value,
        group_epoch=group.epoch,
        assignment_epoch=group.assignment_epoch,
        assignor_name=preferred_assignor(group, state.settings),
        members=[_describe_member(state, group, member) for member in group.members.values()],
    )


def _describe_member(
    state: GroupsState, group: ConsumerGroup, member: ConsumerMember
) -> consumer_group_describe_response.Members:
    # What it must give up it may still read: an operator who looks for a partition finds it there.
    held = {
        topic_id: frozenset(member.assigned.get(topic_id, ())) | frozenset(member.revoking.get(topic_id, ()))
        for topic_id in sorted({*member.assigned, *member.revoking})
    }
    target = group.target.get(member.member_id, {})
    return consumer_group_describe_response.Members(
        member_id=member.member_id,
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        member_epoch=member.epoch,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=list(member.topic_names),
        subscribed_topic_regex=member.topic_regex,
        assignment=consumer_group_describe_response.Assignment(topic_partitions=_partitions(state, held)),
        target_assignment=consumer_group_describe_response.TargetAssignment(
            topic_partitions=_partitions(state, dict(target))
        ),
        member_type=_MEMBER_TYPE_CONSUMER if member.classic is None else _MEMBER_TYPE_CLASSIC,
    )


def _partitions(
    state: GroupsState, assignment: dict[bytes, frozenset[int]]
) -> list[consumer_group_describe_response.TopicPartitions]:
    found = []
    for topic_id, partitions in assignment.items():
        topic = state.topics.by_id(topic_id)
        if topic is not None:
            found.append(
                consumer_group_describe_response.TopicPartitions(
                    topic_id=topic_id, topic_name=topic.name, partitions=sorted(partitions)
                )
            )
    return found


def delete_groups(operation: GroupOperation, group_ids: Collection[str]) -> list[delete_groups_response.Results]:
    """Offsets and group go together. Named twice is deleted once."""
    results = []
    for group_id in dict.fromkeys(group_ids):
        group = operation.state.find(group_id)
        try:
            if group is None:
                raise Refused(ErrorCode.GROUP_ID_NOT_FOUND)
            group.check_delete()
        except Refused as refused:
            results.append(delete_groups_response.Results(group_id=group_id, error_code=refused.code))
            continue
        _delete(operation, group)
        results.append(delete_groups_response.Results(group_id=group_id))
    return results


def _delete(operation: GroupOperation, group: Group) -> None:
    remove_all_offsets(operation, group.group_id)
    group.write_tombstones(operation.decision.records)
