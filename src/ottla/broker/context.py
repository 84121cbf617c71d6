"""What a handler knows about the request besides its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.security.principal import Principal

if TYPE_CHECKING:
    from ottla.broker.connection import Connection
    from ottla.broker.node import BrokerNode
    from ottla.broker.registry import Entry
    from ottla.broker.repeated_produce import RepeatedProduce


class RequestContext:
    """Created by the pipeline for each request; lives until its response is sent."""

    __slots__ = ("broker", "client_id", "connection", "correlation_id", "entry", "repeated", "version")

    def __init__(
        self,
        broker: BrokerNode,
        connection: Connection,
        entry: Entry,
        version: int,
        correlation_id: int,
        client_id: str | None,
        repeated: RepeatedProduce | None = None,
    ) -> None:
        self.broker = broker
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
