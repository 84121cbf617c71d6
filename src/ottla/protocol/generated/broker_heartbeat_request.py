"""BrokerHeartbeat request (key 63), versions 0-2, flexible from 0.

Generated from schemas/broker_heartbeat.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, put_tags, put_uuids, put_uvarint, read_tags, read_uuids, skip_tags, wrong_count, wrong_tag_size

_u_iqqttB = _Struct(">iqq??B").unpack_from
_p_iqqttx = _Struct(">iqq??x").pack
_p_iqqtt = _Struct(">iqq??").pack


class BrokerHeartbeatRequest(Message):
    __slots__ = ("broker_id", "broker_epoch", "current_metadata_offset", "want_fence", "want_shut_down", "offline_log_dirs", "cordoned_log_dirs")
    API_KEY = 63
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
        current_metadata_offset: int = 0,
        want_fence: bool = False,
        want_shut_down: bool = False,
        offline_log_dirs: list[bytes] = FRESH,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.current_metadata_offset = current_metadata_offset
        self.want_fence = want_fence
        self.want_shut_down = want_shut_down
        self.offline_log_dirs = [] if offline_log_dirs is FRESH else offline_log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerHeartbeatRequest, int]:
    broker_id_1, broker_epoch_1, current_metadata_offset_1, want_fence_1, want_shut_down_1, n = _u_iqqttB(data, p)
    p += 23
    if n:
        p = skip_tags(data, p - 1, end)
    return BrokerHeartbeatRequest(broker_id_1, broker_epoch_1, current_metadata_offset_1, want_fence_1, want_shut_down_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerHeartbeatRequest, int]:
    broker_id_1, broker_epoch_1, current_metadata_offset_1, want_fence_1, want_shut_down_1, n = _u_iqqttB(data, p)
    p += 23
    offline_log_dirs_1: Any = []
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                    raise wrong_count("offline_log_dirs", n, stop_1 - p, left)
                left[0] -= n
                offline_log_dirs_1_tagged, p = read_uuids(data, p, n)
                offline_log_dirs_1 = offline_log_dirs_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return BrokerHeartbeatRequest(broker_id_1, broker_epoch_1, current_metadata_offset_1, want_fence_1, want_shut_down_1, offline_log_dirs_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerHeartbeatRequest, int]:
    broker_id_1, broker_epoch_1, current_metadata_offset_1, want_fence_1, want_shut_down_1, n = _u_iqqttB(data, p)
    p += 23
    offline_log_dirs_1: Any = []
    cordoned_log_dirs_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 16 > stop_1 - p or n > left[0]:
                    raise wrong_count("offline_log_dirs", n, stop_1 - p, left)
                left[0] -= n
                offline_log_dirs_1_tagged, p = read_uuids(data, p, n)
                offline_log_dirs_1 = offline_log_dirs_1_tagged
            elif tag_1 == 1:
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
    return BrokerHeartbeatRequest(broker_id_1, broker_epoch_1, current_metadata_offset_1, want_fence_1, want_shut_down_1, offline_log_dirs_1, cordoned_log_dirs_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_iqqttx(m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_iqqtt(m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.offline_log_dirs:
        tags_1_out = bytearray()
        items_2 = m.offline_log_dirs
        n = len(items_2) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_2:
            put_uuids(tags_1_out, items_2)
        tags_1.append((0, tags_1_out))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_iqqtt(m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.offline_log_dirs:
        tags_1_out = bytearray()
        items_2 = m.offline_log_dirs
        n = len(items_2) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        if items_2:
            put_uuids(tags_1_out, items_2)
        tags_1.append((0, tags_1_out))
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
        tags_1.append((1, tags_1_out))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


BrokerHeartbeatRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
BrokerHeartbeatRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
