"""DescribeTransactions request (key 65), versions 0-0, flexible from 0.

Generated from schemas/describe_transactions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length



class DescribeTransactionsRequest(Message):
    __slots__ = ("transactional_ids",)
    API_KEY = 65
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        transactional_ids: list[str] = FRESH,
    ) -> None:
        self.transactional_ids = [] if transactional_ids is FRESH else transactional_ids


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeTransactionsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("transactional_ids", n, end - p, left)
    left[0] -= n
    transactional_ids_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_ids", n, end - p)
        transactional_ids_1_element = data[p:q].tobytes().decode()
        p = q
        transactional_ids_1.append(transactional_ids_1_element)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeTransactionsRequest(transactional_ids_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.transactional_ids
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
    out.append(0)


DescribeTransactionsRequest._READERS = {0: _read_0}
DescribeTransactionsRequest._WRITERS = {0: _write_0}
