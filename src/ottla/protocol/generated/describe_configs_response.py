"""DescribeConfigs response (key 32), versions 1-4, flexible from 4.

Generated from schemas/describe_configs.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_hh = _Struct(">hh").unpack_from
_u_bh = _Struct(">bh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_tbti = _Struct(">?b?i").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_tbtB = _Struct(">?b?B").unpack_from
_u_b = _Struct(">b").unpack_from
_p_ii = _Struct(">ii").pack
_p_hh = _Struct(">hh").pack
_p_bh = _Struct(">bh").pack
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_tbti = _Struct(">?b?i").pack
_p_b = _Struct(">b").pack
_p_tbt = _Struct(">?b?").pack
_p_bx = _Struct(">bx").pack


class Synonyms(Struct):
    __slots__ = ("name", "value", "source")

    def __init__(
        self,
        name: str = '',
        value: str | None = '',
        source: int = 0,
    ) -> None:
        self.name = name
        self.value = value
        self.source = source


class Configs(Struct):
    __slots__ = ("name", "value", "read_only", "config_source", "is_sensitive", "synonyms", "config_type", "documentation")

    def __init__(
        self,
        name: str = '',
        value: str | None = '',
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
        synonyms: list[Synonyms] = FRESH,
        config_type: int = 0,
        documentation: str | None = '',
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.config_source = config_source
        self.is_sensitive = is_sensitive
        self.synonyms = [] if synonyms is FRESH else synonyms
        self.config_type = config_type
        self.documentation = documentation


class Results(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "configs")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = '',
        resource_type: int = 0,
        resource_name: str = '',
        configs: list[Configs] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs = [] if configs is FRESH else configs


class DescribeConfigsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")
    API_KEY = 32
    MIN_VERSION = 1
    MAX_VERSION = 4
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[Results] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is FRESH else results


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeConfigsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
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
        resource_type_2, n = _u_bh(data, p)
        p += 3
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 11 > end - p or n > left[0]:
            raise wrong_count("configs", n, end - p, left)
        left[0] -= n
        configs_2: list[Configs] = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_3 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_h(data, p)
            p += 2
            if n == -1:
                value_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("value", n, end - p)
                value_3 = data[p:q].tobytes().decode()
                p = q
            read_only_3, config_source_3, is_sensitive_3, n = _u_tbti(data, p)
            p += 7
            if n < 0 or n * 5 > end - p or n > left[0]:
                raise wrong_count("synonyms", n, end - p, left)
            left[0] -= n
            synonyms_3: list[Synonyms] = []
            for _ in range(n):
                s_4, p = _read_Synonyms_1(data, p, end, left)
                synonyms_3.append(s_4)
            configs_2.append(Configs(name_3, value_3, read_only_3, config_source_3, is_sensitive_3, synonyms_3))
        results_1.append(Results(error_code_2, error_message_2, resource_type_2, resource_name_2, configs_2))
    return DescribeConfigsResponse(throttle_time_ms_1, results_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeConfigsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 11 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
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
        resource_type_2, n = _u_bh(data, p)
        p += 3
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("configs", n, end - p, left)
        left[0] -= n
        configs_2: list[Configs] = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_3 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_h(data, p)
            p += 2
            if n == -1:
                value_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("value", n, end - p)
                value_3 = data[p:q].tobytes().decode()
                p = q
            read_only_3, config_source_3, is_sensitive_3, n = _u_tbti(data, p)
            p += 7
            if n < 0 or n * 5 > end - p or n > left[0]:
                raise wrong_count("synonyms", n, end - p, left)
            left[0] -= n
            synonyms_3: list[Synonyms] = []
            for _ in range(n):
                s_4, p = _read_Synonyms_1(data, p, end, left)
                synonyms_3.append(s_4)
            config_type_3, n = _u_bh(data, p)
            p += 3
            if n == -1:
                documentation_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("documentation", n, end - p)
                documentation_3 = data[p:q].tobytes().decode()
                p = q
            configs_2.append(Configs(name_3, value_3, read_only_3, config_source_3, is_sensitive_3, synonyms_3, config_type_3, documentation_3))
        results_1.append(Results(error_code_2, error_message_2, resource_type_2, resource_name_2, configs_2))
    return DescribeConfigsResponse(throttle_time_ms_1, results_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeConfigsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
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
        resource_type_2, n = _u_bB(data, p)
        p += 2
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 9 > end - p or n > left[0]:
            raise wrong_count("configs", n, end - p, left)
        left[0] -= n
        configs_2: list[Configs] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                value_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("value", n, end - p)
                value_3 = data[p:q].tobytes().decode()
                p = q
            read_only_3, config_source_3, is_sensitive_3, n = _u_tbtB(data, p)
            p += 4
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("synonyms", n, end - p, left)
            left[0] -= n
            synonyms_3: list[Synonyms] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("name", n, end - p)
                name_4 = data[p:q].tobytes().decode()
                p = q
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                if n == -1:
                    value_4 = None
                else:
                    q = p + n
                    if n < 0 or q > end:
                        raise wrong_length("value", n, end - p)
                    value_4 = data[p:q].tobytes().decode()
                    p = q
                source_4, n = _u_bB(data, p)
                p += 2
                if n:
                    p = skip_tags(data, p - 1, end)
                synonyms_3.append(Synonyms(name_4, value_4, source_4))
            config_type_3, n = _u_bB(data, p)
            p += 2
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                documentation_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("documentation", n, end - p)
                documentation_3 = data[p:q].tobytes().decode()
                p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            configs_2.append(Configs(name_3, value_3, read_only_3, config_source_3, is_sensitive_3, synonyms_3, config_type_3, documentation_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        results_1.append(Results(error_code_2, error_message_2, resource_type_2, resource_name_2, configs_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeConfigsResponse(throttle_time_ms_1, results_1), p


def _read_Synonyms_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Synonyms, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        value_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("value", n, end - p)
        value_1 = data[p:q].tobytes().decode()
        p = q
    (source_1,) = _u_b(data, p)
    p += 1
    return Synonyms(name_1, value_1, source_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        if e_1.error_message is None:
            n, b = -1, b""
        else:
            b = e_1.error_message.encode()
            n = len(b)
        out += _p_hh(e_1.error_code, n)
        out += b
        b = e_1.resource_name.encode()
        out += _p_bh(e_1.resource_type, len(b))
        out += b
        items_2 = e_1.configs
        out += _p_i(len(items_2))
        for e_2 in items_2:
            b = e_2.name.encode()
            out += _p_h(len(b))
            out += b
            if e_2.value is None:
                n, b = -1, b""
            else:
                b = e_2.value.encode()
                n = len(b)
            out += _p_h(n)
            out += b
            items_3 = e_2.synonyms
            out += _p_tbti(e_2.read_only, e_2.config_source, e_2.is_sensitive, len(items_3))
            for e_3 in items_3:
                _write_Synonyms_1(e_3, out)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        if e_1.error_message is None:
            n, b = -1, b""
        else:
            b = e_1.error_message.encode()
            n = len(b)
        out += _p_hh(e_1.error_code, n)
        out += b
        b = e_1.resource_name.encode()
        out += _p_bh(e_1.resource_type, len(b))
        out += b
        items_2 = e_1.configs
        out += _p_i(len(items_2))
        for e_2 in items_2:
            b = e_2.name.encode()
            out += _p_h(len(b))
            out += b
            if e_2.value is None:
                n, b = -1, b""
            else:
                b = e_2.value.encode()
                n = len(b)
            out += _p_h(n)
            out += b
            items_3 = e_2.synonyms
            out += _p_tbti(e_2.read_only, e_2.config_source, e_2.is_sensitive, len(items_3))
            for e_3 in items_3:
                _write_Synonyms_1(e_3, out)
            if e_2.documentation is None:
                n, b = -1, b""
            else:
                b = e_2.documentation.encode()
                n = len(b)
            out += _p_bh(e_2.config_type, n)
            out += b


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
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
        out += _p_b(e_1.resource_type)
        b = e_1.resource_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.configs
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            b = e_2.name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            if e_2.value is None:
                out.append(0)
            else:
                b = e_2.value.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            items_3 = e_2.synonyms
            out += _p_tbt(e_2.read_only, e_2.config_source, e_2.is_sensitive)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                b = e_3.name.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
                if e_3.value is None:
                    out.append(0)
                else:
                    b = e_3.value.encode()
                    n = len(b) + 1
                    if n < 128:
                        out.append(n)
                    else:
                        put_string_length(out, n)
                    out += b
                out += _p_bx(e_3.source)
            out += _p_b(e_2.config_type)
            if e_2.documentation is None:
                out.append(0)
            else:
                b = e_2.documentation.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out.append(0)
        out.append(0)
    out.append(0)


def _write_Synonyms_1(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    out += _p_h(len(b))
    out += b
    if m.value is None:
        n, b = -1, b""
    else:
        b = m.value.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    out += _p_b(m.source)


DescribeConfigsResponse._READERS = {1: _read_1, 2: _read_1, 3: _read_3, 4: _read_4}
DescribeConfigsResponse._WRITERS = {1: _write_1, 2: _write_1, 3: _write_3, 4: _write_4}
