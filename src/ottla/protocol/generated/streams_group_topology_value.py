"""StreamsGroupTopologyValue record (key 23), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_p_i = _Struct(">i").pack
_p_ih = _Struct(">ih").pack


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


class StreamsGroupTopologyValue(Message):
    __slots__ = ("epoch", "subtopologies")
    RECORD_TYPE = 23
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: list[Subtopologies] = FRESH,
    ) -> None:
        self.epoch = epoch
        self.subtopologies = [] if subtopologies is FRESH else subtopologies


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StreamsGroupTopologyValue, int]:
    epoch_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("subtopologies", n, end - p, left)
    left[0] -= n
    subtopologies_1: list[Subtopologies] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subtopology_id", n, end - p)
        subtopology_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n > end - p or n > left[0]:
            raise wrong_count("source_topics", n, end - p, left)
        left[0] -= n
        source_topics_2: list[str] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("source_topics", n, end - p)
            source_topics_2_element = data[p:q].tobytes().decode()
            p = q
            source_topics_2.append(source_topics_2_element)
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n > end - p or n > left[0]:
            raise wrong_count("source_topic_regex", n, end - p, left)
        left[0] -= n
        source_topic_regex_2: list[str] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("source_topic_regex", n, end - p)
            source_topic_regex_2_element = data[p:q].tobytes().decode()
            p = q
            source_topic_regex_2.append(source_topic_regex_2_element)
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 9 > end - p or n > left[0]:
            raise wrong_count("state_changelog_topics", n, end - p, left)
        left[0] -= n
        state_changelog_topics_2: list[StateChangelogTopics] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_3 = data[p:q].tobytes().decode()
            p = q
            partitions_3, replication_factor_3, n = _u_ihB(data, p)
            p += 7
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("topic_configs", n, end - p, left)
            left[0] -= n
            topic_configs_3: list[TopicConfigs] = []
            for _ in range(n):
                s_4, p = _read_TopicConfigs_0(data, p, end, left)
                topic_configs_3.append(s_4)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            state_changelog_topics_2.append(StateChangelogTopics(name_3, partitions_3, replication_factor_3, topic_configs_3))
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n > end - p or n > left[0]:
            raise wrong_count("repartition_sink_topics", n, end - p, left)
        left[0] -= n
        repartition_sink_topics_2: list[str] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("repartition_sink_topics", n, end - p)
            repartition_sink_topics_2_element = data[p:q].tobytes().decode()
            p = q
            repartition_sink_topics_2.append(repartition_sink_topics_2_element)
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 9 > end - p or n > left[0]:
            raise wrong_count("repartition_source_topics", n, end - p, left)
        left[0] -= n
        repartition_source_topics_2: list[RepartitionSourceTopics] = []
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
            repartition_source_topics_2.append(RepartitionSourceTopics(name_5, partitions_5, replication_factor_5, topic_configs_5))
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("copartition_groups", n, end - p, left)
        left[0] -= n
        copartition_groups_2: list[CopartitionGroups] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 2 > end - p or n > left[0]:
                raise wrong_count("source_topics", n, end - p, left)
            left[0] -= n
            source_topics_7, p = read_numbers("h", 2, data, p, n)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 2 > end - p or n > left[0]:
                raise wrong_count("source_topic_regex", n, end - p, left)
            left[0] -= n
            source_topic_regex_7, p = read_numbers("h", 2, data, p, n)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 2 > end - p or n > left[0]:
                raise wrong_count("repartition_source_topics", n, end - p, left)
            left[0] -= n
            repartition_source_topics_7, p = read_numbers("h", 2, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            copartition_groups_2.append(CopartitionGroups(source_topics_7, source_topic_regex_7, repartition_source_topics_7))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        subtopologies_1.append(Subtopologies(subtopology_id_2, source_topics_2, source_topic_regex_2, state_changelog_topics_2, repartition_sink_topics_2, repartition_source_topics_2, copartition_groups_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return StreamsGroupTopologyValue(epoch_1, subtopologies_1), p


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
    items_1 = m.subtopologies
    out += _p_i(m.epoch)
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


StreamsGroupTopologyValue._READERS = {0: _read_0}
StreamsGroupTopologyValue._WRITERS = {0: _write_0}
