"""ShareSnapshotValue record (key 0), versions 0-0, flexible from 0.

Generated from schemas/records_share_state.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, put_uvarint, read_tags, skip_tags, wrong_count, wrong_tag_size

_u_iiiqqqB = _Struct(">iiiqqqB").unpack_from
_u_qqbhB = _Struct(">qqbhB").unpack_from
_u_i = _Struct(">i").unpack_from
_p_iiiqqq = _Struct(">iiiqqq").pack
_p_qqbhx = _Struct(">qqbhx").pack
_p_BBBi = _Struct(">BBBi").pack


class StateBatches(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        delivery_state: int = 0,
        delivery_count: int = 0,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count


class ShareSnapshotValue(Message):
    __slots__ = ("snapshot_epoch", "state_epoch", "leader_epoch", "start_offset", "create_timestamp", "write_timestamp", "state_batches", "delivery_complete_count")
    RECORD_TYPE = 0
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        snapshot_epoch: int = 0,
        state_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        create_timestamp: int = 0,
        write_timestamp: int = 0,
        state_batches: list[StateBatches] = FRESH,
        delivery_complete_count: int = -1,
    ) -> None:
        self.snapshot_epoch = snapshot_epoch
        self.state_epoch = state_epoch
        self.leader_epoch = leader_epoch
        self.start_offset = start_offset
        self.create_timestamp = create_timestamp
        self.write_timestamp = write_timestamp
        self.state_batches = [] if state_batches is FRESH else state_batches
        self.delivery_complete_count = delivery_complete_count


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareSnapshotValue, int]:
    snapshot_epoch_1, state_epoch_1, leader_epoch_1, start_offset_1, create_timestamp_1, write_timestamp_1, n = _u_iiiqqqB(data, p)
    p += 37
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 20 > end - p or n > left[0]:
        raise wrong_count("state_batches", n, end - p, left)
    left[0] -= n
    state_batches_1: list[StateBatches] = []
    for _ in range(n):
        first_offset_2, last_offset_2, delivery_state_2, delivery_count_2, n = _u_qqbhB(data, p)
        p += 20
        if n:
            p = skip_tags(data, p - 1, end)
        state_batches_1.append(StateBatches(first_offset_2, last_offset_2, delivery_state_2, delivery_count_2))
    n = data[p]
    p += 1
    delivery_complete_count_1: Any = -1
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (delivery_complete_count_1_tagged,) = _u_i(data, p)
                p += 4
                delivery_complete_count_1 = delivery_complete_count_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return ShareSnapshotValue(snapshot_epoch_1, state_epoch_1, leader_epoch_1, start_offset_1, create_timestamp_1, write_timestamp_1, state_batches_1, delivery_complete_count_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.state_batches
    out += _p_iiiqqq(m.snapshot_epoch, m.state_epoch, m.leader_epoch, m.start_offset, m.create_timestamp, m.write_timestamp)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_qqbhx(e_1.first_offset, e_1.last_offset, e_1.delivery_state, e_1.delivery_count)
    if m.delivery_complete_count != -1:
        out += _p_BBBi(1, 0, 4, m.delivery_complete_count)
    else:
        out.append(0)


ShareSnapshotValue._READERS = {0: _read_0}
ShareSnapshotValue._WRITERS = {0: _write_0}
