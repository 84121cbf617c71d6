"""ProducerSnapshot record, versions 1-1, never flexible.

Generated from schemas/records_storage.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NEVER_FLEXIBLE, Message, Struct
from ottla.protocol.wire import wrong_count

_u_Ii = _Struct(">Ii").unpack_from
_u_qhiqiqiq = _Struct(">qhiqiqiq").unpack_from
_p_Ii = _Struct(">Ii").pack
_p_qhiqiqiq = _Struct(">qhiqiqiq").pack


class ProducerEntries(Struct):
    __slots__ = ("producer_id", "epoch", "last_sequence", "last_offset", "offset_delta", "timestamp", "coordinator_epoch", "current_txn_first_offset")

    def __init__(
        self,
        producer_id: int = 0,
        epoch: int = 0,
        last_sequence: int = 0,
        last_offset: int = 0,
        offset_delta: int = 0,
        timestamp: int = 0,
        coordinator_epoch: int = 0,
        current_txn_first_offset: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self.last_sequence = last_sequence
        self.last_offset = last_offset
        self.offset_delta = offset_delta
        self.timestamp = timestamp
        self.coordinator_epoch = coordinator_epoch
        self.current_txn_first_offset = current_txn_first_offset


class ProducerSnapshot(Message):
    __slots__ = ("crc", "producer_entries")
    MIN_VERSION = 1
    MAX_VERSION = 1
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        crc: int = 0,
        producer_entries: list[ProducerEntries] = FRESH,
    ) -> None:
        self.crc = crc
        self.producer_entries = [] if producer_entries is FRESH else producer_entries


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProducerSnapshot, int]:
    crc_1, n = _u_Ii(data, p)
    p += 8
    if n < 0 or n * 46 > end - p or n > left[0]:
        raise wrong_count("producer_entries", n, end - p, left)
    left[0] -= n
    producer_entries_1: list[ProducerEntries] = []
    for _ in range(n):
        producer_id_2, epoch_2, last_sequence_2, last_offset_2, offset_delta_2, timestamp_2, coordinator_epoch_2, current_txn_first_offset_2 = _u_qhiqiqiq(data, p)
        p += 46
        producer_entries_1.append(ProducerEntries(producer_id_2, epoch_2, last_sequence_2, last_offset_2, offset_delta_2, timestamp_2, coordinator_epoch_2, current_txn_first_offset_2))
    return ProducerSnapshot(crc_1, producer_entries_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.producer_entries
    out += _p_Ii(m.crc, len(items_1))
    for e_1 in items_1:
        out += _p_qhiqiqiq(e_1.producer_id, e_1.epoch, e_1.last_sequence, e_1.last_offset, e_1.offset_delta, e_1.timestamp, e_1.coordinator_epoch, e_1.current_txn_first_offset)


ProducerSnapshot._READERS = {1: _read_1}
ProducerSnapshot._WRITERS = {1: _write_1}
