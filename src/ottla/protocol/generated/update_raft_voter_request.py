"""UpdateRaftVoter request (key 82), versions 0-0, flexible from 0.

Generated from schemas/update_raft_voter.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii16sB = _Struct(">ii16sB").unpack_from
_u_HB = _Struct(">HB").unpack_from
_u_hhB = _Struct(">hhB").unpack_from
_p_ii16s = _Struct(">ii16s").pack
_p_Hx = _Struct(">Hx").pack
_p_hhxx = _Struct(">hhxx").pack


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


class KraftVersionFeature(Struct):
    __slots__ = ("min_supported_version", "max_supported_version")

    def __init__(
        self,
        min_supported_version: int = 0,
        max_supported_version: int = 0,
    ) -> None:
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


class UpdateRaftVoterRequest(Message):
    __slots__ = ("cluster_id", "current_leader_epoch", "voter_id", "voter_directory_id", "listeners", "kraft_version_feature")
    API_KEY = 82
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        cluster_id: str | None = '',
        current_leader_epoch: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = NO_UUID,
        listeners: list[Listeners] = FRESH,
        kraft_version_feature: KraftVersionFeature = FRESH,
    ) -> None:
        self.cluster_id = cluster_id
        self.current_leader_epoch = current_leader_epoch
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners = [] if listeners is FRESH else listeners
        self.kraft_version_feature = KraftVersionFeature() if kraft_version_feature is FRESH else kraft_version_feature


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[UpdateRaftVoterRequest, int]:
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
    current_leader_epoch_1, voter_id_1, voter_directory_id_1, n = _u_ii16sB(data, p)
    p += 25
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("listeners", n, end - p, left)
    left[0] -= n
    listeners_1: list[Listeners] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
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
        listeners_1.append(Listeners(name_2, host_2, port_2))
    min_supported_version_3, max_supported_version_3, n = _u_hhB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return UpdateRaftVoterRequest(cluster_id_1, current_leader_epoch_1, voter_id_1, voter_directory_id_1, listeners_1, KraftVersionFeature(min_supported_version_3, max_supported_version_3)), p


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
    out += _p_ii16s(m.current_leader_epoch, m.voter_id, m.voter_directory_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_Hx(e_1.port)
    out += _p_hhxx(m.kraft_version_feature.min_supported_version, m.kraft_version_feature.max_supported_version)


UpdateRaftVoterRequest._READERS = {0: _read_0}
UpdateRaftVoterRequest._WRITERS = {0: _write_0}
