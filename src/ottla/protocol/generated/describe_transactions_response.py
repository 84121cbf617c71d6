"""DescribeTransactions response (key 65), versions 0-0, flexible from 0.

Generated from schemas/describe_transactions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_iqqhB = _Struct(">iqqhB").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_iqqh = _Struct(">iqqh").pack


class Topics(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class TransactionStates(Struct):
    __slots__ = ("error_code", "transactional_id", "transaction_state", "transaction_timeout_ms", "transaction_start_time_ms", "producer_id", "producer_epoch", "topics")

    def __init__(
        self,
        error_code: int = 0,
        transactional_id: str = '',
        transaction_state: str = '',
        transaction_timeout_ms: int = 0,
        transaction_start_time_ms: int = 0,
        producer_id: int = 0,
        producer_epoch: int = 0,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.transactional_id = transactional_id
        self.transaction_state = transaction_state
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_start_time_ms = transaction_start_time_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.topics = [] if topics is FRESH else topics


class DescribeTransactionsResponse(Message):
    __slots__ = ("throttle_time_ms", "transaction_states")
    API_KEY = 65
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        transaction_states: list[TransactionStates] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.transaction_states = [] if transaction_states is FRESH else transaction_states


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeTransactionsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 28 > end - p or n > left[0]:
        raise wrong_count("transaction_states", n, end - p, left)
    left[0] -= n
    transaction_states_1: list[TransactionStates] = []
    for _ in range(n):
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id", n, end - p)
        transactional_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transaction_state", n, end - p)
        transaction_state_2 = data[p:q].tobytes().decode()
        p = q
        transaction_timeout_ms_2, transaction_start_time_ms_2, producer_id_2, producer_epoch_2, n = _u_iqqhB(data, p)
        p += 23
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[Topics] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("topic", n, end - p)
            topic_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topics_2.append(Topics(topic_3, partitions_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        transaction_states_1.append(TransactionStates(error_code_2, transactional_id_2, transaction_state_2, transaction_timeout_ms_2, transaction_start_time_ms_2, producer_id_2, producer_epoch_2, topics_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeTransactionsResponse(throttle_time_ms_1, transaction_states_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.transaction_states
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_h(e_1.error_code)
        b = e_1.transactional_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.transaction_state.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.topics
        out += _p_iqqh(e_1.transaction_timeout_ms, e_1.transaction_start_time_ms, e_1.producer_id, e_1.producer_epoch)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            b = e_2.topic.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_3 = e_2.partitions
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_3:
                put_numbers(out, "i", items_3)
            out.append(0)
        out.append(0)
    out.append(0)


DescribeTransactionsResponse._READERS = {0: _read_0}
DescribeTransactionsResponse._WRITERS = {0: _write_0}
