"""ControlRecordTypeSchema record, versions 0-0, never flexible.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NEVER_FLEXIBLE, Message

_u_h = _Struct(">h").unpack_from
_p_h = _Struct(">h").pack


class ControlRecordTypeSchema(Message):
    __slots__ = ("type",)
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        type: int = 0,
    ) -> None:
        self.type = type


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ControlRecordTypeSchema, int]:
    (type_1,) = _u_h(data, p)
    p += 2
    return ControlRecordTypeSchema(type_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_h(m.type)


ControlRecordTypeSchema._READERS = {0: _read_0}
ControlRecordTypeSchema._WRITERS = {0: _write_0}
