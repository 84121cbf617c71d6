"""WriteShareGroupState request (key 85), versions 0-1, flexible from 0.

Generated from schemas/write_share_group_state.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_16sB = _Struct(">16sB").unpack_from
_u_iiiqB = _Struct(">iiiqB").unpack_from
_u_qqbhB = _Struct(">qqbhB").unpack_from
_u_iiiqiB = _Struct(">iiiqiB").unpack_from
_p_16s = _Struct(">16s").pack
_p_iiiq = _Struct(">iiiq").pack
_p_qqbhx = _Struct(">qqbhx").pack
_p_iiiqi = _Struct(">iiiqi").pack


class StateBatches(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        delivery_state: int = 0,
        delivery_count: int = 0,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count


class Partitions(Struct):
    __slots__ = ("partition", "state_epoch", "leader_epoch", "start_offset", "delivery_complete_count", "state_batches")

    def __init__(
        self,
        partition: int = 0,
        state_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        state_batches: list[StateBatches] = FRESH,
    ) -> None:
        self.partition = partition
        self.state_epoch = state_epoch
        self.leader_epoch = leader_epoch
        self.start_offset = start_offset
        self.delivery_complete_count = delivery_complete_count
        self.state_batches = [] if state_batches is FRESH else state_batches


class Topics(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class WriteShareGroupStateRequest(Message):
    __slots__ = ("group_id", "topics")
    API_KEY = 85
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        group_id: str = '',
        topics: list[Topics] = FRESH,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is FRESH else topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[WriteShareGroupStateRequest, int]:
    n = data[p]
    p += 1
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
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 22 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_3, state_epoch_3, leader_epoch_3, start_offset_3, n = _u_iiiqB(data, p)
            p += 21
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 20 > end - p or n > left[0]:
                raise wrong_count("state_batches", n, end - p, left)
            left[0] -= n
            state_batches_3: list[StateBatches] = []
            for _ in range(n):
                first_offset_4, last_offset_4, delivery_state_4, delivery_count_4, n = _u_qqbhB(data, p)
                p += 20
                if n:
                    p = skip_tags(data, p - 1, end)
                state_batches_3.append(StateBatches(first_offset_4, last_offset_4, delivery_state_4, delivery_count_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_3, state_epoch_3, leader_epoch_3, start_offset_3, -1, state_batches_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_id_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return WriteShareGroupStateRequest(group_id_1, topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[WriteShareGroupStateRequest, int]:
    n = data[p]
    p += 1
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
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 26 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_3, state_epoch_3, leader_epoch_3, start_offset_3, delivery_complete_count_3, n = _u_iiiqiB(data, p)
            p += 25
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 20 > end - p or n > left[0]:
                raise wrong_count("state_batches", n, end - p, left)
            left[0] -= n
            state_batches_3: list[StateBatches] = []
            for _ in range(n):
                first_offset_4, last_offset_4, delivery_state_4, delivery_count_4, n = _u_qqbhB(data, p)
                p += 20
                if n:
                    p = skip_tags(data, p - 1, end)
                state_batches_3.append(StateBatches(first_offset_4, last_offset_4, delivery_state_4, delivery_count_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_3, state_epoch_3, leader_epoch_3, start_offset_3, delivery_complete_count_3, state_batches_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_id_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return WriteShareGroupStateRequest(group_id_1, topics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partitions
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.state_batches
            out += _p_iiiq(e_2.partition, e_2.state_epoch, e_2.leader_epoch, e_2.start_offset)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_qqbhx(e_3.first_offset, e_3.last_offset, e_3.delivery_state, e_3.delivery_count)
            out.append(0)
        out.append(0)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partitions
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.state_batches
            out += _p_iiiqi(e_2.partition, e_2.state_epoch, e_2.leader_epoch, e_2.start_offset, e_2.delivery_complete_count)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_qqbhx(e_3.first_offset, e_3.last_offset, e_3.delivery_state, e_3.delivery_count)
            out.append(0)
        out.append(0)
    out.append(0)


WriteShareGroupStateRequest._READERS = {0: _read_0, 1: _read_1}
WriteShareGroupStateRequest._WRITERS = {0: _write_0, 1: _write_1}
