"""ControllerRegistration request (key 70), versions 0-0, flexible from 0.

Generated from schemas/controller_registration.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i16stB = _Struct(">i16s?B").unpack_from
_u_HhB = _Struct(">HhB").unpack_from
_u_hhB = _Struct(">hhB").unpack_from
_p_i16st = _Struct(">i16s?").pack
_p_Hhx = _Struct(">Hhx").pack
_p_hhx = _Struct(">hhx").pack


class Listeners(Struct):
    __slots__ = ("name", "host", "port", "security_protocol")

    def __init__(
        self,
        name: str = '',
        host: str = '',
        port: int = 0,
        security_protocol: int = 0,
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.security_protocol = security_protocol


class Features(Struct):
    __slots__ = ("name", "min_supported_version", "max_supported_version")

    def __init__(
        self,
        name: str = '',
        min_supported_version: int = 0,
        max_supported_version: int = 0,
    ) -> None:
        self.name = name
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


class ControllerRegistrationRequest(Message):
    __slots__ = ("controller_id", "incarnation_id", "zk_migration_ready", "listeners", "features")
    API_KEY = 70
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        controller_id: int = 0,
        incarnation_id: bytes = NO_UUID,
        zk_migration_ready: bool = False,
        listeners: list[Listeners] = FRESH,
        features: list[Features] = FRESH,
    ) -> None:
        self.controller_id = controller_id
        self.incarnation_id = incarnation_id
        self.zk_migration_ready = zk_migration_ready
        self.listeners = [] if listeners is FRESH else listeners
        self.features = [] if features is FRESH else features


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ControllerRegistrationRequest, int]:
    controller_id_1, incarnation_id_1, zk_migration_ready_1, n = _u_i16stB(data, p)
    p += 22
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
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
        port_2, security_protocol_2, n = _u_HhB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        listeners_1.append(Listeners(name_2, host_2, port_2, security_protocol_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("features", n, end - p, left)
    left[0] -= n
    features_1: list[Features] = []
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
        min_supported_version_3, max_supported_version_3, n = _u_hhB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        features_1.append(Features(name_3, min_supported_version_3, max_supported_version_3))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ControllerRegistrationRequest(controller_id_1, incarnation_id_1, zk_migration_ready_1, listeners_1, features_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.listeners
    out += _p_i16st(m.controller_id, m.incarnation_id, m.zk_migration_ready)
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
        out += _p_Hhx(e_1.port, e_1.security_protocol)
    items_2 = m.features
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
        out += _p_hhx(e_2.min_supported_version, e_2.max_supported_version)
    out.append(0)


ControllerRegistrationRequest._READERS = {0: _read_0}
ControllerRegistrationRequest._WRITERS = {0: _write_0}
