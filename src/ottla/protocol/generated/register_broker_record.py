"""RegisterBrokerRecord record (key 0), versions 0-4, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_tags, put_uuids, put_uvarint, read_tags, read_uuids, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_i16sqB = _Struct(">i16sqB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_u_ttB = _Struct(">??B").unpack_from
_u_it16sqB = _Struct(">i?16sqB").unpack_from
_u_HhB = _Struct(">HhB").unpack_from
_u_hhB = _Struct(">hhB").unpack_from
_p_i16sq = _Struct(">i16sq").pack
_p_tx = _Struct(">?x").pack
_p_ttx = _Struct(">??x").pack
_p_it16sq = _Struct(">i?16sq").pack
_p_tt = _Struct(">??").pack
_p_Hhx = _Struct(">Hhx").pack
_p_hhx = _Struct(">hhx").pack


class EndPoints(Struct):
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


class RegisterBrokerRecord(Message):
    __slots__ = ("broker_id", "is_migrating_zk_broker", "incarnation_id", "broker_epoch", "end_points", "features", "rack", "fenced", "in_controlled_shutdown", "log_dirs", "cordoned_log_dirs")
    RECORD_TYPE = 0
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        broker_id: int = 0,
        is_migrating_zk_broker: bool = False,
        incarnation_id: bytes = NO_UUID,
        broker_epoch: int = 0,
        end_points: list[EndPoints] = FRESH,
        features: list[Features] = FRESH,
        rack: str | None = '',
        fenced: bool = True,
        in_controlled_shutdown: bool = False,
        log_dirs: list[bytes] = FRESH,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.incarnation_id = incarnation_id
        self.broker_epoch = broker_epoch
        self.end_points = [] if end_points is FRESH else end_points
        self.features = [] if features is FRESH else features
        self.rack = rack
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs = [] if log_dirs is FRESH else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RegisterBrokerRecord, int]:
    broker_id_1, incarnation_id_1, broker_epoch_1, n = _u_i16sqB(data, p)
    p += 29
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("end_points", n, end - p, left)
    left[0] -= n
    end_points_1: list[EndPoints] = []
    for _ in range(n):
        s_2, p = _read_EndPoints_0(data, p, end, left)
        end_points_1.append(s_2)
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
    fenced_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return RegisterBrokerRecord(broker_id_1, False, incarnation_id_1, broker_epoch_1, end_points_1, features_1, rack_1, fenced_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RegisterBrokerRecord, int]:
    broker_id_1, incarnation_id_1, broker_epoch_1, n = _u_i16sqB(data, p)
    p += 29
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("end_points", n, end - p, left)
    left[0] -= n
    end_points_1: list[EndPoints] = []
    for _ in range(n):
        s_2, p = _read_EndPoints_0(data, p, end, left)
        end_points_1.append(s_2)
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
    fenced_1, in_controlled_shutdown_1, n = _u_ttB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return RegisterBrokerRecord(broker_id_1, False, incarnation_id_1, broker_epoch_1, end_points_1, features_1, rack_1, fenced_1, in_controlled_shutdown_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RegisterBrokerRecord, int]:
    broker_id_1, is_migrating_zk_broker_1, incarnation_id_1, broker_epoch_1, n = _u_it16sqB(data, p)
    p += 30
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("end_points", n, end - p, left)
    left[0] -= n
    end_points_1: list[EndPoints] = []
    for _ in range(n):
        s_2, p = _read_EndPoints_0(data, p, end, left)
        end_points_1.append(s_2)
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
    fenced_1, in_controlled_shutdown_1, n = _u_ttB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return RegisterBrokerRecord(broker_id_1, is_migrating_zk_broker_1, incarnation_id_1, broker_epoch_1, end_points_1, features_1, rack_1, fenced_1, in_controlled_shutdown_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RegisterBrokerRecord, int]:
    broker_id_1, is_migrating_zk_broker_1, incarnation_id_1, broker_epoch_1, n = _u_it16sqB(data, p)
    p += 30
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("end_points", n, end - p, left)
    left[0] -= n
    end_points_1: list[EndPoints] = []
    for _ in range(n):
        s_2, p = _read_EndPoints_0(data, p, end, left)
        end_points_1.append(s_2)
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
    fenced_1, in_controlled_shutdown_1, n = _u_ttB(data, p)
    p += 3
    log_dirs_1: Any = []
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                    raise wrong_count("log_dirs", n, stop_1 - p, left)
                left[0] -= n
                log_dirs_1_tagged, p = read_uuids(data, p, n)
                log_dirs_1 = log_dirs_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return RegisterBrokerRecord(broker_id_1, is_migrating_zk_broker_1, incarnation_id_1, broker_epoch_1, end_points_1, features_1, rack_1, fenced_1, in_controlled_shutdown_1, log_dirs_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RegisterBrokerRecord, int]:
    broker_id_1, is_migrating_zk_broker_1, incarnation_id_1, broker_epoch_1, n = _u_it16sqB(data, p)
    p += 30
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("end_points", n, end - p, left)
    left[0] -= n
    end_points_1: list[EndPoints] = []
    for _ in range(n):
        s_2, p = _read_EndPoints_0(data, p, end, left)
        end_points_1.append(s_2)
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
    fenced_1, in_controlled_shutdown_1, n = _u_ttB(data, p)
    p += 3
    log_dirs_1: Any = []
    cordoned_log_dirs_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                    raise wrong_count("log_dirs", n, stop_1 - p, left)
                left[0] -= n
                log_dirs_1_tagged, p = read_uuids(data, p, n)
                log_dirs_1 = log_dirs_1_tagged
            elif tag_1 == 1:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                cordoned_log_dirs_1_tagged: list[bytes] | None = None
                if n != -1:
                    if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                        raise wrong_count("cordoned_log_dirs", n, stop_1 - p, left)
                    left[0] -= n
                    cordoned_log_dirs_1_tagged, p = read_uuids(data, p, n)
                cordoned_log_dirs_1 = cordoned_log_dirs_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return RegisterBrokerRecord(broker_id_1, is_migrating_zk_broker_1, incarnation_id_1, broker_epoch_1, end_points_1, features_1, rack_1, fenced_1, in_controlled_shutdown_1, log_dirs_1, cordoned_log_dirs_1), p


def _read_EndPoints_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndPoints, int]:
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
    return EndPoints(name_1, host_1, port_1, security_protocol_1), p


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
    items_1 = m.end_points
    out += _p_i16sq(m.broker_id, m.incarnation_id, m.broker_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_EndPoints_0(e_1, out)
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
    out += _p_tx(m.fenced)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.end_points
    out += _p_i16sq(m.broker_id, m.incarnation_id, m.broker_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_EndPoints_0(e_1, out)
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
    out += _p_ttx(m.fenced, m.in_controlled_shutdown)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.end_points
    out += _p_it16sq(m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_EndPoints_0(e_1, out)
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
    out += _p_ttx(m.fenced, m.in_controlled_shutdown)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.end_points
    out += _p_it16sq(m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_EndPoints_0(e_1, out)
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
    out += _p_tt(m.fenced, m.in_controlled_shutdown)
    tags_3: list[tuple[int, bytes | bytearray]] = []
    if m.log_dirs:
        tags_3_out = bytearray()
        items_4 = m.log_dirs
        n = len(items_4) + 1
        if n < 128:
            tags_3_out.append(n)
        else:
            put_uvarint(tags_3_out, n)
        if items_4:
            put_uuids(tags_3_out, items_4)
        tags_3.append((0, tags_3_out))
    if tags_3:
        put_tags(out, tags_3)
    else:
        out.append(0)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.end_points
    out += _p_it16sq(m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_EndPoints_0(e_1, out)
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
    out += _p_tt(m.fenced, m.in_controlled_shutdown)
    tags_3: list[tuple[int, bytes | bytearray]] = []
    if m.log_dirs:
        tags_3_out = bytearray()
        items_4 = m.log_dirs
        n = len(items_4) + 1
        if n < 128:
            tags_3_out.append(n)
        else:
            put_uvarint(tags_3_out, n)
        if items_4:
            put_uuids(tags_3_out, items_4)
        tags_3.append((0, tags_3_out))
    if m.cordoned_log_dirs is not None:
        tags_3_out = bytearray()
        items_5 = m.cordoned_log_dirs
        n = 0 if items_5 is None else len(items_5) + 1
        if n < 128:
            tags_3_out.append(n)
        else:
            put_uvarint(tags_3_out, n)
        if items_5:
            put_uuids(tags_3_out, items_5)
        tags_3.append((1, tags_3_out))
    if tags_3:
        put_tags(out, tags_3)
    else:
        out.append(0)


def _write_EndPoints_0(m: Any, out: bytearray) -> None:
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


RegisterBrokerRecord._READERS = {0: _read_0, 1: _read_1, 2: _read_2, 3: _read_3, 4: _read_4}
RegisterBrokerRecord._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2, 3: _write_3, 4: _write_4}
