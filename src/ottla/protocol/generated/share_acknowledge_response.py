"""ShareAcknowledge response (key 79), versions 1-2, flexible from 1.

Generated from schemas/share_acknowledge.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_p_ih = _Struct(">ih").pack
_p_i = _Struct(">i").pack
_p_16s = _Struct(">16s").pack
_p_iixx = _Struct(">iixx").pack


class CurrentLeader(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(
        self,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code", "error_message", "current_leader")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        current_leader: CurrentLeader = FRESH,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.current_leader = CurrentLeader() if current_leader is FRESH else current_leader


class Responses(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class NodeEndpoints(Struct):
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


class ShareAcknowledgeResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "acquisition_lock_timeout_ms", "responses", "node_endpoints")
    API_KEY = 79
    MIN_VERSION = 1
    MAX_VERSION = 2
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acquisition_lock_timeout_ms: int = 0,
        responses: list[Responses] = FRESH,
        node_endpoints: list[NodeEndpoints] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.acquisition_lock_timeout_ms = acquisition_lock_timeout_ms
        self.responses = [] if responses is FRESH else responses
        self.node_endpoints = [] if node_endpoints is FRESH else node_endpoints


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareAcknowledgeResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in range(n):
        s_2, p = _read_Responses_1(data, p, end, left)
        responses_1.append(s_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("node_endpoints", n, end - p, left)
    left[0] -= n
    node_endpoints_1: list[NodeEndpoints] = []
    for _ in range(n):
        s_3, p = _read_NodeEndpoints_1(data, p, end, left)
        node_endpoints_1.append(s_3)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareAcknowledgeResponse(throttle_time_ms_1, error_code_1, error_message_1, 0, responses_1, node_endpoints_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareAcknowledgeResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    acquisition_lock_timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in range(n):
        s_2, p = _read_Responses_1(data, p, end, left)
        responses_1.append(s_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("node_endpoints", n, end - p, left)
    left[0] -= n
    node_endpoints_1: list[NodeEndpoints] = []
    for _ in range(n):
        s_3, p = _read_NodeEndpoints_1(data, p, end, left)
        node_endpoints_1.append(s_3)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareAcknowledgeResponse(throttle_time_ms_1, error_code_1, error_message_1, acquisition_lock_timeout_ms_1, responses_1, node_endpoints_1), p


def _read_Responses_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Responses, int]:
    topic_id_1, n = _u_16sB(data, p)
    p += 17
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 17 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, error_code_2, n = _u_ihB(data, p)
        p += 7
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
        leader_id_3, leader_epoch_3, n = _u_iiB(data, p)
        p += 9
        if n:
            p = skip_tags(data, p - 1, end)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        partitions_1.append(Partitions(partition_index_2, error_code_2, error_message_2, CurrentLeader(leader_id_3, leader_epoch_3)))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Responses(topic_id_1, partitions_1), p


def _read_NodeEndpoints_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[NodeEndpoints, int]:
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
    return NodeEndpoints(node_id_1, host_1, port_1, rack_1), p


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.responses
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Responses_1(e_1, out)
    items_2 = m.node_endpoints
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_NodeEndpoints_1(e_2, out)
    out.append(0)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.responses
    out += _p_i(m.acquisition_lock_timeout_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Responses_1(e_1, out)
    items_2 = m.node_endpoints
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_NodeEndpoints_1(e_2, out)
    out.append(0)


def _write_Responses_1(m: Any, out: bytearray) -> None:
    items_1 = m.partitions
    out += _p_16s(m.topic_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_ih(e_1.partition_index, e_1.error_code)
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
        out += _p_iixx(e_1.current_leader.leader_id, e_1.current_leader.leader_epoch)
    out.append(0)


def _write_NodeEndpoints_1(m: Any, out: bytearray) -> None:
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


ShareAcknowledgeResponse._READERS = {1: _read_1, 2: _read_2}
ShareAcknowledgeResponse._WRITERS = {1: _write_1, 2: _write_2}
