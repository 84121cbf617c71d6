"""AlterConfigs request (key 33), versions 0-2, flexible from 2.

Generated from schemas/alter_configs.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_bh = _Struct(">bh").unpack_from
_u_h = _Struct(">h").unpack_from
_u_t = _Struct(">?").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_p_i = _Struct(">i").pack
_p_bh = _Struct(">bh").pack
_p_h = _Struct(">h").pack
_p_t = _Struct(">?").pack
_p_b = _Struct(">b").pack
_p_tx = _Struct(">?x").pack


class Configs(Struct):
    __slots__ = ("name", "value")

    def __init__(
        self,
        name: str = '',
        value: str | None = '',
    ) -> None:
        self.name = name
        self.value = value


class Resources(Struct):
    __slots__ = ("resource_type", "resource_name", "configs")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = '',
        configs: list[Configs] = FRESH,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs = [] if configs is FRESH else configs


class AlterConfigsRequest(Message):
    __slots__ = ("resources", "validate_only")
    API_KEY = 33
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        resources: list[Resources] = FRESH,
        validate_only: bool = False,
    ) -> None:
        self.resources = [] if resources is FRESH else resources
        self.validate_only = validate_only


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterConfigsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("resources", n, end - p, left)
    left[0] -= n
    resources_1: list[Resources] = []
    for _ in range(n):
        resource_type_2, n = _u_bh(data, p)
        p += 3
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 4 > end - p or n > left[0]:
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
            configs_2.append(Configs(name_3, value_3))
        resources_1.append(Resources(resource_type_2, resource_name_2, configs_2))
    (validate_only_1,) = _u_t(data, p)
    p += 1
    return AlterConfigsRequest(resources_1, validate_only_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterConfigsRequest, int]:
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
        if n < 0 or n * 3 > end - p or n > left[0]:
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
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            configs_2.append(Configs(name_3, value_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        resources_1.append(Resources(resource_type_2, resource_name_2, configs_2))
    validate_only_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterConfigsRequest(resources_1, validate_only_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.resources
    out += _p_i(len(items_1))
    for e_1 in items_1:
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
    out += _p_t(m.validate_only)


def _write_2(m: Any, out: bytearray) -> None:
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
            out.append(0)
        out.append(0)
    out += _p_tx(m.validate_only)


AlterConfigsRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_2}
AlterConfigsRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2}
