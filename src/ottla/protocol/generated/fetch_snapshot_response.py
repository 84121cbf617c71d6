"""FetchSnapshot response (key 59), versions 0-1, flexible from 0.

Generated from schemas/fetch_snapshot.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct, shared_default
from ottla.protocol.wire import Records, longer, longer_string, put_compact_records, put_string_length, put_tags, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_ihB = _Struct(">ihB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_HB = _Struct(">HB").unpack_from
_u_ihqiB = _Struct(">ihqiB").unpack_from
_u_qqB = _Struct(">qqB").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_p_ih = _Struct(">ih").pack
_p_i = _Struct(">i").pack
_p_Hx = _Struct(">Hx").pack
_p_ihqixqq = _Struct(">ihqixqq").pack
_p_iix = _Struct(">iix").pack


class SnapshotId(Struct):
    __slots__ = ("end_offset", "epoch")

    def __init__(
        self,
        end_offset: int = 0,
        epoch: int = 0,
    ) -> None:
        self.end_offset = end_offset
        self.epoch = epoch


class CurrentLeader(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(
        self,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


_NO_CURRENT_LEADER = shared_default(CurrentLeader)


class Partitions(Struct):
    __slots__ = ("index", "error_code", "snapshot_id", "size", "position", "unaligned_records", "current_leader")

    def __init__(
        self,
        index: int = 0,
        error_code: int = 0,
        snapshot_id: SnapshotId = FRESH,
        size: int = 0,
        position: int = 0,
        unaligned_records: Records = None,
        current_leader: CurrentLeader = _NO_CURRENT_LEADER,
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.snapshot_id = SnapshotId() if snapshot_id is FRESH else snapshot_id
        self.size = size
        self.position = position
        self.unaligned_records = unaligned_records
        self.current_leader = current_leader


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class NodeEndpoints(Struct):
    __slots__ = ("node_id", "host", "port")

    def __init__(
        self,
        node_id: int = 0,
        host: str = '',
        port: int = 0,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port


class FetchSnapshotResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "topics", "node_endpoints")
    API_KEY = 59
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        topics: list[Topics] = FRESH,
        node_endpoints: list[NodeEndpoints] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics = [] if topics is FRESH else topics
        self.node_endpoints = [] if node_endpoints is FRESH else node_endpoints


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchSnapshotResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_0(data, p, end, left)
        topics_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return FetchSnapshotResponse(throttle_time_ms_1, error_code_1, topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchSnapshotResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_0(data, p, end, left)
        topics_1.append(s_2)
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
                if n < 0 or n * 8 > stop_1 - p or n > left[0]:
                    raise wrong_count("node_endpoints", n, stop_1 - p, left)
                left[0] -= n
                node_endpoints_1_tagged: list[NodeEndpoints] = []
                for _ in range(n):
                    node_id_3, n = _u_iB(data, p)
                    p += 5
                    if n > 127:
                        n, p = longer_string(data, p, n)
                    n -= 1
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("host", n, stop_1 - p)
                    host_3 = data[p:q].tobytes().decode()
                    p = q
                    port_3, n = _u_HB(data, p)
                    p += 3
                    if n:
                        p = skip_tags(data, p - 1, stop_1)
                    node_endpoints_1_tagged.append(NodeEndpoints(node_id_3, host_3, port_3))
                node_endpoints_1 = node_endpoints_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return FetchSnapshotResponse(throttle_time_ms_1, error_code_1, topics_1, node_endpoints_1), p


def _read_Topics_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 37 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        index_2, error_code_2, end_offset_3, epoch_3, n = _u_ihqiB(data, p)
        p += 19
        if n:
            p = skip_tags(data, p - 1, end)
        size_2, position_2, n = _u_qqB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("unaligned_records", n, end - p)
        unaligned_records_2 = data[p:q]
        p = q
        n = data[p]
        p += 1
        current_leader_2: Any = _NO_CURRENT_LEADER
        if n:
            spans_2, after_2 = read_tags(data, p - 1, end)
            for tag_2, p, stop_2 in spans_2:
                if tag_2 == 0:
                    leader_id_4, leader_epoch_4, n = _u_iiB(data, p)
                    p += 9
                    if n:
                        p = skip_tags(data, p - 1, stop_2)
                    current_leader_2 = CurrentLeader(leader_id_4, leader_epoch_4)
                else:
                    continue
                if p != stop_2:
                    raise wrong_tag_size(tag_2, p, stop_2)
            p = after_2
        partitions_1.append(Partitions(index_2, error_code_2, SnapshotId(end_offset_3, epoch_3), size_2, position_2, unaligned_records_2, current_leader_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(name_1, partitions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_0(e_1, out)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_0(e_1, out)
    tags_2: list[tuple[int, bytes | bytearray]] = []
    if m.node_endpoints:
        tags_2_out = bytearray()
        items_3 = m.node_endpoints
        n = len(items_3) + 1
        if n < 128:
            tags_2_out.append(n)
        else:
            put_uvarint(tags_2_out, n)
        for e_3 in items_3:
            tags_2_out += _p_i(e_3.node_id)
            b = e_3.host.encode()
            n = len(b) + 1
            if n < 128:
                tags_2_out.append(n)
            else:
                put_string_length(tags_2_out, n)
            tags_2_out += b
            tags_2_out += _p_Hx(e_3.port)
        tags_2.append((0, tags_2_out))
    if tags_2:
        put_tags(out, tags_2)
    else:
        out.append(0)


def _write_Topics_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partitions
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_ihqixqq(e_1.index, e_1.error_code, e_1.snapshot_id.end_offset, e_1.snapshot_id.epoch, e_1.size, e_1.position)
        put_compact_records(out, e_1.unaligned_records)
        tags_2: list[tuple[int, bytes | bytearray]] = []
        if e_1.current_leader is not _NO_CURRENT_LEADER and e_1.current_leader != _NO_CURRENT_LEADER:
            tags_2_out = bytearray()
            tags_2_out += _p_iix(e_1.current_leader.leader_id, e_1.current_leader.leader_epoch)
            tags_2.append((0, tags_2_out))
        if tags_2:
            put_tags(out, tags_2)
        else:
            out.append(0)
    out.append(0)


FetchSnapshotResponse._READERS = {0: _read_0, 1: _read_1}
FetchSnapshotResponse._WRITERS = {0: _write_0, 1: _write_1}
