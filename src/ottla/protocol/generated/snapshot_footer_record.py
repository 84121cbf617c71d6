"""SnapshotFooterRecord record, versions 0-0, flexible from 0.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_hB = _Struct(">hB").unpack_from
_p_hx = _Struct(">hx").pack


class SnapshotFooterRecord(Message):
    __slots__ = ("version",)
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        version: int = 0,
    ) -> None:
        self.version = version


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SnapshotFooterRecord, int]:
    version_1, n = _u_hB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return SnapshotFooterRecord(version_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_hx(m.version)


SnapshotFooterRecord._READERS = {0: _read_0}
SnapshotFooterRecord._WRITERS = {0: _write_0}
