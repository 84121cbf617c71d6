"""OffsetCommitValue record (key 1), versions 0-4, flexible from 4.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NO_UUID, Message
from ottla.protocol.wire import longer_string, put_string_length, read_tags, wrong_length, wrong_tag_size

_u_qh = _Struct(">qh").unpack_from
_u_q = _Struct(">q").unpack_from
_u_qq = _Struct(">qq").unpack_from
_u_qih = _Struct(">qih").unpack_from
_u_qiB = _Struct(">qiB").unpack_from
_u_qB = _Struct(">qB").unpack_from
_u_16s = _Struct(">16s").unpack_from
_p_qh = _Struct(">qh").pack
_p_q = _Struct(">q").pack
_p_qq = _Struct(">qq").pack
_p_qih = _Struct(">qih").pack
_p_qi = _Struct(">qi").pack
_p_BBB16s = _Struct(">BBB16s").pack


class OffsetCommitValue(Message):
    __slots__ = ("offset", "leader_epoch", "metadata", "commit_timestamp", "topic_id", "expire_timestamp")
    RECORD_TYPE = 1
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        offset: int = 0,
        leader_epoch: int = -1,
        metadata: str = '',
        commit_timestamp: int = 0,
        topic_id: bytes = NO_UUID,
        expire_timestamp: int = -1,
    ) -> None:
        self.offset = offset
        self.leader_epoch = leader_epoch
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp
        self.topic_id = topic_id
        self.expire_timestamp = expire_timestamp


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitValue, int]:
    offset_1, n = _u_qh(data, p)
    p += 10
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("metadata", n, end - p)
    metadata_1 = data[p:q].tobytes().decode()
    p = q
    (commit_timestamp_1,) = _u_q(data, p)
    p += 8
    return OffsetCommitValue(offset_1, -1, metadata_1, commit_timestamp_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitValue, int]:
    offset_1, n = _u_qh(data, p)
    p += 10
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("metadata", n, end - p)
    metadata_1 = data[p:q].tobytes().decode()
    p = q
    commit_timestamp_1, expire_timestamp_1 = _u_qq(data, p)
    p += 16
    return OffsetCommitValue(offset_1, -1, metadata_1, commit_timestamp_1, NO_UUID, expire_timestamp_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitValue, int]:
    offset_1, leader_epoch_1, n = _u_qih(data, p)
    p += 14
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("metadata", n, end - p)
    metadata_1 = data[p:q].tobytes().decode()
    p = q
    (commit_timestamp_1,) = _u_q(data, p)
    p += 8
    return OffsetCommitValue(offset_1, leader_epoch_1, metadata_1, commit_timestamp_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitValue, int]:
    offset_1, leader_epoch_1, n = _u_qiB(data, p)
    p += 13
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("metadata", n, end - p)
    metadata_1 = data[p:q].tobytes().decode()
    p = q
    commit_timestamp_1, n = _u_qB(data, p)
    p += 9
    topic_id_1: Any = NO_UUID
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (topic_id_1_tagged,) = _u_16s(data, p)
                p += 16
                topic_id_1 = topic_id_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return OffsetCommitValue(offset_1, leader_epoch_1, metadata_1, commit_timestamp_1, topic_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.metadata.encode()
    out += _p_qh(m.offset, len(b))
    out += b
    out += _p_q(m.commit_timestamp)


def _write_1(m: Any, out: bytearray) -> None:
    b = m.metadata.encode()
    out += _p_qh(m.offset, len(b))
    out += b
    out += _p_qq(m.commit_timestamp, m.expire_timestamp)


def _write_3(m: Any, out: bytearray) -> None:
    b = m.metadata.encode()
    out += _p_qih(m.offset, m.leader_epoch, len(b))
    out += b
    out += _p_q(m.commit_timestamp)


def _write_4(m: Any, out: bytearray) -> None:
    out += _p_qi(m.offset, m.leader_epoch)
    b = m.metadata.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_q(m.commit_timestamp)
    if m.topic_id != NO_UUID:
        out += _p_BBB16s(1, 0, 16, m.topic_id)
    else:
        out.append(0)


OffsetCommitValue._READERS = {0: _read_0, 1: _read_1, 2: _read_0, 3: _read_3, 4: _read_4}
OffsetCommitValue._WRITERS = {0: _write_0, 1: _write_1, 2: _write_0, 3: _write_3, 4: _write_4}
