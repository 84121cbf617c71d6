"""AddOffsetsToTxn request (key 25), versions 0-4, flexible from 3.

Generated from schemas/add_offsets_to_txn.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_h = _Struct(">h").unpack_from
_u_qhh = _Struct(">qhh").unpack_from
_u_qhB = _Struct(">qhB").unpack_from
_p_h = _Struct(">h").pack
_p_qhh = _Struct(">qhh").pack
_p_qh = _Struct(">qh").pack


class AddOffsetsToTxnRequest(Message):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "group_id")
    API_KEY = 25
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        transactional_id: str = '',
        producer_id: int = 0,
        producer_epoch: int = 0,
        group_id: str = '',
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.group_id = group_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddOffsetsToTxnRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("transactional_id", n, end - p)
    transactional_id_1 = data[p:q].tobytes().decode()
    p = q
    producer_id_1, producer_epoch_1, n = _u_qhh(data, p)
    p += 12
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    return AddOffsetsToTxnRequest(transactional_id_1, producer_id_1, producer_epoch_1, group_id_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddOffsetsToTxnRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("transactional_id", n, end - p)
    transactional_id_1 = data[p:q].tobytes().decode()
    p = q
    producer_id_1, producer_epoch_1, n = _u_qhB(data, p)
    p += 11
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AddOffsetsToTxnRequest(transactional_id_1, producer_id_1, producer_epoch_1, group_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.transactional_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.group_id.encode()
    out += _p_qhh(m.producer_id, m.producer_epoch, len(b))
    out += b


def _write_3(m: Any, out: bytearray) -> None:
    b = m.transactional_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_qh(m.producer_id, m.producer_epoch)
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out.append(0)


AddOffsetsToTxnRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_3}
AddOffsetsToTxnRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_3}
