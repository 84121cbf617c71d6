"""UpdateFeatures request (key 57), versions 0-2, flexible from 0.

Generated from schemas/update_features.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_htB = _Struct(">h?B").unpack_from
_u_hbB = _Struct(">hbB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_p_i = _Struct(">i").pack
_p_htx = _Struct(">h?x").pack
_p_hbx = _Struct(">hbx").pack
_p_tx = _Struct(">?x").pack


class FeatureUpdates(Struct):
    __slots__ = ("feature", "max_version_level", "upgrade_type", "allow_downgrade")

    def __init__(
        self,
        feature: str = '',
        max_version_level: int = 0,
        upgrade_type: int = 1,
        allow_downgrade: bool = False,
    ) -> None:
        self.feature = feature
        self.max_version_level = max_version_level
        self.upgrade_type = upgrade_type
        self.allow_downgrade = allow_downgrade


class UpdateFeaturesRequest(Message):
    __slots__ = ("timeout_ms", "feature_updates", "validate_only")
    API_KEY = 57
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        timeout_ms: int = 60000,
        feature_updates: list[FeatureUpdates] = FRESH,
        validate_only: bool = False,
    ) -> None:
        self.timeout_ms = timeout_ms
        self.feature_updates = [] if feature_updates is FRESH else feature_updates
        self.validate_only = validate_only


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[UpdateFeaturesRequest, int]:
    timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("feature_updates", n, end - p, left)
    left[0] -= n
    feature_updates_1: list[FeatureUpdates] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("feature", n, end - p)
        feature_2 = data[p:q].tobytes().decode()
        p = q
        max_version_level_2, allow_downgrade_2, n = _u_htB(data, p)
        p += 4
        if n:
            p = skip_tags(data, p - 1, end)
        feature_updates_1.append(FeatureUpdates(feature_2, max_version_level_2, 1, allow_downgrade_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return UpdateFeaturesRequest(timeout_ms_1, feature_updates_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[UpdateFeaturesRequest, int]:
    timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("feature_updates", n, end - p, left)
    left[0] -= n
    feature_updates_1: list[FeatureUpdates] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("feature", n, end - p)
        feature_2 = data[p:q].tobytes().decode()
        p = q
        max_version_level_2, upgrade_type_2, n = _u_hbB(data, p)
        p += 4
        if n:
            p = skip_tags(data, p - 1, end)
        feature_updates_1.append(FeatureUpdates(feature_2, max_version_level_2, upgrade_type_2))
    validate_only_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return UpdateFeaturesRequest(timeout_ms_1, feature_updates_1, validate_only_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.feature_updates
    out += _p_i(m.timeout_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.feature.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_htx(e_1.max_version_level, e_1.allow_downgrade)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.feature_updates
    out += _p_i(m.timeout_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.feature.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_hbx(e_1.max_version_level, e_1.upgrade_type)
    out += _p_tx(m.validate_only)


UpdateFeaturesRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_1}
UpdateFeaturesRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1}
