"""KRaftVersionRecord record, versions 0-0, flexible from 0.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_hhB = _Struct(">hhB").unpack_from
_p_hhx = _Struct(">hhx").pack


class KRaftVersionRecord(Message):
    __slots__ = ("version", "kraft_version")
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        version: int = 0,
        kraft_version: int = 0,
    ) -> None:
        self.version = version
        self.kraft_version = kraft_version


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[KRaftVersionRecord, int]:
    version_1, kraft_version_1, n = _u_hhB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return KRaftVersionRecord(version_1, kraft_version_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_hhx(m.version, m.kraft_version)


KRaftVersionRecord._READERS = {0: _read_0}
KRaftVersionRecord._WRITERS = {0: _write_0}
