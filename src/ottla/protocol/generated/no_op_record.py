"""NoOpRecord record (key 20), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags



class NoOpRecord(Message):
    __slots__ = ()
    RECORD_TYPE = 20
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[NoOpRecord, int]:
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return NoOpRecord(), p


def _write_0(m: Any, out: bytearray) -> None:
    out.append(0)


NoOpRecord._READERS = {0: _read_0}
NoOpRecord._WRITERS = {0: _write_0}
