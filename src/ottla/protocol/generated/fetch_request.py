"""Fetch request (key 1), versions 4-18, flexible from 12.

Generated from schemas/fetch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct, shared_default
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_tags, put_uvarint, read_numbers, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_iiiibi = _Struct(">iiiibi").unpack_from
_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_iqi = _Struct(">iqi").unpack_from
_u_iqqi = _Struct(">iqqi").unpack_from
_u_iiiibiii = _Struct(">iiiibiii").unpack_from
_u_iiqqi = _Struct(">iiqqi").unpack_from
_u_iiiibiiB = _Struct(">iiiibiiB").unpack_from
_u_iiqiqiB = _Struct(">iiqiqiB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_iiibiiB = _Struct(">iiibiiB").unpack_from
_u_iqB = _Struct(">iqB").unpack_from
_u_16s = _Struct(">16s").unpack_from
_u_q = _Struct(">q").unpack_from
_p_iiiibi = _Struct(">iiiibi").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_iqi = _Struct(">iqi").pack
_p_iqqi = _Struct(">iqqi").pack
_p_iiiibiii = _Struct(">iiiibiii").pack
_p_iiqqi = _Struct(">iiqqi").pack
_p_iiiibii = _Struct(">iiiibii").pack
_p_iiqiqix = _Struct(">iiqiqix").pack
_p_16s = _Struct(">16s").pack
_p_iiibii = _Struct(">iiibii").pack
_p_iqx = _Struct(">iqx").pack
_p_iiqiqi = _Struct(">iiqiqi").pack
_p_BBB16s = _Struct(">BBB16s").pack
_p_q = _Struct(">q").pack
_new = object.__new__
_ONCE = (0,)


class Partitions(Struct):
    __slots__ = ("partition", "current_leader_epoch", "fetch_offset", "last_fetched_epoch", "log_start_offset", "partition_max_bytes", "replica_directory_id", "high_watermark")

    def __init__(
        self,
        partition: int = 0,
        current_leader_epoch: int = -1,
        fetch_offset: int = 0,
        last_fetched_epoch: int = -1,
        log_start_offset: int = -1,
        partition_max_bytes: int = 0,
        replica_directory_id: bytes = NO_UUID,
        high_watermark: int = 9223372036854775807,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.fetch_offset = fetch_offset
        self.last_fetched_epoch = last_fetched_epoch
        self.log_start_offset = log_start_offset
        self.partition_max_bytes = partition_max_bytes
        self.replica_directory_id = replica_directory_id
        self.high_watermark = high_watermark


class Topics(Struct):
    __slots__ = ("topic_id", "topic", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        topic: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class ForgottenTopicsData(Struct):
    __slots__ = ("topic_id", "topic", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        topic: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class ReplicaState(Struct):
    __slots__ = ("replica_id", "replica_epoch")

    def __init__(
        self,
        replica_id: int = -1,
        replica_epoch: int = -1,
    ) -> None:
        self.replica_id = replica_id
        self.replica_epoch = replica_epoch


_NO_REPLICA_STATE = shared_default(ReplicaState)


class FetchRequest(Message):
    __slots__ = ("replica_id", "max_wait_ms", "min_bytes", "max_bytes", "isolation_level", "session_id", "session_epoch", "topics", "forgotten_topics_data", "rack_id", "cluster_id", "replica_state")
    API_KEY = 1
    MIN_VERSION = 4
    MAX_VERSION = 18
    FLEXIBLE_FROM = 12

    def __init__(
        self,
        replica_id: int = -1,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        isolation_level: int = 0,
        session_id: int = 0,
        session_epoch: int = -1,
        topics: list[Topics] = FRESH,
        forgotten_topics_data: list[ForgottenTopicsData] = FRESH,
        rack_id: str = '',
        cluster_id: str | None = None,
        replica_state: ReplicaState = _NO_REPLICA_STATE,
    ) -> None:
        self.replica_id = replica_id
        self.max_wait_ms = max_wait_ms
        self.min_bytes = min_bytes
        self.max_bytes = max_bytes
        self.isolation_level = isolation_level
        self.session_id = session_id
        self.session_epoch = session_epoch
        self.topics = [] if topics is FRESH else topics
        self.forgotten_topics_data = [] if forgotten_topics_data is FRESH else forgotten_topics_data
        self.rack_id = rack_id
        self.cluster_id = cluster_id
        self.replica_state = replica_state


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    replica_id_1, max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, n = _u_iiiibi(data, p)
    p += 21
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 16 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, fetch_offset_3, partition_max_bytes_3 = _u_iqi(data, p)
            p += 16
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = -1
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = -1
            o_3.log_start_offset = -1
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = NO_UUID
            o_3.high_watermark = 9223372036854775807
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    o_1 = _new(FetchRequest)
    o_1.replica_id = replica_id_1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = 0
    o_1.session_epoch = -1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = []
    o_1.rack_id = ''
    o_1.cluster_id = None
    o_1.replica_state = _NO_REPLICA_STATE
    return o_1, p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    replica_id_1, max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, n = _u_iiiibi(data, p)
    p += 21
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 24 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, fetch_offset_3, log_start_offset_3, partition_max_bytes_3 = _u_iqqi(data, p)
            p += 24
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = -1
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = -1
            o_3.log_start_offset = log_start_offset_3
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = NO_UUID
            o_3.high_watermark = 9223372036854775807
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    o_1 = _new(FetchRequest)
    o_1.replica_id = replica_id_1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = 0
    o_1.session_epoch = -1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = []
    o_1.rack_id = ''
    o_1.cluster_id = None
    o_1.replica_state = _NO_REPLICA_STATE
    return o_1, p


def _read_7(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    replica_id_1, max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, session_id_1, session_epoch_1, n = _u_iiiibiii(data, p)
    p += 29
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 24 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, fetch_offset_3, log_start_offset_3, partition_max_bytes_3 = _u_iqqi(data, p)
            p += 24
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = -1
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = -1
            o_3.log_start_offset = log_start_offset_3
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = NO_UUID
            o_3.high_watermark = 9223372036854775807
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("forgotten_topics_data", n, end - p, left)
    left[0] -= n
    forgotten_topics_data_1: list[ForgottenTopicsData] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_4 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_4, p = read_numbers("i", 4, data, p, n)
        o_4 = _new(ForgottenTopicsData)
        o_4.topic_id = NO_UUID
        o_4.topic = topic_4
        o_4.partitions = partitions_4
        forgotten_topics_data_1.append(o_4)
    o_1 = _new(FetchRequest)
    o_1.replica_id = replica_id_1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = session_id_1
    o_1.session_epoch = session_epoch_1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = forgotten_topics_data_1
    o_1.rack_id = ''
    o_1.cluster_id = None
    o_1.replica_state = _NO_REPLICA_STATE
    return o_1, p


def _read_9(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    replica_id_1, max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, session_id_1, session_epoch_1, n = _u_iiiibiii(data, p)
    p += 29
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 28 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, current_leader_epoch_3, fetch_offset_3, log_start_offset_3, partition_max_bytes_3 = _u_iiqqi(data, p)
            p += 28
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = current_leader_epoch_3
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = -1
            o_3.log_start_offset = log_start_offset_3
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = NO_UUID
            o_3.high_watermark = 9223372036854775807
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("forgotten_topics_data", n, end - p, left)
    left[0] -= n
    forgotten_topics_data_1: list[ForgottenTopicsData] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_4 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_4, p = read_numbers("i", 4, data, p, n)
        o_4 = _new(ForgottenTopicsData)
        o_4.topic_id = NO_UUID
        o_4.topic = topic_4
        o_4.partitions = partitions_4
        forgotten_topics_data_1.append(o_4)
    o_1 = _new(FetchRequest)
    o_1.replica_id = replica_id_1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = session_id_1
    o_1.session_epoch = session_epoch_1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = forgotten_topics_data_1
    o_1.rack_id = ''
    o_1.cluster_id = None
    o_1.replica_state = _NO_REPLICA_STATE
    return o_1, p


def _read_11(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    replica_id_1, max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, session_id_1, session_epoch_1, n = _u_iiiibiii(data, p)
    p += 29
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 28 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, current_leader_epoch_3, fetch_offset_3, log_start_offset_3, partition_max_bytes_3 = _u_iiqqi(data, p)
            p += 28
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = current_leader_epoch_3
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = -1
            o_3.log_start_offset = log_start_offset_3
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = NO_UUID
            o_3.high_watermark = 9223372036854775807
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("forgotten_topics_data", n, end - p, left)
    left[0] -= n
    forgotten_topics_data_1: list[ForgottenTopicsData] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_4 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_4, p = read_numbers("i", 4, data, p, n)
        o_4 = _new(ForgottenTopicsData)
        o_4.topic_id = NO_UUID
        o_4.topic = topic_4
        o_4.partitions = partitions_4
        forgotten_topics_data_1.append(o_4)
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("rack_id", n, end - p)
    rack_id_1 = data[p:q].tobytes().decode()
    p = q
    o_1 = _new(FetchRequest)
    o_1.replica_id = replica_id_1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = session_id_1
    o_1.session_epoch = session_epoch_1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = forgotten_topics_data_1
    o_1.rack_id = rack_id_1
    o_1.cluster_id = None
    o_1.replica_state = _NO_REPLICA_STATE
    return o_1, p


def _read_12(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    replica_id_1, max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, session_id_1, session_epoch_1, n = _u_iiiibiiB(data, p)
    p += 26
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 33 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, current_leader_epoch_3, fetch_offset_3, last_fetched_epoch_3, log_start_offset_3, partition_max_bytes_3, n = _u_iiqiqiB(data, p)
            p += 33
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = current_leader_epoch_3
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = last_fetched_epoch_3
            o_3.log_start_offset = log_start_offset_3
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = NO_UUID
            o_3.high_watermark = 9223372036854775807
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("forgotten_topics_data", n, end - p, left)
    left[0] -= n
    forgotten_topics_data_1: list[ForgottenTopicsData] = []
    for _ in _ONCE if n == 1 else range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_4 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_4, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_4 = _new(ForgottenTopicsData)
        o_4.topic_id = NO_UUID
        o_4.topic = topic_4
        o_4.partitions = partitions_4
        forgotten_topics_data_1.append(o_4)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("rack_id", n, end - p)
    rack_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    cluster_id_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    cluster_id_1_tagged = None
                else:
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("cluster_id", n, stop_1 - p)
                    cluster_id_1_tagged = data[p:q].tobytes().decode()
                    p = q
                cluster_id_1 = cluster_id_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    o_1 = _new(FetchRequest)
    o_1.replica_id = replica_id_1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = session_id_1
    o_1.session_epoch = session_epoch_1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = forgotten_topics_data_1
    o_1.rack_id = rack_id_1
    o_1.cluster_id = cluster_id_1
    o_1.replica_state = _NO_REPLICA_STATE
    return o_1, p


def _read_13(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    replica_id_1, max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, session_id_1, session_epoch_1, n = _u_iiiibiiB(data, p)
    p += 26
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 33 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, current_leader_epoch_3, fetch_offset_3, last_fetched_epoch_3, log_start_offset_3, partition_max_bytes_3, n = _u_iiqiqiB(data, p)
            p += 33
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = current_leader_epoch_3
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = last_fetched_epoch_3
            o_3.log_start_offset = log_start_offset_3
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = NO_UUID
            o_3.high_watermark = 9223372036854775807
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Topics)
        o_2.topic_id = topic_id_2
        o_2.topic = ''
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("forgotten_topics_data", n, end - p, left)
    left[0] -= n
    forgotten_topics_data_1: list[ForgottenTopicsData] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_4, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_4, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_4 = _new(ForgottenTopicsData)
        o_4.topic_id = topic_id_4
        o_4.topic = ''
        o_4.partitions = partitions_4
        forgotten_topics_data_1.append(o_4)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("rack_id", n, end - p)
    rack_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    cluster_id_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    cluster_id_1_tagged = None
                else:
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("cluster_id", n, stop_1 - p)
                    cluster_id_1_tagged = data[p:q].tobytes().decode()
                    p = q
                cluster_id_1 = cluster_id_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    o_1 = _new(FetchRequest)
    o_1.replica_id = replica_id_1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = session_id_1
    o_1.session_epoch = session_epoch_1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = forgotten_topics_data_1
    o_1.rack_id = rack_id_1
    o_1.cluster_id = cluster_id_1
    o_1.replica_state = _NO_REPLICA_STATE
    return o_1, p


def _read_15(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, session_id_1, session_epoch_1, n = _u_iiibiiB(data, p)
    p += 22
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 33 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, current_leader_epoch_3, fetch_offset_3, last_fetched_epoch_3, log_start_offset_3, partition_max_bytes_3, n = _u_iiqiqiB(data, p)
            p += 33
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = current_leader_epoch_3
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = last_fetched_epoch_3
            o_3.log_start_offset = log_start_offset_3
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = NO_UUID
            o_3.high_watermark = 9223372036854775807
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Topics)
        o_2.topic_id = topic_id_2
        o_2.topic = ''
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("forgotten_topics_data", n, end - p, left)
    left[0] -= n
    forgotten_topics_data_1: list[ForgottenTopicsData] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_4, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_4, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_4 = _new(ForgottenTopicsData)
        o_4.topic_id = topic_id_4
        o_4.topic = ''
        o_4.partitions = partitions_4
        forgotten_topics_data_1.append(o_4)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("rack_id", n, end - p)
    rack_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    cluster_id_1: Any = None
    replica_state_1: Any = _NO_REPLICA_STATE
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    cluster_id_1_tagged = None
                else:
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("cluster_id", n, stop_1 - p)
                    cluster_id_1_tagged = data[p:q].tobytes().decode()
                    p = q
                cluster_id_1 = cluster_id_1_tagged
            elif tag_1 == 1:
                replica_id_5, replica_epoch_5, n = _u_iqB(data, p)
                p += 13
                if n:
                    p = skip_tags(data, p - 1, stop_1)
                o_5 = _new(ReplicaState)
                o_5.replica_id = replica_id_5
                o_5.replica_epoch = replica_epoch_5
                replica_state_1 = o_5
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    o_1 = _new(FetchRequest)
    o_1.replica_id = -1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = session_id_1
    o_1.session_epoch = session_epoch_1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = forgotten_topics_data_1
    o_1.rack_id = rack_id_1
    o_1.cluster_id = cluster_id_1
    o_1.replica_state = replica_state_1
    return o_1, p


def _read_17(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, session_id_1, session_epoch_1, n = _u_iiibiiB(data, p)
    p += 22
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 33 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, current_leader_epoch_3, fetch_offset_3, last_fetched_epoch_3, log_start_offset_3, partition_max_bytes_3, n = _u_iiqiqiB(data, p)
            p += 33
            replica_directory_id_3: Any = NO_UUID
            if n:
                spans_3, after_3 = read_tags(data, p - 1, end)
                for tag_3, p, stop_3 in spans_3:
                    if tag_3 == 0:
                        (replica_directory_id_3_tagged,) = _u_16s(data, p)
                        p += 16
                        replica_directory_id_3 = replica_directory_id_3_tagged
                    else:
                        continue
                    if p != stop_3:
                        raise wrong_tag_size(tag_3, p, stop_3)
                p = after_3
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = current_leader_epoch_3
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = last_fetched_epoch_3
            o_3.log_start_offset = log_start_offset_3
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = replica_directory_id_3
            o_3.high_watermark = 9223372036854775807
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Topics)
        o_2.topic_id = topic_id_2
        o_2.topic = ''
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("forgotten_topics_data", n, end - p, left)
    left[0] -= n
    forgotten_topics_data_1: list[ForgottenTopicsData] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_4, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_4, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_4 = _new(ForgottenTopicsData)
        o_4.topic_id = topic_id_4
        o_4.topic = ''
        o_4.partitions = partitions_4
        forgotten_topics_data_1.append(o_4)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("rack_id", n, end - p)
    rack_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    cluster_id_1: Any = None
    replica_state_1: Any = _NO_REPLICA_STATE
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    cluster_id_1_tagged = None
                else:
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("cluster_id", n, stop_1 - p)
                    cluster_id_1_tagged = data[p:q].tobytes().decode()
                    p = q
                cluster_id_1 = cluster_id_1_tagged
            elif tag_1 == 1:
                replica_id_5, replica_epoch_5, n = _u_iqB(data, p)
                p += 13
                if n:
                    p = skip_tags(data, p - 1, stop_1)
                o_5 = _new(ReplicaState)
                o_5.replica_id = replica_id_5
                o_5.replica_epoch = replica_epoch_5
                replica_state_1 = o_5
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    o_1 = _new(FetchRequest)
    o_1.replica_id = -1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = session_id_1
    o_1.session_epoch = session_epoch_1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = forgotten_topics_data_1
    o_1.rack_id = rack_id_1
    o_1.cluster_id = cluster_id_1
    o_1.replica_state = replica_state_1
    return o_1, p


def _read_18(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchRequest, int]:
    max_wait_ms_1, min_bytes_1, max_bytes_1, isolation_level_1, session_id_1, session_epoch_1, n = _u_iiibiiB(data, p)
    p += 22
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 33 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_3, current_leader_epoch_3, fetch_offset_3, last_fetched_epoch_3, log_start_offset_3, partition_max_bytes_3, n = _u_iiqiqiB(data, p)
            p += 33
            replica_directory_id_3: Any = NO_UUID
            high_watermark_3: Any = 9223372036854775807
            if n:
                spans_3, after_3 = read_tags(data, p - 1, end)
                for tag_3, p, stop_3 in spans_3:
                    if tag_3 == 0:
                        (replica_directory_id_3_tagged,) = _u_16s(data, p)
                        p += 16
                        replica_directory_id_3 = replica_directory_id_3_tagged
                    elif tag_3 == 1:
                        (high_watermark_3_tagged,) = _u_q(data, p)
                        p += 8
                        high_watermark_3 = high_watermark_3_tagged
                    else:
                        continue
                    if p != stop_3:
                        raise wrong_tag_size(tag_3, p, stop_3)
                p = after_3
            o_3 = _new(Partitions)
            o_3.partition = partition_3
            o_3.current_leader_epoch = current_leader_epoch_3
            o_3.fetch_offset = fetch_offset_3
            o_3.last_fetched_epoch = last_fetched_epoch_3
            o_3.log_start_offset = log_start_offset_3
            o_3.partition_max_bytes = partition_max_bytes_3
            o_3.replica_directory_id = replica_directory_id_3
            o_3.high_watermark = high_watermark_3
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Topics)
        o_2.topic_id = topic_id_2
        o_2.topic = ''
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("forgotten_topics_data", n, end - p, left)
    left[0] -= n
    forgotten_topics_data_1: list[ForgottenTopicsData] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_4, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_4, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_4 = _new(ForgottenTopicsData)
        o_4.topic_id = topic_id_4
        o_4.topic = ''
        o_4.partitions = partitions_4
        forgotten_topics_data_1.append(o_4)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("rack_id", n, end - p)
    rack_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    cluster_id_1: Any = None
    replica_state_1: Any = _NO_REPLICA_STATE
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    cluster_id_1_tagged = None
                else:
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("cluster_id", n, stop_1 - p)
                    cluster_id_1_tagged = data[p:q].tobytes().decode()
                    p = q
                cluster_id_1 = cluster_id_1_tagged
            elif tag_1 == 1:
                replica_id_5, replica_epoch_5, n = _u_iqB(data, p)
                p += 13
                if n:
                    p = skip_tags(data, p - 1, stop_1)
                o_5 = _new(ReplicaState)
                o_5.replica_id = replica_id_5
                o_5.replica_epoch = replica_epoch_5
                replica_state_1 = o_5
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    o_1 = _new(FetchRequest)
    o_1.replica_id = -1
    o_1.max_wait_ms = max_wait_ms_1
    o_1.min_bytes = min_bytes_1
    o_1.max_bytes = max_bytes_1
    o_1.isolation_level = isolation_level_1
    o_1.session_id = session_id_1
    o_1.session_epoch = session_epoch_1
    o_1.topics = topics_1
    o_1.forgotten_topics_data = forgotten_topics_data_1
    o_1.rack_id = rack_id_1
    o_1.cluster_id = cluster_id_1
    o_1.replica_state = replica_state_1
    return o_1, p


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiiibi(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_iqi(e_2.partition, e_2.fetch_offset, e_2.partition_max_bytes)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiiibi(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_iqqi(e_2.partition, e_2.fetch_offset, e_2.log_start_offset, e_2.partition_max_bytes)


def _write_7(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiiibiii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_iqqi(e_2.partition, e_2.fetch_offset, e_2.log_start_offset, e_2.partition_max_bytes)
    items_3 = m.forgotten_topics_data
    out += _p_i(len(items_3))
    for e_3 in items_3:
        b = e_3.topic.encode()
        out += _p_h(len(b))
        out += b
        items_4 = e_3.partitions
        out += _p_i(len(items_4))
        if items_4:
            put_numbers(out, "i", items_4)


def _write_9(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiiibiii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_iiqqi(e_2.partition, e_2.current_leader_epoch, e_2.fetch_offset, e_2.log_start_offset, e_2.partition_max_bytes)
    items_3 = m.forgotten_topics_data
    out += _p_i(len(items_3))
    for e_3 in items_3:
        b = e_3.topic.encode()
        out += _p_h(len(b))
        out += b
        items_4 = e_3.partitions
        out += _p_i(len(items_4))
        if items_4:
            put_numbers(out, "i", items_4)


def _write_11(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiiibiii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_iiqqi(e_2.partition, e_2.current_leader_epoch, e_2.fetch_offset, e_2.log_start_offset, e_2.partition_max_bytes)
    items_3 = m.forgotten_topics_data
    out += _p_i(len(items_3))
    for e_3 in items_3:
        b = e_3.topic.encode()
        out += _p_h(len(b))
        out += b
        items_4 = e_3.partitions
        out += _p_i(len(items_4))
        if items_4:
            put_numbers(out, "i", items_4)
    b = m.rack_id.encode()
    out += _p_h(len(b))
    out += b


def _write_12(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iiqiqix(e_2.partition, e_2.current_leader_epoch, e_2.fetch_offset, e_2.last_fetched_epoch, e_2.log_start_offset, e_2.partition_max_bytes)
        out.append(0)
    items_3 = m.forgotten_topics_data
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_3 in items_3:
        b = e_3.topic.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_4 = e_3.partitions
        n = len(items_4) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_4:
            put_numbers(out, "i", items_4)
        out.append(0)
    b = m.rack_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    tags_5: list[tuple[int, bytes | bytearray]] = []
    if m.cluster_id is not None:
        tags_5_out = bytearray()
        if m.cluster_id is None:
            tags_5_out.append(0)
        else:
            b = m.cluster_id.encode()
            n = len(b) + 1
            if n < 128:
                tags_5_out.append(n)
            else:
                put_string_length(tags_5_out, n)
            tags_5_out += b
        tags_5.append((0, tags_5_out))
    if tags_5:
        put_tags(out, tags_5)
    else:
        out.append(0)


def _write_13(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partitions
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iiqiqix(e_2.partition, e_2.current_leader_epoch, e_2.fetch_offset, e_2.last_fetched_epoch, e_2.log_start_offset, e_2.partition_max_bytes)
        out.append(0)
    items_3 = m.forgotten_topics_data
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_3 in items_3:
        items_4 = e_3.partitions
        out += _p_16s(e_3.topic_id)
        n = len(items_4) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_4:
            put_numbers(out, "i", items_4)
        out.append(0)
    b = m.rack_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    tags_5: list[tuple[int, bytes | bytearray]] = []
    if m.cluster_id is not None:
        tags_5_out = bytearray()
        if m.cluster_id is None:
            tags_5_out.append(0)
        else:
            b = m.cluster_id.encode()
            n = len(b) + 1
            if n < 128:
                tags_5_out.append(n)
            else:
                put_string_length(tags_5_out, n)
            tags_5_out += b
        tags_5.append((0, tags_5_out))
    if tags_5:
        put_tags(out, tags_5)
    else:
        out.append(0)


def _write_15(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partitions
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iiqiqix(e_2.partition, e_2.current_leader_epoch, e_2.fetch_offset, e_2.last_fetched_epoch, e_2.log_start_offset, e_2.partition_max_bytes)
        out.append(0)
    items_3 = m.forgotten_topics_data
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_3 in items_3:
        items_4 = e_3.partitions
        out += _p_16s(e_3.topic_id)
        n = len(items_4) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_4:
            put_numbers(out, "i", items_4)
        out.append(0)
    b = m.rack_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    tags_5: list[tuple[int, bytes | bytearray]] = []
    if m.cluster_id is not None:
        tags_5_out = bytearray()
        if m.cluster_id is None:
            tags_5_out.append(0)
        else:
            b = m.cluster_id.encode()
            n = len(b) + 1
            if n < 128:
                tags_5_out.append(n)
            else:
                put_string_length(tags_5_out, n)
            tags_5_out += b
        tags_5.append((0, tags_5_out))
    if m.replica_state is not _NO_REPLICA_STATE and m.replica_state != _NO_REPLICA_STATE:
        tags_5_out = bytearray()
        tags_5_out += _p_iqx(m.replica_state.replica_id, m.replica_state.replica_epoch)
        tags_5.append((1, tags_5_out))
    if tags_5:
        put_tags(out, tags_5)
    else:
        out.append(0)


def _write_17(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partitions
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iiqiqi(e_2.partition, e_2.current_leader_epoch, e_2.fetch_offset, e_2.last_fetched_epoch, e_2.log_start_offset, e_2.partition_max_bytes)
            if e_2.replica_directory_id != NO_UUID:
                out += _p_BBB16s(1, 0, 16, e_2.replica_directory_id)
            else:
                out.append(0)
        out.append(0)
    items_3 = m.forgotten_topics_data
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_3 in items_3:
        items_4 = e_3.partitions
        out += _p_16s(e_3.topic_id)
        n = len(items_4) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_4:
            put_numbers(out, "i", items_4)
        out.append(0)
    b = m.rack_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    tags_5: list[tuple[int, bytes | bytearray]] = []
    if m.cluster_id is not None:
        tags_5_out = bytearray()
        if m.cluster_id is None:
            tags_5_out.append(0)
        else:
            b = m.cluster_id.encode()
            n = len(b) + 1
            if n < 128:
                tags_5_out.append(n)
            else:
                put_string_length(tags_5_out, n)
            tags_5_out += b
        tags_5.append((0, tags_5_out))
    if m.replica_state is not _NO_REPLICA_STATE and m.replica_state != _NO_REPLICA_STATE:
        tags_5_out = bytearray()
        tags_5_out += _p_iqx(m.replica_state.replica_id, m.replica_state.replica_epoch)
        tags_5.append((1, tags_5_out))
    if tags_5:
        put_tags(out, tags_5)
    else:
        out.append(0)


def _write_18(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partitions
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iiqiqi(e_2.partition, e_2.current_leader_epoch, e_2.fetch_offset, e_2.last_fetched_epoch, e_2.log_start_offset, e_2.partition_max_bytes)
            tags_3: list[tuple[int, bytes | bytearray]] = []
            if e_2.replica_directory_id != NO_UUID:
                tags_3.append((0, _p_16s(e_2.replica_directory_id)))
            if e_2.high_watermark != 9223372036854775807:
                tags_3.append((1, _p_q(e_2.high_watermark)))
            if tags_3:
                put_tags(out, tags_3)
            else:
                out.append(0)
        out.append(0)
    items_4 = m.forgotten_topics_data
    n = len(items_4) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_4 in items_4:
        items_5 = e_4.partitions
        out += _p_16s(e_4.topic_id)
        n = len(items_5) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_5:
            put_numbers(out, "i", items_5)
        out.append(0)
    b = m.rack_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    tags_6: list[tuple[int, bytes | bytearray]] = []
    if m.cluster_id is not None:
        tags_6_out = bytearray()
        if m.cluster_id is None:
            tags_6_out.append(0)
        else:
            b = m.cluster_id.encode()
            n = len(b) + 1
            if n < 128:
                tags_6_out.append(n)
            else:
                put_string_length(tags_6_out, n)
            tags_6_out += b
        tags_6.append((0, tags_6_out))
    if m.replica_state is not _NO_REPLICA_STATE and m.replica_state != _NO_REPLICA_STATE:
        tags_6_out = bytearray()
        tags_6_out += _p_iqx(m.replica_state.replica_id, m.replica_state.replica_epoch)
        tags_6.append((1, tags_6_out))
    if tags_6:
        put_tags(out, tags_6)
    else:
        out.append(0)


FetchRequest._READERS = {4: _read_4, 5: _read_5, 6: _read_5, 7: _read_7, 8: _read_7, 9: _read_9, 10: _read_9, 11: _read_11, 12: _read_12, 13: _read_13, 14: _read_13, 15: _read_15, 16: _read_15, 17: _read_17, 18: _read_18}
FetchRequest._WRITERS = {4: _write_4, 5: _write_5, 6: _write_5, 7: _write_7, 8: _write_7, 9: _write_9, 10: _write_9, 11: _write_11, 12: _write_12, 13: _write_13, 14: _write_13, 15: _write_15, 16: _write_15, 17: _write_17, 18: _write_18}
