"""Produce response (key 0), versions 3-13, flexible from 9.

Generated from schemas/produce.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct, shared_default
from ottla.protocol.wire import longer, longer_string, put_string_length, put_tags, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_ihqq = _Struct(">ihqq").unpack_from
_u_ihqqq = _Struct(">ihqqq").unpack_from
_u_ihqqqi = _Struct(">ihqqqi").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_ihqqqB = _Struct(">ihqqqB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_ihqq = _Struct(">ihqq").pack
_p_ihqqq = _Struct(">ihqqq").pack
_p_ihqqqi = _Struct(">ihqqqi").pack
_p_ih = _Struct(">ih").pack
_p_ix = _Struct(">ix").pack
_p_iix = _Struct(">iix").pack
_p_16s = _Struct(">16s").pack
_new = object.__new__
_ONCE = (0,)


class RecordErrors(Struct):
    __slots__ = ("batch_index", "batch_index_error_message")

    def __init__(
        self,
        batch_index: int = 0,
        batch_index_error_message: str | None = None,
    ) -> None:
        self.batch_index = batch_index
        self.batch_index_error_message = batch_index_error_message


class CurrentLeader(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(
        self,
        leader_id: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


_NO_CURRENT_LEADER = shared_default(CurrentLeader)


class PartitionResponses(Struct):
    __slots__ = ("index", "error_code", "base_offset", "log_append_time_ms", "log_start_offset", "record_errors", "error_message", "current_leader")

    def __init__(
        self,
        index: int = 0,
        error_code: int = 0,
        base_offset: int = 0,
        log_append_time_ms: int = -1,
        log_start_offset: int = -1,
        record_errors: list[RecordErrors] = FRESH,
        error_message: str | None = None,
        current_leader: CurrentLeader = _NO_CURRENT_LEADER,
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.base_offset = base_offset
        self.log_append_time_ms = log_append_time_ms
        self.log_start_offset = log_start_offset
        self.record_errors = [] if record_errors is FRESH else record_errors
        self.error_message = error_message
        self.current_leader = current_leader


class Responses(Struct):
    __slots__ = ("topic_id", "name", "partition_responses")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        name: str = '',
        partition_responses: list[PartitionResponses] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.name = name
        self.partition_responses = [] if partition_responses is FRESH else partition_responses


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


class ProduceResponse(Message):
    __slots__ = ("responses", "throttle_time_ms", "node_endpoints")
    API_KEY = 0
    MIN_VERSION = 3
    MAX_VERSION = 13
    FLEXIBLE_FROM = 9

    def __init__(
        self,
        responses: list[Responses] = FRESH,
        throttle_time_ms: int = 0,
        node_endpoints: list[NodeEndpoints] = FRESH,
    ) -> None:
        self.responses = [] if responses is FRESH else responses
        self.throttle_time_ms = throttle_time_ms
        self.node_endpoints = [] if node_endpoints is FRESH else node_endpoints


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProduceResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 22 > end - p or n > left[0]:
            raise wrong_count("partition_responses", n, end - p, left)
        left[0] -= n
        partition_responses_2: list[PartitionResponses] = []
        for _ in _ONCE if n == 1 else range(n):
            index_3, error_code_3, base_offset_3, log_append_time_ms_3 = _u_ihqq(data, p)
            p += 22
            o_3 = _new(PartitionResponses)
            o_3.index = index_3
            o_3.error_code = error_code_3
            o_3.base_offset = base_offset_3
            o_3.log_append_time_ms = log_append_time_ms_3
            o_3.log_start_offset = -1
            o_3.record_errors = []
            o_3.error_message = None
            o_3.current_leader = _NO_CURRENT_LEADER
            partition_responses_2.append(o_3)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partition_responses = partition_responses_2
        responses_1.append(o_2)
    (throttle_time_ms_1,) = _u_i(data, p)
    p += 4
    o_1 = _new(ProduceResponse)
    o_1.responses = responses_1
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.node_endpoints = []
    return o_1, p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProduceResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 30 > end - p or n > left[0]:
            raise wrong_count("partition_responses", n, end - p, left)
        left[0] -= n
        partition_responses_2: list[PartitionResponses] = []
        for _ in _ONCE if n == 1 else range(n):
            index_3, error_code_3, base_offset_3, log_append_time_ms_3, log_start_offset_3 = _u_ihqqq(data, p)
            p += 30
            o_3 = _new(PartitionResponses)
            o_3.index = index_3
            o_3.error_code = error_code_3
            o_3.base_offset = base_offset_3
            o_3.log_append_time_ms = log_append_time_ms_3
            o_3.log_start_offset = log_start_offset_3
            o_3.record_errors = []
            o_3.error_message = None
            o_3.current_leader = _NO_CURRENT_LEADER
            partition_responses_2.append(o_3)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partition_responses = partition_responses_2
        responses_1.append(o_2)
    (throttle_time_ms_1,) = _u_i(data, p)
    p += 4
    o_1 = _new(ProduceResponse)
    o_1.responses = responses_1
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.node_endpoints = []
    return o_1, p


def _read_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProduceResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 36 > end - p or n > left[0]:
            raise wrong_count("partition_responses", n, end - p, left)
        left[0] -= n
        partition_responses_2: list[PartitionResponses] = []
        for _ in _ONCE if n == 1 else range(n):
            index_3, error_code_3, base_offset_3, log_append_time_ms_3, log_start_offset_3, n = _u_ihqqqi(data, p)
            p += 34
            if n < 0 or n * 6 > end - p or n > left[0]:
                raise wrong_count("record_errors", n, end - p, left)
            left[0] -= n
            record_errors_3: list[RecordErrors] = []
            for _ in _ONCE if n == 1 else range(n):
                batch_index_4, n = _u_ih(data, p)
                p += 6
                if n == -1:
                    batch_index_error_message_4 = None
                else:
                    q = p + n
                    if n < 0 or q > end:
                        raise wrong_length("batch_index_error_message", n, end - p)
                    batch_index_error_message_4 = data[p:q].tobytes().decode()
                    p = q
                o_4 = _new(RecordErrors)
                o_4.batch_index = batch_index_4
                o_4.batch_index_error_message = batch_index_error_message_4
                record_errors_3.append(o_4)
            (n,) = _u_h(data, p)
            p += 2
            if n == -1:
                error_message_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("error_message", n, end - p)
                error_message_3 = data[p:q].tobytes().decode()
                p = q
            o_3 = _new(PartitionResponses)
            o_3.index = index_3
            o_3.error_code = error_code_3
            o_3.base_offset = base_offset_3
            o_3.log_append_time_ms = log_append_time_ms_3
            o_3.log_start_offset = log_start_offset_3
            o_3.record_errors = record_errors_3
            o_3.error_message = error_message_3
            o_3.current_leader = _NO_CURRENT_LEADER
            partition_responses_2.append(o_3)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partition_responses = partition_responses_2
        responses_1.append(o_2)
    (throttle_time_ms_1,) = _u_i(data, p)
    p += 4
    o_1 = _new(ProduceResponse)
    o_1.responses = responses_1
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.node_endpoints = []
    return o_1, p


def _read_9(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProduceResponse, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 33 > end - p or n > left[0]:
            raise wrong_count("partition_responses", n, end - p, left)
        left[0] -= n
        partition_responses_2: list[PartitionResponses] = []
        for _ in _ONCE if n == 1 else range(n):
            index_3, error_code_3, base_offset_3, log_append_time_ms_3, log_start_offset_3, n = _u_ihqqqB(data, p)
            p += 31
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 6 > end - p or n > left[0]:
                raise wrong_count("record_errors", n, end - p, left)
            left[0] -= n
            record_errors_3: list[RecordErrors] = []
            for _ in _ONCE if n == 1 else range(n):
                batch_index_4, n = _u_iB(data, p)
                p += 5
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    batch_index_error_message_4 = None
                else:
                    q = p + n
                    if n < 0 or q > end:
                        raise wrong_length("batch_index_error_message", n, end - p)
                    batch_index_error_message_4 = data[p:q].tobytes().decode()
                    p = q
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                o_4 = _new(RecordErrors)
                o_4.batch_index = batch_index_4
                o_4.batch_index_error_message = batch_index_error_message_4
                record_errors_3.append(o_4)
            n = data[p]
            p += 1
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
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(PartitionResponses)
            o_3.index = index_3
            o_3.error_code = error_code_3
            o_3.base_offset = base_offset_3
            o_3.log_append_time_ms = log_append_time_ms_3
            o_3.log_start_offset = log_start_offset_3
            o_3.record_errors = record_errors_3
            o_3.error_message = error_message_3
            o_3.current_leader = _NO_CURRENT_LEADER
            partition_responses_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partition_responses = partition_responses_2
        responses_1.append(o_2)
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    o_1 = _new(ProduceResponse)
    o_1.responses = responses_1
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.node_endpoints = []
    return o_1, p


def _read_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProduceResponse, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 33 > end - p or n > left[0]:
            raise wrong_count("partition_responses", n, end - p, left)
        left[0] -= n
        partition_responses_2: list[PartitionResponses] = []
        for _ in _ONCE if n == 1 else range(n):
            index_3, error_code_3, base_offset_3, log_append_time_ms_3, log_start_offset_3, n = _u_ihqqqB(data, p)
            p += 31
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 6 > end - p or n > left[0]:
                raise wrong_count("record_errors", n, end - p, left)
            left[0] -= n
            record_errors_3: list[RecordErrors] = []
            for _ in _ONCE if n == 1 else range(n):
                batch_index_4, n = _u_iB(data, p)
                p += 5
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    batch_index_error_message_4 = None
                else:
                    q = p + n
                    if n < 0 or q > end:
                        raise wrong_length("batch_index_error_message", n, end - p)
                    batch_index_error_message_4 = data[p:q].tobytes().decode()
                    p = q
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                o_4 = _new(RecordErrors)
                o_4.batch_index = batch_index_4
                o_4.batch_index_error_message = batch_index_error_message_4
                record_errors_3.append(o_4)
            n = data[p]
            p += 1
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
            n = data[p]
            p += 1
            current_leader_3: Any = _NO_CURRENT_LEADER
            if n:
                spans_3, after_3 = read_tags(data, p - 1, end)
                for tag_3, p, stop_3 in spans_3:
                    if tag_3 == 0:
                        leader_id_5, leader_epoch_5, n = _u_iiB(data, p)
                        p += 9
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_5 = _new(CurrentLeader)
                        o_5.leader_id = leader_id_5
                        o_5.leader_epoch = leader_epoch_5
                        current_leader_3 = o_5
                    else:
                        continue
                    if p != stop_3:
                        raise wrong_tag_size(tag_3, p, stop_3)
                p = after_3
            o_3 = _new(PartitionResponses)
            o_3.index = index_3
            o_3.error_code = error_code_3
            o_3.base_offset = base_offset_3
            o_3.log_append_time_ms = log_append_time_ms_3
            o_3.log_start_offset = log_start_offset_3
            o_3.record_errors = record_errors_3
            o_3.error_message = error_message_3
            o_3.current_leader = current_leader_3
            partition_responses_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partition_responses = partition_responses_2
        responses_1.append(o_2)
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    node_endpoints_1: Any = []
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 11 > stop_1 - p or n > left[0]:
                    raise wrong_count("node_endpoints", n, stop_1 - p, left)
                left[0] -= n
                node_endpoints_1_tagged: list[NodeEndpoints] = []
                for _ in _ONCE if n == 1 else range(n):
                    node_id_6, n = _u_iB(data, p)
                    p += 5
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("host", n, stop_1 - p)
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
                        if n < 0 or q > stop_1:
                            raise wrong_length("rack", n, stop_1 - p)
                        rack_6 = data[p:q].tobytes().decode()
                        p = q
                    n = data[p]
                    p += 1
                    if n:
                        p = skip_tags(data, p - 1, stop_1)
                    o_6 = _new(NodeEndpoints)
                    o_6.node_id = node_id_6
                    o_6.host = host_6
                    o_6.port = port_6
                    o_6.rack = rack_6
                    node_endpoints_1_tagged.append(o_6)
                node_endpoints_1 = node_endpoints_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    o_1 = _new(ProduceResponse)
    o_1.responses = responses_1
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.node_endpoints = node_endpoints_1
    return o_1, p


def _read_13(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProduceResponse, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 33 > end - p or n > left[0]:
            raise wrong_count("partition_responses", n, end - p, left)
        left[0] -= n
        partition_responses_2: list[PartitionResponses] = []
        for _ in _ONCE if n == 1 else range(n):
            index_3, error_code_3, base_offset_3, log_append_time_ms_3, log_start_offset_3, n = _u_ihqqqB(data, p)
            p += 31
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 6 > end - p or n > left[0]:
                raise wrong_count("record_errors", n, end - p, left)
            left[0] -= n
            record_errors_3: list[RecordErrors] = []
            for _ in _ONCE if n == 1 else range(n):
                batch_index_4, n = _u_iB(data, p)
                p += 5
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    batch_index_error_message_4 = None
                else:
                    q = p + n
                    if n < 0 or q > end:
                        raise wrong_length("batch_index_error_message", n, end - p)
                    batch_index_error_message_4 = data[p:q].tobytes().decode()
                    p = q
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                o_4 = _new(RecordErrors)
                o_4.batch_index = batch_index_4
                o_4.batch_index_error_message = batch_index_error_message_4
                record_errors_3.append(o_4)
            n = data[p]
            p += 1
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
            n = data[p]
            p += 1
            current_leader_3: Any = _NO_CURRENT_LEADER
            if n:
                spans_3, after_3 = read_tags(data, p - 1, end)
                for tag_3, p, stop_3 in spans_3:
                    if tag_3 == 0:
                        leader_id_5, leader_epoch_5, n = _u_iiB(data, p)
                        p += 9
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_5 = _new(CurrentLeader)
                        o_5.leader_id = leader_id_5
                        o_5.leader_epoch = leader_epoch_5
                        current_leader_3 = o_5
                    else:
                        continue
                    if p != stop_3:
                        raise wrong_tag_size(tag_3, p, stop_3)
                p = after_3
            o_3 = _new(PartitionResponses)
            o_3.index = index_3
            o_3.error_code = error_code_3
            o_3.base_offset = base_offset_3
            o_3.log_append_time_ms = log_append_time_ms_3
            o_3.log_start_offset = log_start_offset_3
            o_3.record_errors = record_errors_3
            o_3.error_message = error_message_3
            o_3.current_leader = current_leader_3
            partition_responses_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Responses)
        o_2.topic_id = topic_id_2
        o_2.name = ''
        o_2.partition_responses = partition_responses_2
        responses_1.append(o_2)
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    node_endpoints_1: Any = []
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 11 > stop_1 - p or n > left[0]:
                    raise wrong_count("node_endpoints", n, stop_1 - p, left)
                left[0] -= n
                node_endpoints_1_tagged: list[NodeEndpoints] = []
                for _ in _ONCE if n == 1 else range(n):
                    node_id_6, n = _u_iB(data, p)
                    p += 5
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("host", n, stop_1 - p)
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
                        if n < 0 or q > stop_1:
                            raise wrong_length("rack", n, stop_1 - p)
                        rack_6 = data[p:q].tobytes().decode()
                        p = q
                    n = data[p]
                    p += 1
                    if n:
                        p = skip_tags(data, p - 1, stop_1)
                    o_6 = _new(NodeEndpoints)
                    o_6.node_id = node_id_6
                    o_6.host = host_6
                    o_6.port = port_6
                    o_6.rack = rack_6
                    node_endpoints_1_tagged.append(o_6)
                node_endpoints_1 = node_endpoints_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    o_1 = _new(ProduceResponse)
    o_1.responses = responses_1
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.node_endpoints = node_endpoints_1
    return o_1, p


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partition_responses
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_ihqq(e_2.index, e_2.error_code, e_2.base_offset, e_2.log_append_time_ms)
    out += _p_i(m.throttle_time_ms)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partition_responses
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_ihqqq(e_2.index, e_2.error_code, e_2.base_offset, e_2.log_append_time_ms, e_2.log_start_offset)
    out += _p_i(m.throttle_time_ms)


def _write_8(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partition_responses
        out += _p_i(len(items_2))
        for e_2 in items_2:
            items_3 = e_2.record_errors
            out += _p_ihqqqi(e_2.index, e_2.error_code, e_2.base_offset, e_2.log_append_time_ms, e_2.log_start_offset, len(items_3))
            for e_3 in items_3:
                if e_3.batch_index_error_message is None:
                    n, b = -1, b""
                else:
                    b = e_3.batch_index_error_message.encode()
                    n = len(b)
                out += _p_ih(e_3.batch_index, n)
                out += b
            if e_2.error_message is None:
                n, b = -1, b""
            else:
                b = e_2.error_message.encode()
                n = len(b)
            out += _p_h(n)
            out += b
    out += _p_i(m.throttle_time_ms)


def _write_9(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partition_responses
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.record_errors
            out += _p_ihqqq(e_2.index, e_2.error_code, e_2.base_offset, e_2.log_append_time_ms, e_2.log_start_offset)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_i(e_3.batch_index)
                if e_3.batch_index_error_message is None:
                    out.append(0)
                else:
                    b = e_3.batch_index_error_message.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                out.append(0)
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
            out.append(0)
        out.append(0)
    out += _p_ix(m.throttle_time_ms)


def _write_10(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partition_responses
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.record_errors
            out += _p_ihqqq(e_2.index, e_2.error_code, e_2.base_offset, e_2.log_append_time_ms, e_2.log_start_offset)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_i(e_3.batch_index)
                if e_3.batch_index_error_message is None:
                    out.append(0)
                else:
                    b = e_3.batch_index_error_message.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                out.append(0)
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
            tags_4: list[tuple[int, bytes | bytearray]] = []
            if e_2.current_leader is not _NO_CURRENT_LEADER and e_2.current_leader != _NO_CURRENT_LEADER:
                tags_4_out = bytearray()
                tags_4_out += _p_iix(e_2.current_leader.leader_id, e_2.current_leader.leader_epoch)
                tags_4.append((0, tags_4_out))
            if tags_4:
                put_tags(out, tags_4)
            else:
                out.append(0)
        out.append(0)
    out += _p_i(m.throttle_time_ms)
    tags_5: list[tuple[int, bytes | bytearray]] = []
    if m.node_endpoints:
        tags_5_out = bytearray()
        items_6 = m.node_endpoints
        n = len(items_6) + 1
        if n < 128:
            tags_5_out.append(n)
        else:
            put_uvarint(tags_5_out, n)
        for e_6 in items_6:
            tags_5_out += _p_i(e_6.node_id)
            b = e_6.host.encode()
            n = len(b) + 1
            if n < 128:
                tags_5_out.append(n)
            else:
                put_string_length(tags_5_out, n)
            tags_5_out += b
            tags_5_out += _p_i(e_6.port)
            if e_6.rack is None:
                tags_5_out.append(0)
            else:
                b = e_6.rack.encode()
                n = len(b) + 1
                if n < 128:
                    tags_5_out.append(n)
                else:
                    put_string_length(tags_5_out, n)
                tags_5_out += b
            tags_5_out.append(0)
        tags_5.append((0, tags_5_out))
    if tags_5:
        put_tags(out, tags_5)
    else:
        out.append(0)


def _write_13(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partition_responses
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.record_errors
            out += _p_ihqqq(e_2.index, e_2.error_code, e_2.base_offset, e_2.log_append_time_ms, e_2.log_start_offset)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_i(e_3.batch_index)
                if e_3.batch_index_error_message is None:
                    out.append(0)
                else:
                    b = e_3.batch_index_error_message.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                out.append(0)
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
            tags_4: list[tuple[int, bytes | bytearray]] = []
            if e_2.current_leader is not _NO_CURRENT_LEADER and e_2.current_leader != _NO_CURRENT_LEADER:
                tags_4_out = bytearray()
                tags_4_out += _p_iix(e_2.current_leader.leader_id, e_2.current_leader.leader_epoch)
                tags_4.append((0, tags_4_out))
            if tags_4:
                put_tags(out, tags_4)
            else:
                out.append(0)
        out.append(0)
    out += _p_i(m.throttle_time_ms)
    tags_5: list[tuple[int, bytes | bytearray]] = []
    if m.node_endpoints:
        tags_5_out = bytearray()
        items_6 = m.node_endpoints
        n = len(items_6) + 1
        if n < 128:
            tags_5_out.append(n)
        else:
            put_uvarint(tags_5_out, n)
        for e_6 in items_6:
            tags_5_out += _p_i(e_6.node_id)
            b = e_6.host.encode()
            n = len(b) + 1
            if n < 128:
                tags_5_out.append(n)
            else:
                put_string_length(tags_5_out, n)
            tags_5_out += b
            tags_5_out += _p_i(e_6.port)
            if e_6.rack is None:
                tags_5_out.append(0)
            else:
                b = e_6.rack.encode()
                n = len(b) + 1
                if n < 128:
                    tags_5_out.append(n)
                else:
                    put_string_length(tags_5_out, n)
                tags_5_out += b
            tags_5_out.append(0)
        tags_5.append((0, tags_5_out))
    if tags_5:
        put_tags(out, tags_5)
    else:
        out.append(0)


ProduceResponse._READERS = {3: _read_3, 4: _read_3, 5: _read_5, 6: _read_5, 7: _read_5, 8: _read_8, 9: _read_9, 10: _read_10, 11: _read_10, 12: _read_10, 13: _read_13}
ProduceResponse._WRITERS = {3: _write_3, 4: _write_3, 5: _write_5, 6: _write_5, 7: _write_5, 8: _write_8, 9: _write_9, 10: _write_10, 11: _write_10, 12: _write_10, 13: _write_13}
