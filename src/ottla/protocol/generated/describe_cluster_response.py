"""DescribeCluster response (key 60), versions 0-2, flexible from 0.

Generated from schemas/describe_cluster.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_p_ih = _Struct(">ih").pack
_p_i = _Struct(">i").pack
_p_ix = _Struct(">ix").pack
_p_b = _Struct(">b").pack
_p_tx = _Struct(">?x").pack


class Brokers(Struct):
    __slots__ = ("broker_id", "host", "port", "rack", "is_fenced")

    def __init__(
        self,
        broker_id: int = 0,
        host: str = '',
        port: int = 0,
        rack: str | None = None,
        is_fenced: bool = False,
    ) -> None:
        self.broker_id = broker_id
        self.host = host
        self.port = port
        self.rack = rack
        self.is_fenced = is_fenced


class DescribeClusterResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "endpoint_type", "cluster_id", "controller_id", "brokers", "cluster_authorized_operations")
    API_KEY = 60
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        endpoint_type: int = 1,
        cluster_id: str = '',
        controller_id: int = -1,
        brokers: list[Brokers] = FRESH,
        cluster_authorized_operations: int = -2147483648,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.endpoint_type = endpoint_type
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.brokers = [] if brokers is FRESH else brokers
        self.cluster_authorized_operations = cluster_authorized_operations


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClusterResponse, int]:
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
        n, p = longer_string(data, p, n)
    n -= 1
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
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_0(data, p, end, left)
        brokers_1.append(s_2)
    cluster_authorized_operations_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeClusterResponse(throttle_time_ms_1, error_code_1, error_message_1, 1, cluster_id_1, controller_id_1, brokers_1, cluster_authorized_operations_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClusterResponse, int]:
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
    endpoint_type_1, n = _u_bB(data, p)
    p += 2
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
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
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        s_2, p = _read_Brokers_0(data, p, end, left)
        brokers_1.append(s_2)
    cluster_authorized_operations_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeClusterResponse(throttle_time_ms_1, error_code_1, error_message_1, endpoint_type_1, cluster_id_1, controller_id_1, brokers_1, cluster_authorized_operations_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClusterResponse, int]:
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
    endpoint_type_1, n = _u_bB(data, p)
    p += 2
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
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
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("brokers", n, end - p, left)
    left[0] -= n
    brokers_1: list[Brokers] = []
    for _ in range(n):
        broker_id_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host", n, end - p)
        host_2 = data[p:q].tobytes().decode()
        p = q
        port_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            rack_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("rack", n, end - p)
            rack_2 = data[p:q].tobytes().decode()
            p = q
        is_fenced_2, n = _u_tB(data, p)
        p += 2
        if n:
            p = skip_tags(data, p - 1, end)
        brokers_1.append(Brokers(broker_id_2, host_2, port_2, rack_2, is_fenced_2))
    cluster_authorized_operations_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeClusterResponse(throttle_time_ms_1, error_code_1, error_message_1, endpoint_type_1, cluster_id_1, controller_id_1, brokers_1, cluster_authorized_operations_1), p


def _read_Brokers_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Brokers, int]:
    broker_id_1, n = _u_iB(data, p)
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
    return Brokers(broker_id_1, host_1, port_1, rack_1), p


def _write_0(m: Any, out: bytearray) -> None:
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
    b = m.cluster_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.brokers
    out += _p_i(m.controller_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Brokers_0(e_1, out)
    out += _p_ix(m.cluster_authorized_operations)


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
    out += _p_b(m.endpoint_type)
    b = m.cluster_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.brokers
    out += _p_i(m.controller_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Brokers_0(e_1, out)
    out += _p_ix(m.cluster_authorized_operations)


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
    out += _p_b(m.endpoint_type)
    b = m.cluster_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.brokers
    out += _p_i(m.controller_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_i(e_1.broker_id)
        b = e_1.host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_i(e_1.port)
        if e_1.rack is None:
            out.append(0)
        else:
            b = e_1.rack.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out += _p_tx(e_1.is_fenced)
    out += _p_ix(m.cluster_authorized_operations)


def _write_Brokers_0(m: Any, out: bytearray) -> None:
    out += _p_i(m.broker_id)
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


DescribeClusterResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
DescribeClusterResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
