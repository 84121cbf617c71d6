"""StreamsGroupMemberMetadataValue record (key 19), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_iiB = _Struct(">iiB").unpack_from
_u_b = _Struct(">b").unpack_from
_u_HB = _Struct(">HB").unpack_from
_p_ii = _Struct(">ii").pack
_p_Hx = _Struct(">Hx").pack


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


class StreamsGroupMemberMetadataValue(Message):
    __slots__ = ("instance_id", "rack_id", "client_id", "client_host", "rebalance_timeout_ms", "topology_epoch", "process_id", "user_endpoint", "client_tags")
    RECORD_TYPE = 19
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        instance_id: str | None = '',
        rack_id: str | None = '',
        client_id: str = '',
        client_host: str = '',
        rebalance_timeout_ms: int = -1,
        topology_epoch: int = 0,
        process_id: str = '',
        user_endpoint: UserEndpoint | None = None,
        client_tags: list[ClientTags] = FRESH,
    ) -> None:
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.topology_epoch = topology_epoch
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = [] if client_tags is FRESH else client_tags


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StreamsGroupMemberMetadataValue, int]:
    n = data[p]
    p += 1
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
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_id", n, end - p)
    client_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_host", n, end - p)
    client_host_1 = data[p:q].tobytes().decode()
    p = q
    rebalance_timeout_ms_1, topology_epoch_1, n = _u_iiB(data, p)
    p += 9
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
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
        host_2 = data[p:q].tobytes().decode()
        p = q
        port_2, n = _u_HB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        user_endpoint_1 = UserEndpoint(host_2, port_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("client_tags", n, end - p, left)
    left[0] -= n
    client_tags_1: list[ClientTags] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("key", n, end - p)
        key_3 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("value", n, end - p)
        value_3 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        client_tags_1.append(ClientTags(key_3, value_3))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return StreamsGroupMemberMetadataValue(instance_id_1, rack_id_1, client_id_1, client_host_1, rebalance_timeout_ms_1, topology_epoch_1, process_id_1, user_endpoint_1, client_tags_1), p


def _write_0(m: Any, out: bytearray) -> None:
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
    b = m.client_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.client_host.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_ii(m.rebalance_timeout_ms, m.topology_epoch)
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
    items_1 = m.client_tags
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.key.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.value.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


StreamsGroupMemberMetadataValue._READERS = {0: _read_0}
StreamsGroupMemberMetadataValue._WRITERS = {0: _write_0}
