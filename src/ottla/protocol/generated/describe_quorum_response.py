"""DescribeQuorum response (key 55), versions 0-2, flexible from 0.

Generated from schemas/describe_quorum.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_hB = _Struct(">hB").unpack_from
_u_ihiiqB = _Struct(">ihiiqB").unpack_from
_u_iqB = _Struct(">iqB").unpack_from
_u_iqqqB = _Struct(">iqqqB").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_iiqB = _Struct(">iiqB").unpack_from
_u_i16sqqqB = _Struct(">i16sqqqB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_HB = _Struct(">HB").unpack_from
_p_h = _Struct(">h").pack
_p_ihiiq = _Struct(">ihiiq").pack
_p_iqx = _Struct(">iqx").pack
_p_iqqqx = _Struct(">iqqqx").pack
_p_ih = _Struct(">ih").pack
_p_iiq = _Struct(">iiq").pack
_p_i16sqqqx = _Struct(">i16sqqqx").pack
_p_i = _Struct(">i").pack
_p_Hx = _Struct(">Hx").pack


class CurrentVoters(Struct):
    __slots__ = ("replica_id", "replica_directory_id", "log_end_offset", "last_fetch_timestamp", "last_caught_up_timestamp")

    def __init__(
        self,
        replica_id: int = 0,
        replica_directory_id: bytes = NO_UUID,
        log_end_offset: int = 0,
        last_fetch_timestamp: int = -1,
        last_caught_up_timestamp: int = -1,
    ) -> None:
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.log_end_offset = log_end_offset
        self.last_fetch_timestamp = last_fetch_timestamp
        self.last_caught_up_timestamp = last_caught_up_timestamp


class Observers(Struct):
    __slots__ = ("replica_id", "replica_directory_id", "log_end_offset", "last_fetch_timestamp", "last_caught_up_timestamp")

    def __init__(
        self,
        replica_id: int = 0,
        replica_directory_id: bytes = NO_UUID,
        log_end_offset: int = 0,
        last_fetch_timestamp: int = -1,
        last_caught_up_timestamp: int = -1,
    ) -> None:
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.log_end_offset = log_end_offset
        self.last_fetch_timestamp = last_fetch_timestamp
        self.last_caught_up_timestamp = last_caught_up_timestamp


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code", "error_message", "leader_id", "leader_epoch", "high_watermark", "current_voters", "observers")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = '',
        leader_id: int = 0,
        leader_epoch: int = 0,
        high_watermark: int = 0,
        current_voters: list[CurrentVoters] = FRESH,
        observers: list[Observers] = FRESH,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.high_watermark = high_watermark
        self.current_voters = [] if current_voters is FRESH else current_voters
        self.observers = [] if observers is FRESH else observers


class Topics(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is FRESH else partitions


class Listeners(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(
        self,
        name: str = '',
        host: str = '',
        port: int = 0,
    ) -> None:
        self.name = name
        self.host = host
        self.port = port


class Nodes(Struct):
    __slots__ = ("node_id", "listeners")

    def __init__(
        self,
        node_id: int = 0,
        listeners: list[Listeners] = FRESH,
    ) -> None:
        self.node_id = node_id
        self.listeners = [] if listeners is FRESH else listeners


class DescribeQuorumResponse(Message):
    __slots__ = ("error_code", "error_message", "topics", "nodes")
    API_KEY = 55
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = '',
        topics: list[Topics] = FRESH,
        nodes: list[Nodes] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.topics = [] if topics is FRESH else topics
        self.nodes = [] if nodes is FRESH else nodes


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeQuorumResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 25 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, error_code_3, leader_id_3, leader_epoch_3, high_watermark_3, n = _u_ihiiqB(data, p)
            p += 23
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 13 > end - p or n > left[0]:
                raise wrong_count("current_voters", n, end - p, left)
            left[0] -= n
            current_voters_3: list[CurrentVoters] = []
            for _ in range(n):
                replica_id_4, log_end_offset_4, n = _u_iqB(data, p)
                p += 13
                if n:
                    p = skip_tags(data, p - 1, end)
                current_voters_3.append(CurrentVoters(replica_id_4, NO_UUID, log_end_offset_4))
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 13 > end - p or n > left[0]:
                raise wrong_count("observers", n, end - p, left)
            left[0] -= n
            observers_3: list[Observers] = []
            for _ in range(n):
                replica_id_5, log_end_offset_5, n = _u_iqB(data, p)
                p += 13
                if n:
                    p = skip_tags(data, p - 1, end)
                observers_3.append(Observers(replica_id_5, NO_UUID, log_end_offset_5))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, error_code_3, '', leader_id_3, leader_epoch_3, high_watermark_3, current_voters_3, observers_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_name_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeQuorumResponse(error_code_1, '', topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeQuorumResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 25 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, error_code_3, leader_id_3, leader_epoch_3, high_watermark_3, n = _u_ihiiqB(data, p)
            p += 23
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 29 > end - p or n > left[0]:
                raise wrong_count("current_voters", n, end - p, left)
            left[0] -= n
            current_voters_3: list[CurrentVoters] = []
            for _ in range(n):
                replica_id_4, log_end_offset_4, last_fetch_timestamp_4, last_caught_up_timestamp_4, n = _u_iqqqB(data, p)
                p += 29
                if n:
                    p = skip_tags(data, p - 1, end)
                current_voters_3.append(CurrentVoters(replica_id_4, NO_UUID, log_end_offset_4, last_fetch_timestamp_4, last_caught_up_timestamp_4))
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 29 > end - p or n > left[0]:
                raise wrong_count("observers", n, end - p, left)
            left[0] -= n
            observers_3: list[Observers] = []
            for _ in range(n):
                replica_id_5, log_end_offset_5, last_fetch_timestamp_5, last_caught_up_timestamp_5, n = _u_iqqqB(data, p)
                p += 29
                if n:
                    p = skip_tags(data, p - 1, end)
                observers_3.append(Observers(replica_id_5, NO_UUID, log_end_offset_5, last_fetch_timestamp_5, last_caught_up_timestamp_5))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, error_code_3, '', leader_id_3, leader_epoch_3, high_watermark_3, current_voters_3, observers_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_name_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeQuorumResponse(error_code_1, '', topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeQuorumResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
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
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 26 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, error_code_3, n = _u_ihB(data, p)
            p += 7
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                error_message_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("error_message", n, end - p)
                error_message_3 = data[p:q].tobytes().decode()
                p = q
            leader_id_3, leader_epoch_3, high_watermark_3, n = _u_iiqB(data, p)
            p += 17
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 45 > end - p or n > left[0]:
                raise wrong_count("current_voters", n, end - p, left)
            left[0] -= n
            current_voters_3: list[CurrentVoters] = []
            for _ in range(n):
                replica_id_4, replica_directory_id_4, log_end_offset_4, last_fetch_timestamp_4, last_caught_up_timestamp_4, n = _u_i16sqqqB(data, p)
                p += 45
                if n:
                    p = skip_tags(data, p - 1, end)
                current_voters_3.append(CurrentVoters(replica_id_4, replica_directory_id_4, log_end_offset_4, last_fetch_timestamp_4, last_caught_up_timestamp_4))
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 45 > end - p or n > left[0]:
                raise wrong_count("observers", n, end - p, left)
            left[0] -= n
            observers_3: list[Observers] = []
            for _ in range(n):
                replica_id_5, replica_directory_id_5, log_end_offset_5, last_fetch_timestamp_5, last_caught_up_timestamp_5, n = _u_i16sqqqB(data, p)
                p += 45
                if n:
                    p = skip_tags(data, p - 1, end)
                observers_3.append(Observers(replica_id_5, replica_directory_id_5, log_end_offset_5, last_fetch_timestamp_5, last_caught_up_timestamp_5))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, error_code_3, error_message_3, leader_id_3, leader_epoch_3, high_watermark_3, current_voters_3, observers_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_name_2, partitions_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("nodes", n, end - p, left)
    left[0] -= n
    nodes_1: list[Nodes] = []
    for _ in range(n):
        node_id_6, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 5 > end - p or n > left[0]:
            raise wrong_count("listeners", n, end - p, left)
        left[0] -= n
        listeners_6: list[Listeners] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_7 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("host", n, end - p)
            host_7 = data[p:q].tobytes().decode()
            p = q
            port_7, n = _u_HB(data, p)
            p += 3
            if n:
                p = skip_tags(data, p - 1, end)
            listeners_6.append(Listeners(name_7, host_7, port_7))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        nodes_1.append(Nodes(node_id_6, listeners_6))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeQuorumResponse(error_code_1, error_message_1, topics_1, nodes_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_h(m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.current_voters
            out += _p_ihiiq(e_2.partition_index, e_2.error_code, e_2.leader_id, e_2.leader_epoch, e_2.high_watermark)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_iqx(e_3.replica_id, e_3.log_end_offset)
            items_4 = e_2.observers
            n = len(items_4) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_4 in items_4:
                out += _p_iqx(e_4.replica_id, e_4.log_end_offset)
            out.append(0)
        out.append(0)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_h(m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.current_voters
            out += _p_ihiiq(e_2.partition_index, e_2.error_code, e_2.leader_id, e_2.leader_epoch, e_2.high_watermark)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_iqqqx(e_3.replica_id, e_3.log_end_offset, e_3.last_fetch_timestamp, e_3.last_caught_up_timestamp)
            items_4 = e_2.observers
            n = len(items_4) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_4 in items_4:
                out += _p_iqqqx(e_4.replica_id, e_4.log_end_offset, e_4.last_fetch_timestamp, e_4.last_caught_up_timestamp)
            out.append(0)
        out.append(0)
    out.append(0)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_h(m.error_code)
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
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_ih(e_2.partition_index, e_2.error_code)
            if e_2.error_message is None:
                out.append(0)
            else:
                b = e_2.error_message.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            items_3 = e_2.current_voters
            out += _p_iiq(e_2.leader_id, e_2.leader_epoch, e_2.high_watermark)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_i16sqqqx(e_3.replica_id, e_3.replica_directory_id, e_3.log_end_offset, e_3.last_fetch_timestamp, e_3.last_caught_up_timestamp)
            items_4 = e_2.observers
            n = len(items_4) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_4 in items_4:
                out += _p_i16sqqqx(e_4.replica_id, e_4.replica_directory_id, e_4.log_end_offset, e_4.last_fetch_timestamp, e_4.last_caught_up_timestamp)
            out.append(0)
        out.append(0)
    items_5 = m.nodes
    n = len(items_5) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_5 in items_5:
        items_6 = e_5.listeners
        out += _p_i(e_5.node_id)
        n = len(items_6) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_6 in items_6:
            b = e_6.name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            b = e_6.host.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            out += _p_Hx(e_6.port)
        out.append(0)
    out.append(0)


DescribeQuorumResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
DescribeQuorumResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
