"""Vote response (key 52), versions 0-2, flexible from 0.

Generated from schemas/vote.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_tags, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_hB = _Struct(">hB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_HB = _Struct(">HB").unpack_from
_u_ihiitB = _Struct(">ihii?B").unpack_from
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_Hx = _Struct(">Hx").pack
_p_ihiitx = _Struct(">ihii?x").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code", "leader_id", "leader_epoch", "vote_granted")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        vote_granted: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.vote_granted = vote_granted


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


class VoteResponse(Message):
    __slots__ = ("error_code", "topics", "node_endpoints")
    API_KEY = 52
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        error_code: int = 0,
        topics: list[Topics] = FRESH,
        node_endpoints: list[NodeEndpoints] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.topics = [] if topics is FRESH else topics
        self.node_endpoints = [] if node_endpoints is FRESH else node_endpoints


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[VoteResponse, int]:
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
        s_2, p = _read_Topics_0(data, p, end, left)
        topics_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return VoteResponse(error_code_1, topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[VoteResponse, int]:
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
        s_2, p = _read_Topics_0(data, p, end, left)
        topics_1.append(s_2)
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
                    node_id_3, n = _u_iB(data, p)
                    p += 5
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("host", n, stop_1 - p)
                    host_3 = data[p:q].tobytes().decode()
                    p = q
                    port_3, n = _u_HB(data, p)
                    p += 3
                    if n:
                        p = skip_tags(data, p - 1, stop_1)
                    node_endpoints_1_tagged.append(NodeEndpoints(node_id_3, host_3, port_3))
                node_endpoints_1 = node_endpoints_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return VoteResponse(error_code_1, topics_1, node_endpoints_1), p


def _read_Topics_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("topic_name", n, end - p)
    topic_name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 16 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, error_code_2, leader_id_2, leader_epoch_2, vote_granted_2, n = _u_ihiitB(data, p)
        p += 16
        if n:
            p = skip_tags(data, p - 1, end)
        partitions_1.append(Partitions(partition_index_2, error_code_2, leader_id_2, leader_epoch_2, vote_granted_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(topic_name_1, partitions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_h(m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_0(e_1, out)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_h(m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_0(e_1, out)
    tags_2: list[tuple[int, bytes | bytearray]] = []
    if m.node_endpoints:
        tags_2_out = bytearray()
        items_3 = m.node_endpoints
        n = len(items_3) + 1
        if n < 128:
            tags_2_out.append(n)
        else:
            put_uvarint(tags_2_out, n)
        for e_3 in items_3:
            tags_2_out += _p_i(e_3.node_id)
            b = e_3.host.encode()
            n = len(b) + 1
            if n < 128:
                tags_2_out.append(n)
            else:
                put_string_length(tags_2_out, n)
            tags_2_out += b
            tags_2_out += _p_Hx(e_3.port)
        tags_2.append((0, tags_2_out))
    if tags_2:
        put_tags(out, tags_2)
    else:
        out.append(0)


def _write_Topics_0(m: Any, out: bytearray) -> None:
    b = m.topic_name.encode()
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
    for e_1 in items_1:
        out += _p_ihiitx(e_1.partition_index, e_1.error_code, e_1.leader_id, e_1.leader_epoch, e_1.vote_granted)
    out.append(0)


VoteResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_1}
VoteResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1}
