"""Which APIs exist, and their classes. A class is imported when it is first asked for: a broker needs few of them."""

from functools import cache
from importlib import import_module
from typing import NamedTuple

from ottla.model.errors import RemoteProtocolError
from ottla.protocol.generated.catalog import APIS, ApiKey
from ottla.protocol.message import Message

__all__ = ["Api", "ApiKey", "api", "request_class", "response_class"]


class Api(NamedTuple):
    """`last_stable` is the newest version that may be advertised; `listeners` are those on which Kafka serves it."""

    name: str
    module: str
    min_version: int
    max_version: int
    last_stable: int
    flexible_from: int
    listeners: tuple[str, ...]


@cache
def api(api_key: int) -> Api:
    """Raises RemoteProtocolError for a key that Kafka does not have."""
    if api_key not in APIS:
        raise RemoteProtocolError(f"unknown api key {api_key}")
    return Api(*APIS[api_key])


@cache
def request_class(api_key: int) -> type[Message]:
    return _class(api(api_key), "request")


@cache
def response_class(api_key: int) -> type[Message]:
    return _class(api(api_key), "response")


def _class(row: Api, kind: str) -> type[Message]:
    module = import_module(f"ottla.protocol.generated.{row.module}_{kind}")
    found: type[Message] = getattr(module, row.name + kind.capitalize())
    return found
