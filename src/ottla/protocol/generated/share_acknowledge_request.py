"""ShareAcknowledge request (key 79), versions 1-2, flexible from 1.

Generated from schemas/share_acknowledge.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_itB = _Struct(">i?B").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_qqB = _Struct(">qqB").unpack_from
_p_i = _Struct(">i").pack
_p_it = _Struct(">i?").pack
_p_16s = _Struct(">16s").pack
_p_qq = _Struct(">qq").pack


class AcknowledgementBatches(Struct):
    __slots__ = ("first_offset", "last_offset", "acknowledge_types")

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        acknowledge_types: list[int] = FRESH,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.acknowledge_types = [] if acknowledge_types is FRESH else acknowledge_types


class Partitions(Struct):
    __slots__ = ("partition_index", "acknowledgement_batches")

    def __init__(
        self,
        partition_index: int = 0,
        acknowledgement_batches: list[AcknowledgementBatches] = FRESH,
    ) -> None:
        self.partition_index = partition_index
        self.acknowledgement_batches = [] if acknowledgement_batches is FRESH else acknowledgement_batches


class Topics(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class ShareAcknowledgeRequest(Message):
    __slots__ = ("group_id", "member_id", "share_session_epoch", "is_renew_ack", "topics")
    API_KEY = 79
    MIN_VERSION = 1
    MAX_VERSION = 2
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        group_id: str | None = None,
        member_id: str | None = '',
        share_session_epoch: int = 0,
        is_renew_ack: bool = False,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.share_session_epoch = share_session_epoch
        self.is_renew_ack = is_renew_ack
        self.topics = [] if topics is FRESH else topics


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareAcknowledgeRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        group_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        member_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("member_id", n, end - p)
        member_id_1 = data[p:q].tobytes().decode()
        p = q
    share_session_epoch_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareAcknowledgeRequest(group_id_1, member_id_1, share_session_epoch_1, False, topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareAcknowledgeRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        group_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        member_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("member_id", n, end - p)
        member_id_1 = data[p:q].tobytes().decode()
        p = q
    share_session_epoch_1, is_renew_ack_1, n = _u_itB(data, p)
    p += 6
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareAcknowledgeRequest(group_id_1, member_id_1, share_session_epoch_1, is_renew_ack_1, topics_1), p


def _read_Topics_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    topic_id_1, n = _u_16sB(data, p)
    p += 17
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("acknowledgement_batches", n, end - p, left)
        left[0] -= n
        acknowledgement_batches_2: list[AcknowledgementBatches] = []
        for _ in range(n):
            first_offset_3, last_offset_3, n = _u_qqB(data, p)
            p += 17
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n > end - p or n > left[0]:
                raise wrong_count("acknowledge_types", n, end - p, left)
            left[0] -= n
            acknowledge_types_3, p = read_numbers("b", 1, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            acknowledgement_batches_2.append(AcknowledgementBatches(first_offset_3, last_offset_3, acknowledge_types_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        partitions_1.append(Partitions(partition_index_2, acknowledgement_batches_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(topic_id_1, partitions_1), p


def _write_1(m: Any, out: bytearray) -> None:
    if m.group_id is None:
        out.append(0)
    else:
        b = m.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.member_id is None:
        out.append(0)
    else:
        b = m.member_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.topics
    out += _p_i(m.share_session_epoch)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_1(e_1, out)
    out.append(0)


def _write_2(m: Any, out: bytearray) -> None:
    if m.group_id is None:
        out.append(0)
    else:
        b = m.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.member_id is None:
        out.append(0)
    else:
        b = m.member_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.topics
    out += _p_it(m.share_session_epoch, m.is_renew_ack)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_1(e_1, out)
    out.append(0)


def _write_Topics_1(m: Any, out: bytearray) -> None:
    items_1 = m.partitions
    out += _p_16s(m.topic_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.acknowledgement_batches
        out += _p_i(e_1.partition_index)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.acknowledge_types
            out += _p_qq(e_2.first_offset, e_2.last_offset)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_3:
                put_numbers(out, "b", items_3)
            out.append(0)
        out.append(0)
    out.append(0)


ShareAcknowledgeRequest._READERS = {1: _read_1, 2: _read_2}
ShareAcknowledgeRequest._WRITERS = {1: _write_1, 2: _write_2}
