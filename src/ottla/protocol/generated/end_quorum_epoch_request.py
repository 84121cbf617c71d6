"""EndQuorumEpoch request (key 54), versions 0-1, flexible from 1.

Generated from schemas/end_quorum_epoch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_iiii = _Struct(">iiii").unpack_from
_u_iiiB = _Struct(">iiiB").unpack_from
_u_i16sB = _Struct(">i16sB").unpack_from
_u_HB = _Struct(">HB").unpack_from
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_iiii = _Struct(">iiii").pack
_p_iii = _Struct(">iii").pack
_p_i16sx = _Struct(">i16sx").pack
_p_Hx = _Struct(">Hx").pack


class PreferredCandidates(Struct):
    __slots__ = ("candidate_id", "candidate_directory_id")

    def __init__(
        self,
        candidate_id: int = 0,
        candidate_directory_id: bytes = NO_UUID,
    ) -> None:
        self.candidate_id = candidate_id
        self.candidate_directory_id = candidate_directory_id


class Partitions(Struct):
    __slots__ = ("partition_index", "leader_id", "leader_epoch", "preferred_candidates", "preferred_successors")

    def __init__(
        self,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        preferred_candidates: list[PreferredCandidates] = FRESH,
        preferred_successors: list[int] = FRESH,
    ) -> None:
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.preferred_candidates = [] if preferred_candidates is FRESH else preferred_candidates
        self.preferred_successors = [] if preferred_successors is FRESH else preferred_successors


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


class EndQuorumEpochRequest(Message):
    __slots__ = ("cluster_id", "topics", "leader_endpoints")
    API_KEY = 54
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        cluster_id: str | None = None,
        topics: list[Topics] = FRESH,
        leader_endpoints: list[LeaderEndpoints] = FRESH,
    ) -> None:
        self.cluster_id = cluster_id
        self.topics = [] if topics is FRESH else topics
        self.leader_endpoints = [] if leader_endpoints is FRESH else leader_endpoints


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndQuorumEpochRequest, int]:
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
        if n < 0 or n * 16 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, leader_id_3, leader_epoch_3, n = _u_iiii(data, p)
            p += 16
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("preferred_successors", n, end - p, left)
            left[0] -= n
            preferred_successors_3, p = read_numbers("i", 4, data, p, n)
            partitions_2.append(Partitions(partition_index_3, leader_id_3, leader_epoch_3, [], preferred_successors_3))
        topics_1.append(Topics(topic_name_2, partitions_2))
    return EndQuorumEpochRequest(cluster_id_1, topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndQuorumEpochRequest, int]:
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
    n = data[p]
    p += 1
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
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, leader_id_3, leader_epoch_3, n = _u_iiiB(data, p)
            p += 13
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 21 > end - p or n > left[0]:
                raise wrong_count("preferred_candidates", n, end - p, left)
            left[0] -= n
            preferred_candidates_3: list[PreferredCandidates] = []
            for _ in range(n):
                candidate_id_4, candidate_directory_id_4, n = _u_i16sB(data, p)
                p += 21
                if n:
                    p = skip_tags(data, p - 1, end)
                preferred_candidates_3.append(PreferredCandidates(candidate_id_4, candidate_directory_id_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, leader_id_3, leader_epoch_3, preferred_candidates_3))
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
        name_5 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host", n, end - p)
        host_5 = data[p:q].tobytes().decode()
        p = q
        port_5, n = _u_HB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        leader_endpoints_1.append(LeaderEndpoints(name_5, host_5, port_5))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return EndQuorumEpochRequest(cluster_id_1, topics_1, leader_endpoints_1), p


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
            items_3 = e_2.preferred_successors
            out += _p_iiii(e_2.partition_index, e_2.leader_id, e_2.leader_epoch, len(items_3))
            if items_3:
                put_numbers(out, "i", items_3)


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
            items_3 = e_2.preferred_candidates
            out += _p_iii(e_2.partition_index, e_2.leader_id, e_2.leader_epoch)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_i16sx(e_3.candidate_id, e_3.candidate_directory_id)
            out.append(0)
        out.append(0)
    items_4 = m.leader_endpoints
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
        b = e_4.host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_Hx(e_4.port)
    out.append(0)


EndQuorumEpochRequest._READERS = {0: _read_0, 1: _read_1}
EndQuorumEpochRequest._WRITERS = {0: _write_0, 1: _write_1}
