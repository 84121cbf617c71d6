"""SnapshotHeaderRecord record, versions 0-0, flexible from 0.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_hqB = _Struct(">hqB").unpack_from
_p_hqx = _Struct(">hqx").pack


class SnapshotHeaderRecord(Message):
    __slots__ = ("version", "last_contained_log_timestamp")
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        version: int = 0,
        last_contained_log_timestamp: int = 0,
    ) -> None:
        self.version = version
        self.last_contained_log_timestamp = last_contained_log_timestamp


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SnapshotHeaderRecord, int]:
    version_1, last_contained_log_timestamp_1, n = _u_hqB(data, p)
    p += 11
    if n:
        p = skip_tags(data, p - 1, end)
    return SnapshotHeaderRecord(version_1, last_contained_log_timestamp_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_hqx(m.version, m.last_contained_log_timestamp)


SnapshotHeaderRecord._READERS = {0: _read_0}
SnapshotHeaderRecord._WRITERS = {0: _write_0}
