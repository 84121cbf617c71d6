"""What a handler knows about the request besides its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ottla.broker.connection import Connection
    from ottla.broker.node import BrokerNode


class RequestContext:
    """Made for each request; lives until its answer is sent."""

    __slots__ = ("api_key", "broker", "client_id", "connection", "correlation_id", "version")

    def __init__(
        self,
        broker: BrokerNode,
        connection: Connection,
        api_key: int,
        version: int,
        correlation_id: int,
        client_id: str | None,
    ) -> None:
        self.broker = broker
        self.connection = connection
        self.api_key = api_key
        self.version = version
        self.correlation_id = correlation_id
        self.client_id = client_id

    @property
    def client_host(self) -> str:
        return self.connection.peer_host

    @property
    def listener_name(self) -> str:
        return self.connection.listener_name
