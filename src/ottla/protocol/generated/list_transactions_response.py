"""ListTransactions response (key 66), versions 0-2, flexible from 0.

Generated from schemas/list_transactions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_u_qB = _Struct(">qB").unpack_from
_p_ih = _Struct(">ih").pack
_p_q = _Struct(">q").pack


class TransactionStates(Struct):
    __slots__ = ("transactional_id", "producer_id", "transaction_state")

    def __init__(
        self,
        transactional_id: str = '',
        producer_id: int = 0,
        transaction_state: str = '',
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.transaction_state = transaction_state


class ListTransactionsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "unknown_state_filters", "transaction_states")
    API_KEY = 66
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_state_filters: list[str] = FRESH,
        transaction_states: list[TransactionStates] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.unknown_state_filters = [] if unknown_state_filters is FRESH else unknown_state_filters
        self.transaction_states = [] if transaction_states is FRESH else transaction_states


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListTransactionsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("unknown_state_filters", n, end - p, left)
    left[0] -= n
    unknown_state_filters_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("unknown_state_filters", n, end - p)
        unknown_state_filters_1_element = data[p:q].tobytes().decode()
        p = q
        unknown_state_filters_1.append(unknown_state_filters_1_element)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("transaction_states", n, end - p, left)
    left[0] -= n
    transaction_states_1: list[TransactionStates] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id", n, end - p)
        transactional_id_2 = data[p:q].tobytes().decode()
        p = q
        producer_id_2, n = _u_qB(data, p)
        p += 9
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transaction_state", n, end - p)
        transaction_state_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        transaction_states_1.append(TransactionStates(transactional_id_2, producer_id_2, transaction_state_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListTransactionsResponse(throttle_time_ms_1, error_code_1, unknown_state_filters_1, transaction_states_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.unknown_state_filters
    out += _p_ih(m.throttle_time_ms, m.error_code)
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
    items_2 = m.transaction_states
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        b = e_2.transactional_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_q(e_2.producer_id)
        b = e_2.transaction_state.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


ListTransactionsResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_0}
ListTransactionsResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0}
