"""DelegationTokenRecord record (key 10), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_qqqB = _Struct(">qqqB").unpack_from
_p_qqq = _Struct(">qqq").pack


class DelegationTokenRecord(Message):
    __slots__ = ("owner", "requester", "renewers", "issue_timestamp", "max_timestamp", "expiration_timestamp", "token_id")
    RECORD_TYPE = 10
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        owner: str = '',
        requester: str = '',
        renewers: list[str] = FRESH,
        issue_timestamp: int = 0,
        max_timestamp: int = 0,
        expiration_timestamp: int = 0,
        token_id: str = '',
    ) -> None:
        self.owner = owner
        self.requester = requester
        self.renewers = [] if renewers is FRESH else renewers
        self.issue_timestamp = issue_timestamp
        self.max_timestamp = max_timestamp
        self.expiration_timestamp = expiration_timestamp
        self.token_id = token_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DelegationTokenRecord, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("owner", n, end - p)
    owner_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("requester", n, end - p)
    requester_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("renewers", n, end - p, left)
    left[0] -= n
    renewers_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("renewers", n, end - p)
        renewers_1_element = data[p:q].tobytes().decode()
        p = q
        renewers_1.append(renewers_1_element)
    issue_timestamp_1, max_timestamp_1, expiration_timestamp_1, n = _u_qqqB(data, p)
    p += 25
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("token_id", n, end - p)
    token_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DelegationTokenRecord(owner_1, requester_1, renewers_1, issue_timestamp_1, max_timestamp_1, expiration_timestamp_1, token_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.owner.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.requester.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.renewers
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_qqq(m.issue_timestamp, m.max_timestamp, m.expiration_timestamp)
    b = m.token_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out.append(0)


DelegationTokenRecord._READERS = {0: _read_0}
DelegationTokenRecord._WRITERS = {0: _write_0}
