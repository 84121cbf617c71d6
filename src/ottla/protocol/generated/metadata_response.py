"""Metadata response (key 3), versions 0-13, flexible from 9.

Generated from schemas/metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_hh = _Struct(">hh").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_h = _Struct(">h").unpack_from
_u_ti = _Struct(">?i").unpack_from
_u_hiii = _Struct(">hiii").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_u_hiiii = _Struct(">hiiii").unpack_from
_u_hiiiB = _Struct(">hiiiB").unpack_from
_u_16stB = _Struct(">16s?B").unpack_from
_p_i = _Struct(">i").pack
_p_ih = _Struct(">ih").pack
_p_hh = _Struct(">hh").pack
_p_ii = _Struct(">ii").pack
_p_h = _Struct(">h").pack
_p_ti = _Struct(">?i").pack
_p_hiii = _Struct(">hiii").pack
_p_t = _Struct(">?").pack
_p_ix = _Struct(">ix").pack
_p_hx = _Struct(">hx").pack
_p_hiiii = _Struct(">hiiii").pack
_p_16st = _Struct(">16s?").pack


class Brokers(Struct):
    __slots__ = ("node_id", "host", "port", "rack")

    def __init__(
        self,
        node_id: int = 0,
        host: str = '',
        port: int = 0,
        rack: str | None = None,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


class Partitions(Struct):
    __slots__ = ("error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes", "offline_replicas")

    def __init__(
        self,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: list[int] = FRESH,
        isr_nodes: list[int] = FRESH,
        offline_replicas: list[int] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes = [] if replica_nodes is FRESH else replica_nodes
        self.isr_nodes = [] if isr_nodes is FRESH else isr_nodes
        self.offline_replicas = [] if offline_replicas is FRESH else offline_replicas


class Topics(Struct):
    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        name: str | None = '',
        topic_id: bytes = NO_UUID,
        is_internal: bool = False,
        partitions: list[Partitions] = FRESH,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions = [] if partitions is FRESH else partitions
        self.topic_authorized_operations = topic_authorized_operations


class MetadataResponse(Message):
    __slots__ = ("throttle_time_ms", "brokers", "cluster_id", "controller_id", "topics", "error_code", "cluster_authorized_operations")
    API_KEY = 3
    MIN_VERSION = 0
    MAX_VERSION = 13
    FLEXIBLE_FROM = 9

    def __init__(
        self,
        throttle_time_ms: int = 0,
        brokers: list[Brokers] = FRESH,
        cluster_id: str | None = None,
        controller_id: int = -1,
        topics: list[Topics] = FRESH,
        error_code: int = 0,
        cluster_authorized_operations: int = -2147483648,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.brokers = [] if brokers is FRESH else brokers
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.topics = [] if topics is FRESH else topics
        self.error_code = error_code
        self.cluster_authorized_operations = cluster_authorized_operations


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 10 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        node_id_2, n = _u_ih(data, p)
        p += 6
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host", n, end - p)
        host_2 = data[p:q].tobytes().decode()
        p = q
        (port_2,) = _u_i(data, p)
        p += 4
        brokers_1.append(Brokers(node_id_2, host_2, port_2))
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        error_code_3, n = _u_hh(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_3 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_3: list[Partitions] = []
        for _ in range(n):
            s_4, p = _read_Partitions_0(data, p, end, left)
            partitions_3.append(s_4)
        topics_1.append(Topics(error_code_3, name_3, NO_UUID, False, partitions_3))
    return MetadataResponse(0, brokers_1, None, -1, topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_1(data, p, end, left)
        brokers_1.append(s_2)
    controller_id_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 9 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_3, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_3)
    return MetadataResponse(0, brokers_1, None, controller_id_1, topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_1(data, p, end, left)
        brokers_1.append(s_2)
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 9 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_3, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_3)
    return MetadataResponse(0, brokers_1, cluster_id_1, controller_id_1, topics_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_1(data, p, end, left)
        brokers_1.append(s_2)
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 9 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_3, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_3)
    return MetadataResponse(throttle_time_ms_1, brokers_1, cluster_id_1, controller_id_1, topics_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_1(data, p, end, left)
        brokers_1.append(s_2)
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 9 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        error_code_3, n = _u_hh(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_3 = data[p:q].tobytes().decode()
        p = q
        is_internal_3, n = _u_ti(data, p)
        p += 5
        if n < 0 or n * 22 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_3: list[Partitions] = []
        for _ in range(n):
            error_code_4, partition_index_4, leader_id_4, n = _u_hiii(data, p)
            p += 14
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("replica_nodes", n, end - p, left)
            left[0] -= n
            replica_nodes_4, p = read_numbers("i", 4, data, p, n)
            (n,) = _u_i(data, p)
            p += 4
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("isr_nodes", n, end - p, left)
            left[0] -= n
            isr_nodes_4, p = read_numbers("i", 4, data, p, n)
            (n,) = _u_i(data, p)
            p += 4
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("offline_replicas", n, end - p, left)
            left[0] -= n
            offline_replicas_4, p = read_numbers("i", 4, data, p, n)
            partitions_3.append(Partitions(error_code_4, partition_index_4, leader_id_4, -1, replica_nodes_4, isr_nodes_4, offline_replicas_4))
        topics_1.append(Topics(error_code_3, name_3, NO_UUID, is_internal_3, partitions_3))
    return MetadataResponse(throttle_time_ms_1, brokers_1, cluster_id_1, controller_id_1, topics_1), p


def _read_7(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_1(data, p, end, left)
        brokers_1.append(s_2)
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 9 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        error_code_3, n = _u_hh(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_3 = data[p:q].tobytes().decode()
        p = q
        is_internal_3, n = _u_ti(data, p)
        p += 5
        if n < 0 or n * 26 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_3: list[Partitions] = []
        for _ in range(n):
            s_4, p = _read_Partitions_7(data, p, end, left)
            partitions_3.append(s_4)
        topics_1.append(Topics(error_code_3, name_3, NO_UUID, is_internal_3, partitions_3))
    return MetadataResponse(throttle_time_ms_1, brokers_1, cluster_id_1, controller_id_1, topics_1), p


def _read_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_1(data, p, end, left)
        brokers_1.append(s_2)
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 13 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        error_code_3, n = _u_hh(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_3 = data[p:q].tobytes().decode()
        p = q
        is_internal_3, n = _u_ti(data, p)
        p += 5
        if n < 0 or n * 26 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_3: list[Partitions] = []
        for _ in range(n):
            s_4, p = _read_Partitions_7(data, p, end, left)
            partitions_3.append(s_4)
        (topic_authorized_operations_3,) = _u_i(data, p)
        p += 4
        topics_1.append(Topics(error_code_3, name_3, NO_UUID, is_internal_3, partitions_3, topic_authorized_operations_3))
    (cluster_authorized_operations_1,) = _u_i(data, p)
    p += 4
    return MetadataResponse(throttle_time_ms_1, brokers_1, cluster_id_1, controller_id_1, topics_1, 0, cluster_authorized_operations_1), p


def _read_9(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_9(data, p, end, left)
        brokers_1.append(s_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 10 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        error_code_3, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_3 = data[p:q].tobytes().decode()
        p = q
        is_internal_3, n = _u_tB(data, p)
        p += 2
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_3: list[Partitions] = []
        for _ in range(n):
            s_4, p = _read_Partitions_9(data, p, end, left)
            partitions_3.append(s_4)
        topic_authorized_operations_3, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(error_code_3, name_3, NO_UUID, is_internal_3, partitions_3, topic_authorized_operations_3))
    cluster_authorized_operations_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return MetadataResponse(throttle_time_ms_1, brokers_1, cluster_id_1, controller_id_1, topics_1, 0, cluster_authorized_operations_1), p


def _read_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_9(data, p, end, left)
        brokers_1.append(s_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 26 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_3, p = _read_Topics_10(data, p, end, left)
        topics_1.append(s_3)
    cluster_authorized_operations_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return MetadataResponse(throttle_time_ms_1, brokers_1, cluster_id_1, controller_id_1, topics_1, 0, cluster_authorized_operations_1), p


def _read_11(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_9(data, p, end, left)
        brokers_1.append(s_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 26 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_3, p = _read_Topics_10(data, p, end, left)
        topics_1.append(s_3)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return MetadataResponse(throttle_time_ms_1, brokers_1, cluster_id_1, controller_id_1, topics_1), p


def _read_12(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_9(data, p, end, left)
        brokers_1.append(s_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 26 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_3, p = _read_Topics_12(data, p, end, left)
        topics_1.append(s_3)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return MetadataResponse(throttle_time_ms_1, brokers_1, cluster_id_1, controller_id_1, topics_1), p


def _read_13(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_9(data, p, end, left)
        brokers_1.append(s_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    controller_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 26 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_3, p = _read_Topics_12(data, p, end, left)
        topics_1.append(s_3)
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return MetadataResponse(throttle_time_ms_1, brokers_1, cluster_id_1, controller_id_1, topics_1, error_code_1), p


def _read_Partitions_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Partitions, int]:
    error_code_1, partition_index_1, leader_id_1, n = _u_hiii(data, p)
    p += 14
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("replica_nodes", n, end - p, left)
    left[0] -= n
    replica_nodes_1, p = read_numbers("i", 4, data, p, n)
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("isr_nodes", n, end - p, left)
    left[0] -= n
    isr_nodes_1, p = read_numbers("i", 4, data, p, n)
    return Partitions(error_code_1, partition_index_1, leader_id_1, -1, replica_nodes_1, isr_nodes_1), p


def _read_Brokers_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Brokers, int]:
    node_id_1, n = _u_ih(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("host", n, end - p)
    host_1 = data[p:q].tobytes().decode()
    p = q
    port_1, n = _u_ih(data, p)
    p += 6
    if n == -1:
        rack_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("rack", n, end - p)
        rack_1 = data[p:q].tobytes().decode()
        p = q
    return Brokers(node_id_1, host_1, port_1, rack_1), p


def _read_Topics_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    error_code_1, n = _u_hh(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    is_internal_1, n = _u_ti(data, p)
    p += 5
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        s_2, p = _read_Partitions_0(data, p, end, left)
        partitions_1.append(s_2)
    return Topics(error_code_1, name_1, NO_UUID, is_internal_1, partitions_1), p


def _read_Partitions_7(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Partitions, int]:
    error_code_1, partition_index_1, leader_id_1, leader_epoch_1, n = _u_hiiii(data, p)
    p += 18
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("replica_nodes", n, end - p, left)
    left[0] -= n
    replica_nodes_1, p = read_numbers("i", 4, data, p, n)
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("isr_nodes", n, end - p, left)
    left[0] -= n
    isr_nodes_1, p = read_numbers("i", 4, data, p, n)
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("offline_replicas", n, end - p, left)
    left[0] -= n
    offline_replicas_1, p = read_numbers("i", 4, data, p, n)
    return Partitions(error_code_1, partition_index_1, leader_id_1, leader_epoch_1, replica_nodes_1, isr_nodes_1, offline_replicas_1), p


def _read_Brokers_9(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Brokers, int]:
    node_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("host", n, end - p)
    host_1 = data[p:q].tobytes().decode()
    p = q
    port_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        rack_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("rack", n, end - p)
        rack_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Brokers(node_id_1, host_1, port_1, rack_1), p


def _read_Partitions_9(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Partitions, int]:
    error_code_1, partition_index_1, leader_id_1, leader_epoch_1, n = _u_hiiiB(data, p)
    p += 15
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("replica_nodes", n, end - p, left)
    left[0] -= n
    replica_nodes_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("isr_nodes", n, end - p, left)
    left[0] -= n
    isr_nodes_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("offline_replicas", n, end - p, left)
    left[0] -= n
    offline_replicas_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Partitions(error_code_1, partition_index_1, leader_id_1, leader_epoch_1, replica_nodes_1, isr_nodes_1, offline_replicas_1), p


def _read_Topics_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    topic_id_1, is_internal_1, n = _u_16stB(data, p)
    p += 18
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        s_2, p = _read_Partitions_9(data, p, end, left)
        partitions_1.append(s_2)
    topic_authorized_operations_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(error_code_1, name_1, topic_id_1, is_internal_1, partitions_1, topic_authorized_operations_1), p


def _read_Topics_12(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        name_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_1 = data[p:q].tobytes().decode()
        p = q
    topic_id_1, is_internal_1, n = _u_16stB(data, p)
    p += 18
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        s_2, p = _read_Partitions_9(data, p, end, left)
        partitions_1.append(s_2)
    topic_authorized_operations_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(error_code_1, name_1, topic_id_1, is_internal_1, partitions_1, topic_authorized_operations_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.host.encode()
        out += _p_ih(e_1.node_id, len(b))
        out += b
        out += _p_i(e_1.port)
    items_2 = m.topics
    out += _p_i(len(items_2))
    for e_2 in items_2:
        b = e_2.name.encode()
        out += _p_hh(e_2.error_code, len(b))
        out += b
        items_3 = e_2.partitions
        out += _p_i(len(items_3))
        for e_3 in items_3:
            _write_Partitions_0(e_3, out)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Brokers_1(e_1, out)
    items_2 = m.topics
    out += _p_ii(m.controller_id, len(items_2))
    for e_2 in items_2:
        _write_Topics_1(e_2, out)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Brokers_1(e_1, out)
    if m.cluster_id is None:
        n, b = -1, b""
    else:
        b = m.cluster_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_2 = m.topics
    out += _p_ii(m.controller_id, len(items_2))
    for e_2 in items_2:
        _write_Topics_1(e_2, out)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        _write_Brokers_1(e_1, out)
    if m.cluster_id is None:
        n, b = -1, b""
    else:
        b = m.cluster_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_2 = m.topics
    out += _p_ii(m.controller_id, len(items_2))
    for e_2 in items_2:
        _write_Topics_1(e_2, out)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        _write_Brokers_1(e_1, out)
    if m.cluster_id is None:
        n, b = -1, b""
    else:
        b = m.cluster_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_2 = m.topics
    out += _p_ii(m.controller_id, len(items_2))
    for e_2 in items_2:
        b = e_2.name.encode()
        out += _p_hh(e_2.error_code, len(b))
        out += b
        items_3 = e_2.partitions
        out += _p_ti(e_2.is_internal, len(items_3))
        for e_3 in items_3:
            items_4 = e_3.replica_nodes
            out += _p_hiii(e_3.error_code, e_3.partition_index, e_3.leader_id, len(items_4))
            if items_4:
                put_numbers(out, "i", items_4)
            items_5 = e_3.isr_nodes
            out += _p_i(len(items_5))
            if items_5:
                put_numbers(out, "i", items_5)
            items_6 = e_3.offline_replicas
            out += _p_i(len(items_6))
            if items_6:
                put_numbers(out, "i", items_6)


def _write_7(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        _write_Brokers_1(e_1, out)
    if m.cluster_id is None:
        n, b = -1, b""
    else:
        b = m.cluster_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_2 = m.topics
    out += _p_ii(m.controller_id, len(items_2))
    for e_2 in items_2:
        b = e_2.name.encode()
        out += _p_hh(e_2.error_code, len(b))
        out += b
        items_3 = e_2.partitions
        out += _p_ti(e_2.is_internal, len(items_3))
        for e_3 in items_3:
            _write_Partitions_7(e_3, out)


def _write_8(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        _write_Brokers_1(e_1, out)
    if m.cluster_id is None:
        n, b = -1, b""
    else:
        b = m.cluster_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_2 = m.topics
    out += _p_ii(m.controller_id, len(items_2))
    for e_2 in items_2:
        b = e_2.name.encode()
        out += _p_hh(e_2.error_code, len(b))
        out += b
        items_3 = e_2.partitions
        out += _p_ti(e_2.is_internal, len(items_3))
        for e_3 in items_3:
            _write_Partitions_7(e_3, out)
        out += _p_i(e_2.topic_authorized_operations)
    out += _p_i(m.cluster_authorized_operations)


def _write_9(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Brokers_9(e_1, out)
    if m.cluster_id is None:
        out.append(0)
    else:
        b = m.cluster_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_2 = m.topics
    out += _p_i(m.controller_id)
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        out += _p_h(e_2.error_code)
        b = e_2.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_3 = e_2.partitions
        out += _p_t(e_2.is_internal)
        n = len(items_3) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_3 in items_3:
            _write_Partitions_9(e_3, out)
        out += _p_ix(e_2.topic_authorized_operations)
    out += _p_ix(m.cluster_authorized_operations)


def _write_10(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Brokers_9(e_1, out)
    if m.cluster_id is None:
        out.append(0)
    else:
        b = m.cluster_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_2 = m.topics
    out += _p_i(m.controller_id)
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_Topics_10(e_2, out)
    out += _p_ix(m.cluster_authorized_operations)


def _write_11(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Brokers_9(e_1, out)
    if m.cluster_id is None:
        out.append(0)
    else:
        b = m.cluster_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_2 = m.topics
    out += _p_i(m.controller_id)
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_Topics_10(e_2, out)
    out.append(0)


def _write_12(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Brokers_9(e_1, out)
    if m.cluster_id is None:
        out.append(0)
    else:
        b = m.cluster_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_2 = m.topics
    out += _p_i(m.controller_id)
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_Topics_12(e_2, out)
    out.append(0)


def _write_13(m: Any, out: bytearray) -> None:
    items_1 = m.brokers
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Brokers_9(e_1, out)
    if m.cluster_id is None:
        out.append(0)
    else:
        b = m.cluster_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_2 = m.topics
    out += _p_i(m.controller_id)
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_Topics_12(e_2, out)
    out += _p_hx(m.error_code)


def _write_Partitions_0(m: Any, out: bytearray) -> None:
    items_1 = m.replica_nodes
    out += _p_hiii(m.error_code, m.partition_index, m.leader_id, len(items_1))
    if items_1:
        put_numbers(out, "i", items_1)
    items_2 = m.isr_nodes
    out += _p_i(len(items_2))
    if items_2:
        put_numbers(out, "i", items_2)


def _write_Brokers_1(m: Any, out: bytearray) -> None:
    b = m.host.encode()
    out += _p_ih(m.node_id, len(b))
    out += b
    if m.rack is None:
        n, b = -1, b""
    else:
        b = m.rack.encode()
        n = len(b)
    out += _p_ih(m.port, n)
    out += b


def _write_Topics_1(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    out += _p_hh(m.error_code, len(b))
    out += b
    items_1 = m.partitions
    out += _p_ti(m.is_internal, len(items_1))
    for e_1 in items_1:
        _write_Partitions_0(e_1, out)


def _write_Partitions_7(m: Any, out: bytearray) -> None:
    items_1 = m.replica_nodes
    out += _p_hiiii(m.error_code, m.partition_index, m.leader_id, m.leader_epoch, len(items_1))
    if items_1:
        put_numbers(out, "i", items_1)
    items_2 = m.isr_nodes
    out += _p_i(len(items_2))
    if items_2:
        put_numbers(out, "i", items_2)
    items_3 = m.offline_replicas
    out += _p_i(len(items_3))
    if items_3:
        put_numbers(out, "i", items_3)


def _write_Brokers_9(m: Any, out: bytearray) -> None:
    out += _p_i(m.node_id)
    b = m.host.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_i(m.port)
    if m.rack is None:
        out.append(0)
    else:
        b = m.rack.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out.append(0)


def _write_Partitions_9(m: Any, out: bytearray) -> None:
    items_1 = m.replica_nodes
    out += _p_hiii(m.error_code, m.partition_index, m.leader_id, m.leader_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    items_2 = m.isr_nodes
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_2:
        put_numbers(out, "i", items_2)
    items_3 = m.offline_replicas
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_3:
        put_numbers(out, "i", items_3)
    out.append(0)


def _write_Topics_10(m: Any, out: bytearray) -> None:
    out += _p_h(m.error_code)
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partitions
    out += _p_16st(m.topic_id, m.is_internal)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Partitions_9(e_1, out)
    out += _p_ix(m.topic_authorized_operations)


def _write_Topics_12(m: Any, out: bytearray) -> None:
    out += _p_h(m.error_code)
    if m.name is None:
        out.append(0)
    else:
        b = m.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.partitions
    out += _p_16st(m.topic_id, m.is_internal)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Partitions_9(e_1, out)
    out += _p_ix(m.topic_authorized_operations)


MetadataResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_2, 3: _read_3, 4: _read_3, 5: _read_5, 6: _read_5, 7: _read_7, 8: _read_8, 9: _read_9, 10: _read_10, 11: _read_11, 12: _read_12, 13: _read_13}
MetadataResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2, 3: _write_3, 4: _write_3, 5: _write_5, 6: _write_5, 7: _write_7, 8: _write_8, 9: _write_9, 10: _write_10, 11: _write_11, 12: _write_12, 13: _write_13}
