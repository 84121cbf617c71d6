"""CreateTopics response (key 19), versions 2-7, flexible from 5.

Generated from schemas/create_topics.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, read_tags, skip_tags, wrong_count, wrong_length, wrong_tag_size

_u_ii = _Struct(">ii").unpack_from
_u_h = _Struct(">h").unpack_from
_u_hh = _Struct(">hh").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_16shB = _Struct(">16shB").unpack_from
_u_tbtB = _Struct(">?b?B").unpack_from
_p_ii = _Struct(">ii").pack
_p_h = _Struct(">h").pack
_p_hh = _Struct(">hh").pack
_p_i = _Struct(">i").pack
_p_ih = _Struct(">ih").pack
_p_BBBh = _Struct(">BBBh").pack
_p_16sh = _Struct(">16sh").pack
_p_tbtx = _Struct(">?b?x").pack


class Configs(Struct):
    __slots__ = ("name", "value", "read_only", "config_source", "is_sensitive")

    def __init__(
        self,
        name: str = '',
        value: str | None = '',
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.config_source = config_source
        self.is_sensitive = is_sensitive


class Topics(Struct):
    __slots__ = ("name", "topic_id", "error_code", "error_message", "num_partitions", "replication_factor", "configs", "topic_config_error_code")

    def __init__(
        self,
        name: str = '',
        topic_id: bytes = NO_UUID,
        error_code: int = 0,
        error_message: str | None = '',
        num_partitions: int = -1,
        replication_factor: int = -1,
        configs: list[Configs] | None = FRESH,
        topic_config_error_code: int = 0,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.configs = [] if configs is FRESH else configs
        self.topic_config_error_code = topic_config_error_code


class CreateTopicsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")
    API_KEY = 19
    MIN_VERSION = 2
    MAX_VERSION = 7
    FLEXIBLE_FROM = 5

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is FRESH else topics


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateTopicsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        error_code_2, n = _u_hh(data, p)
        p += 4
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
        topics_1.append(Topics(name_2, NO_UUID, error_code_2, error_message_2))
    return CreateTopicsResponse(throttle_time_ms_1, topics_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateTopicsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 12 > end - p or n > left[0]:
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
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
        num_partitions_2, replication_factor_2, n = _u_ihB(data, p)
        p += 7
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        configs_2: list[Configs] | None = None
        if n != -1:
            if n < 0 or n * 6 > end - p or n > left[0]:
                raise wrong_count("configs", n, end - p, left)
            left[0] -= n
            configs_2 = []
            for _ in range(n):
                s_3, p = _read_Configs_5(data, p, end, left)
                configs_2.append(s_3)
        n = data[p]
        p += 1
        topic_config_error_code_2: Any = 0
        if n:
            spans_2, after_2 = read_tags(data, p - 1, end)
            for tag_2, p, stop_2 in spans_2:
                if tag_2 == 0:
                    (topic_config_error_code_2_tagged,) = _u_h(data, p)
                    p += 2
                    topic_config_error_code_2 = topic_config_error_code_2_tagged
                else:
                    continue
                if p != stop_2:
                    raise wrong_tag_size(tag_2, p, stop_2)
            p = after_2
        topics_1.append(Topics(name_2, NO_UUID, error_code_2, error_message_2, num_partitions_2, replication_factor_2, configs_2, topic_config_error_code_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return CreateTopicsResponse(throttle_time_ms_1, topics_1), p


def _read_7(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateTopicsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 28 > end - p or n > left[0]:
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
        topic_id_2, error_code_2, n = _u_16shB(data, p)
        p += 19
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
        num_partitions_2, replication_factor_2, n = _u_ihB(data, p)
        p += 7
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        configs_2: list[Configs] | None = None
        if n != -1:
            if n < 0 or n * 6 > end - p or n > left[0]:
                raise wrong_count("configs", n, end - p, left)
            left[0] -= n
            configs_2 = []
            for _ in range(n):
                s_3, p = _read_Configs_5(data, p, end, left)
                configs_2.append(s_3)
        n = data[p]
        p += 1
        topic_config_error_code_2: Any = 0
        if n:
            spans_2, after_2 = read_tags(data, p - 1, end)
            for tag_2, p, stop_2 in spans_2:
                if tag_2 == 0:
                    (topic_config_error_code_2_tagged,) = _u_h(data, p)
                    p += 2
                    topic_config_error_code_2 = topic_config_error_code_2_tagged
                else:
                    continue
                if p != stop_2:
                    raise wrong_tag_size(tag_2, p, stop_2)
            p = after_2
        topics_1.append(Topics(name_2, topic_id_2, error_code_2, error_message_2, num_partitions_2, replication_factor_2, configs_2, topic_config_error_code_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return CreateTopicsResponse(throttle_time_ms_1, topics_1), p


def _read_Configs_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Configs, int]:
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
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        value_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("value", n, end - p)
        value_1 = data[p:q].tobytes().decode()
        p = q
    read_only_1, config_source_1, is_sensitive_1, n = _u_tbtB(data, p)
    p += 4
    if n:
        p = skip_tags(data, p - 1, end)
    return Configs(name_1, value_1, read_only_1, config_source_1, is_sensitive_1), p


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        if e_1.error_message is None:
            n, b = -1, b""
        else:
            b = e_1.error_message.encode()
            n = len(b)
        out += _p_hh(e_1.error_code, n)
        out += b


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.throttle_time_ms)
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
        out += _p_h(e_1.error_code)
        if e_1.error_message is None:
            out.append(0)
        else:
            b = e_1.error_message.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        items_2 = e_1.configs
        out += _p_ih(e_1.num_partitions, e_1.replication_factor)
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2 or ():
            _write_Configs_5(e_2, out)
        if e_1.topic_config_error_code != 0:
            out += _p_BBBh(1, 0, 2, e_1.topic_config_error_code)
        else:
            out.append(0)
    out.append(0)


def _write_7(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.throttle_time_ms)
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
        out += _p_16sh(e_1.topic_id, e_1.error_code)
        if e_1.error_message is None:
            out.append(0)
        else:
            b = e_1.error_message.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        items_2 = e_1.configs
        out += _p_ih(e_1.num_partitions, e_1.replication_factor)
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2 or ():
            _write_Configs_5(e_2, out)
        if e_1.topic_config_error_code != 0:
            out += _p_BBBh(1, 0, 2, e_1.topic_config_error_code)
        else:
            out.append(0)
    out.append(0)


def _write_Configs_5(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    if m.value is None:
        out.append(0)
    else:
        b = m.value.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_tbtx(m.read_only, m.config_source, m.is_sensitive)


CreateTopicsResponse._READERS = {2: _read_2, 3: _read_2, 4: _read_2, 5: _read_5, 6: _read_5, 7: _read_7}
CreateTopicsResponse._WRITERS = {2: _write_2, 3: _write_2, 4: _write_2, 5: _write_5, 6: _write_5, 7: _write_7}
