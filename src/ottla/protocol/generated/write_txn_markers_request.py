"""WriteTxnMarkers request (key 27), versions 1-2, flexible from 1.

Generated from schemas/write_txn_markers.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_qhtB = _Struct(">qh?B").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_ibB = _Struct(">ibB").unpack_from
_p_qht = _Struct(">qh?").pack
_p_ix = _Struct(">ix").pack
_p_ibx = _Struct(">ibx").pack


class Topics(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(
        self,
        name: str = '',
        partition_indexes: list[int] = FRESH,
    ) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is FRESH else partition_indexes


class Markers(Struct):
    __slots__ = ("producer_id", "producer_epoch", "transaction_result", "topics", "coordinator_epoch", "transaction_version")

    def __init__(
        self,
        producer_id: int = 0,
        producer_epoch: int = 0,
        transaction_result: bool = False,
        topics: list[Topics] = FRESH,
        coordinator_epoch: int = 0,
        transaction_version: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.transaction_result = transaction_result
        self.topics = [] if topics is FRESH else topics
        self.coordinator_epoch = coordinator_epoch
        self.transaction_version = transaction_version


class WriteTxnMarkersRequest(Message):
    __slots__ = ("markers",)
    API_KEY = 27
    MIN_VERSION = 1
    MAX_VERSION = 2
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        markers: list[Markers] = FRESH,
    ) -> None:
        self.markers = [] if markers is FRESH else markers


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[WriteTxnMarkersRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 17 > end - p or n > left[0]:
        raise wrong_count("markers", n, end - p, left)
    left[0] -= n
    markers_1: list[Markers] = []
    for _ in range(n):
        producer_id_2, producer_epoch_2, transaction_result_2, n = _u_qhtB(data, p)
        p += 12
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[Topics] = []
        for _ in range(n):
            s_3, p = _read_Topics_1(data, p, end, left)
            topics_2.append(s_3)
        coordinator_epoch_2, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        markers_1.append(Markers(producer_id_2, producer_epoch_2, transaction_result_2, topics_2, coordinator_epoch_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return WriteTxnMarkersRequest(markers_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[WriteTxnMarkersRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("markers", n, end - p, left)
    left[0] -= n
    markers_1: list[Markers] = []
    for _ in range(n):
        producer_id_2, producer_epoch_2, transaction_result_2, n = _u_qhtB(data, p)
        p += 12
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[Topics] = []
        for _ in range(n):
            s_3, p = _read_Topics_1(data, p, end, left)
            topics_2.append(s_3)
        coordinator_epoch_2, transaction_version_2, n = _u_ibB(data, p)
        p += 6
        if n:
            p = skip_tags(data, p - 1, end)
        markers_1.append(Markers(producer_id_2, producer_epoch_2, transaction_result_2, topics_2, coordinator_epoch_2, transaction_version_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return WriteTxnMarkersRequest(markers_1), p


def _read_Topics_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("partition_indexes", n, end - p, left)
    left[0] -= n
    partition_indexes_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(name_1, partition_indexes_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.markers
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.topics
        out += _p_qht(e_1.producer_id, e_1.producer_epoch, e_1.transaction_result)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            _write_Topics_1(e_2, out)
        out += _p_ix(e_1.coordinator_epoch)
    out.append(0)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.markers
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.topics
        out += _p_qht(e_1.producer_id, e_1.producer_epoch, e_1.transaction_result)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            _write_Topics_1(e_2, out)
        out += _p_ibx(e_1.coordinator_epoch, e_1.transaction_version)
    out.append(0)


def _write_Topics_1(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partition_indexes
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    out.append(0)


WriteTxnMarkersRequest._READERS = {1: _read_1, 2: _read_2}
WriteTxnMarkersRequest._WRITERS = {1: _write_1, 2: _write_2}
