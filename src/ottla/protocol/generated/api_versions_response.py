"""ApiVersions response (key 18), versions 0-4, flexible from 3.

Generated from schemas/api_versions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_tags, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_hi = _Struct(">hi").unpack_from
_u_hhh = _Struct(">hhh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_hhhB = _Struct(">hhhB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hhB = _Struct(">hhB").unpack_from
_u_q = _Struct(">q").unpack_from
_u_t = _Struct(">?").unpack_from
_p_hi = _Struct(">hi").pack
_p_hhh = _Struct(">hhh").pack
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_hhhx = _Struct(">hhhx").pack
_p_hhx = _Struct(">hhx").pack
_p_q = _Struct(">q").pack
_p_t = _Struct(">?").pack


class ApiKeys(Struct):
    __slots__ = ("api_key", "min_version", "max_version")

    def __init__(
        self,
        api_key: int = 0,
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.api_key = api_key
        self.min_version = min_version
        self.max_version = max_version


class SupportedFeatures(Struct):
    __slots__ = ("name", "min_version", "max_version")

    def __init__(
        self,
        name: str = '',
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.name = name
        self.min_version = min_version
        self.max_version = max_version


class FinalizedFeatures(Struct):
    __slots__ = ("name", "max_version_level", "min_version_level")

    def __init__(
        self,
        name: str = '',
        max_version_level: int = 0,
        min_version_level: int = 0,
    ) -> None:
        self.name = name
        self.max_version_level = max_version_level
        self.min_version_level = min_version_level


class ApiVersionsResponse(Message):
    __slots__ = ("error_code", "api_keys", "throttle_time_ms", "supported_features", "finalized_features_epoch", "finalized_features", "zk_migration_ready")
    API_KEY = 18
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        error_code: int = 0,
        api_keys: list[ApiKeys] = FRESH,
        throttle_time_ms: int = 0,
        supported_features: list[SupportedFeatures] = FRESH,
        finalized_features_epoch: int = -1,
        finalized_features: list[FinalizedFeatures] = FRESH,
        zk_migration_ready: bool = False,
    ) -> None:
        self.error_code = error_code
        self.api_keys = [] if api_keys is FRESH else api_keys
        self.throttle_time_ms = throttle_time_ms
        self.supported_features = [] if supported_features is FRESH else supported_features
        self.finalized_features_epoch = finalized_features_epoch
        self.finalized_features = [] if finalized_features is FRESH else finalized_features
        self.zk_migration_ready = zk_migration_ready


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ApiVersionsResponse, int]:
    error_code_1, n = _u_hi(data, p)
    p += 6
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("api_keys", n, end - p, left)
    left[0] -= n
    api_keys_1: list[ApiKeys] = []
    for _ in range(n):
        api_key_2, min_version_2, max_version_2 = _u_hhh(data, p)
        p += 6
        api_keys_1.append(ApiKeys(api_key_2, min_version_2, max_version_2))
    return ApiVersionsResponse(error_code_1, api_keys_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ApiVersionsResponse, int]:
    error_code_1, n = _u_hi(data, p)
    p += 6
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("api_keys", n, end - p, left)
    left[0] -= n
    api_keys_1: list[ApiKeys] = []
    for _ in range(n):
        api_key_2, min_version_2, max_version_2 = _u_hhh(data, p)
        p += 6
        api_keys_1.append(ApiKeys(api_key_2, min_version_2, max_version_2))
    (throttle_time_ms_1,) = _u_i(data, p)
    p += 4
    return ApiVersionsResponse(error_code_1, api_keys_1, throttle_time_ms_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ApiVersionsResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("api_keys", n, end - p, left)
    left[0] -= n
    api_keys_1: list[ApiKeys] = []
    for _ in range(n):
        api_key_2, min_version_2, max_version_2, n = _u_hhhB(data, p)
        p += 7
        if n:
            p = skip_tags(data, p - 1, end)
        api_keys_1.append(ApiKeys(api_key_2, min_version_2, max_version_2))
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    supported_features_1: Any = []
    finalized_features_epoch_1: Any = -1
    finalized_features_1: Any = []
    zk_migration_ready_1: Any = False
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 6 > stop_1 - p or n > left[0]:
                    raise wrong_count("supported_features", n, stop_1 - p, left)
                left[0] -= n
                supported_features_1_tagged: list[SupportedFeatures] = []
                for _ in range(n):
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("name", n, stop_1 - p)
                    name_3 = data[p:q].tobytes().decode()
                    p = q
                    min_version_3, max_version_3, n = _u_hhB(data, p)
                    p += 5
                    if n:
                        p = skip_tags(data, p - 1, stop_1)
                    supported_features_1_tagged.append(SupportedFeatures(name_3, min_version_3, max_version_3))
                supported_features_1 = supported_features_1_tagged
            elif tag_1 == 1:
                (finalized_features_epoch_1_tagged,) = _u_q(data, p)
                p += 8
                finalized_features_epoch_1 = finalized_features_epoch_1_tagged
            elif tag_1 == 2:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 6 > stop_1 - p or n > left[0]:
                    raise wrong_count("finalized_features", n, stop_1 - p, left)
                left[0] -= n
                finalized_features_1_tagged: list[FinalizedFeatures] = []
                for _ in range(n):
                    n = data[p]
                    p += 1
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("name", n, stop_1 - p)
                    name_4 = data[p:q].tobytes().decode()
                    p = q
                    max_version_level_4, min_version_level_4, n = _u_hhB(data, p)
                    p += 5
                    if n:
                        p = skip_tags(data, p - 1, stop_1)
                    finalized_features_1_tagged.append(FinalizedFeatures(name_4, max_version_level_4, min_version_level_4))
                finalized_features_1 = finalized_features_1_tagged
            elif tag_1 == 3:
                (zk_migration_ready_1_tagged,) = _u_t(data, p)
                p += 1
                zk_migration_ready_1 = zk_migration_ready_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return ApiVersionsResponse(error_code_1, api_keys_1, throttle_time_ms_1, supported_features_1, finalized_features_epoch_1, finalized_features_1, zk_migration_ready_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.api_keys
    out += _p_hi(m.error_code, len(items_1))
    for e_1 in items_1:
        out += _p_hhh(e_1.api_key, e_1.min_version, e_1.max_version)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.api_keys
    out += _p_hi(m.error_code, len(items_1))
    for e_1 in items_1:
        out += _p_hhh(e_1.api_key, e_1.min_version, e_1.max_version)
    out += _p_i(m.throttle_time_ms)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.api_keys
    out += _p_h(m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_hhhx(e_1.api_key, e_1.min_version, e_1.max_version)
    out += _p_i(m.throttle_time_ms)
    tags_2: list[tuple[int, bytes | bytearray]] = []
    if m.supported_features:
        tags_2_out = bytearray()
        items_3 = m.supported_features
        n = len(items_3) + 1
        if n < 128:
            tags_2_out.append(n)
        else:
            put_uvarint(tags_2_out, n)
        for e_3 in items_3:
            b = e_3.name.encode()
            n = len(b) + 1
            if n < 128:
                tags_2_out.append(n)
            else:
                put_string_length(tags_2_out, n)
            tags_2_out += b
            tags_2_out += _p_hhx(e_3.min_version, e_3.max_version)
        tags_2.append((0, tags_2_out))
    if m.finalized_features_epoch != -1:
        tags_2.append((1, _p_q(m.finalized_features_epoch)))
    if m.finalized_features:
        tags_2_out = bytearray()
        items_4 = m.finalized_features
        n = len(items_4) + 1
        if n < 128:
            tags_2_out.append(n)
        else:
            put_uvarint(tags_2_out, n)
        for e_4 in items_4:
            b = e_4.name.encode()
            n = len(b) + 1
            if n < 128:
                tags_2_out.append(n)
            else:
                put_string_length(tags_2_out, n)
            tags_2_out += b
            tags_2_out += _p_hhx(e_4.max_version_level, e_4.min_version_level)
        tags_2.append((2, tags_2_out))
    if m.zk_migration_ready != False:
        tags_2.append((3, _p_t(m.zk_migration_ready)))
    if tags_2:
        put_tags(out, tags_2)
    else:
        out.append(0)


ApiVersionsResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_3, 4: _read_3}
ApiVersionsResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_3, 4: _write_3}
