"""ZkMigrationStateRecord record (key 21), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_bB = _Struct(">bB").unpack_from
_p_bx = _Struct(">bx").pack


class ZkMigrationStateRecord(Message):
    __slots__ = ("zk_migration_state",)
    RECORD_TYPE = 21
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        zk_migration_state: int = 0,
    ) -> None:
        self.zk_migration_state = zk_migration_state


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ZkMigrationStateRecord, int]:
    zk_migration_state_1, n = _u_bB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return ZkMigrationStateRecord(zk_migration_state_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_bx(m.zk_migration_state)


ZkMigrationStateRecord._READERS = {0: _read_0}
ZkMigrationStateRecord._WRITERS = {0: _write_0}
