"""JoinGroup request (key 11), versions 0-9, flexible from 6.

Generated from schemas/join_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_i = _Struct(">i").unpack_from
_u_iih = _Struct(">iih").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_p_h = _Struct(">h").pack
_p_ih = _Struct(">ih").pack
_p_i = _Struct(">i").pack
_p_iih = _Struct(">iih").pack
_p_ii = _Struct(">ii").pack


class Protocols(Struct):
    __slots__ = ("name", "metadata")

    def __init__(
        self,
        name: str = '',
        metadata: bytes = b'',
    ) -> None:
        self.name = name
        self.metadata = metadata


class JoinGroupRequest(Message):
    __slots__ = ("group_id", "session_timeout_ms", "rebalance_timeout_ms", "member_id", "group_instance_id", "protocol_type", "protocols", "reason")
    API_KEY = 11
    MIN_VERSION = 0
    MAX_VERSION = 9
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        group_id: str = '',
        session_timeout_ms: int = 0,
        rebalance_timeout_ms: int = -1,
        member_id: str = '',
        group_instance_id: str | None = None,
        protocol_type: str = '',
        protocols: list[Protocols] = FRESH,
        reason: str | None = None,
    ) -> None:
        self.group_id = group_id
        self.session_timeout_ms = session_timeout_ms
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocols = [] if protocols is FRESH else protocols
        self.reason = reason


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    session_timeout_ms_1, n = _u_ih(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("protocols", n, end - p, left)
    left[0] -= n
    protocols_1: list[Protocols] = []
    for _ in range(n):
        s_2, p = _read_Protocols_0(data, p, end, left)
        protocols_1.append(s_2)
    return JoinGroupRequest(group_id_1, session_timeout_ms_1, -1, member_id_1, None, protocol_type_1, protocols_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    session_timeout_ms_1, rebalance_timeout_ms_1, n = _u_iih(data, p)
    p += 10
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("protocols", n, end - p, left)
    left[0] -= n
    protocols_1: list[Protocols] = []
    for _ in range(n):
        s_2, p = _read_Protocols_0(data, p, end, left)
        protocols_1.append(s_2)
    return JoinGroupRequest(group_id_1, session_timeout_ms_1, rebalance_timeout_ms_1, member_id_1, None, protocol_type_1, protocols_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    session_timeout_ms_1, rebalance_timeout_ms_1, n = _u_iih(data, p)
    p += 10
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        group_instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_instance_id", n, end - p)
        group_instance_id_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("protocols", n, end - p, left)
    left[0] -= n
    protocols_1: list[Protocols] = []
    for _ in range(n):
        s_2, p = _read_Protocols_0(data, p, end, left)
        protocols_1.append(s_2)
    return JoinGroupRequest(group_id_1, session_timeout_ms_1, rebalance_timeout_ms_1, member_id_1, group_instance_id_1, protocol_type_1, protocols_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    session_timeout_ms_1, rebalance_timeout_ms_1, n = _u_iiB(data, p)
    p += 9
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        group_instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_instance_id", n, end - p)
        group_instance_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("protocols", n, end - p, left)
    left[0] -= n
    protocols_1: list[Protocols] = []
    for _ in range(n):
        s_2, p = _read_Protocols_6(data, p, end, left)
        protocols_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return JoinGroupRequest(group_id_1, session_timeout_ms_1, rebalance_timeout_ms_1, member_id_1, group_instance_id_1, protocol_type_1, protocols_1), p


def _read_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[JoinGroupRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    session_timeout_ms_1, rebalance_timeout_ms_1, n = _u_iiB(data, p)
    p += 9
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        group_instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_instance_id", n, end - p)
        group_instance_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("protocols", n, end - p, left)
    left[0] -= n
    protocols_1: list[Protocols] = []
    for _ in range(n):
        s_2, p = _read_Protocols_6(data, p, end, left)
        protocols_1.append(s_2)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        reason_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("reason", n, end - p)
        reason_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return JoinGroupRequest(group_id_1, session_timeout_ms_1, rebalance_timeout_ms_1, member_id_1, group_instance_id_1, protocol_type_1, protocols_1, reason_1), p


def _read_Protocols_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Protocols, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("metadata", n, end - p)
    metadata_1 = data[p:q].tobytes()
    p = q
    return Protocols(name_1, metadata_1), p


def _read_Protocols_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Protocols, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("metadata", n, end - p)
    metadata_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Protocols(name_1, metadata_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_ih(m.session_timeout_ms, len(b))
    out += b
    b = m.protocol_type.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.protocols
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Protocols_0(e_1, out)


def _write_1(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_iih(m.session_timeout_ms, m.rebalance_timeout_ms, len(b))
    out += b
    b = m.protocol_type.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.protocols
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Protocols_0(e_1, out)


def _write_5(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_iih(m.session_timeout_ms, m.rebalance_timeout_ms, len(b))
    out += b
    if m.group_instance_id is None:
        n, b = -1, b""
    else:
        b = m.group_instance_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    b = m.protocol_type.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.protocols
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Protocols_0(e_1, out)


def _write_6(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_ii(m.session_timeout_ms, m.rebalance_timeout_ms)
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    if m.group_instance_id is None:
        out.append(0)
    else:
        b = m.group_instance_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    b = m.protocol_type.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.protocols
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Protocols_6(e_1, out)
    out.append(0)


def _write_8(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_ii(m.session_timeout_ms, m.rebalance_timeout_ms)
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    if m.group_instance_id is None:
        out.append(0)
    else:
        b = m.group_instance_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    b = m.protocol_type.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.protocols
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Protocols_6(e_1, out)
    if m.reason is None:
        out.append(0)
    else:
        b = m.reason.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out.append(0)


def _write_Protocols_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    out += _p_h(len(b))
    out += b
    b = m.metadata
    out += _p_i(len(b))
    out += b


def _write_Protocols_6(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.metadata
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out.append(0)


JoinGroupRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_1, 4: _read_1, 5: _read_5, 6: _read_6, 7: _read_6, 8: _read_8, 9: _read_8}
JoinGroupRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_1, 4: _write_1, 5: _write_5, 6: _write_6, 7: _write_6, 8: _write_8, 9: _write_8}
