"""StreamsGroupDescribe response (key 89), versions 0-0, flexible from 0.

Generated from schemas/streams_group_describe.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_iib = _Struct(">iib").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_b = _Struct(">b").unpack_from
_u_HB = _Struct(">HB").unpack_from
_u_iqB = _Struct(">iqB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_ii = _Struct(">ii").pack
_p_ih = _Struct(">ih").pack
_p_Hx = _Struct(">Hx").pack
_p_iqx = _Struct(">iqx").pack
_p_xtx = _Struct(">x?x").pack
_p_ix = _Struct(">ix").pack


class TopicConfigs(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = '',
        value: str = '',
    ) -> None:
        self.key = key
        self.value = value


class StateChangelogTopics(Struct):
    __slots__ = ("name", "partitions", "replication_factor", "topic_configs")

    def __init__(
        self,
        name: str = '',
        partitions: int = 0,
        replication_factor: int = 0,
        topic_configs: list[TopicConfigs] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = partitions
        self.replication_factor = replication_factor
        self.topic_configs = [] if topic_configs is FRESH else topic_configs


class RepartitionSourceTopics(Struct):
    __slots__ = ("name", "partitions", "replication_factor", "topic_configs")

    def __init__(
        self,
        name: str = '',
        partitions: int = 0,
        replication_factor: int = 0,
        topic_configs: list[TopicConfigs] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = partitions
        self.replication_factor = replication_factor
        self.topic_configs = [] if topic_configs is FRESH else topic_configs


class Subtopologies(Struct):
    __slots__ = ("subtopology_id", "source_topics", "repartition_sink_topics", "state_changelog_topics", "repartition_source_topics")

    def __init__(
        self,
        subtopology_id: str = '',
        source_topics: list[str] = FRESH,
        repartition_sink_topics: list[str] = FRESH,
        state_changelog_topics: list[StateChangelogTopics] = FRESH,
        repartition_source_topics: list[RepartitionSourceTopics] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.source_topics = [] if source_topics is FRESH else source_topics
        self.repartition_sink_topics = [] if repartition_sink_topics is FRESH else repartition_sink_topics
        self.state_changelog_topics = [] if state_changelog_topics is FRESH else state_changelog_topics
        self.repartition_source_topics = [] if repartition_source_topics is FRESH else repartition_source_topics


class Topology(Struct):
    __slots__ = ("epoch", "subtopologies")

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: list[Subtopologies] | None = None,
    ) -> None:
        self.epoch = epoch
        self.subtopologies = subtopologies


class UserEndpoint(Struct):
    __slots__ = ("host", "port")

    def __init__(
        self,
        host: str = '',
        port: int = 0,
    ) -> None:
        self.host = host
        self.port = port


class ClientTags(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = '',
        value: str = '',
    ) -> None:
        self.key = key
        self.value = value


class TaskOffsets(Struct):
    __slots__ = ("subtopology_id", "partition", "offset")

    def __init__(
        self,
        subtopology_id: str = '',
        partition: int = 0,
        offset: int = 0,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partition = partition
        self.offset = offset


class TaskEndOffsets(Struct):
    __slots__ = ("subtopology_id", "partition", "offset")

    def __init__(
        self,
        subtopology_id: str = '',
        partition: int = 0,
        offset: int = 0,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partition = partition
        self.offset = offset


class ActiveTasks(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions


class StandbyTasks(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions


class WarmupTasks(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions


class Assignment(Struct):
    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")

    def __init__(
        self,
        active_tasks: list[ActiveTasks] = FRESH,
        standby_tasks: list[StandbyTasks] = FRESH,
        warmup_tasks: list[WarmupTasks] = FRESH,
    ) -> None:
        self.active_tasks = [] if active_tasks is FRESH else active_tasks
        self.standby_tasks = [] if standby_tasks is FRESH else standby_tasks
        self.warmup_tasks = [] if warmup_tasks is FRESH else warmup_tasks


class TargetAssignment(Struct):
    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")

    def __init__(
        self,
        active_tasks: list[ActiveTasks] = FRESH,
        standby_tasks: list[StandbyTasks] = FRESH,
        warmup_tasks: list[WarmupTasks] = FRESH,
    ) -> None:
        self.active_tasks = [] if active_tasks is FRESH else active_tasks
        self.standby_tasks = [] if standby_tasks is FRESH else standby_tasks
        self.warmup_tasks = [] if warmup_tasks is FRESH else warmup_tasks


class Members(Struct):
    __slots__ = ("member_id", "member_epoch", "instance_id", "rack_id", "client_id", "client_host", "topology_epoch", "process_id", "user_endpoint", "client_tags", "task_offsets", "task_end_offsets", "assignment", "target_assignment", "is_classic")

    def __init__(
        self,
        member_id: str = '',
        member_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        client_id: str = '',
        client_host: str = '',
        topology_epoch: int = 0,
        process_id: str = '',
        user_endpoint: UserEndpoint | None = None,
        client_tags: list[ClientTags] = FRESH,
        task_offsets: list[TaskOffsets] = FRESH,
        task_end_offsets: list[TaskEndOffsets] = FRESH,
        assignment: Assignment = FRESH,
        target_assignment: TargetAssignment = FRESH,
        is_classic: bool = False,
    ) -> None:
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.topology_epoch = topology_epoch
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = [] if client_tags is FRESH else client_tags
        self.task_offsets = [] if task_offsets is FRESH else task_offsets
        self.task_end_offsets = [] if task_end_offsets is FRESH else task_end_offsets
        self.assignment = Assignment() if assignment is FRESH else assignment
        self.target_assignment = TargetAssignment() if target_assignment is FRESH else target_assignment
        self.is_classic = is_classic


class Groups(Struct):
    __slots__ = ("error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch", "topology", "members", "authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = '',
        group_state: str = '',
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        topology: Topology | None = None,
        members: list[Members] = FRESH,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.group_epoch = group_epoch
        self.assignment_epoch = assignment_epoch
        self.topology = topology
        self.members = [] if members is FRESH else members
        self.authorized_operations = authorized_operations


class StreamsGroupDescribeResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")
    API_KEY = 89
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[Groups] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is FRESH else groups


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StreamsGroupDescribeResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 20 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_state", n, end - p)
        group_state_2 = data[p:q].tobytes().decode()
        p = q
        group_epoch_2, assignment_epoch_2, n = _u_iib(data, p)
        p += 9
        topology_2: Topology | None = None
        if n >= 0:
            epoch_3, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            subtopologies_3: list[Subtopologies] | None = None
            if n != -1:
                if n < 0 or n * 6 > end - p or n > left[0]:
                    raise wrong_count("subtopologies", n, end - p, left)
                left[0] -= n
                subtopologies_3 = []
                for _ in range(n):
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    q = p + n
                    if n < 0 or q > end:
                        raise wrong_length("subtopology_id", n, end - p)
                    subtopology_id_4 = data[p:q].tobytes().decode()
                    p = q
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    if n < 0 or n > end - p or n > left[0]:
                        raise wrong_count("source_topics", n, end - p, left)
                    left[0] -= n
                    source_topics_4: list[str] = []
                    for _ in range(n):
                        n = data[p]
                        p += 1
                        if n > 127:
                            n, p = longer_string(data, p, n)
                        n -= 1
                        q = p + n
                        if n < 0 or q > end:
                            raise wrong_length("source_topics", n, end - p)
                        source_topics_4_element = data[p:q].tobytes().decode()
                        p = q
                        source_topics_4.append(source_topics_4_element)
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    if n < 0 or n > end - p or n > left[0]:
                        raise wrong_count("repartition_sink_topics", n, end - p, left)
                    left[0] -= n
                    repartition_sink_topics_4: list[str] = []
                    for _ in range(n):
                        n = data[p]
                        p += 1
                        if n > 127:
                            n, p = longer_string(data, p, n)
                        n -= 1
                        q = p + n
                        if n < 0 or q > end:
                            raise wrong_length("repartition_sink_topics", n, end - p)
                        repartition_sink_topics_4_element = data[p:q].tobytes().decode()
                        p = q
                        repartition_sink_topics_4.append(repartition_sink_topics_4_element)
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    if n < 0 or n * 9 > end - p or n > left[0]:
                        raise wrong_count("state_changelog_topics", n, end - p, left)
                    left[0] -= n
                    state_changelog_topics_4: list[StateChangelogTopics] = []
                    for _ in range(n):
                        n = data[p]
                        p += 1
                        if n > 127:
                            n, p = longer_string(data, p, n)
                        n -= 1
                        q = p + n
                        if n < 0 or q > end:
                            raise wrong_length("name", n, end - p)
                        name_5 = data[p:q].tobytes().decode()
                        p = q
                        partitions_5, replication_factor_5, n = _u_ihB(data, p)
                        p += 7
                        if n > 127:
                            n, p = longer(data, p, n)
                        n -= 1
                        if n < 0 or n * 3 > end - p or n > left[0]:
                            raise wrong_count("topic_configs", n, end - p, left)
                        left[0] -= n
                        topic_configs_5: list[TopicConfigs] = []
                        for _ in range(n):
                            s_6, p = _read_TopicConfigs_0(data, p, end, left)
                            topic_configs_5.append(s_6)
                        n = data[p]
                        p += 1
                        if n:
                            p = skip_tags(data, p - 1, end)
                        state_changelog_topics_4.append(StateChangelogTopics(name_5, partitions_5, replication_factor_5, topic_configs_5))
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    if n < 0 or n * 9 > end - p or n > left[0]:
                        raise wrong_count("repartition_source_topics", n, end - p, left)
                    left[0] -= n
                    repartition_source_topics_4: list[RepartitionSourceTopics] = []
                    for _ in range(n):
                        n = data[p]
                        p += 1
                        if n > 127:
                            n, p = longer_string(data, p, n)
                        n -= 1
                        q = p + n
                        if n < 0 or q > end:
                            raise wrong_length("name", n, end - p)
                        name_7 = data[p:q].tobytes().decode()
                        p = q
                        partitions_7, replication_factor_7, n = _u_ihB(data, p)
                        p += 7
                        if n > 127:
                            n, p = longer(data, p, n)
                        n -= 1
                        if n < 0 or n * 3 > end - p or n > left[0]:
                            raise wrong_count("topic_configs", n, end - p, left)
                        left[0] -= n
                        topic_configs_7: list[TopicConfigs] = []
                        for _ in range(n):
                            s_8, p = _read_TopicConfigs_0(data, p, end, left)
                            topic_configs_7.append(s_8)
                        n = data[p]
                        p += 1
                        if n:
                            p = skip_tags(data, p - 1, end)
                        repartition_source_topics_4.append(RepartitionSourceTopics(name_7, partitions_7, replication_factor_7, topic_configs_7))
                    n = data[p]
                    p += 1
                    if n:
                        p = skip_tags(data, p - 1, end)
                    subtopologies_3.append(Subtopologies(subtopology_id_4, source_topics_4, repartition_sink_topics_4, state_changelog_topics_4, repartition_source_topics_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topology_2 = Topology(epoch_3, subtopologies_3)
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 28 > end - p or n > left[0]:
            raise wrong_count("members", n, end - p, left)
        left[0] -= n
        members_2: list[Members] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("member_id", n, end - p)
            member_id_9 = data[p:q].tobytes().decode()
            p = q
            member_epoch_9, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                instance_id_9 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("instance_id", n, end - p)
                instance_id_9 = data[p:q].tobytes().decode()
                p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                rack_id_9 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("rack_id", n, end - p)
                rack_id_9 = data[p:q].tobytes().decode()
                p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("client_id", n, end - p)
            client_id_9 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("client_host", n, end - p)
            client_host_9 = data[p:q].tobytes().decode()
            p = q
            topology_epoch_9, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("process_id", n, end - p)
            process_id_9 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_b(data, p)
            p += 1
            user_endpoint_9: UserEndpoint | None = None
            if n >= 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("host", n, end - p)
                host_10 = data[p:q].tobytes().decode()
                p = q
                port_10, n = _u_HB(data, p)
                p += 3
                if n:
                    p = skip_tags(data, p - 1, end)
                user_endpoint_9 = UserEndpoint(host_10, port_10)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("client_tags", n, end - p, left)
            left[0] -= n
            client_tags_9: list[ClientTags] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("key", n, end - p)
                key_11 = data[p:q].tobytes().decode()
                p = q
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("value", n, end - p)
                value_11 = data[p:q].tobytes().decode()
                p = q
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                client_tags_9.append(ClientTags(key_11, value_11))
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 14 > end - p or n > left[0]:
                raise wrong_count("task_offsets", n, end - p, left)
            left[0] -= n
            task_offsets_9: list[TaskOffsets] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("subtopology_id", n, end - p)
                subtopology_id_12 = data[p:q].tobytes().decode()
                p = q
                partition_12, offset_12, n = _u_iqB(data, p)
                p += 13
                if n:
                    p = skip_tags(data, p - 1, end)
                task_offsets_9.append(TaskOffsets(subtopology_id_12, partition_12, offset_12))
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 14 > end - p or n > left[0]:
                raise wrong_count("task_end_offsets", n, end - p, left)
            left[0] -= n
            task_end_offsets_9: list[TaskEndOffsets] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("subtopology_id", n, end - p)
                subtopology_id_13 = data[p:q].tobytes().decode()
                p = q
                partition_13, offset_13, n = _u_iqB(data, p)
                p += 13
                if n:
                    p = skip_tags(data, p - 1, end)
                task_end_offsets_9.append(TaskEndOffsets(subtopology_id_13, partition_13, offset_13))
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("active_tasks", n, end - p, left)
            left[0] -= n
            active_tasks_14: list[ActiveTasks] = []
            for _ in range(n):
                s_15, p = _read_ActiveTasks_0(data, p, end, left)
                active_tasks_14.append(s_15)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("standby_tasks", n, end - p, left)
            left[0] -= n
            standby_tasks_14: list[StandbyTasks] = []
            for _ in range(n):
                s_16, p = _read_StandbyTasks_0(data, p, end, left)
                standby_tasks_14.append(s_16)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("warmup_tasks", n, end - p, left)
            left[0] -= n
            warmup_tasks_14: list[WarmupTasks] = []
            for _ in range(n):
                s_17, p = _read_WarmupTasks_0(data, p, end, left)
                warmup_tasks_14.append(s_17)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("active_tasks", n, end - p, left)
            left[0] -= n
            active_tasks_18: list[ActiveTasks] = []
            for _ in range(n):
                s_19, p = _read_ActiveTasks_0(data, p, end, left)
                active_tasks_18.append(s_19)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("standby_tasks", n, end - p, left)
            left[0] -= n
            standby_tasks_18: list[StandbyTasks] = []
            for _ in range(n):
                s_20, p = _read_StandbyTasks_0(data, p, end, left)
                standby_tasks_18.append(s_20)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("warmup_tasks", n, end - p, left)
            left[0] -= n
            warmup_tasks_18: list[WarmupTasks] = []
            for _ in range(n):
                s_21, p = _read_WarmupTasks_0(data, p, end, left)
                warmup_tasks_18.append(s_21)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            is_classic_9, n = _u_tB(data, p)
            p += 2
            if n:
                p = skip_tags(data, p - 1, end)
            members_2.append(Members(member_id_9, member_epoch_9, instance_id_9, rack_id_9, client_id_9, client_host_9, topology_epoch_9, process_id_9, user_endpoint_9, client_tags_9, task_offsets_9, task_end_offsets_9, Assignment(active_tasks_14, standby_tasks_14, warmup_tasks_14), TargetAssignment(active_tasks_18, standby_tasks_18, warmup_tasks_18), is_classic_9))
        authorized_operations_2, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(error_code_2, error_message_2, group_id_2, group_state_2, group_epoch_2, assignment_epoch_2, topology_2, members_2, authorized_operations_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return StreamsGroupDescribeResponse(throttle_time_ms_1, groups_1), p


def _read_TopicConfigs_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[TopicConfigs, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("key", n, end - p)
    key_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("value", n, end - p)
    value_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return TopicConfigs(key_1, value_1), p


def _read_ActiveTasks_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ActiveTasks, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("subtopology_id", n, end - p)
    subtopology_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ActiveTasks(subtopology_id_1, partitions_1), p


def _read_StandbyTasks_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StandbyTasks, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("subtopology_id", n, end - p)
    subtopology_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return StandbyTasks(subtopology_id_1, partitions_1), p


def _read_WarmupTasks_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[WarmupTasks, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("subtopology_id", n, end - p)
    subtopology_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return WarmupTasks(subtopology_id_1, partitions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_h(e_1.error_code)
        if e_1.error_message is None:
            out.append(0)
        else:
            b = e_1.error_message.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.group_state.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_ii(e_1.group_epoch, e_1.assignment_epoch)
        if e_1.topology is None:
            out.append(255)
        else:
            out.append(1)
            items_2 = e_1.topology.subtopologies
            out += _p_i(e_1.topology.epoch)
            n = 0 if items_2 is None else len(items_2) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_2 in items_2 or ():
                b = e_2.subtopology_id.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
                items_3 = e_2.source_topics
                n = len(items_3) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_uvarint(out, n)
                for e_3 in items_3:
                    b = e_3.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                items_4 = e_2.repartition_sink_topics
                n = len(items_4) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_uvarint(out, n)
                for e_4 in items_4:
                    b = e_4.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                items_5 = e_2.state_changelog_topics
                n = len(items_5) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_uvarint(out, n)
                for e_5 in items_5:
                    b = e_5.name.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                    items_6 = e_5.topic_configs
                    out += _p_ih(e_5.partitions, e_5.replication_factor)
                    n = len(items_6) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_uvarint(out, n)
                    for e_6 in items_6:
                        _write_TopicConfigs_0(e_6, out)
                    out.append(0)
                items_7 = e_2.repartition_source_topics
                n = len(items_7) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_uvarint(out, n)
                for e_7 in items_7:
                    b = e_7.name.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                    items_8 = e_7.topic_configs
                    out += _p_ih(e_7.partitions, e_7.replication_factor)
                    n = len(items_8) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_uvarint(out, n)
                    for e_8 in items_8:
                        _write_TopicConfigs_0(e_8, out)
                    out.append(0)
                out.append(0)
            out.append(0)
        items_9 = e_1.members
        n = len(items_9) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_9 in items_9:
            b = e_9.member_id.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            out += _p_i(e_9.member_epoch)
            if e_9.instance_id is None:
                out.append(0)
            else:
                b = e_9.instance_id.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            if e_9.rack_id is None:
                out.append(0)
            else:
                b = e_9.rack_id.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            b = e_9.client_id.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            b = e_9.client_host.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            out += _p_i(e_9.topology_epoch)
            b = e_9.process_id.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            if e_9.user_endpoint is None:
                out.append(255)
            else:
                out.append(1)
                b = e_9.user_endpoint.host.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
                out += _p_Hx(e_9.user_endpoint.port)
            items_10 = e_9.client_tags
            n = len(items_10) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_10 in items_10:
                b = e_10.key.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
                b = e_10.value.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
                out.append(0)
            items_11 = e_9.task_offsets
            n = len(items_11) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_11 in items_11:
                b = e_11.subtopology_id.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
                out += _p_iqx(e_11.partition, e_11.offset)
            items_12 = e_9.task_end_offsets
            n = len(items_12) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_12 in items_12:
                b = e_12.subtopology_id.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
                out += _p_iqx(e_12.partition, e_12.offset)
            items_13 = e_9.assignment.active_tasks
            n = len(items_13) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_13 in items_13:
                _write_ActiveTasks_0(e_13, out)
            items_14 = e_9.assignment.standby_tasks
            n = len(items_14) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_14 in items_14:
                _write_StandbyTasks_0(e_14, out)
            items_15 = e_9.assignment.warmup_tasks
            n = len(items_15) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_15 in items_15:
                _write_WarmupTasks_0(e_15, out)
            items_16 = e_9.target_assignment.active_tasks
            out.append(0)
            n = len(items_16) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_16 in items_16:
                _write_ActiveTasks_0(e_16, out)
            items_17 = e_9.target_assignment.standby_tasks
            n = len(items_17) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_17 in items_17:
                _write_StandbyTasks_0(e_17, out)
            items_18 = e_9.target_assignment.warmup_tasks
            n = len(items_18) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_18 in items_18:
                _write_WarmupTasks_0(e_18, out)
            out += _p_xtx(e_9.is_classic)
        out += _p_ix(e_1.authorized_operations)
    out.append(0)


def _write_TopicConfigs_0(m: Any, out: bytearray) -> None:
    b = m.key.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.value.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out.append(0)


def _write_ActiveTasks_0(m: Any, out: bytearray) -> None:
    b = m.subtopology_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partitions
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    out.append(0)


def _write_StandbyTasks_0(m: Any, out: bytearray) -> None:
    b = m.subtopology_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partitions
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    out.append(0)


def _write_WarmupTasks_0(m: Any, out: bytearray) -> None:
    b = m.subtopology_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partitions
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    out.append(0)


StreamsGroupDescribeResponse._READERS = {0: _read_0}
StreamsGroupDescribeResponse._WRITERS = {0: _write_0}
