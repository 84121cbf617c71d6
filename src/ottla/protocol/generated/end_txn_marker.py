"""EndTxnMarker record, versions 0-0, never flexible.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NEVER_FLEXIBLE, Message

_u_i = _Struct(">i").unpack_from
_p_i = _Struct(">i").pack


class EndTxnMarker(Message):
    __slots__ = ("coordinator_epoch",)
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        coordinator_epoch: int = 0,
    ) -> None:
        self.coordinator_epoch = coordinator_epoch


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndTxnMarker, int]:
    (coordinator_epoch_1,) = _u_i(data, p)
    p += 4
    return EndTxnMarker(coordinator_epoch_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_i(m.coordinator_epoch)


EndTxnMarker._READERS = {0: _read_0}
EndTxnMarker._WRITERS = {0: _write_0}
