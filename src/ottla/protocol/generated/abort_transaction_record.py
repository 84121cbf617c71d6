"""AbortTransactionRecord record (key 25), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, put_tags, read_tags, wrong_length, wrong_tag_size



class AbortTransactionRecord(Message):
    __slots__ = ("reason",)
    RECORD_TYPE = 25
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        reason: str | None = None,
    ) -> None:
        self.reason = reason


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AbortTransactionRecord, int]:
    n = data[p]
    p += 1
    reason_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    reason_1_tagged = None
                else:
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("reason", n, stop_1 - p)
                    reason_1_tagged = data[p:q].tobytes().decode()
                    p = q
                reason_1 = reason_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return AbortTransactionRecord(reason_1), p


def _write_0(m: Any, out: bytearray) -> None:
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.reason is not None:
        tags_1_out = bytearray()
        if m.reason is None:
            tags_1_out.append(0)
        else:
            b = m.reason.encode()
            n = len(b) + 1
            if n < 128:
                tags_1_out.append(n)
            else:
                put_string_length(tags_1_out, n)
            tags_1_out += b
        tags_1.append((0, tags_1_out))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


AbortTransactionRecord._READERS = {0: _read_0}
AbortTransactionRecord._WRITERS = {0: _write_0}
