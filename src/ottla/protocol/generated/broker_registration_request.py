"""BrokerRegistration request (key 62), versions 0-4, flexible from 0.

Generated from schemas/broker_registration.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uuids, put_uvarint, read_uuids, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_u_qB = _Struct(">qB").unpack_from
_u_HhB = _Struct(">HhB").unpack_from
_u_hhB = _Struct(">hhB").unpack_from
_p_i = _Struct(">i").pack
_p_16s = _Struct(">16s").pack
_p_tx = _Struct(">?x").pack
_p_t = _Struct(">?").pack
_p_qx = _Struct(">qx").pack
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


class BrokerRegistrationRequest(Message):
    __slots__ = ("broker_id", "cluster_id", "incarnation_id", "listeners", "features", "rack", "is_migrating_zk_broker", "log_dirs", "previous_broker_epoch")
    API_KEY = 62
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        broker_id: int = 0,
        cluster_id: str = '',
        incarnation_id: bytes = NO_UUID,
        listeners: list[Listeners] = FRESH,
        features: list[Features] = FRESH,
        rack: str | None = '',
        is_migrating_zk_broker: bool = False,
        log_dirs: list[bytes] = FRESH,
        previous_broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.cluster_id = cluster_id
        self.incarnation_id = incarnation_id
        self.listeners = [] if listeners is FRESH else listeners
        self.features = [] if features is FRESH else features
        self.rack = rack
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.log_dirs = [] if log_dirs is FRESH else log_dirs
        self.previous_broker_epoch = previous_broker_epoch


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerRegistrationRequest, int]:
    broker_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("cluster_id", n, end - p)
    cluster_id_1 = data[p:q].tobytes().decode()
    p = q
    incarnation_id_1, n = _u_16sB(data, p)
    p += 17
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("listeners", n, end - p, left)
    left[0] -= n
    listeners_1: list[Listeners] = []
    for _ in range(n):
        s_2, p = _read_Listeners_0(data, p, end, left)
        listeners_1.append(s_2)
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
        s_3, p = _read_Features_0(data, p, end, left)
        features_1.append(s_3)
    n = data[p]
    p += 1
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
    return BrokerRegistrationRequest(broker_id_1, cluster_id_1, incarnation_id_1, listeners_1, features_1, rack_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerRegistrationRequest, int]:
    broker_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("cluster_id", n, end - p)
    cluster_id_1 = data[p:q].tobytes().decode()
    p = q
    incarnation_id_1, n = _u_16sB(data, p)
    p += 17
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("listeners", n, end - p, left)
    left[0] -= n
    listeners_1: list[Listeners] = []
    for _ in range(n):
        s_2, p = _read_Listeners_0(data, p, end, left)
        listeners_1.append(s_2)
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
        s_3, p = _read_Features_0(data, p, end, left)
        features_1.append(s_3)
    n = data[p]
    p += 1
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
    is_migrating_zk_broker_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return BrokerRegistrationRequest(broker_id_1, cluster_id_1, incarnation_id_1, listeners_1, features_1, rack_1, is_migrating_zk_broker_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerRegistrationRequest, int]:
    broker_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("cluster_id", n, end - p)
    cluster_id_1 = data[p:q].tobytes().decode()
    p = q
    incarnation_id_1, n = _u_16sB(data, p)
    p += 17
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("listeners", n, end - p, left)
    left[0] -= n
    listeners_1: list[Listeners] = []
    for _ in range(n):
        s_2, p = _read_Listeners_0(data, p, end, left)
        listeners_1.append(s_2)
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
        s_3, p = _read_Features_0(data, p, end, left)
        features_1.append(s_3)
    n = data[p]
    p += 1
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
    is_migrating_zk_broker_1, n = _u_tB(data, p)
    p += 2
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 16 > end - p or n > left[0]:
        raise wrong_count("log_dirs", n, end - p, left)
    left[0] -= n
    log_dirs_1, p = read_uuids(data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return BrokerRegistrationRequest(broker_id_1, cluster_id_1, incarnation_id_1, listeners_1, features_1, rack_1, is_migrating_zk_broker_1, log_dirs_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerRegistrationRequest, int]:
    broker_id_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("cluster_id", n, end - p)
    cluster_id_1 = data[p:q].tobytes().decode()
    p = q
    incarnation_id_1, n = _u_16sB(data, p)
    p += 17
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("listeners", n, end - p, left)
    left[0] -= n
    listeners_1: list[Listeners] = []
    for _ in range(n):
        s_2, p = _read_Listeners_0(data, p, end, left)
        listeners_1.append(s_2)
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
        s_3, p = _read_Features_0(data, p, end, left)
        features_1.append(s_3)
    n = data[p]
    p += 1
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
    is_migrating_zk_broker_1, n = _u_tB(data, p)
    p += 2
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 16 > end - p or n > left[0]:
        raise wrong_count("log_dirs", n, end - p, left)
    left[0] -= n
    log_dirs_1, p = read_uuids(data, p, n)
    previous_broker_epoch_1, n = _u_qB(data, p)
    p += 9
    if n:
        p = skip_tags(data, p - 1, end)
    return BrokerRegistrationRequest(broker_id_1, cluster_id_1, incarnation_id_1, listeners_1, features_1, rack_1, is_migrating_zk_broker_1, log_dirs_1, previous_broker_epoch_1), p


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
    port_1, security_protocol_1, n = _u_HhB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return Listeners(name_1, host_1, port_1, security_protocol_1), p


def _read_Features_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Features, int]:
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
    min_supported_version_1, max_supported_version_1, n = _u_hhB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return Features(name_1, min_supported_version_1, max_supported_version_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_i(m.broker_id)
    b = m.cluster_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.listeners
    out += _p_16s(m.incarnation_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Listeners_0(e_1, out)
    items_2 = m.features
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_Features_0(e_2, out)
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


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_i(m.broker_id)
    b = m.cluster_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.listeners
    out += _p_16s(m.incarnation_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Listeners_0(e_1, out)
    items_2 = m.features
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_Features_0(e_2, out)
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
    out += _p_tx(m.is_migrating_zk_broker)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_i(m.broker_id)
    b = m.cluster_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.listeners
    out += _p_16s(m.incarnation_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Listeners_0(e_1, out)
    items_2 = m.features
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_Features_0(e_2, out)
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
    items_3 = m.log_dirs
    out += _p_t(m.is_migrating_zk_broker)
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_3:
        put_uuids(out, items_3)
    out.append(0)


def _write_3(m: Any, out: bytearray) -> None:
    out += _p_i(m.broker_id)
    b = m.cluster_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.listeners
    out += _p_16s(m.incarnation_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Listeners_0(e_1, out)
    items_2 = m.features
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        _write_Features_0(e_2, out)
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
    items_3 = m.log_dirs
    out += _p_t(m.is_migrating_zk_broker)
    n = len(items_3) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_3:
        put_uuids(out, items_3)
    out += _p_qx(m.previous_broker_epoch)


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
    out += _p_Hhx(m.port, m.security_protocol)


def _write_Features_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_hhx(m.min_supported_version, m.max_supported_version)


BrokerRegistrationRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_2, 3: _read_3, 4: _read_3}
BrokerRegistrationRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2, 3: _write_3, 4: _write_3}
