"""ConsumerGroupHeartbeat request (key 68), versions 0-1, flexible from 0.

Generated from schemas/consumer_group_heartbeat.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_i = _Struct(">i").pack
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


class ConsumerGroupHeartbeatRequest(Message):
    __slots__ = ("group_id", "member_id", "member_epoch", "instance_id", "rack_id", "rebalance_timeout_ms", "subscribed_topic_names", "subscribed_topic_regex", "server_assignor", "topic_partitions")
    API_KEY = 68
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        group_id: str = '',
        member_id: str = '',
        member_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        subscribed_topic_names: list[str] | None = None,
        subscribed_topic_regex: str | None = None,
        server_assignor: str | None = None,
        topic_partitions: list[TopicPartitions] | None = None,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.subscribed_topic_names = subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.server_assignor = server_assignor
        self.topic_partitions = topic_partitions


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupHeartbeatRequest, int]:
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
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    member_epoch_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("instance_id", n, end - p)
        instance_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        rack_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("rack_id", n, end - p)
        rack_id_1 = data[p:q].tobytes().decode()
        p = q
    rebalance_timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    subscribed_topic_names_1: list[str] | None = None
    if n != -1:
        if n < 0 or n > end - p or n > left[0]:
            raise wrong_count("subscribed_topic_names", n, end - p, left)
        left[0] -= n
        subscribed_topic_names_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subscribed_topic_names", n, end - p)
            subscribed_topic_names_1_element = data[p:q].tobytes().decode()
            p = q
            subscribed_topic_names_1.append(subscribed_topic_names_1_element)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        server_assignor_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("server_assignor", n, end - p)
        server_assignor_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    topic_partitions_1: list[TopicPartitions] | None = None
    if n != -1:
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("topic_partitions", n, end - p, left)
        left[0] -= n
        topic_partitions_1 = []
        for _ in range(n):
            s_2, p = _read_TopicPartitions_0(data, p, end, left)
            topic_partitions_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ConsumerGroupHeartbeatRequest(group_id_1, member_id_1, member_epoch_1, instance_id_1, rack_id_1, rebalance_timeout_ms_1, subscribed_topic_names_1, None, server_assignor_1, topic_partitions_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupHeartbeatRequest, int]:
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
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    member_epoch_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("instance_id", n, end - p)
        instance_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        rack_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("rack_id", n, end - p)
        rack_id_1 = data[p:q].tobytes().decode()
        p = q
    rebalance_timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    subscribed_topic_names_1: list[str] | None = None
    if n != -1:
        if n < 0 or n > end - p or n > left[0]:
            raise wrong_count("subscribed_topic_names", n, end - p, left)
        left[0] -= n
        subscribed_topic_names_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subscribed_topic_names", n, end - p)
            subscribed_topic_names_1_element = data[p:q].tobytes().decode()
            p = q
            subscribed_topic_names_1.append(subscribed_topic_names_1_element)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        subscribed_topic_regex_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("subscribed_topic_regex", n, end - p)
        subscribed_topic_regex_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        server_assignor_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("server_assignor", n, end - p)
        server_assignor_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    topic_partitions_1: list[TopicPartitions] | None = None
    if n != -1:
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("topic_partitions", n, end - p, left)
        left[0] -= n
        topic_partitions_1 = []
        for _ in range(n):
            s_2, p = _read_TopicPartitions_0(data, p, end, left)
            topic_partitions_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ConsumerGroupHeartbeatRequest(group_id_1, member_id_1, member_epoch_1, instance_id_1, rack_id_1, rebalance_timeout_ms_1, subscribed_topic_names_1, subscribed_topic_regex_1, server_assignor_1, topic_partitions_1), p


def _read_TopicPartitions_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[TopicPartitions, int]:
    topic_id_1, n = _u_16sB(data, p)
    p += 17
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return TopicPartitions(topic_id_1, partitions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_i(m.member_epoch)
    if m.instance_id is None:
        out.append(0)
    else:
        b = m.instance_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.rack_id is None:
        out.append(0)
    else:
        b = m.rack_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.subscribed_topic_names
    out += _p_i(m.rebalance_timeout_ms)
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.server_assignor is None:
        out.append(0)
    else:
        b = m.server_assignor.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_2 = m.topic_partitions
    n = 0 if items_2 is None else len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2 or ():
        _write_TopicPartitions_0(e_2, out)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_i(m.member_epoch)
    if m.instance_id is None:
        out.append(0)
    else:
        b = m.instance_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.rack_id is None:
        out.append(0)
    else:
        b = m.rack_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.subscribed_topic_names
    out += _p_i(m.rebalance_timeout_ms)
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.subscribed_topic_regex is None:
        out.append(0)
    else:
        b = m.subscribed_topic_regex.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.server_assignor is None:
        out.append(0)
    else:
        b = m.server_assignor.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_2 = m.topic_partitions
    n = 0 if items_2 is None else len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2 or ():
        _write_TopicPartitions_0(e_2, out)
    out.append(0)


def _write_TopicPartitions_0(m: Any, out: bytearray) -> None:
    items_1 = m.partitions
    out += _p_16s(m.topic_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    out.append(0)


ConsumerGroupHeartbeatRequest._READERS = {0: _read_0, 1: _read_1}
ConsumerGroupHeartbeatRequest._WRITERS = {0: _write_0, 1: _write_1}
