"""ConsumerGroupHeartbeat response (key 68), versions 0-1, flexible from 0.

Generated from schemas/consumer_group_heartbeat.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_u_iib = _Struct(">iib").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_ih = _Struct(">ih").pack
_p_ii = _Struct(">ii").pack
_p_16s = _Struct(">16s").pack


class TopicPartitions(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class Assignment(Struct):
    __slots__ = ("topic_partitions",)

    def __init__(
        self,
        topic_partitions: list[TopicPartitions] = FRESH,
    ) -> None:
        self.topic_partitions = [] if topic_partitions is FRESH else topic_partitions


class ConsumerGroupHeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch", "heartbeat_interval_ms", "assignment")
    API_KEY = 68
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str | None = None,
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        assignment: Assignment | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.assignment = assignment


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupHeartbeatResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
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
    member_epoch_1, heartbeat_interval_ms_1, n = _u_iib(data, p)
    p += 9
    assignment_1: Assignment | None = None
    if n >= 0:
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("topic_partitions", n, end - p, left)
        left[0] -= n
        topic_partitions_2: list[TopicPartitions] = []
        for _ in range(n):
            topic_id_3, n = _u_16sB(data, p)
            p += 17
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
            topic_partitions_2.append(TopicPartitions(topic_id_3, partitions_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        assignment_1 = Assignment(topic_partitions_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ConsumerGroupHeartbeatResponse(throttle_time_ms_1, error_code_1, error_message_1, member_id_1, member_epoch_1, heartbeat_interval_ms_1, assignment_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
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
    out += _p_ii(m.member_epoch, m.heartbeat_interval_ms)
    if m.assignment is None:
        out.append(255)
    else:
        out.append(1)
        items_1 = m.assignment.topic_partitions
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
            if items_2:
                put_numbers(out, "i", items_2)
            out.append(0)
        out.append(0)
    out.append(0)


ConsumerGroupHeartbeatResponse._READERS = {0: _read_0, 1: _read_0}
ConsumerGroupHeartbeatResponse._WRITERS = {0: _write_0, 1: _write_0}
