"""ShareGroupHeartbeat request (key 76), versions 1-1, flexible from 1.

Generated from schemas/share_group_heartbeat.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_p_i = _Struct(">i").pack


class ShareGroupHeartbeatRequest(Message):
    __slots__ = ("group_id", "member_id", "member_epoch", "rack_id", "subscribed_topic_names")
    API_KEY = 76
    MIN_VERSION = 1
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        group_id: str = '',
        member_id: str = '',
        member_epoch: int = 0,
        rack_id: str | None = None,
        subscribed_topic_names: list[str] | None = None,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.rack_id = rack_id
        self.subscribed_topic_names = subscribed_topic_names


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareGroupHeartbeatRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    member_epoch_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        rack_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("rack_id", n, end - p)
        rack_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    subscribed_topic_names_1: list[str] | None = None
    if n != -1:
        if n < 0 or n > end - p or n > left[0]:
            raise wrong_count("subscribed_topic_names", n, end - p, left)
        left[0] -= n
        subscribed_topic_names_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subscribed_topic_names", n, end - p)
            subscribed_topic_names_1_element = data[p:q].tobytes().decode()
            p = q
            subscribed_topic_names_1.append(subscribed_topic_names_1_element)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareGroupHeartbeatRequest(group_id_1, member_id_1, member_epoch_1, rack_id_1, subscribed_topic_names_1), p


def _write_1(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_i(m.member_epoch)
    if m.rack_id is None:
        out.append(0)
    else:
        b = m.rack_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.subscribed_topic_names
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out.append(0)


ShareGroupHeartbeatRequest._READERS = {1: _read_1}
ShareGroupHeartbeatRequest._WRITERS = {1: _write_1}
