"""FetchSnapshot request (key 59), versions 0-1, flexible from 0.

Generated from schemas/fetch_snapshot.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_tags, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_iiB = _Struct(">iiB").unpack_from
_u_iiqiB = _Struct(">iiqiB").unpack_from
_u_qB = _Struct(">qB").unpack_from
_u_16s = _Struct(">16s").unpack_from
_p_ii = _Struct(">ii").pack
_p_iiqixqx = _Struct(">iiqixqx").pack
_p_iiqixq = _Struct(">iiqixq").pack
_p_BBB16s = _Struct(">BBB16s").pack


class SnapshotId(Struct):
    __slots__ = ("end_offset", "epoch")

    def __init__(
        self,
        end_offset: int = 0,
        epoch: int = 0,
    ) -> None:
        self.end_offset = end_offset
        self.epoch = epoch


class Partitions(Struct):
    __slots__ = ("partition", "current_leader_epoch", "snapshot_id", "position", "replica_directory_id")

    def __init__(
        self,
        partition: int = 0,
        current_leader_epoch: int = 0,
        snapshot_id: SnapshotId = FRESH,
        position: int = 0,
        replica_directory_id: bytes = NO_UUID,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.snapshot_id = SnapshotId() if snapshot_id is FRESH else snapshot_id
        self.position = position
        self.replica_directory_id = replica_directory_id


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class FetchSnapshotRequest(Message):
    __slots__ = ("replica_id", "max_bytes", "topics", "cluster_id")
    API_KEY = 59
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        replica_id: int = -1,
        max_bytes: int = 2147483647,
        topics: list[Topics] = FRESH,
        cluster_id: str | None = None,
    ) -> None:
        self.replica_id = replica_id
        self.max_bytes = max_bytes
        self.topics = [] if topics is FRESH else topics
        self.cluster_id = cluster_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchSnapshotRequest, int]:
    replica_id_1, max_bytes_1, n = _u_iiB(data, p)
    p += 9
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
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 30 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_3, current_leader_epoch_3, end_offset_4, epoch_4, n = _u_iiqiB(data, p)
            p += 21
            if n:
                p = skip_tags(data, p - 1, end)
            position_3, n = _u_qB(data, p)
            p += 9
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_3, current_leader_epoch_3, SnapshotId(end_offset_4, epoch_4), position_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2, partitions_2))
    n = data[p]
    p += 1
    cluster_id_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    cluster_id_1_tagged = None
                else:
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("cluster_id", n, stop_1 - p)
                    cluster_id_1_tagged = data[p:q].tobytes().decode()
                    p = q
                cluster_id_1 = cluster_id_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return FetchSnapshotRequest(replica_id_1, max_bytes_1, topics_1, cluster_id_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FetchSnapshotRequest, int]:
    replica_id_1, max_bytes_1, n = _u_iiB(data, p)
    p += 9
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
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 30 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_3, current_leader_epoch_3, end_offset_4, epoch_4, n = _u_iiqiB(data, p)
            p += 21
            if n:
                p = skip_tags(data, p - 1, end)
            position_3, n = _u_qB(data, p)
            p += 9
            replica_directory_id_3: Any = NO_UUID
            if n:
                spans_3, after_3 = read_tags(data, p - 1, end)
                for tag_3, p, stop_3 in spans_3:
                    if tag_3 == 0:
                        (replica_directory_id_3_tagged,) = _u_16s(data, p)
                        p += 16
                        replica_directory_id_3 = replica_directory_id_3_tagged
                    else:
                        continue
                    if p != stop_3:
                        raise wrong_tag_size(tag_3, p, stop_3)
                p = after_3
            partitions_2.append(Partitions(partition_3, current_leader_epoch_3, SnapshotId(end_offset_4, epoch_4), position_3, replica_directory_id_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2, partitions_2))
    n = data[p]
    p += 1
    cluster_id_1: Any = None
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    cluster_id_1_tagged = None
                else:
                    q = p + n
                    if n < 0 or q > stop_1:
                        raise wrong_length("cluster_id", n, stop_1 - p)
                    cluster_id_1_tagged = data[p:q].tobytes().decode()
                    p = q
                cluster_id_1 = cluster_id_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return FetchSnapshotRequest(replica_id_1, max_bytes_1, topics_1, cluster_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.replica_id, m.max_bytes)
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
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iiqixqx(e_2.partition, e_2.current_leader_epoch, e_2.snapshot_id.end_offset, e_2.snapshot_id.epoch, e_2.position)
        out.append(0)
    tags_3: list[tuple[int, bytes | bytearray]] = []
    if m.cluster_id is not None:
        tags_3_out = bytearray()
        if m.cluster_id is None:
            tags_3_out.append(0)
        else:
            b = m.cluster_id.encode()
            n = len(b) + 1
            if n < 128:
                tags_3_out.append(n)
            else:
                put_string_length(tags_3_out, n)
            tags_3_out += b
        tags_3.append((0, tags_3_out))
    if tags_3:
        put_tags(out, tags_3)
    else:
        out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.replica_id, m.max_bytes)
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
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iiqixq(e_2.partition, e_2.current_leader_epoch, e_2.snapshot_id.end_offset, e_2.snapshot_id.epoch, e_2.position)
            if e_2.replica_directory_id != NO_UUID:
                out += _p_BBB16s(1, 0, 16, e_2.replica_directory_id)
            else:
                out.append(0)
        out.append(0)
    tags_3: list[tuple[int, bytes | bytearray]] = []
    if m.cluster_id is not None:
        tags_3_out = bytearray()
        if m.cluster_id is None:
            tags_3_out.append(0)
        else:
            b = m.cluster_id.encode()
            n = len(b) + 1
            if n < 128:
                tags_3_out.append(n)
            else:
                put_string_length(tags_3_out, n)
            tags_3_out += b
        tags_3.append((0, tags_3_out))
    if tags_3:
        put_tags(out, tags_3)
    else:
        out.append(0)


FetchSnapshotRequest._READERS = {0: _read_0, 1: _read_1}
FetchSnapshotRequest._WRITERS = {0: _write_0, 1: _write_1}
