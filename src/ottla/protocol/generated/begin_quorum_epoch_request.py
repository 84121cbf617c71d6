"""BeginQuorumEpoch request (key 53), versions 0-1, flexible from 1.

Generated from schemas/begin_quorum_epoch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_iii = _Struct(">iii").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_i16siiB = _Struct(">i16siiB").unpack_from
_u_HB = _Struct(">HB").unpack_from
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_iii = _Struct(">iii").pack
_p_i16siix = _Struct(">i16siix").pack
_p_Hx = _Struct(">Hx").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "voter_directory_id", "leader_id", "leader_epoch")

    def __init__(
        self,
        partition_index: int = 0,
        voter_directory_id: bytes = NO_UUID,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.voter_directory_id = voter_directory_id
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class Topics(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is FRESH else partitions


class LeaderEndpoints(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(
        self,
        name: str = '',
        host: str = '',
        port: int = 0,
    ) -> None:
        self.name = name
        self.host = host
        self.port = port


class BeginQuorumEpochRequest(Message):
    __slots__ = ("cluster_id", "voter_id", "topics", "leader_endpoints")
    API_KEY = 53
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        cluster_id: str | None = None,
        voter_id: int = -1,
        topics: list[Topics] = FRESH,
        leader_endpoints: list[LeaderEndpoints] = FRESH,
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.topics = [] if topics is FRESH else topics
        self.leader_endpoints = [] if leader_endpoints is FRESH else leader_endpoints


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BeginQuorumEpochRequest, int]:
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
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 12 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, leader_id_3, leader_epoch_3 = _u_iii(data, p)
            p += 12
            partitions_2.append(Partitions(partition_index_3, NO_UUID, leader_id_3, leader_epoch_3))
        topics_1.append(Topics(topic_name_2, partitions_2))
    return BeginQuorumEpochRequest(cluster_id_1, -1, topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BeginQuorumEpochRequest, int]:
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
    voter_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 29 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, voter_directory_id_3, leader_id_3, leader_epoch_3, n = _u_i16siiB(data, p)
            p += 29
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, voter_directory_id_3, leader_id_3, leader_epoch_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_name_2, partitions_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("leader_endpoints", n, end - p, left)
    left[0] -= n
    leader_endpoints_1: list[LeaderEndpoints] = []
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
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host", n, end - p)
        host_4 = data[p:q].tobytes().decode()
        p = q
        port_4, n = _u_HB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        leader_endpoints_1.append(LeaderEndpoints(name_4, host_4, port_4))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return BeginQuorumEpochRequest(cluster_id_1, voter_id_1, topics_1, leader_endpoints_1), p


def _write_0(m: Any, out: bytearray) -> None:
    if m.cluster_id is None:
        n, b = -1, b""
    else:
        b = m.cluster_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.topic_name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_iii(e_2.partition_index, e_2.leader_id, e_2.leader_epoch)


def _write_1(m: Any, out: bytearray) -> None:
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
    items_1 = m.topics
    out += _p_i(m.voter_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic_name.encode()
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
            out += _p_i16siix(e_2.partition_index, e_2.voter_directory_id, e_2.leader_id, e_2.leader_epoch)
        out.append(0)
    items_3 = m.leader_endpoints
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_3 in items_3:
        b = e_3.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_3.host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_Hx(e_3.port)
    out.append(0)


BeginQuorumEpochRequest._READERS = {0: _read_0, 1: _read_1}
BeginQuorumEpochRequest._WRITERS = {0: _write_0, 1: _write_1}
