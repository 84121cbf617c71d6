"""ShareFetch response (key 78), versions 1-2, flexible from 1.

Generated from schemas/share_fetch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import Records, longer, longer_string, put_compact_records, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_u_qqhB = _Struct(">qqhB").unpack_from
_p_ih = _Struct(">ih").pack
_p_i = _Struct(">i").pack
_p_16s = _Struct(">16s").pack
_p_h = _Struct(">h").pack
_p_iix = _Struct(">iix").pack
_p_qqhx = _Struct(">qqhx").pack


class CurrentLeader(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(
        self,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class AcquiredRecords(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_count")

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        delivery_count: int = 0,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_count = delivery_count


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code", "error_message", "acknowledge_error_code", "acknowledge_error_message", "current_leader", "records", "acquired_records")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acknowledge_error_code: int = 0,
        acknowledge_error_message: str | None = None,
        current_leader: CurrentLeader = FRESH,
        records: Records = None,
        acquired_records: list[AcquiredRecords] = FRESH,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.acknowledge_error_code = acknowledge_error_code
        self.acknowledge_error_message = acknowledge_error_message
        self.current_leader = CurrentLeader() if current_leader is FRESH else current_leader
        self.records = records
        self.acquired_records = [] if acquired_records is FRESH else acquired_records


class Responses(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class NodeEndpoints(Struct):
    __slots__ = ("node_id", "host", "port", "rack")

    def __init__(
        self,
        node_id: int = 0,
        host: str = '',
        port: int = 0,
        rack: str | None = None,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


class ShareFetchResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "acquisition_lock_timeout_ms", "responses", "node_endpoints")
    API_KEY = 78
    MIN_VERSION = 1
    MAX_VERSION = 2
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acquisition_lock_timeout_ms: int = 0,
        responses: list[Responses] = FRESH,
        node_endpoints: list[NodeEndpoints] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.acquisition_lock_timeout_ms = acquisition_lock_timeout_ms
        self.responses = [] if responses is FRESH else responses
        self.node_endpoints = [] if node_endpoints is FRESH else node_endpoints


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareFetchResponse, int]:
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
    acquisition_lock_timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
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
            acknowledge_error_code_3, n = _u_hB(data, p)
            p += 3
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                acknowledge_error_message_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("acknowledge_error_message", n, end - p)
                acknowledge_error_message_3 = data[p:q].tobytes().decode()
                p = q
            leader_id_4, leader_epoch_4, n = _u_iiB(data, p)
            p += 9
            if n:
                p = skip_tags(data, p - 1, end)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("records", n, end - p)
            records_3 = data[p:q]
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 19 > end - p or n > left[0]:
                raise wrong_count("acquired_records", n, end - p, left)
            left[0] -= n
            acquired_records_3: list[AcquiredRecords] = []
            for _ in range(n):
                first_offset_5, last_offset_5, delivery_count_5, n = _u_qqhB(data, p)
                p += 19
                if n:
                    p = skip_tags(data, p - 1, end)
                acquired_records_3.append(AcquiredRecords(first_offset_5, last_offset_5, delivery_count_5))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, error_code_3, error_message_3, acknowledge_error_code_3, acknowledge_error_message_3, CurrentLeader(leader_id_4, leader_epoch_4), records_3, acquired_records_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        responses_1.append(Responses(topic_id_2, partitions_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("node_endpoints", n, end - p, left)
    left[0] -= n
    node_endpoints_1: list[NodeEndpoints] = []
    for _ in range(n):
        node_id_6, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host", n, end - p)
        host_6 = data[p:q].tobytes().decode()
        p = q
        port_6, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            rack_6 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("rack", n, end - p)
            rack_6 = data[p:q].tobytes().decode()
            p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        node_endpoints_1.append(NodeEndpoints(node_id_6, host_6, port_6, rack_6))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareFetchResponse(throttle_time_ms_1, error_code_1, error_message_1, acquisition_lock_timeout_ms_1, responses_1, node_endpoints_1), p


def _write_1(m: Any, out: bytearray) -> None:
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
    items_1 = m.responses
    out += _p_i(m.acquisition_lock_timeout_ms)
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
            out += _p_h(e_2.acknowledge_error_code)
            if e_2.acknowledge_error_message is None:
                out.append(0)
            else:
                b = e_2.acknowledge_error_message.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out += _p_iix(e_2.current_leader.leader_id, e_2.current_leader.leader_epoch)
            put_compact_records(out, e_2.records)
            items_3 = e_2.acquired_records
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_qqhx(e_3.first_offset, e_3.last_offset, e_3.delivery_count)
            out.append(0)
        out.append(0)
    items_4 = m.node_endpoints
    n = len(items_4) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_4 in items_4:
        out += _p_i(e_4.node_id)
        b = e_4.host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_i(e_4.port)
        if e_4.rack is None:
            out.append(0)
        else:
            b = e_4.rack.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out.append(0)
    out.append(0)


ShareFetchResponse._READERS = {1: _read_1, 2: _read_1}
ShareFetchResponse._WRITERS = {1: _write_1, 2: _write_1}
