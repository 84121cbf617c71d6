"""ConsumerGroupMemberMetadataValue record (key 5), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_tags, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_iB = _Struct(">iB").unpack_from
_u_b = _Struct(">b").unpack_from
_p_i = _Struct(">i").pack


class SupportedProtocols(Struct):
    __slots__ = ("name", "metadata")

    def __init__(
        self,
        name: str = '',
        metadata: bytes = b'',
    ) -> None:
        self.name = name
        self.metadata = metadata


class ClassicMemberMetadata(Struct):
    __slots__ = ("session_timeout_ms", "supported_protocols")

    def __init__(
        self,
        session_timeout_ms: int = 0,
        supported_protocols: list[SupportedProtocols] = FRESH,
    ) -> None:
        self.session_timeout_ms = session_timeout_ms
        self.supported_protocols = [] if supported_protocols is FRESH else supported_protocols


class ConsumerGroupMemberMetadataValue(Message):
    __slots__ = ("instance_id", "rack_id", "client_id", "client_host", "subscribed_topic_names", "subscribed_topic_regex", "rebalance_timeout_ms", "server_assignor", "classic_member_metadata")
    RECORD_TYPE = 5
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        instance_id: str | None = '',
        rack_id: str | None = '',
        client_id: str = '',
        client_host: str = '',
        subscribed_topic_names: list[str] = FRESH,
        subscribed_topic_regex: str | None = '',
        rebalance_timeout_ms: int = -1,
        server_assignor: str | None = '',
        classic_member_metadata: ClassicMemberMetadata | None = FRESH,
    ) -> None:
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is FRESH else subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.server_assignor = server_assignor
        self.classic_member_metadata = ClassicMemberMetadata() if classic_member_metadata is FRESH else classic_member_metadata


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupMemberMetadataValue, int]:
    n = data[p]
    p += 1
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
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_id", n, end - p)
    client_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_host", n, end - p)
    client_host_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("subscribed_topic_names", n, end - p, left)
    left[0] -= n
    subscribed_topic_names_1: list[str] = []
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
    rebalance_timeout_ms_1, n = _u_iB(data, p)
    p += 5
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
    classic_member_metadata_1: Any = ClassicMemberMetadata()
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (n,) = _u_b(data, p)
                p += 1
                classic_member_metadata_1_tagged: ClassicMemberMetadata | None = None
                if n > 0:
                    session_timeout_ms_2, n = _u_iB(data, p)
                    p += 5
                    if n > 127:
                        n, p = longer(data, p, n)
                    n -= 1
                    if n < 0 or n * 3 > stop_1 - p or n > left[0]:
                        raise wrong_count("supported_protocols", n, stop_1 - p, left)
                    left[0] -= n
                    supported_protocols_2: list[SupportedProtocols] = []
                    for _ in range(n):
                        n = data[p]
                        p += 1
                        if n > 127:
                            n, p = longer_string(data, p, n)
                        n -= 1
                        q = p + n
                        if n < 0 or q > stop_1:
                            raise wrong_length("name", n, stop_1 - p)
                        name_3 = data[p:q].tobytes().decode()
                        p = q
                        n = data[p]
                        p += 1
                        if n > 127:
                            n, p = longer(data, p, n)
                        n -= 1
                        q = p + n
                        if n < 0 or q > stop_1:
                            raise wrong_length("metadata", n, stop_1 - p)
                        metadata_3 = data[p:q].tobytes()
                        p = q
                        n = data[p]
                        p += 1
                        if n:
                            p = skip_tags(data, p - 1, stop_1)
                        supported_protocols_2.append(SupportedProtocols(name_3, metadata_3))
                    n = data[p]
                    p += 1
                    if n:
                        p = skip_tags(data, p - 1, stop_1)
                    classic_member_metadata_1_tagged = ClassicMemberMetadata(session_timeout_ms_2, supported_protocols_2)
                classic_member_metadata_1 = classic_member_metadata_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return ConsumerGroupMemberMetadataValue(instance_id_1, rack_id_1, client_id_1, client_host_1, subscribed_topic_names_1, subscribed_topic_regex_1, rebalance_timeout_ms_1, server_assignor_1, classic_member_metadata_1), p


def _write_0(m: Any, out: bytearray) -> None:
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
    b = m.client_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.client_host.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.subscribed_topic_names
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
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
    out += _p_i(m.rebalance_timeout_ms)
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
    tags_2: list[tuple[int, bytes | bytearray]] = []
    if m.classic_member_metadata != ClassicMemberMetadata():
        tags_2_out = bytearray()
        if m.classic_member_metadata is None:
            tags_2_out.append(0)
        else:
            tags_2_out.append(1)
            items_3 = m.classic_member_metadata.supported_protocols
            tags_2_out += _p_i(m.classic_member_metadata.session_timeout_ms)
            n = len(items_3) + 1
            if n < 128:
                tags_2_out.append(n)
            else:
                put_uvarint(tags_2_out, n)
            for e_3 in items_3:
                b = e_3.name.encode()
                n = len(b) + 1
                if n < 128:
                    tags_2_out.append(n)
                else:
                    put_string_length(tags_2_out, n)
                tags_2_out += b
                b = e_3.metadata
                n = len(b) + 1
                if n < 128:
                    tags_2_out.append(n)
                else:
                    put_uvarint(tags_2_out, n)
                tags_2_out += b
                tags_2_out.append(0)
            tags_2_out.append(0)
        tags_2.append((0, tags_2_out))
    if tags_2:
        put_tags(out, tags_2)
    else:
        out.append(0)


ConsumerGroupMemberMetadataValue._READERS = {0: _read_0}
ConsumerGroupMemberMetadataValue._WRITERS = {0: _write_0}
