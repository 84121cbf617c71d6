"""VotersRecord record, versions 0-0, flexible from 0.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_hB = _Struct(">hB").unpack_from
_u_i16sB = _Struct(">i16sB").unpack_from
_u_HB = _Struct(">HB").unpack_from
_u_hhB = _Struct(">hhB").unpack_from
_p_h = _Struct(">h").pack
_p_i16s = _Struct(">i16s").pack
_p_Hx = _Struct(">Hx").pack
_p_hhxx = _Struct(">hhxx").pack


class Endpoints(Struct):
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


class Voters(Struct):
    __slots__ = ("voter_id", "voter_directory_id", "endpoints", "kraft_version_feature")

    def __init__(
        self,
        voter_id: int = 0,
        voter_directory_id: bytes = NO_UUID,
        endpoints: list[Endpoints] = FRESH,
        kraft_version_feature: KraftVersionFeature = FRESH,
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.endpoints = [] if endpoints is FRESH else endpoints
        self.kraft_version_feature = KraftVersionFeature() if kraft_version_feature is FRESH else kraft_version_feature


class VotersRecord(Message):
    __slots__ = ("version", "voters")
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        version: int = 0,
        voters: list[Voters] = FRESH,
    ) -> None:
        self.version = version
        self.voters = [] if voters is FRESH else voters


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[VotersRecord, int]:
    version_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 27 > end - p or n > left[0]:
        raise wrong_count("voters", n, end - p, left)
    left[0] -= n
    voters_1: list[Voters] = []
    for _ in range(n):
        voter_id_2, voter_directory_id_2, n = _u_i16sB(data, p)
        p += 21
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 5 > end - p or n > left[0]:
            raise wrong_count("endpoints", n, end - p, left)
        left[0] -= n
        endpoints_2: list[Endpoints] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("host", n, end - p)
            host_3 = data[p:q].tobytes().decode()
            p = q
            port_3, n = _u_HB(data, p)
            p += 3
            if n:
                p = skip_tags(data, p - 1, end)
            endpoints_2.append(Endpoints(name_3, host_3, port_3))
        min_supported_version_4, max_supported_version_4, n = _u_hhB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        voters_1.append(Voters(voter_id_2, voter_directory_id_2, endpoints_2, KraftVersionFeature(min_supported_version_4, max_supported_version_4)))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return VotersRecord(version_1, voters_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.voters
    out += _p_h(m.version)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.endpoints
        out += _p_i16s(e_1.voter_id, e_1.voter_directory_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            b = e_2.name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            b = e_2.host.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            out += _p_Hx(e_2.port)
        out += _p_hhxx(e_1.kraft_version_feature.min_supported_version, e_1.kraft_version_feature.max_supported_version)
    out.append(0)


VotersRecord._READERS = {0: _read_0}
VotersRecord._WRITERS = {0: _write_0}
