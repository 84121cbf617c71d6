"""AddPartitionsToTxn response (key 24), versions 0-5, flexible from 3.

Generated from schemas/add_partitions_to_txn.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_p_ii = _Struct(">ii").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_ih = _Struct(">ih").pack
_p_ihx = _Struct(">ihx").pack


class TopicResultsResultsByPartition(Struct):
    __slots__ = ("partition_index", "partition_error_code")

    def __init__(
        self,
        partition_index: int = 0,
        partition_error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.partition_error_code = partition_error_code


class TopicResults(Struct):
    __slots__ = ("name", "results_by_partition")

    def __init__(
        self,
        name: str = '',
        results_by_partition: list[TopicResultsResultsByPartition] = FRESH,
    ) -> None:
        self.name = name
        self.results_by_partition = [] if results_by_partition is FRESH else results_by_partition


class ResultsByTransaction(Struct):
    __slots__ = ("transactional_id", "topic_results")

    def __init__(
        self,
        transactional_id: str = '',
        topic_results: list[TopicResults] = FRESH,
    ) -> None:
        self.transactional_id = transactional_id
        self.topic_results = [] if topic_results is FRESH else topic_results


class ResultsByPartition(Struct):
    __slots__ = ("partition_index", "partition_error_code")

    def __init__(
        self,
        partition_index: int = 0,
        partition_error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.partition_error_code = partition_error_code


class ResultsByTopicV3AndBelow(Struct):
    __slots__ = ("name", "results_by_partition")

    def __init__(
        self,
        name: str = '',
        results_by_partition: list[ResultsByPartition] = FRESH,
    ) -> None:
        self.name = name
        self.results_by_partition = [] if results_by_partition is FRESH else results_by_partition


class AddPartitionsToTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "results_by_transaction", "results_by_topic_v3_and_below")
    API_KEY = 24
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results_by_transaction: list[ResultsByTransaction] = FRESH,
        results_by_topic_v3_and_below: list[ResultsByTopicV3AndBelow] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results_by_transaction = [] if results_by_transaction is FRESH else results_by_transaction
        self.results_by_topic_v3_and_below = [] if results_by_topic_v3_and_below is FRESH else results_by_topic_v3_and_below


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddPartitionsToTxnResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("results_by_topic_v3_and_below", n, end - p, left)
    left[0] -= n
    results_by_topic_v3_and_below_1: list[ResultsByTopicV3AndBelow] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("results_by_partition", n, end - p, left)
        left[0] -= n
        results_by_partition_2: list[ResultsByPartition] = []
        for _ in range(n):
            partition_index_3, partition_error_code_3 = _u_ih(data, p)
            p += 6
            results_by_partition_2.append(ResultsByPartition(partition_index_3, partition_error_code_3))
        results_by_topic_v3_and_below_1.append(ResultsByTopicV3AndBelow(name_2, results_by_partition_2))
    return AddPartitionsToTxnResponse(throttle_time_ms_1, 0, [], results_by_topic_v3_and_below_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddPartitionsToTxnResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("results_by_topic_v3_and_below", n, end - p, left)
    left[0] -= n
    results_by_topic_v3_and_below_1: list[ResultsByTopicV3AndBelow] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 7 > end - p or n > left[0]:
            raise wrong_count("results_by_partition", n, end - p, left)
        left[0] -= n
        results_by_partition_2: list[ResultsByPartition] = []
        for _ in range(n):
            partition_index_3, partition_error_code_3, n = _u_ihB(data, p)
            p += 7
            if n:
                p = skip_tags(data, p - 1, end)
            results_by_partition_2.append(ResultsByPartition(partition_index_3, partition_error_code_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        results_by_topic_v3_and_below_1.append(ResultsByTopicV3AndBelow(name_2, results_by_partition_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AddPartitionsToTxnResponse(throttle_time_ms_1, 0, [], results_by_topic_v3_and_below_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddPartitionsToTxnResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("results_by_transaction", n, end - p, left)
    left[0] -= n
    results_by_transaction_1: list[ResultsByTransaction] = []
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
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topic_results", n, end - p, left)
        left[0] -= n
        topic_results_2: list[TopicResults] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 7 > end - p or n > left[0]:
                raise wrong_count("results_by_partition", n, end - p, left)
            left[0] -= n
            results_by_partition_3: list[TopicResultsResultsByPartition] = []
            for _ in range(n):
                partition_index_4, partition_error_code_4, n = _u_ihB(data, p)
                p += 7
                if n:
                    p = skip_tags(data, p - 1, end)
                results_by_partition_3.append(TopicResultsResultsByPartition(partition_index_4, partition_error_code_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topic_results_2.append(TopicResults(name_3, results_by_partition_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        results_by_transaction_1.append(ResultsByTransaction(transactional_id_2, topic_results_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AddPartitionsToTxnResponse(throttle_time_ms_1, error_code_1, results_by_transaction_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.results_by_topic_v3_and_below
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.results_by_partition
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_ih(e_2.partition_index, e_2.partition_error_code)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.results_by_topic_v3_and_below
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.results_by_partition
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_ihx(e_2.partition_index, e_2.partition_error_code)
        out.append(0)
    out.append(0)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.results_by_transaction
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.transactional_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.topic_results
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            b = e_2.name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_3 = e_2.results_by_partition
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_ihx(e_3.partition_index, e_3.partition_error_code)
            out.append(0)
        out.append(0)
    out.append(0)


AddPartitionsToTxnResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_4, 5: _read_4}
AddPartitionsToTxnResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_4, 5: _write_4}
