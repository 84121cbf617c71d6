"""InitProducerId request (key 22), versions 0-6, flexible from 2.

Generated from schemas/init_producer_id.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_iqhB = _Struct(">iqhB").unpack_from
_u_iqhttB = _Struct(">iqh??B").unpack_from
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_ix = _Struct(">ix").pack
_p_iqhx = _Struct(">iqhx").pack
_p_iqhttx = _Struct(">iqh??x").pack


class InitProducerIdRequest(Message):
    __slots__ = ("transactional_id", "transaction_timeout_ms", "producer_id", "producer_epoch", "enable2_pc", "keep_prepared_txn")
    API_KEY = 22
    MIN_VERSION = 0
    MAX_VERSION = 6
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        transactional_id: str | None = '',
        transaction_timeout_ms: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
        enable2_pc: bool = False,
        keep_prepared_txn: bool = False,
    ) -> None:
        self.transactional_id = transactional_id
        self.transaction_timeout_ms = transaction_timeout_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.enable2_pc = enable2_pc
        self.keep_prepared_txn = keep_prepared_txn


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[InitProducerIdRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        transactional_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id", n, end - p)
        transactional_id_1 = data[p:q].tobytes().decode()
        p = q
    (transaction_timeout_ms_1,) = _u_i(data, p)
    p += 4
    return InitProducerIdRequest(transactional_id_1, transaction_timeout_ms_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[InitProducerIdRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        transactional_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id", n, end - p)
        transactional_id_1 = data[p:q].tobytes().decode()
        p = q
    transaction_timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return InitProducerIdRequest(transactional_id_1, transaction_timeout_ms_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[InitProducerIdRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        transactional_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id", n, end - p)
        transactional_id_1 = data[p:q].tobytes().decode()
        p = q
    transaction_timeout_ms_1, producer_id_1, producer_epoch_1, n = _u_iqhB(data, p)
    p += 15
    if n:
        p = skip_tags(data, p - 1, end)
    return InitProducerIdRequest(transactional_id_1, transaction_timeout_ms_1, producer_id_1, producer_epoch_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[InitProducerIdRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        transactional_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id", n, end - p)
        transactional_id_1 = data[p:q].tobytes().decode()
        p = q
    transaction_timeout_ms_1, producer_id_1, producer_epoch_1, enable2_pc_1, keep_prepared_txn_1, n = _u_iqhttB(data, p)
    p += 17
    if n:
        p = skip_tags(data, p - 1, end)
    return InitProducerIdRequest(transactional_id_1, transaction_timeout_ms_1, producer_id_1, producer_epoch_1, enable2_pc_1, keep_prepared_txn_1), p


def _write_0(m: Any, out: bytearray) -> None:
    if m.transactional_id is None:
        n, b = -1, b""
    else:
        b = m.transactional_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    out += _p_i(m.transaction_timeout_ms)


def _write_2(m: Any, out: bytearray) -> None:
    if m.transactional_id is None:
        out.append(0)
    else:
        b = m.transactional_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_ix(m.transaction_timeout_ms)


def _write_3(m: Any, out: bytearray) -> None:
    if m.transactional_id is None:
        out.append(0)
    else:
        b = m.transactional_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_iqhx(m.transaction_timeout_ms, m.producer_id, m.producer_epoch)


def _write_6(m: Any, out: bytearray) -> None:
    if m.transactional_id is None:
        out.append(0)
    else:
        b = m.transactional_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_iqhttx(m.transaction_timeout_ms, m.producer_id, m.producer_epoch, m.enable2_pc, m.keep_prepared_txn)


InitProducerIdRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_2, 3: _read_3, 4: _read_3, 5: _read_3, 6: _read_6}
InitProducerIdRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2, 3: _write_3, 4: _write_3, 5: _write_3, 6: _write_6}
