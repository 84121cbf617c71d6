"""StreamsGroupMetadataValue record (key 17), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_tags, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_iqB = _Struct(">iqB").unpack_from
_u_i = _Struct(">i").unpack_from
_p_iq = _Struct(">iq").pack
_p_i = _Struct(">i").pack


class LastAssignmentConfigs(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = '',
        value: str = '',
    ) -> None:
        self.key = key
        self.value = value


class StreamsGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash", "validated_topology_epoch", "last_assignment_configs")
    RECORD_TYPE = 17
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        epoch: int = 0,
        metadata_hash: int = 0,
        validated_topology_epoch: int = -1,
        last_assignment_configs: list[LastAssignmentConfigs] | None = FRESH,
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash
        self.validated_topology_epoch = validated_topology_epoch
        self.last_assignment_configs = [] if last_assignment_configs is FRESH else last_assignment_configs


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StreamsGroupMetadataValue, int]:
    epoch_1, metadata_hash_1, n = _u_iqB(data, p)
    p += 13
    validated_topology_epoch_1: Any = -1
    last_assignment_configs_1: Any = []
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (validated_topology_epoch_1_tagged,) = _u_i(data, p)
                p += 4
                validated_topology_epoch_1 = validated_topology_epoch_1_tagged
            elif tag_1 == 1:
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                last_assignment_configs_1_tagged: list[LastAssignmentConfigs] | None = None
                if n != -1:
                    if n < 0 or n * 3 > stop_1 - p or n > left[0]:
                        raise wrong_count("last_assignment_configs", n, stop_1 - p, left)
                    left[0] -= n
                    last_assignment_configs_1_tagged = []
                    for _ in range(n):
                        n = data[p]
                        p += 1
                        if n > 127:
                            n, p = longer_string(data, p, n)
                        n -= 1
                        q = p + n
                        if n < 0 or q > stop_1:
                            raise wrong_length("key", n, stop_1 - p)
                        key_2 = data[p:q].tobytes().decode()
                        p = q
                        n = data[p]
                        p += 1
                        if n > 127:
                            n, p = longer_string(data, p, n)
                        n -= 1
                        q = p + n
                        if n < 0 or q > stop_1:
                            raise wrong_length("value", n, stop_1 - p)
                        value_2 = data[p:q].tobytes().decode()
                        p = q
                        n = data[p]
                        p += 1
                        if n:
                            p = skip_tags(data, p - 1, stop_1)
                        last_assignment_configs_1_tagged.append(LastAssignmentConfigs(key_2, value_2))
                last_assignment_configs_1 = last_assignment_configs_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return StreamsGroupMetadataValue(epoch_1, metadata_hash_1, validated_topology_epoch_1, last_assignment_configs_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_iq(m.epoch, m.metadata_hash)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.validated_topology_epoch != -1:
        tags_1.append((0, _p_i(m.validated_topology_epoch)))
    if m.last_assignment_configs is None or len(m.last_assignment_configs):
        tags_1_out = bytearray()
        items_2 = m.last_assignment_configs
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_uvarint(tags_1_out, n)
        for e_2 in items_2 or ():
            b = e_2.key.encode()
            n = len(b) + 1
            if n < 128:
                tags_1_out.append(n)
            else:
                put_string_length(tags_1_out, n)
            tags_1_out += b
            b = e_2.value.encode()
            n = len(b) + 1
            if n < 128:
                tags_1_out.append(n)
            else:
                put_string_length(tags_1_out, n)
            tags_1_out += b
            tags_1_out.append(0)
        tags_1.append((1, tags_1_out))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


StreamsGroupMetadataValue._READERS = {0: _read_0}
StreamsGroupMetadataValue._WRITERS = {0: _write_0}
