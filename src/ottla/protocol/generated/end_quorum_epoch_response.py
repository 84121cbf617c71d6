"""EndQuorumEpoch response (key 54), versions 0-1, flexible from 1.

Generated from schemas/end_quorum_epoch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_tags, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_hi = _Struct(">hi").unpack_from
_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_ihii = _Struct(">ihii").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_ihiiB = _Struct(">ihiiB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_HB = _Struct(">HB").unpack_from
_p_hi = _Struct(">hi").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_ihii = _Struct(">ihii").pack
_p_ihiix = _Struct(">ihiix").pack
_p_Hx = _Struct(">Hx").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code", "leader_id", "leader_epoch")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
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


class NodeEndpoints(Struct):
    __slots__ = ("node_id", "host", "port")

    def __init__(
        self,
        node_id: int = 0,
        host: str = '',
        port: int = 0,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port


class EndQuorumEpochResponse(Message):
    __slots__ = ("error_code", "topics", "node_endpoints")
    API_KEY = 54
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        error_code: int = 0,
        topics: list[Topics] = FRESH,
        node_endpoints: list[NodeEndpoints] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.topics = [] if topics is FRESH else topics
        self.node_endpoints = [] if node_endpoints is FRESH else node_endpoints


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndQuorumEpochResponse, int]:
    error_code_1, n = _u_hi(data, p)
    p += 6
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
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, error_code_3, leader_id_3, leader_epoch_3 = _u_ihii(data, p)
            p += 14
            partitions_2.append(Partitions(partition_index_3, error_code_3, leader_id_3, leader_epoch_3))
        topics_1.append(Topics(topic_name_2, partitions_2))
    return EndQuorumEpochResponse(error_code_1, topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndQuorumEpochResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
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
        if n < 0 or n * 15 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, error_code_3, leader_id_3, leader_epoch_3, n = _u_ihiiB(data, p)
            p += 15
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, error_code_3, leader_id_3, leader_epoch_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_name_2, partitions_2))
    n = data[p]
    p += 1
    node_endpoints_1: Any = []
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 8 > stop_1 - p or n > left[0]:
                    raise wrong_count("node_endpoints", n, stop_1 - p, left)
                left[0] -= n
                node_endpoints_1_tagged: list[NodeEndpoints] = []
                for _ in range(n):
                    node_id_4, n = _u_iB(data, p)
                    p += 5
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("host", n, stop_1 - p)
                    host_4 = data[p:q].tobytes().decode()
                    p = q
                    port_4, n = _u_HB(data, p)
                    p += 3
                    if n:
                        p = skip_tags(data, p - 1, stop_1)
                    node_endpoints_1_tagged.append(NodeEndpoints(node_id_4, host_4, port_4))
                node_endpoints_1 = node_endpoints_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return EndQuorumEpochResponse(error_code_1, topics_1, node_endpoints_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_hi(m.error_code, len(items_1))
    for e_1 in items_1:
        b = e_1.topic_name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_ihii(e_2.partition_index, e_2.error_code, e_2.leader_id, e_2.leader_epoch)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_h(m.error_code)
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
            out += _p_ihiix(e_2.partition_index, e_2.error_code, e_2.leader_id, e_2.leader_epoch)
        out.append(0)
    tags_3: list[tuple[int, bytes | bytearray]] = []
    if m.node_endpoints:
        tags_3_out = bytearray()
        items_4 = m.node_endpoints
        n = len(items_4) + 1
        if n < 128:
            tags_3_out.append(n)
        else:
            put_uvarint(tags_3_out, n)
        for e_4 in items_4:
            tags_3_out += _p_i(e_4.node_id)
            b = e_4.host.encode()
            n = len(b) + 1
            if n < 128:
                tags_3_out.append(n)
            else:
                put_string_length(tags_3_out, n)
            tags_3_out += b
            tags_3_out += _p_Hx(e_4.port)
        tags_3.append((0, tags_3_out))
    if tags_3:
        put_tags(out, tags_3)
    else:
        out.append(0)


EndQuorumEpochResponse._READERS = {0: _read_0, 1: _read_1}
EndQuorumEpochResponse._WRITERS = {0: _write_0, 1: _write_1}
