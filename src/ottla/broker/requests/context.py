"""What a handler knows about the request besides its body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

from ottla.broker.requests.registry import Entry
from ottla.security.principal import Principal

S = TypeVar("S")


class ClientConnection(Protocol):
    """The connection of a client, as its requests see it."""

    listener_name: str
    peer_host: str
    principal: Principal

    @property
    def apis(self) -> Mapping[int, Entry]:
        """What the listener serves."""

    def close(self, reason: str) -> None:
        """Takes no further request."""

    def abort(self) -> None: ...


class RepeatedRequest(Protocol):
    """A request whose decoding was cached."""

    @property
    def started(self) -> Any:
        """The response to fill."""

    def encoded(self, response: Any) -> bytes | None:
        """The response as it is sent; None when there is none, or the cache cannot encode it. The request is over."""


class RequestContext(Generic[S]):
    """Created by the pipeline for each request; lives until its response is sent. `S` is what handlers may use."""

    __slots__ = ("client_id", "connection", "correlation_id", "entry", "repeated", "services", "version")

    def __init__(
        self,
        services: S,
        connection: ClientConnection,
        entry: Entry,
        version: int,
        correlation_id: int,
        client_id: str | None,
        repeated: RepeatedRequest | None = None,
    ) -> None:
        self.services = services
        self.connection = connection
        self.entry = entry
        self.version = version
        self.correlation_id = correlation_id
        self.client_id = client_id
        #: Set when the decoding was cached: then the response may be encoded from the cache as well.
        self.repeated = repeated

    @property
    def api_key(self) -> int:
        return self.entry.api_key

    @property
    def principal(self) -> Principal:
        return self.connection.principal

    @property
    def client_host(self) -> str:
        return self.connection.peer_host

    @property
    def listener_name(self) -> str:
        return self.connection.listener_name
