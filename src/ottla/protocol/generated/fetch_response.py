"""Fetch response (key 1), versions 4-18, flexible from 12.

Generated from schemas/fetch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct, shared_default
from ottla.protocol.wire import Records, longer, longer_string, put_compact_records, put_records, put_string_length, put_tags, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_ii = _Struct(">ii").unpack_from
_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_ihqqi = _Struct(">ihqqi").unpack_from
_u_qq = _Struct(">qq").unpack_from
_u_ihqqqi = _Struct(">ihqqqi").unpack_from
_u_ihii = _Struct(">ihii").unpack_from
_u_ihiB = _Struct(">ihiB").unpack_from
_u_ihqqqB = _Struct(">ihqqqB").unpack_from
_u_qqB = _Struct(">qqB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_iqB = _Struct(">iqB").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_u_qiB = _Struct(">qiB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_ii = _Struct(">ii").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_ihqqi = _Struct(">ihqqi").pack
_p_qq = _Struct(">qq").pack
_p_ihqqqi = _Struct(">ihqqqi").pack
_p_ihii = _Struct(">ihii").pack
_p_ihi = _Struct(">ihi").pack
_p_ihqqq = _Struct(">ihqqq").pack
_p_qqx = _Struct(">qqx").pack
_p_iqx = _Struct(">iqx").pack
_p_iix = _Struct(">iix").pack
_p_qix = _Struct(">qix").pack
_p_16s = _Struct(">16s").pack
_new = object.__new__
_ONCE = (0,)


class AbortedTransactions(Struct):
    __slots__ = ("producer_id", "first_offset")

    def __init__(
        self,
        producer_id: int = 0,
        first_offset: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.first_offset = first_offset


class DivergingEpoch(Struct):
    __slots__ = ("epoch", "end_offset")

    def __init__(
        self,
        epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.epoch = epoch
        self.end_offset = end_offset


_NO_DIVERGING_EPOCH = shared_default(DivergingEpoch)


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


class SnapshotId(Struct):
    __slots__ = ("end_offset", "epoch")

    def __init__(
        self,
        end_offset: int = -1,
        epoch: int = -1,
    ) -> None:
        self.end_offset = end_offset
        self.epoch = epoch


_NO_SNAPSHOT_ID = shared_default(SnapshotId)


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code", "high_watermark", "last_stable_offset", "log_start_offset", "aborted_transactions", "preferred_read_replica", "records", "diverging_epoch", "current_leader", "snapshot_id")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        high_watermark: int = 0,
        last_stable_offset: int = -1,
        log_start_offset: int = -1,
        aborted_transactions: list[AbortedTransactions] | None = FRESH,
        preferred_read_replica: int = -1,
        records: Records = None,
        diverging_epoch: DivergingEpoch = _NO_DIVERGING_EPOCH,
        current_leader: CurrentLeader = _NO_CURRENT_LEADER,
        snapshot_id: SnapshotId = _NO_SNAPSHOT_ID,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.high_watermark = high_watermark
        self.last_stable_offset = last_stable_offset
        self.log_start_offset = log_start_offset
        self.aborted_transactions = [] if aborted_transactions is FRESH else aborted_transactions
        self.preferred_read_replica = preferred_read_replica
        self.records = records
        self.diverging_epoch = diverging_epoch
        self.current_leader = current_leader
        self.snapshot_id = snapshot_id


class Responses(Struct):
    __slots__ = ("topic_id", "topic", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        topic: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.topic = topic
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


class FetchResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "session_id", "responses", "node_endpoints")
    API_KEY = 1
    MIN_VERSION = 4
    MAX_VERSION = 18
    FLEXIBLE_FROM = 12

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        session_id: int = 0,
        responses: list[Responses] = FRESH,
        node_endpoints: list[NodeEndpoints] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.session_id = session_id
        self.responses = [] if responses is FRESH else responses
        self.node_endpoints = [] if node_endpoints is FRESH else node_endpoints


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 30 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3, high_watermark_3, last_stable_offset_3, n = _u_ihqqi(data, p)
            p += 26
            aborted_transactions_3: list[AbortedTransactions] | None = None
            if n != -1:
                if n < 0 or n * 16 > end - p or n > left[0]:
                    raise wrong_count("aborted_transactions", n, end - p, left)
                left[0] -= n
                aborted_transactions_3 = []
                for _ in _ONCE if n == 1 else range(n):
                    producer_id_4, first_offset_4 = _u_qq(data, p)
                    p += 16
                    o_4 = _new(AbortedTransactions)
                    o_4.producer_id = producer_id_4
                    o_4.first_offset = first_offset_4
                    aborted_transactions_3.append(o_4)
            (n,) = _u_i(data, p)
            p += 4
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            o_3.high_watermark = high_watermark_3
            o_3.last_stable_offset = last_stable_offset_3
            o_3.log_start_offset = -1
            o_3.aborted_transactions = aborted_transactions_3
            o_3.preferred_read_replica = -1
            o_3.records = records_3
            o_3.diverging_epoch = _NO_DIVERGING_EPOCH
            o_3.current_leader = _NO_CURRENT_LEADER
            o_3.snapshot_id = _NO_SNAPSHOT_ID
            partitions_2.append(o_3)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        responses_1.append(o_2)
    o_1 = _new(FetchResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.error_code = 0
    o_1.session_id = 0
    o_1.responses = responses_1
    o_1.node_endpoints = []
    return o_1, p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 38 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3, high_watermark_3, last_stable_offset_3, log_start_offset_3, n = _u_ihqqqi(data, p)
            p += 34
            aborted_transactions_3: list[AbortedTransactions] | None = None
            if n != -1:
                if n < 0 or n * 16 > end - p or n > left[0]:
                    raise wrong_count("aborted_transactions", n, end - p, left)
                left[0] -= n
                aborted_transactions_3 = []
                for _ in _ONCE if n == 1 else range(n):
                    producer_id_4, first_offset_4 = _u_qq(data, p)
                    p += 16
                    o_4 = _new(AbortedTransactions)
                    o_4.producer_id = producer_id_4
                    o_4.first_offset = first_offset_4
                    aborted_transactions_3.append(o_4)
            (n,) = _u_i(data, p)
            p += 4
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            o_3.high_watermark = high_watermark_3
            o_3.last_stable_offset = last_stable_offset_3
            o_3.log_start_offset = log_start_offset_3
            o_3.aborted_transactions = aborted_transactions_3
            o_3.preferred_read_replica = -1
            o_3.records = records_3
            o_3.diverging_epoch = _NO_DIVERGING_EPOCH
            o_3.current_leader = _NO_CURRENT_LEADER
            o_3.snapshot_id = _NO_SNAPSHOT_ID
            partitions_2.append(o_3)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        responses_1.append(o_2)
    o_1 = _new(FetchResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.error_code = 0
    o_1.session_id = 0
    o_1.responses = responses_1
    o_1.node_endpoints = []
    return o_1, p


def _read_7(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchResponse, int]:
    throttle_time_ms_1, error_code_1, session_id_1, n = _u_ihii(data, p)
    p += 14
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 38 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3, high_watermark_3, last_stable_offset_3, log_start_offset_3, n = _u_ihqqqi(data, p)
            p += 34
            aborted_transactions_3: list[AbortedTransactions] | None = None
            if n != -1:
                if n < 0 or n * 16 > end - p or n > left[0]:
                    raise wrong_count("aborted_transactions", n, end - p, left)
                left[0] -= n
                aborted_transactions_3 = []
                for _ in _ONCE if n == 1 else range(n):
                    producer_id_4, first_offset_4 = _u_qq(data, p)
                    p += 16
                    o_4 = _new(AbortedTransactions)
                    o_4.producer_id = producer_id_4
                    o_4.first_offset = first_offset_4
                    aborted_transactions_3.append(o_4)
            (n,) = _u_i(data, p)
            p += 4
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            o_3.high_watermark = high_watermark_3
            o_3.last_stable_offset = last_stable_offset_3
            o_3.log_start_offset = log_start_offset_3
            o_3.aborted_transactions = aborted_transactions_3
            o_3.preferred_read_replica = -1
            o_3.records = records_3
            o_3.diverging_epoch = _NO_DIVERGING_EPOCH
            o_3.current_leader = _NO_CURRENT_LEADER
            o_3.snapshot_id = _NO_SNAPSHOT_ID
            partitions_2.append(o_3)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        responses_1.append(o_2)
    o_1 = _new(FetchResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.error_code = error_code_1
    o_1.session_id = session_id_1
    o_1.responses = responses_1
    o_1.node_endpoints = []
    return o_1, p


def _read_11(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchResponse, int]:
    throttle_time_ms_1, error_code_1, session_id_1, n = _u_ihii(data, p)
    p += 14
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 42 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3, high_watermark_3, last_stable_offset_3, log_start_offset_3, n = _u_ihqqqi(data, p)
            p += 34
            aborted_transactions_3: list[AbortedTransactions] | None = None
            if n != -1:
                if n < 0 or n * 16 > end - p or n > left[0]:
                    raise wrong_count("aborted_transactions", n, end - p, left)
                left[0] -= n
                aborted_transactions_3 = []
                for _ in _ONCE if n == 1 else range(n):
                    producer_id_4, first_offset_4 = _u_qq(data, p)
                    p += 16
                    o_4 = _new(AbortedTransactions)
                    o_4.producer_id = producer_id_4
                    o_4.first_offset = first_offset_4
                    aborted_transactions_3.append(o_4)
            preferred_read_replica_3, n = _u_ii(data, p)
            p += 8
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            o_3.high_watermark = high_watermark_3
            o_3.last_stable_offset = last_stable_offset_3
            o_3.log_start_offset = log_start_offset_3
            o_3.aborted_transactions = aborted_transactions_3
            o_3.preferred_read_replica = preferred_read_replica_3
            o_3.records = records_3
            o_3.diverging_epoch = _NO_DIVERGING_EPOCH
            o_3.current_leader = _NO_CURRENT_LEADER
            o_3.snapshot_id = _NO_SNAPSHOT_ID
            partitions_2.append(o_3)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        responses_1.append(o_2)
    o_1 = _new(FetchResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.error_code = error_code_1
    o_1.session_id = session_id_1
    o_1.responses = responses_1
    o_1.node_endpoints = []
    return o_1, p


def _read_12(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchResponse, int]:
    throttle_time_ms_1, error_code_1, session_id_1, n = _u_ihiB(data, p)
    p += 11
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
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 37 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3, high_watermark_3, last_stable_offset_3, log_start_offset_3, n = _u_ihqqqB(data, p)
            p += 31
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            aborted_transactions_3: list[AbortedTransactions] | None = None
            if n != -1:
                if n < 0 or n * 17 > end - p or n > left[0]:
                    raise wrong_count("aborted_transactions", n, end - p, left)
                left[0] -= n
                aborted_transactions_3 = []
                for _ in _ONCE if n == 1 else range(n):
                    producer_id_4, first_offset_4, n = _u_qqB(data, p)
                    p += 17
                    if n:
                        p = skip_tags(data, p - 1, end)
                    o_4 = _new(AbortedTransactions)
                    o_4.producer_id = producer_id_4
                    o_4.first_offset = first_offset_4
                    aborted_transactions_3.append(o_4)
            preferred_read_replica_3, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            n = data[p]
            p += 1
            diverging_epoch_3: Any = _NO_DIVERGING_EPOCH
            current_leader_3: Any = _NO_CURRENT_LEADER
            snapshot_id_3: Any = _NO_SNAPSHOT_ID
            if n:
                spans_3, after_3 = read_tags(data, p - 1, end)
                for tag_3, p, stop_3 in spans_3:
                    if tag_3 == 0:
                        epoch_5, end_offset_5, n = _u_iqB(data, p)
                        p += 13
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_5 = _new(DivergingEpoch)
                        o_5.epoch = epoch_5
                        o_5.end_offset = end_offset_5
                        diverging_epoch_3 = o_5
                    elif tag_3 == 1:
                        leader_id_6, leader_epoch_6, n = _u_iiB(data, p)
                        p += 9
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_6 = _new(CurrentLeader)
                        o_6.leader_id = leader_id_6
                        o_6.leader_epoch = leader_epoch_6
                        current_leader_3 = o_6
                    elif tag_3 == 2:
                        end_offset_7, epoch_7, n = _u_qiB(data, p)
                        p += 13
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_7 = _new(SnapshotId)
                        o_7.end_offset = end_offset_7
                        o_7.epoch = epoch_7
                        snapshot_id_3 = o_7
                    else:
                        continue
                    if p != stop_3:
                        raise wrong_tag_size(tag_3, p, stop_3)
                p = after_3
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            o_3.high_watermark = high_watermark_3
            o_3.last_stable_offset = last_stable_offset_3
            o_3.log_start_offset = log_start_offset_3
            o_3.aborted_transactions = aborted_transactions_3
            o_3.preferred_read_replica = preferred_read_replica_3
            o_3.records = records_3
            o_3.diverging_epoch = diverging_epoch_3
            o_3.current_leader = current_leader_3
            o_3.snapshot_id = snapshot_id_3
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Responses)
        o_2.topic_id = NO_UUID
        o_2.topic = topic_2
        o_2.partitions = partitions_2
        responses_1.append(o_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    o_1 = _new(FetchResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.error_code = error_code_1
    o_1.session_id = session_id_1
    o_1.responses = responses_1
    o_1.node_endpoints = []
    return o_1, p


def _read_13(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchResponse, int]:
    throttle_time_ms_1, error_code_1, session_id_1, n = _u_ihiB(data, p)
    p += 11
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
        if n < 0 or n * 37 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3, high_watermark_3, last_stable_offset_3, log_start_offset_3, n = _u_ihqqqB(data, p)
            p += 31
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            aborted_transactions_3: list[AbortedTransactions] | None = None
            if n != -1:
                if n < 0 or n * 17 > end - p or n > left[0]:
                    raise wrong_count("aborted_transactions", n, end - p, left)
                left[0] -= n
                aborted_transactions_3 = []
                for _ in _ONCE if n == 1 else range(n):
                    producer_id_4, first_offset_4, n = _u_qqB(data, p)
                    p += 17
                    if n:
                        p = skip_tags(data, p - 1, end)
                    o_4 = _new(AbortedTransactions)
                    o_4.producer_id = producer_id_4
                    o_4.first_offset = first_offset_4
                    aborted_transactions_3.append(o_4)
            preferred_read_replica_3, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            n = data[p]
            p += 1
            diverging_epoch_3: Any = _NO_DIVERGING_EPOCH
            current_leader_3: Any = _NO_CURRENT_LEADER
            snapshot_id_3: Any = _NO_SNAPSHOT_ID
            if n:
                spans_3, after_3 = read_tags(data, p - 1, end)
                for tag_3, p, stop_3 in spans_3:
                    if tag_3 == 0:
                        epoch_5, end_offset_5, n = _u_iqB(data, p)
                        p += 13
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_5 = _new(DivergingEpoch)
                        o_5.epoch = epoch_5
                        o_5.end_offset = end_offset_5
                        diverging_epoch_3 = o_5
                    elif tag_3 == 1:
                        leader_id_6, leader_epoch_6, n = _u_iiB(data, p)
                        p += 9
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_6 = _new(CurrentLeader)
                        o_6.leader_id = leader_id_6
                        o_6.leader_epoch = leader_epoch_6
                        current_leader_3 = o_6
                    elif tag_3 == 2:
                        end_offset_7, epoch_7, n = _u_qiB(data, p)
                        p += 13
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_7 = _new(SnapshotId)
                        o_7.end_offset = end_offset_7
                        o_7.epoch = epoch_7
                        snapshot_id_3 = o_7
                    else:
                        continue
                    if p != stop_3:
                        raise wrong_tag_size(tag_3, p, stop_3)
                p = after_3
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            o_3.high_watermark = high_watermark_3
            o_3.last_stable_offset = last_stable_offset_3
            o_3.log_start_offset = log_start_offset_3
            o_3.aborted_transactions = aborted_transactions_3
            o_3.preferred_read_replica = preferred_read_replica_3
            o_3.records = records_3
            o_3.diverging_epoch = diverging_epoch_3
            o_3.current_leader = current_leader_3
            o_3.snapshot_id = snapshot_id_3
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Responses)
        o_2.topic_id = topic_id_2
        o_2.topic = ''
        o_2.partitions = partitions_2
        responses_1.append(o_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    o_1 = _new(FetchResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.error_code = error_code_1
    o_1.session_id = session_id_1
    o_1.responses = responses_1
    o_1.node_endpoints = []
    return o_1, p


def _read_16(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchResponse, int]:
    throttle_time_ms_1, error_code_1, session_id_1, n = _u_ihiB(data, p)
    p += 11
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
        if n < 0 or n * 37 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, error_code_3, high_watermark_3, last_stable_offset_3, log_start_offset_3, n = _u_ihqqqB(data, p)
            p += 31
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            aborted_transactions_3: list[AbortedTransactions] | None = None
            if n != -1:
                if n < 0 or n * 17 > end - p or n > left[0]:
                    raise wrong_count("aborted_transactions", n, end - p, left)
                left[0] -= n
                aborted_transactions_3 = []
                for _ in _ONCE if n == 1 else range(n):
                    producer_id_4, first_offset_4, n = _u_qqB(data, p)
                    p += 17
                    if n:
                        p = skip_tags(data, p - 1, end)
                    o_4 = _new(AbortedTransactions)
                    o_4.producer_id = producer_id_4
                    o_4.first_offset = first_offset_4
                    aborted_transactions_3.append(o_4)
            preferred_read_replica_3, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            n = data[p]
            p += 1
            diverging_epoch_3: Any = _NO_DIVERGING_EPOCH
            current_leader_3: Any = _NO_CURRENT_LEADER
            snapshot_id_3: Any = _NO_SNAPSHOT_ID
            if n:
                spans_3, after_3 = read_tags(data, p - 1, end)
                for tag_3, p, stop_3 in spans_3:
                    if tag_3 == 0:
                        epoch_5, end_offset_5, n = _u_iqB(data, p)
                        p += 13
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_5 = _new(DivergingEpoch)
                        o_5.epoch = epoch_5
                        o_5.end_offset = end_offset_5
                        diverging_epoch_3 = o_5
                    elif tag_3 == 1:
                        leader_id_6, leader_epoch_6, n = _u_iiB(data, p)
                        p += 9
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_6 = _new(CurrentLeader)
                        o_6.leader_id = leader_id_6
                        o_6.leader_epoch = leader_epoch_6
                        current_leader_3 = o_6
                    elif tag_3 == 2:
                        end_offset_7, epoch_7, n = _u_qiB(data, p)
                        p += 13
                        if n:
                            p = skip_tags(data, p - 1, stop_3)
                        o_7 = _new(SnapshotId)
                        o_7.end_offset = end_offset_7
                        o_7.epoch = epoch_7
                        snapshot_id_3 = o_7
                    else:
                        continue
                    if p != stop_3:
                        raise wrong_tag_size(tag_3, p, stop_3)
                p = after_3
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.error_code = error_code_3
            o_3.high_watermark = high_watermark_3
            o_3.last_stable_offset = last_stable_offset_3
            o_3.log_start_offset = log_start_offset_3
            o_3.aborted_transactions = aborted_transactions_3
            o_3.preferred_read_replica = preferred_read_replica_3
            o_3.records = records_3
            o_3.diverging_epoch = diverging_epoch_3
            o_3.current_leader = current_leader_3
            o_3.snapshot_id = snapshot_id_3
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Responses)
        o_2.topic_id = topic_id_2
        o_2.topic = ''
        o_2.partitions = partitions_2
        responses_1.append(o_2)
    n = data[p]
    p += 1
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
                    node_id_8, n = _u_iB(data, p)
                    p += 5
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("host", n, stop_1 - p)
                    host_8 = data[p:q].tobytes().decode()
                    p = q
                    port_8, n = _u_iB(data, p)
                    p += 5
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    if n == -1:
                        rack_8 = None
                    else:
                        q = p + n
                        if n < 0 or q > stop_1:
                            raise wrong_length("rack", n, stop_1 - p)
                        rack_8 = data[p:q].tobytes().decode()
                        p = q
                    n = data[p]
                    p += 1
                    if n:
                        p = skip_tags(data, p - 1, stop_1)
                    o_8 = _new(NodeEndpoints)
                    o_8.node_id = node_id_8
                    o_8.host = host_8
                    o_8.port = port_8
                    o_8.rack = rack_8
                    node_endpoints_1_tagged.append(o_8)
                node_endpoints_1 = node_endpoints_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    o_1 = _new(FetchResponse)
    o_1.throttle_time_ms = throttle_time_ms_1
    o_1.error_code = error_code_1
    o_1.session_id = session_id_1
    o_1.responses = responses_1
    o_1.node_endpoints = node_endpoints_1
    return o_1, p


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            items_3 = e_2.aborted_transactions
            out += _p_ihqqi(e_2.partition_index, e_2.error_code, e_2.high_watermark, e_2.last_stable_offset, -1 if items_3 is None else len(items_3))
            for e_3 in items_3 or ():
                out += _p_qq(e_3.producer_id, e_3.first_offset)
            put_records(out, e_2.records)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            items_3 = e_2.aborted_transactions
            out += _p_ihqqqi(e_2.partition_index, e_2.error_code, e_2.high_watermark, e_2.last_stable_offset, e_2.log_start_offset, -1 if items_3 is None else len(items_3))
            for e_3 in items_3 or ():
                out += _p_qq(e_3.producer_id, e_3.first_offset)
            put_records(out, e_2.records)


def _write_7(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_ihii(m.throttle_time_ms, m.error_code, m.session_id, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            items_3 = e_2.aborted_transactions
            out += _p_ihqqqi(e_2.partition_index, e_2.error_code, e_2.high_watermark, e_2.last_stable_offset, e_2.log_start_offset, -1 if items_3 is None else len(items_3))
            for e_3 in items_3 or ():
                out += _p_qq(e_3.producer_id, e_3.first_offset)
            put_records(out, e_2.records)


def _write_11(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_ihii(m.throttle_time_ms, m.error_code, m.session_id, len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            items_3 = e_2.aborted_transactions
            out += _p_ihqqqi(e_2.partition_index, e_2.error_code, e_2.high_watermark, e_2.last_stable_offset, e_2.log_start_offset, -1 if items_3 is None else len(items_3))
            for e_3 in items_3 or ():
                out += _p_qq(e_3.producer_id, e_3.first_offset)
            out += _p_i(e_2.preferred_read_replica)
            put_records(out, e_2.records)


def _write_12(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_ihi(m.throttle_time_ms, m.error_code, m.session_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic.encode()
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
            items_3 = e_2.aborted_transactions
            out += _p_ihqqq(e_2.partition_index, e_2.error_code, e_2.high_watermark, e_2.last_stable_offset, e_2.log_start_offset)
            n = 0 if items_3 is None else len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3 or ():
                out += _p_qqx(e_3.producer_id, e_3.first_offset)
            out += _p_i(e_2.preferred_read_replica)
            put_compact_records(out, e_2.records)
            tags_4: list[tuple[int, bytes | bytearray]] = []
            if e_2.diverging_epoch is not _NO_DIVERGING_EPOCH and e_2.diverging_epoch != _NO_DIVERGING_EPOCH:
                tags_4_out = bytearray()
                tags_4_out += _p_iqx(e_2.diverging_epoch.epoch, e_2.diverging_epoch.end_offset)
                tags_4.append((0, tags_4_out))
            if e_2.current_leader is not _NO_CURRENT_LEADER and e_2.current_leader != _NO_CURRENT_LEADER:
                tags_4_out = bytearray()
                tags_4_out += _p_iix(e_2.current_leader.leader_id, e_2.current_leader.leader_epoch)
                tags_4.append((1, tags_4_out))
            if e_2.snapshot_id is not _NO_SNAPSHOT_ID and e_2.snapshot_id != _NO_SNAPSHOT_ID:
                tags_4_out = bytearray()
                tags_4_out += _p_qix(e_2.snapshot_id.end_offset, e_2.snapshot_id.epoch)
                tags_4.append((2, tags_4_out))
            if tags_4:
                put_tags(out, tags_4)
            else:
                out.append(0)
        out.append(0)
    out.append(0)


def _write_13(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_ihi(m.throttle_time_ms, m.error_code, m.session_id)
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
            items_3 = e_2.aborted_transactions
            out += _p_ihqqq(e_2.partition_index, e_2.error_code, e_2.high_watermark, e_2.last_stable_offset, e_2.log_start_offset)
            n = 0 if items_3 is None else len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3 or ():
                out += _p_qqx(e_3.producer_id, e_3.first_offset)
            out += _p_i(e_2.preferred_read_replica)
            put_compact_records(out, e_2.records)
            tags_4: list[tuple[int, bytes | bytearray]] = []
            if e_2.diverging_epoch is not _NO_DIVERGING_EPOCH and e_2.diverging_epoch != _NO_DIVERGING_EPOCH:
                tags_4_out = bytearray()
                tags_4_out += _p_iqx(e_2.diverging_epoch.epoch, e_2.diverging_epoch.end_offset)
                tags_4.append((0, tags_4_out))
            if e_2.current_leader is not _NO_CURRENT_LEADER and e_2.current_leader != _NO_CURRENT_LEADER:
                tags_4_out = bytearray()
                tags_4_out += _p_iix(e_2.current_leader.leader_id, e_2.current_leader.leader_epoch)
                tags_4.append((1, tags_4_out))
            if e_2.snapshot_id is not _NO_SNAPSHOT_ID and e_2.snapshot_id != _NO_SNAPSHOT_ID:
                tags_4_out = bytearray()
                tags_4_out += _p_qix(e_2.snapshot_id.end_offset, e_2.snapshot_id.epoch)
                tags_4.append((2, tags_4_out))
            if tags_4:
                put_tags(out, tags_4)
            else:
                out.append(0)
        out.append(0)
    out.append(0)


def _write_16(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_ihi(m.throttle_time_ms, m.error_code, m.session_id)
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
            items_3 = e_2.aborted_transactions
            out += _p_ihqqq(e_2.partition_index, e_2.error_code, e_2.high_watermark, e_2.last_stable_offset, e_2.log_start_offset)
            n = 0 if items_3 is None else len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3 or ():
                out += _p_qqx(e_3.producer_id, e_3.first_offset)
            out += _p_i(e_2.preferred_read_replica)
            put_compact_records(out, e_2.records)
            tags_4: list[tuple[int, bytes | bytearray]] = []
            if e_2.diverging_epoch is not _NO_DIVERGING_EPOCH and e_2.diverging_epoch != _NO_DIVERGING_EPOCH:
                tags_4_out = bytearray()
                tags_4_out += _p_iqx(e_2.diverging_epoch.epoch, e_2.diverging_epoch.end_offset)
                tags_4.append((0, tags_4_out))
            if e_2.current_leader is not _NO_CURRENT_LEADER and e_2.current_leader != _NO_CURRENT_LEADER:
                tags_4_out = bytearray()
                tags_4_out += _p_iix(e_2.current_leader.leader_id, e_2.current_leader.leader_epoch)
                tags_4.append((1, tags_4_out))
            if e_2.snapshot_id is not _NO_SNAPSHOT_ID and e_2.snapshot_id != _NO_SNAPSHOT_ID:
                tags_4_out = bytearray()
                tags_4_out += _p_qix(e_2.snapshot_id.end_offset, e_2.snapshot_id.epoch)
                tags_4.append((2, tags_4_out))
            if tags_4:
                put_tags(out, tags_4)
            else:
                out.append(0)
        out.append(0)
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


FetchResponse._READERS = {4: _read_4, 5: _read_5, 6: _read_5, 7: _read_7, 8: _read_7, 9: _read_7, 10: _read_7, 11: _read_11, 12: _read_12, 13: _read_13, 14: _read_13, 15: _read_13, 16: _read_16, 17: _read_16, 18: _read_16}
FetchResponse._WRITERS = {4: _write_4, 5: _write_5, 6: _write_5, 7: _write_7, 8: _write_7, 9: _write_7, 10: _write_7, 11: _write_11, 12: _write_12, 13: _write_13, 14: _write_13, 15: _write_13, 16: _write_16, 17: _write_16, 18: _write_16}
