"""ListTransactions request (key 66), versions 0-2, flexible from 0.

Generated from schemas/list_transactions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_qB = _Struct(">qB").unpack_from
_p_qx = _Struct(">qx").pack
_p_q = _Struct(">q").pack


class ListTransactionsRequest(Message):
    __slots__ = ("state_filters", "producer_id_filters", "duration_filter", "transactional_id_pattern")
    API_KEY = 66
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        state_filters: list[str] = FRESH,
        producer_id_filters: list[int] = FRESH,
        duration_filter: int = -1,
        transactional_id_pattern: str | None = None,
    ) -> None:
        self.state_filters = [] if state_filters is FRESH else state_filters
        self.producer_id_filters = [] if producer_id_filters is FRESH else producer_id_filters
        self.duration_filter = duration_filter
        self.transactional_id_pattern = transactional_id_pattern


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListTransactionsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("state_filters", n, end - p, left)
    left[0] -= n
    state_filters_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("state_filters", n, end - p)
        state_filters_1_element = data[p:q].tobytes().decode()
        p = q
        state_filters_1.append(state_filters_1_element)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("producer_id_filters", n, end - p, left)
    left[0] -= n
    producer_id_filters_1, p = read_numbers("q", 8, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListTransactionsRequest(state_filters_1, producer_id_filters_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListTransactionsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("state_filters", n, end - p, left)
    left[0] -= n
    state_filters_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("state_filters", n, end - p)
        state_filters_1_element = data[p:q].tobytes().decode()
        p = q
        state_filters_1.append(state_filters_1_element)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("producer_id_filters", n, end - p, left)
    left[0] -= n
    producer_id_filters_1, p = read_numbers("q", 8, data, p, n)
    duration_filter_1, n = _u_qB(data, p)
    p += 9
    if n:
        p = skip_tags(data, p - 1, end)
    return ListTransactionsRequest(state_filters_1, producer_id_filters_1, duration_filter_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListTransactionsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("state_filters", n, end - p, left)
    left[0] -= n
    state_filters_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("state_filters", n, end - p)
        state_filters_1_element = data[p:q].tobytes().decode()
        p = q
        state_filters_1.append(state_filters_1_element)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("producer_id_filters", n, end - p, left)
    left[0] -= n
    producer_id_filters_1, p = read_numbers("q", 8, data, p, n)
    duration_filter_1, n = _u_qB(data, p)
    p += 9
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        transactional_id_pattern_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id_pattern", n, end - p)
        transactional_id_pattern_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListTransactionsRequest(state_filters_1, producer_id_filters_1, duration_filter_1, transactional_id_pattern_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.state_filters
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
    items_2 = m.producer_id_filters
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_2:
        put_numbers(out, "q", items_2)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.state_filters
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
    items_2 = m.producer_id_filters
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_2:
        put_numbers(out, "q", items_2)
    out += _p_qx(m.duration_filter)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.state_filters
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
    items_2 = m.producer_id_filters
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_2:
        put_numbers(out, "q", items_2)
    out += _p_q(m.duration_filter)
    if m.transactional_id_pattern is None:
        out.append(0)
    else:
        b = m.transactional_id_pattern.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out.append(0)


ListTransactionsRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
ListTransactionsRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
