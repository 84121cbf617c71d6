"""DescribeConfigs request (key 32), versions 1-4, flexible from 4.

Generated from schemas/describe_configs.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_t = _Struct(">?").unpack_from
_u_tt = _Struct(">??").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_ttB = _Struct(">??B").unpack_from
_u_bh = _Struct(">bh").unpack_from
_u_h = _Struct(">h").unpack_from
_p_i = _Struct(">i").pack
_p_t = _Struct(">?").pack
_p_tt = _Struct(">??").pack
_p_b = _Struct(">b").pack
_p_ttx = _Struct(">??x").pack
_p_bh = _Struct(">bh").pack
_p_h = _Struct(">h").pack


class Resources(Struct):
    __slots__ = ("resource_type", "resource_name", "configuration_keys")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = '',
        configuration_keys: list[str] | None = FRESH,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configuration_keys = [] if configuration_keys is FRESH else configuration_keys


class DescribeConfigsRequest(Message):
    __slots__ = ("resources", "include_synonyms", "include_documentation")
    API_KEY = 32
    MIN_VERSION = 1
    MAX_VERSION = 4
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        resources: list[Resources] = FRESH,
        include_synonyms: bool = False,
        include_documentation: bool = False,
    ) -> None:
        self.resources = [] if resources is FRESH else resources
        self.include_synonyms = include_synonyms
        self.include_documentation = include_documentation


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeConfigsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("resources", n, end - p, left)
    left[0] -= n
    resources_1: list[Resources] = []
    for _ in range(n):
        s_2, p = _read_Resources_1(data, p, end, left)
        resources_1.append(s_2)
    (include_synonyms_1,) = _u_t(data, p)
    p += 1
    return DescribeConfigsRequest(resources_1, include_synonyms_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeConfigsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("resources", n, end - p, left)
    left[0] -= n
    resources_1: list[Resources] = []
    for _ in range(n):
        s_2, p = _read_Resources_1(data, p, end, left)
        resources_1.append(s_2)
    include_synonyms_1, include_documentation_1 = _u_tt(data, p)
    p += 2
    return DescribeConfigsRequest(resources_1, include_synonyms_1, include_documentation_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeConfigsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("resources", n, end - p, left)
    left[0] -= n
    resources_1: list[Resources] = []
    for _ in range(n):
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
        configuration_keys_2: list[str] | None = None
        if n != -1:
            if n < 0 or n > end - p or n > left[0]:
                raise wrong_count("configuration_keys", n, end - p, left)
            left[0] -= n
            configuration_keys_2 = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("configuration_keys", n, end - p)
                configuration_keys_2_element = data[p:q].tobytes().decode()
                p = q
                configuration_keys_2.append(configuration_keys_2_element)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        resources_1.append(Resources(resource_type_2, resource_name_2, configuration_keys_2))
    include_synonyms_1, include_documentation_1, n = _u_ttB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeConfigsRequest(resources_1, include_synonyms_1, include_documentation_1), p


def _read_Resources_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Resources, int]:
    resource_type_1, n = _u_bh(data, p)
    p += 3
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("resource_name", n, end - p)
    resource_name_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    configuration_keys_1: list[str] | None = None
    if n != -1:
        if n < 0 or n * 2 > end - p or n > left[0]:
            raise wrong_count("configuration_keys", n, end - p, left)
        left[0] -= n
        configuration_keys_1 = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("configuration_keys", n, end - p)
            configuration_keys_1_element = data[p:q].tobytes().decode()
            p = q
            configuration_keys_1.append(configuration_keys_1_element)
    return Resources(resource_type_1, resource_name_1, configuration_keys_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.resources
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Resources_1(e_1, out)
    out += _p_t(m.include_synonyms)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.resources
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Resources_1(e_1, out)
    out += _p_tt(m.include_synonyms, m.include_documentation)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.resources
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_b(e_1.resource_type)
        b = e_1.resource_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.configuration_keys
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2 or ():
            b = e_2.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out.append(0)
    out += _p_ttx(m.include_synonyms, m.include_documentation)


def _write_Resources_1(m: Any, out: bytearray) -> None:
    b = m.resource_name.encode()
    out += _p_bh(m.resource_type, len(b))
    out += b
    items_1 = m.configuration_keys
    out += _p_i(-1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        b = e_1.encode()
        out += _p_h(len(b))
        out += b


DescribeConfigsRequest._READERS = {1: _read_1, 2: _read_1, 3: _read_3, 4: _read_4}
DescribeConfigsRequest._WRITERS = {1: _write_1, 2: _write_1, 3: _write_3, 4: _write_4}
