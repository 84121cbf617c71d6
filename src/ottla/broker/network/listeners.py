"""The listeners of a node: their addresses, and the connections that they accept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ottla.broker.network.connection import Connection, ServerParts
from ottla.broker.requests.pipeline import Pipeline
from ottla.broker.requests.registry import Entry
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import Listener as PlannedListener
from ottla.config.listeners import ListenerPlan
from ottla.doors.network import Listener
from ottla.metadata.broker_registration import Endpoint
from ottla.protocol.api_keys import api

_BACKLOG: Final = 512
#: Numbers of the security protocols in registrations.
SECURITY_PROTOCOL_IDS: Final = {"PLAINTEXT": 0, "SSL": 1, "SASL_PLAINTEXT": 2, "SASL_SSL": 3}


class Listeners:
    """Owned by the node: first all addresses are bound, then all connections are accepted."""

    def __init__(
        self,
        plan: ListenerPlan,
        options: BrokerOptions,
        handlers: Mapping[int, Entry],
        new_pipeline: Callable[[Mapping[int, Entry]], Pipeline],
    ) -> None:
        self._plan = plan
        self._options = options
        self._handlers = handlers
        self._new_pipeline = new_pipeline
        #: One for each listener.
        self.pipelines: list[Pipeline] = []
        self._clients: list[Listener] = []
        self._controllers: list[Listener] = []

    async def bind(self, server: ServerParts) -> None:
        """Raises InUse or OSError."""
        for listener in self._plan.listeners:
            self._clients.append(await self._listen(listener, self._handlers, server))
        served_by_controllers = {
            key: entry for key, entry in self._handlers.items() if "controller" in api(key).listeners
        }
        for listener in self._plan.controller_listeners:
            self._controllers.append(await self._listen(listener, served_by_controllers, server))

    async def _listen(self, plan: PlannedListener, handlers: Mapping[int, Entry], server: ServerParts) -> Listener:
        pipeline = self._new_pipeline(handlers)
        self.pipelines.append(pipeline)

        def new_connection() -> Connection:
            return Connection(server, plan.name, pipeline)

        options = self._options
        # Kafka's default of 50 loses clients that all come at once: used only where somebody asks for it.
        backlog = options.socket_listen_backlog_size if options.is_set("socket.listen.backlog.size") else _BACKLOG
        return await server.network.listen(plan.host, plan.port, new_connection, backlog=backlog)

    async def accept(self) -> None:
        for listener in (*self._clients, *self._controllers):
            await listener.start()

    async def close(self) -> None:
        for listener in (*self._clients, *self._controllers):
            await listener.close()

    # -- addresses

    def advertised_endpoints(self) -> list[Endpoint]:
        """Each listener as it is advertised to clients; port 0 has become a real one."""
        found = []
        for plan, listener in zip(self._plan.listeners, self._clients, strict=True):
            advertised = self._plan.advertised_for(plan.name)
            host = advertised.host if advertised is not None else plan.host
            port = advertised.port if advertised is not None else plan.port
            found.append(Endpoint(plan.name, host, port or listener.port, SECURITY_PROTOCOL_IDS[plan.protocol.name]))
        return found

    def controller_endpoints(self) -> list[Endpoint]:
        return [
            Endpoint(plan.name, plan.host, listener.port, SECURITY_PROTOCOL_IDS[plan.protocol.name])
            for plan, listener in zip(self._plan.controller_listeners, self._controllers, strict=True)
        ]
