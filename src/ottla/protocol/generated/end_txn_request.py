"""EndTxn request (key 26), versions 0-5, flexible from 3.

Generated from schemas/end_txn.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_h = _Struct(">h").unpack_from
_u_qht = _Struct(">qh?").unpack_from
_u_qhtB = _Struct(">qh?B").unpack_from
_p_h = _Struct(">h").pack
_p_qht = _Struct(">qh?").pack
_p_qhtx = _Struct(">qh?x").pack


class EndTxnRequest(Message):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "committed")
    API_KEY = 26
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        transactional_id: str = '',
        producer_id: int = 0,
        producer_epoch: int = 0,
        committed: bool = False,
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.committed = committed


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndTxnRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("transactional_id", n, end - p)
    transactional_id_1 = data[p:q].tobytes().decode()
    p = q
    producer_id_1, producer_epoch_1, committed_1 = _u_qht(data, p)
    p += 11
    return EndTxnRequest(transactional_id_1, producer_id_1, producer_epoch_1, committed_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndTxnRequest, int]:
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
    producer_id_1, producer_epoch_1, committed_1, n = _u_qhtB(data, p)
    p += 12
    if n:
        p = skip_tags(data, p - 1, end)
    return EndTxnRequest(transactional_id_1, producer_id_1, producer_epoch_1, committed_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.transactional_id.encode()
    out += _p_h(len(b))
    out += b
    out += _p_qht(m.producer_id, m.producer_epoch, m.committed)


def _write_3(m: Any, out: bytearray) -> None:
    b = m.transactional_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_qhtx(m.producer_id, m.producer_epoch, m.committed)


EndTxnRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_3, 5: _read_3}
EndTxnRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_3, 5: _write_3}
