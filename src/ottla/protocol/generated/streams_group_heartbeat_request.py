"""StreamsGroupHeartbeat request (key 88), versions 0-0, flexible from 0.

Generated from schemas/streams_group_heartbeat.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iiB = _Struct(">iiB").unpack_from
_u_ib = _Struct(">ib").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_b = _Struct(">b").unpack_from
_u_HB = _Struct(">HB").unpack_from
_u_iqB = _Struct(">iqB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_p_ii = _Struct(">ii").pack
_p_i = _Struct(">i").pack
_p_ih = _Struct(">ih").pack
_p_Hx = _Struct(">Hx").pack
_p_iqx = _Struct(">iqx").pack
_p_tx = _Struct(">?x").pack


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


class CopartitionGroups(Struct):
    __slots__ = ("source_topics", "source_topic_regex", "repartition_source_topics")

    def __init__(
        self,
        source_topics: list[int] = FRESH,
        source_topic_regex: list[int] = FRESH,
        repartition_source_topics: list[int] = FRESH,
    ) -> None:
        self.source_topics = [] if source_topics is FRESH else source_topics
        self.source_topic_regex = [] if source_topic_regex is FRESH else source_topic_regex
        self.repartition_source_topics = [] if repartition_source_topics is FRESH else repartition_source_topics


class Subtopologies(Struct):
    __slots__ = ("subtopology_id", "source_topics", "source_topic_regex", "state_changelog_topics", "repartition_sink_topics", "repartition_source_topics", "copartition_groups")

    def __init__(
        self,
        subtopology_id: str = '',
        source_topics: list[str] = FRESH,
        source_topic_regex: list[str] = FRESH,
        state_changelog_topics: list[StateChangelogTopics] = FRESH,
        repartition_sink_topics: list[str] = FRESH,
        repartition_source_topics: list[RepartitionSourceTopics] = FRESH,
        copartition_groups: list[CopartitionGroups] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.source_topics = [] if source_topics is FRESH else source_topics
        self.source_topic_regex = [] if source_topic_regex is FRESH else source_topic_regex
        self.state_changelog_topics = [] if state_changelog_topics is FRESH else state_changelog_topics
        self.repartition_sink_topics = [] if repartition_sink_topics is FRESH else repartition_sink_topics
        self.repartition_source_topics = [] if repartition_source_topics is FRESH else repartition_source_topics
        self.copartition_groups = [] if copartition_groups is FRESH else copartition_groups


class Topology(Struct):
    __slots__ = ("epoch", "subtopologies")

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: list[Subtopologies] = FRESH,
    ) -> None:
        self.epoch = epoch
        self.subtopologies = [] if subtopologies is FRESH else subtopologies


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


class StreamsGroupHeartbeatRequest(Message):
    __slots__ = ("group_id", "member_id", "member_epoch", "endpoint_information_epoch", "instance_id", "rack_id", "rebalance_timeout_ms", "topology", "active_tasks", "standby_tasks", "warmup_tasks", "process_id", "user_endpoint", "client_tags", "task_offsets", "task_end_offsets", "shutdown_application")
    API_KEY = 88
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        group_id: str = '',
        member_id: str = '',
        member_epoch: int = 0,
        endpoint_information_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        topology: Topology | None = None,
        active_tasks: list[ActiveTasks] | None = None,
        standby_tasks: list[StandbyTasks] | None = None,
        warmup_tasks: list[WarmupTasks] | None = None,
        process_id: str | None = None,
        user_endpoint: UserEndpoint | None = None,
        client_tags: list[ClientTags] | None = None,
        task_offsets: list[TaskOffsets] | None = None,
        task_end_offsets: list[TaskEndOffsets] | None = None,
        shutdown_application: bool = False,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.endpoint_information_epoch = endpoint_information_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.topology = topology
        self.active_tasks = active_tasks
        self.standby_tasks = standby_tasks
        self.warmup_tasks = warmup_tasks
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = client_tags
        self.task_offsets = task_offsets
        self.task_end_offsets = task_end_offsets
        self.shutdown_application = shutdown_application


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StreamsGroupHeartbeatRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    member_epoch_1, endpoint_information_epoch_1, n = _u_iiB(data, p)
    p += 9
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("instance_id", n, end - p)
        instance_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        rack_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("rack_id", n, end - p)
        rack_id_1 = data[p:q].tobytes().decode()
        p = q
    rebalance_timeout_ms_1, n = _u_ib(data, p)
    p += 5
    topology_1: Topology | None = None
    if n >= 0:
        epoch_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 8 > end - p or n > left[0]:
            raise wrong_count("subtopologies", n, end - p, left)
        left[0] -= n
        subtopologies_2: list[Subtopologies] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subtopology_id", n, end - p)
            subtopology_id_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n > end - p or n > left[0]:
                raise wrong_count("source_topics", n, end - p, left)
            left[0] -= n
            source_topics_3: list[str] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("source_topics", n, end - p)
                source_topics_3_element = data[p:q].tobytes().decode()
                p = q
                source_topics_3.append(source_topics_3_element)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n > end - p or n > left[0]:
                raise wrong_count("source_topic_regex", n, end - p, left)
            left[0] -= n
            source_topic_regex_3: list[str] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("source_topic_regex", n, end - p)
                source_topic_regex_3_element = data[p:q].tobytes().decode()
                p = q
                source_topic_regex_3.append(source_topic_regex_3_element)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 9 > end - p or n > left[0]:
                raise wrong_count("state_changelog_topics", n, end - p, left)
            left[0] -= n
            state_changelog_topics_3: list[StateChangelogTopics] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("name", n, end - p)
                name_4 = data[p:q].tobytes().decode()
                p = q
                partitions_4, replication_factor_4, n = _u_ihB(data, p)
                p += 7
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 3 > end - p or n > left[0]:
                    raise wrong_count("topic_configs", n, end - p, left)
                left[0] -= n
                topic_configs_4: list[TopicConfigs] = []
                for _ in range(n):
                    s_5, p = _read_TopicConfigs_0(data, p, end, left)
                    topic_configs_4.append(s_5)
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                state_changelog_topics_3.append(StateChangelogTopics(name_4, partitions_4, replication_factor_4, topic_configs_4))
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n > end - p or n > left[0]:
                raise wrong_count("repartition_sink_topics", n, end - p, left)
            left[0] -= n
            repartition_sink_topics_3: list[str] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("repartition_sink_topics", n, end - p)
                repartition_sink_topics_3_element = data[p:q].tobytes().decode()
                p = q
                repartition_sink_topics_3.append(repartition_sink_topics_3_element)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 9 > end - p or n > left[0]:
                raise wrong_count("repartition_source_topics", n, end - p, left)
            left[0] -= n
            repartition_source_topics_3: list[RepartitionSourceTopics] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("name", n, end - p)
                name_6 = data[p:q].tobytes().decode()
                p = q
                partitions_6, replication_factor_6, n = _u_ihB(data, p)
                p += 7
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 3 > end - p or n > left[0]:
                    raise wrong_count("topic_configs", n, end - p, left)
                left[0] -= n
                topic_configs_6: list[TopicConfigs] = []
                for _ in range(n):
                    s_7, p = _read_TopicConfigs_0(data, p, end, left)
                    topic_configs_6.append(s_7)
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                repartition_source_topics_3.append(RepartitionSourceTopics(name_6, partitions_6, replication_factor_6, topic_configs_6))
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("copartition_groups", n, end - p, left)
            left[0] -= n
            copartition_groups_3: list[CopartitionGroups] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 2 > end - p or n > left[0]:
                    raise wrong_count("source_topics", n, end - p, left)
                left[0] -= n
                source_topics_8, p = read_numbers("h", 2, data, p, n)
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 2 > end - p or n > left[0]:
                    raise wrong_count("source_topic_regex", n, end - p, left)
                left[0] -= n
                source_topic_regex_8, p = read_numbers("h", 2, data, p, n)
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 2 > end - p or n > left[0]:
                    raise wrong_count("repartition_source_topics", n, end - p, left)
                left[0] -= n
                repartition_source_topics_8, p = read_numbers("h", 2, data, p, n)
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                copartition_groups_3.append(CopartitionGroups(source_topics_8, source_topic_regex_8, repartition_source_topics_8))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            subtopologies_2.append(Subtopologies(subtopology_id_3, source_topics_3, source_topic_regex_3, state_changelog_topics_3, repartition_sink_topics_3, repartition_source_topics_3, copartition_groups_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topology_1 = Topology(epoch_2, subtopologies_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    active_tasks_1: list[ActiveTasks] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("active_tasks", n, end - p, left)
        left[0] -= n
        active_tasks_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subtopology_id", n, end - p)
            subtopology_id_9 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_9, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            active_tasks_1.append(ActiveTasks(subtopology_id_9, partitions_9))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    standby_tasks_1: list[StandbyTasks] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("standby_tasks", n, end - p, left)
        left[0] -= n
        standby_tasks_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subtopology_id", n, end - p)
            subtopology_id_10 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_10, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            standby_tasks_1.append(StandbyTasks(subtopology_id_10, partitions_10))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    warmup_tasks_1: list[WarmupTasks] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("warmup_tasks", n, end - p, left)
        left[0] -= n
        warmup_tasks_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subtopology_id", n, end - p)
            subtopology_id_11 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_11, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            warmup_tasks_1.append(WarmupTasks(subtopology_id_11, partitions_11))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        process_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("process_id", n, end - p)
        process_id_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_b(data, p)
    p += 1
    user_endpoint_1: UserEndpoint | None = None
    if n >= 0:
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host", n, end - p)
        host_12 = data[p:q].tobytes().decode()
        p = q
        port_12, n = _u_HB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        user_endpoint_1 = UserEndpoint(host_12, port_12)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    client_tags_1: list[ClientTags] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("client_tags", n, end - p, left)
        left[0] -= n
        client_tags_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("key", n, end - p)
            key_13 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("value", n, end - p)
            value_13 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            client_tags_1.append(ClientTags(key_13, value_13))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    task_offsets_1: list[TaskOffsets] | None = None
    if n != -1:
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("task_offsets", n, end - p, left)
        left[0] -= n
        task_offsets_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subtopology_id", n, end - p)
            subtopology_id_14 = data[p:q].tobytes().decode()
            p = q
            partition_14, offset_14, n = _u_iqB(data, p)
            p += 13
            if n:
                p = skip_tags(data, p - 1, end)
            task_offsets_1.append(TaskOffsets(subtopology_id_14, partition_14, offset_14))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    task_end_offsets_1: list[TaskEndOffsets] | None = None
    if n != -1:
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("task_end_offsets", n, end - p, left)
        left[0] -= n
        task_end_offsets_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subtopology_id", n, end - p)
            subtopology_id_15 = data[p:q].tobytes().decode()
            p = q
            partition_15, offset_15, n = _u_iqB(data, p)
            p += 13
            if n:
                p = skip_tags(data, p - 1, end)
            task_end_offsets_1.append(TaskEndOffsets(subtopology_id_15, partition_15, offset_15))
    shutdown_application_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return StreamsGroupHeartbeatRequest(group_id_1, member_id_1, member_epoch_1, endpoint_information_epoch_1, instance_id_1, rack_id_1, rebalance_timeout_ms_1, topology_1, active_tasks_1, standby_tasks_1, warmup_tasks_1, process_id_1, user_endpoint_1, client_tags_1, task_offsets_1, task_end_offsets_1, shutdown_application_1), p


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


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_ii(m.member_epoch, m.endpoint_information_epoch)
    if m.instance_id is None:
        out.append(0)
    else:
        b = m.instance_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.rack_id is None:
        out.append(0)
    else:
        b = m.rack_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_i(m.rebalance_timeout_ms)
    if m.topology is None:
        out.append(255)
    else:
        out.append(1)
        items_1 = m.topology.subtopologies
        out += _p_i(m.topology.epoch)
        n = len(items_1) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_1 in items_1:
            b = e_1.subtopology_id.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_2 = e_1.source_topics
            n = len(items_2) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_2 in items_2:
                b = e_2.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            items_3 = e_1.source_topic_regex
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
            items_4 = e_1.state_changelog_topics
            n = len(items_4) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_4 in items_4:
                b = e_4.name.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
                items_5 = e_4.topic_configs
                out += _p_ih(e_4.partitions, e_4.replication_factor)
                n = len(items_5) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_uvarint(out, n)
                for e_5 in items_5:
                    _write_TopicConfigs_0(e_5, out)
                out.append(0)
            items_6 = e_1.repartition_sink_topics
            n = len(items_6) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_6 in items_6:
                b = e_6.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            items_7 = e_1.repartition_source_topics
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
            items_9 = e_1.copartition_groups
            n = len(items_9) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_9 in items_9:
                items_10 = e_9.source_topics
                n = len(items_10) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_uvarint(out, n)
                if items_10:
                    put_numbers(out, "h", items_10)
                items_11 = e_9.source_topic_regex
                n = len(items_11) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_uvarint(out, n)
                if items_11:
                    put_numbers(out, "h", items_11)
                items_12 = e_9.repartition_source_topics
                n = len(items_12) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_uvarint(out, n)
                if items_12:
                    put_numbers(out, "h", items_12)
                out.append(0)
            out.append(0)
        out.append(0)
    items_13 = m.active_tasks
    n = 0 if items_13 is None else len(items_13) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_13 in items_13 or ():
        b = e_13.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_14 = e_13.partitions
        n = len(items_14) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_14:
            put_numbers(out, "i", items_14)
        out.append(0)
    items_15 = m.standby_tasks
    n = 0 if items_15 is None else len(items_15) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_15 in items_15 or ():
        b = e_15.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_16 = e_15.partitions
        n = len(items_16) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_16:
            put_numbers(out, "i", items_16)
        out.append(0)
    items_17 = m.warmup_tasks
    n = 0 if items_17 is None else len(items_17) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_17 in items_17 or ():
        b = e_17.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_18 = e_17.partitions
        n = len(items_18) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_18:
            put_numbers(out, "i", items_18)
        out.append(0)
    if m.process_id is None:
        out.append(0)
    else:
        b = m.process_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.user_endpoint is None:
        out.append(255)
    else:
        out.append(1)
        b = m.user_endpoint.host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_Hx(m.user_endpoint.port)
    items_19 = m.client_tags
    n = 0 if items_19 is None else len(items_19) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_19 in items_19 or ():
        b = e_19.key.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_19.value.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    items_20 = m.task_offsets
    n = 0 if items_20 is None else len(items_20) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_20 in items_20 or ():
        b = e_20.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_iqx(e_20.partition, e_20.offset)
    items_21 = m.task_end_offsets
    n = 0 if items_21 is None else len(items_21) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_21 in items_21 or ():
        b = e_21.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_iqx(e_21.partition, e_21.offset)
    out += _p_tx(m.shutdown_application)


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


StreamsGroupHeartbeatRequest._READERS = {0: _read_0}
StreamsGroupHeartbeatRequest._WRITERS = {0: _write_0}
