"""AddRaftVoter request (key 80), versions 0-1, flexible from 0.

Generated from schemas/add_raft_voter.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii16sB = _Struct(">ii16sB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_u_HB = _Struct(">HB").unpack_from
_p_ii16s = _Struct(">ii16s").pack
_p_tx = _Struct(">?x").pack
_p_Hx = _Struct(">Hx").pack


class Listeners(Struct):
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


class AddRaftVoterRequest(Message):
    __slots__ = ("cluster_id", "timeout_ms", "voter_id", "voter_directory_id", "listeners", "ack_when_committed")
    API_KEY = 80
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        cluster_id: str | None = '',
        timeout_ms: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = NO_UUID,
        listeners: list[Listeners] = FRESH,
        ack_when_committed: bool = True,
    ) -> None:
        self.cluster_id = cluster_id
        self.timeout_ms = timeout_ms
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners = [] if listeners is FRESH else listeners
        self.ack_when_committed = ack_when_committed


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddRaftVoterRequest, int]:
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
    timeout_ms_1, voter_id_1, voter_directory_id_1, n = _u_ii16sB(data, p)
    p += 25
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("listeners", n, end - p, left)
    left[0] -= n
    listeners_1: list[Listeners] = []
    for _ in range(n):
        s_2, p = _read_Listeners_0(data, p, end, left)
        listeners_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AddRaftVoterRequest(cluster_id_1, timeout_ms_1, voter_id_1, voter_directory_id_1, listeners_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddRaftVoterRequest, int]:
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
    timeout_ms_1, voter_id_1, voter_directory_id_1, n = _u_ii16sB(data, p)
    p += 25
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("listeners", n, end - p, left)
    left[0] -= n
    listeners_1: list[Listeners] = []
    for _ in range(n):
        s_2, p = _read_Listeners_0(data, p, end, left)
        listeners_1.append(s_2)
    ack_when_committed_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return AddRaftVoterRequest(cluster_id_1, timeout_ms_1, voter_id_1, voter_directory_id_1, listeners_1, ack_when_committed_1), p


def _read_Listeners_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Listeners, int]:
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
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("host", n, end - p)
    host_1 = data[p:q].tobytes().decode()
    p = q
    port_1, n = _u_HB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return Listeners(name_1, host_1, port_1), p


def _write_0(m: Any, out: bytearray) -> None:
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
    items_1 = m.listeners
    out += _p_ii16s(m.timeout_ms, m.voter_id, m.voter_directory_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Listeners_0(e_1, out)
    out.append(0)


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
    items_1 = m.listeners
    out += _p_ii16s(m.timeout_ms, m.voter_id, m.voter_directory_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Listeners_0(e_1, out)
    out += _p_tx(m.ack_when_committed)


def _write_Listeners_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.host.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_Hx(m.port)


AddRaftVoterRequest._READERS = {0: _read_0, 1: _read_1}
AddRaftVoterRequest._WRITERS = {0: _write_0, 1: _write_1}
