"""TransactionLogValue record (key 0), versions 0-1, flexible from 1.

Generated from schemas/records_transaction.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_tags, put_uvarint, read_numbers, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_qhibi = _Struct(">qhibi").unpack_from
_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_qq = _Struct(">qq").unpack_from
_u_qhibB = _Struct(">qhibB").unpack_from
_u_qqB = _Struct(">qqB").unpack_from
_u_q = _Struct(">q").unpack_from
_p_qhibi = _Struct(">qhibi").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_qq = _Struct(">qq").pack
_p_qhib = _Struct(">qhib").pack
_p_q = _Struct(">q").pack


class TransactionPartitions(Struct):
    __slots__ = ("topic", "partition_ids")

    def __init__(
        self,
        topic: str = '',
        partition_ids: list[int] = FRESH,
    ) -> None:
        self.topic = topic
        self.partition_ids = [] if partition_ids is FRESH else partition_ids


class TransactionLogValue(Message):
    __slots__ = ("producer_id", "producer_epoch", "transaction_timeout_ms", "transaction_status", "transaction_partitions", "transaction_last_update_timestamp_ms", "transaction_start_timestamp_ms", "previous_producer_id", "next_producer_id", "client_transaction_version", "next_producer_epoch")
    RECORD_TYPE = 0
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        producer_id: int = 0,
        producer_epoch: int = 0,
        transaction_timeout_ms: int = 0,
        transaction_status: int = 0,
        transaction_partitions: list[TransactionPartitions] | None = FRESH,
        transaction_last_update_timestamp_ms: int = 0,
        transaction_start_timestamp_ms: int = 0,
        previous_producer_id: int = -1,
        next_producer_id: int = -1,
        client_transaction_version: int = 0,
        next_producer_epoch: int = -1,
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_status = transaction_status
        self.transaction_partitions = [] if transaction_partitions is FRESH else transaction_partitions
        self.transaction_last_update_timestamp_ms = transaction_last_update_timestamp_ms
        self.transaction_start_timestamp_ms = transaction_start_timestamp_ms
        self.previous_producer_id = previous_producer_id
        self.next_producer_id = next_producer_id
        self.client_transaction_version = client_transaction_version
        self.next_producer_epoch = next_producer_epoch


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[TransactionLogValue, int]:
    producer_id_1, producer_epoch_1, transaction_timeout_ms_1, transaction_status_1, n = _u_qhibi(data, p)
    p += 19
    transaction_partitions_1: list[TransactionPartitions] | None = None
    if n != -1:
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("transaction_partitions", n, end - p, left)
        left[0] -= n
        transaction_partitions_1 = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("topic", n, end - p)
            topic_2 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_i(data, p)
            p += 4
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partition_ids", n, end - p, left)
            left[0] -= n
            partition_ids_2, p = read_numbers("i", 4, data, p, n)
            transaction_partitions_1.append(TransactionPartitions(topic_2, partition_ids_2))
    transaction_last_update_timestamp_ms_1, transaction_start_timestamp_ms_1 = _u_qq(data, p)
    p += 16
    return TransactionLogValue(producer_id_1, producer_epoch_1, transaction_timeout_ms_1, transaction_status_1, transaction_partitions_1, transaction_last_update_timestamp_ms_1, transaction_start_timestamp_ms_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[TransactionLogValue, int]:
    producer_id_1, producer_epoch_1, transaction_timeout_ms_1, transaction_status_1, n = _u_qhibB(data, p)
    p += 16
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    transaction_partitions_1: list[TransactionPartitions] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("transaction_partitions", n, end - p, left)
        left[0] -= n
        transaction_partitions_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("topic", n, end - p)
            topic_2 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partition_ids", n, end - p, left)
            left[0] -= n
            partition_ids_2, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            transaction_partitions_1.append(TransactionPartitions(topic_2, partition_ids_2))
    transaction_last_update_timestamp_ms_1, transaction_start_timestamp_ms_1, n = _u_qqB(data, p)
    p += 17
    previous_producer_id_1: Any = -1
    next_producer_id_1: Any = -1
    client_transaction_version_1: Any = 0
    next_producer_epoch_1: Any = -1
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (previous_producer_id_1_tagged,) = _u_q(data, p)
                p += 8
                previous_producer_id_1 = previous_producer_id_1_tagged
            elif tag_1 == 1:
                (next_producer_id_1_tagged,) = _u_q(data, p)
                p += 8
                next_producer_id_1 = next_producer_id_1_tagged
            elif tag_1 == 2:
                (client_transaction_version_1_tagged,) = _u_h(data, p)
                p += 2
                client_transaction_version_1 = client_transaction_version_1_tagged
            elif tag_1 == 3:
                (next_producer_epoch_1_tagged,) = _u_h(data, p)
                p += 2
                next_producer_epoch_1 = next_producer_epoch_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return TransactionLogValue(producer_id_1, producer_epoch_1, transaction_timeout_ms_1, transaction_status_1, transaction_partitions_1, transaction_last_update_timestamp_ms_1, transaction_start_timestamp_ms_1, previous_producer_id_1, next_producer_id_1, client_transaction_version_1, next_producer_epoch_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.transaction_partitions
    out += _p_qhibi(m.producer_id, m.producer_epoch, m.transaction_timeout_ms, m.transaction_status, -1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partition_ids
        out += _p_i(len(items_2))
        if items_2:
            put_numbers(out, "i", items_2)
    out += _p_qq(m.transaction_last_update_timestamp_ms, m.transaction_start_timestamp_ms)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.transaction_partitions
    out += _p_qhib(m.producer_id, m.producer_epoch, m.transaction_timeout_ms, m.transaction_status)
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.topic.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partition_ids
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_2:
            put_numbers(out, "i", items_2)
        out.append(0)
    out += _p_qq(m.transaction_last_update_timestamp_ms, m.transaction_start_timestamp_ms)
    tags_3: list[tuple[int, bytes | bytearray]] = []
    if m.previous_producer_id != -1:
        tags_3.append((0, _p_q(m.previous_producer_id)))
    if m.next_producer_id != -1:
        tags_3.append((1, _p_q(m.next_producer_id)))
    if m.client_transaction_version != 0:
        tags_3.append((2, _p_h(m.client_transaction_version)))
    if m.next_producer_epoch != -1:
        tags_3.append((3, _p_h(m.next_producer_epoch)))
    if tags_3:
        put_tags(out, tags_3)
    else:
        out.append(0)


TransactionLogValue._READERS = {0: _read_0, 1: _read_1}
TransactionLogValue._WRITERS = {0: _write_0, 1: _write_1}
