"""BrokerRegistrationChangeRecord record (key 17), versions 0-3, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, put_tags, put_uuids, put_uvarint, read_tags, read_uuids, wrong_count, wrong_tag_size

_u_iqB = _Struct(">iqB").unpack_from
_u_b = _Struct(">b").unpack_from
_p_iq = _Struct(">iq").pack
_p_BBBb = _Struct(">BBBb").pack
_p_b = _Struct(">b").pack


class BrokerRegistrationChangeRecord(Message):
    __slots__ = ("broker_id", "broker_epoch", "fenced", "in_controlled_shutdown", "log_dirs", "cordoned_log_dirs")
    RECORD_TYPE = 17
    MIN_VERSION = 0
    MAX_VERSION = 3
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = 0,
        fenced: int = 0,
        in_controlled_shutdown: int = 0,
        log_dirs: list[bytes] = FRESH,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs = [] if log_dirs is FRESH else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerRegistrationChangeRecord, int]:
    broker_id_1, broker_epoch_1, n = _u_iqB(data, p)
    p += 13
    fenced_1: Any = 0
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (fenced_1_tagged,) = _u_b(data, p)
                p += 1
                fenced_1 = fenced_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return BrokerRegistrationChangeRecord(broker_id_1, broker_epoch_1, fenced_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerRegistrationChangeRecord, int]:
    broker_id_1, broker_epoch_1, n = _u_iqB(data, p)
    p += 13
    fenced_1: Any = 0
    in_controlled_shutdown_1: Any = 0
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (fenced_1_tagged,) = _u_b(data, p)
                p += 1
                fenced_1 = fenced_1_tagged
            elif tag_1 == 1:
                (in_controlled_shutdown_1_tagged,) = _u_b(data, p)
                p += 1
                in_controlled_shutdown_1 = in_controlled_shutdown_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return BrokerRegistrationChangeRecord(broker_id_1, broker_epoch_1, fenced_1, in_controlled_shutdown_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerRegistrationChangeRecord, int]:
    broker_id_1, broker_epoch_1, n = _u_iqB(data, p)
    p += 13
    fenced_1: Any = 0
    in_controlled_shutdown_1: Any = 0
    log_dirs_1: Any = []
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (fenced_1_tagged,) = _u_b(data, p)
                p += 1
                fenced_1 = fenced_1_tagged
            elif tag_1 == 1:
                (in_controlled_shutdown_1_tagged,) = _u_b(data, p)
                p += 1
                in_controlled_shutdown_1 = in_controlled_shutdown_1_tagged
            elif tag_1 == 2:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                    raise wrong_count("log_dirs", n, stop_1 - p, left)
                left[0] -= n
                log_dirs_1_tagged, p = read_uuids(data, p, n)
                log_dirs_1 = log_dirs_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return BrokerRegistrationChangeRecord(broker_id_1, broker_epoch_1, fenced_1, in_controlled_shutdown_1, log_dirs_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerRegistrationChangeRecord, int]:
    broker_id_1, broker_epoch_1, n = _u_iqB(data, p)
    p += 13
    fenced_1: Any = 0
    in_controlled_shutdown_1: Any = 0
    log_dirs_1: Any = []
    cordoned_log_dirs_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (fenced_1_tagged,) = _u_b(data, p)
                p += 1
                fenced_1 = fenced_1_tagged
            elif tag_1 == 1:
                (in_controlled_shutdown_1_tagged,) = _u_b(data, p)
                p += 1
                in_controlled_shutdown_1 = in_controlled_shutdown_1_tagged
            elif tag_1 == 2:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                    raise wrong_count("log_dirs", n, stop_1 - p, left)
                left[0] -= n
                log_dirs_1_tagged, p = read_uuids(data, p, n)
                log_dirs_1 = log_dirs_1_tagged
            elif tag_1 == 3:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                cordoned_log_dirs_1_tagged: list[bytes] | None = None
                if n != -1:
                    if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                        raise wrong_count("cordoned_log_dirs", n, stop_1 - p, left)
                    left[0] -= n
                    cordoned_log_dirs_1_tagged, p = read_uuids(data, p, n)
                cordoned_log_dirs_1 = cordoned_log_dirs_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return BrokerRegistrationChangeRecord(broker_id_1, broker_epoch_1, fenced_1, in_controlled_shutdown_1, log_dirs_1, cordoned_log_dirs_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_iq(m.broker_id, m.broker_epoch)
    if m.fenced != 0:
        out += _p_BBBb(1, 0, 1, m.fenced)
    else:
        out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_iq(m.broker_id, m.broker_epoch)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.fenced != 0:
        tags_1.append((0, _p_b(m.fenced)))
    if m.in_controlled_shutdown != 0:
        tags_1.append((1, _p_b(m.in_controlled_shutdown)))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_iq(m.broker_id, m.broker_epoch)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.fenced != 0:
        tags_1.append((0, _p_b(m.fenced)))
    if m.in_controlled_shutdown != 0:
        tags_1.append((1, _p_b(m.in_controlled_shutdown)))
    if m.log_dirs:
        tags_1_out = bytearray()
        items_2 = m.log_dirs
        n = len(items_2) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_2:
            put_uuids(tags_1_out, items_2)
        tags_1.append((2, tags_1_out))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


def _write_3(m: Any, out: bytearray) -> None:
    out += _p_iq(m.broker_id, m.broker_epoch)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.fenced != 0:
        tags_1.append((0, _p_b(m.fenced)))
    if m.in_controlled_shutdown != 0:
        tags_1.append((1, _p_b(m.in_controlled_shutdown)))
    if m.log_dirs:
        tags_1_out = bytearray()
        items_2 = m.log_dirs
        n = len(items_2) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_2:
            put_uuids(tags_1_out, items_2)
        tags_1.append((2, tags_1_out))
    if m.cordoned_log_dirs is not None:
        tags_1_out = bytearray()
        items_3 = m.cordoned_log_dirs
        n = 0 if items_3 is None else len(items_3) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_3:
            put_uuids(tags_1_out, items_3)
        tags_1.append((3, tags_1_out))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


BrokerRegistrationChangeRecord._READERS = {0: _read_0, 1: _read_1, 2: _read_2, 3: _read_3}
BrokerRegistrationChangeRecord._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2, 3: _write_3}
