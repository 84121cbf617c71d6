"""AddPartitionsToTxn request (key 24), versions 0-5, flexible from 3.

Generated from schemas/add_partitions_to_txn.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_qhi = _Struct(">qhi").unpack_from
_u_i = _Struct(">i").unpack_from
_u_qhB = _Struct(">qhB").unpack_from
_u_qhtB = _Struct(">qh?B").unpack_from
_p_h = _Struct(">h").pack
_p_qhi = _Struct(">qhi").pack
_p_i = _Struct(">i").pack
_p_qh = _Struct(">qh").pack
_p_qht = _Struct(">qh?").pack


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class Transactions(Struct):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "verify_only", "topics")

    def __init__(
        self,
        transactional_id: str = '',
        producer_id: int = 0,
        producer_epoch: int = 0,
        verify_only: bool = False,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.verify_only = verify_only
        self.topics = [] if topics is FRESH else topics


class V3AndBelowTopics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class AddPartitionsToTxnRequest(Message):
    __slots__ = ("transactions", "v3_and_below_transactional_id", "v3_and_below_producer_id", "v3_and_below_producer_epoch", "v3_and_below_topics")
    API_KEY = 24
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        transactions: list[Transactions] = FRESH,
        v3_and_below_transactional_id: str = '',
        v3_and_below_producer_id: int = 0,
        v3_and_below_producer_epoch: int = 0,
        v3_and_below_topics: list[V3AndBelowTopics] = FRESH,
    ) -> None:
        self.transactions = [] if transactions is FRESH else transactions
        self.v3_and_below_transactional_id = v3_and_below_transactional_id
        self.v3_and_below_producer_id = v3_and_below_producer_id
        self.v3_and_below_producer_epoch = v3_and_below_producer_epoch
        self.v3_and_below_topics = [] if v3_and_below_topics is FRESH else v3_and_below_topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddPartitionsToTxnRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("v3_and_below_transactional_id", n, end - p)
    v3_and_below_transactional_id_1 = data[p:q].tobytes().decode()
    p = q
    v3_and_below_producer_id_1, v3_and_below_producer_epoch_1, n = _u_qhi(data, p)
    p += 14
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("v3_and_below_topics", n, end - p, left)
    left[0] -= n
    v3_and_below_topics_1: list[V3AndBelowTopics] = []
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
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2, p = read_numbers("i", 4, data, p, n)
        v3_and_below_topics_1.append(V3AndBelowTopics(name_2, partitions_2))
    return AddPartitionsToTxnRequest([], v3_and_below_transactional_id_1, v3_and_below_producer_id_1, v3_and_below_producer_epoch_1, v3_and_below_topics_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddPartitionsToTxnRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("v3_and_below_transactional_id", n, end - p)
    v3_and_below_transactional_id_1 = data[p:q].tobytes().decode()
    p = q
    v3_and_below_producer_id_1, v3_and_below_producer_epoch_1, n = _u_qhB(data, p)
    p += 11
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("v3_and_below_topics", n, end - p, left)
    left[0] -= n
    v3_and_below_topics_1: list[V3AndBelowTopics] = []
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
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2, p = read_numbers("i", 4, data, p, n)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        v3_and_below_topics_1.append(V3AndBelowTopics(name_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AddPartitionsToTxnRequest([], v3_and_below_transactional_id_1, v3_and_below_producer_id_1, v3_and_below_producer_epoch_1, v3_and_below_topics_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddPartitionsToTxnRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 14 > end - p or n > left[0]:
        raise wrong_count("transactions", n, end - p, left)
    left[0] -= n
    transactions_1: list[Transactions] = []
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
        producer_id_2, producer_epoch_2, verify_only_2, n = _u_qhtB(data, p)
        p += 12
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
                raise wrong_length("name", n, end - p)
            name_3 = data[p:q].tobytes().decode()
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
            topics_2.append(Topics(name_3, partitions_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        transactions_1.append(Transactions(transactional_id_2, producer_id_2, producer_epoch_2, verify_only_2, topics_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AddPartitionsToTxnRequest(transactions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.v3_and_below_transactional_id.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.v3_and_below_topics
    out += _p_qhi(m.v3_and_below_producer_id, m.v3_and_below_producer_epoch, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        if items_2:
            put_numbers(out, "i", items_2)


def _write_3(m: Any, out: bytearray) -> None:
    b = m.v3_and_below_transactional_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.v3_and_below_topics
    out += _p_qh(m.v3_and_below_producer_id, m.v3_and_below_producer_epoch)
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
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_2:
            put_numbers(out, "i", items_2)
        out.append(0)
    out.append(0)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.transactions
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
        items_2 = e_1.topics
        out += _p_qht(e_1.producer_id, e_1.producer_epoch, e_1.verify_only)
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


AddPartitionsToTxnRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_4, 5: _read_4}
AddPartitionsToTxnRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_4, 5: _write_4}
