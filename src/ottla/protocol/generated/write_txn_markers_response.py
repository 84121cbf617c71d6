"""WriteTxnMarkers response (key 27), versions 1-2, flexible from 1.

Generated from schemas/write_txn_markers.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_qB = _Struct(">qB").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_p_q = _Struct(">q").pack
_p_ihx = _Struct(">ihx").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class Markers(Struct):
    __slots__ = ("producer_id", "topics")

    def __init__(
        self,
        producer_id: int = 0,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.producer_id = producer_id
        self.topics = [] if topics is FRESH else topics


class WriteTxnMarkersResponse(Message):
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


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[WriteTxnMarkersResponse, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 10 > end - p or n > left[0]:
        raise wrong_count("markers", n, end - p, left)
    left[0] -= n
    markers_1: list[Markers] = []
    for _ in range(n):
        producer_id_2, n = _u_qB(data, p)
        p += 9
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
            if n < 0 or n * 7 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3: list[Partitions] = []
            for _ in range(n):
                partition_index_4, error_code_4, n = _u_ihB(data, p)
                p += 7
                if n:
                    p = skip_tags(data, p - 1, end)
                partitions_3.append(Partitions(partition_index_4, error_code_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topics_2.append(Topics(name_3, partitions_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        markers_1.append(Markers(producer_id_2, topics_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return WriteTxnMarkersResponse(markers_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.markers
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.topics
        out += _p_q(e_1.producer_id)
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
            for e_3 in items_3:
                out += _p_ihx(e_3.partition_index, e_3.error_code)
            out.append(0)
        out.append(0)
    out.append(0)


WriteTxnMarkersResponse._READERS = {1: _read_1, 2: _read_1}
WriteTxnMarkersResponse._WRITERS = {1: _write_1, 2: _write_1}
