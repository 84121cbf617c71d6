"""RemoveDelegationTokenRecord record (key 26), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length



class RemoveDelegationTokenRecord(Message):
    __slots__ = ("token_id",)
    RECORD_TYPE = 26
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        token_id: str = '',
    ) -> None:
        self.token_id = token_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RemoveDelegationTokenRecord, int]:
    n = data[p]
    p += 1
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
    return RemoveDelegationTokenRecord(token_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.token_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out.append(0)


RemoveDelegationTokenRecord._READERS = {0: _read_0}
RemoveDelegationTokenRecord._WRITERS = {0: _write_0}
