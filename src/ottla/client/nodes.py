"""Channels to the nodes of a cluster: at most one per node and purpose, opened on demand, with back-off.

What goes through `ottla.runtime.channel` comes out of here with the exceptions of `ottla.client.errors`.
"""

import asyncio
import contextlib
import os
import ssl
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from ottla.client.errors import (
    AuthenticationFailed,
    ClientClosed,
    ClientError,
    ConnectionFailed,
    TimedOut,
    UnsupportedByBroker,
)
from ottla.client.metadata import Node
from ottla.client.retrying import Backoff
from ottla.config.client_options import ClientOptions
from ottla.doors.clock import Clock
from ottla.doors.network import Network
from ottla.doors.rng import Rng
from ottla.model.errors import ProtocolError
from ottla.protocol.message import Message
from ottla.runtime.channel import Channel, RequestTimedOut, UnsupportedVersion
from ottla.runtime.sasl_login import SaslLogin
from ottla.security.sasl import LoginFailed

#: What a channel can raise.
CHANNEL_ERRORS = (OSError, RequestTimedOut, UnsupportedVersion, ProtocolError, LoginFailed)


class Purpose(Enum):
    """Connections of one node that must not wait for each other: a heartbeat cannot stand behind a long poll."""

    DATA = "data"
    COORDINATION = "coordination"


class _Key(NamedTuple):
    node_id: int
    purpose: Purpose


class _Slot:
    """The connection of one node for one purpose, over all its channels."""

    def __init__(self, backoff: Backoff) -> None:
        self.backoff = backoff
        self.channel: Channel | None = None
        self.attempt: asyncio.Task[Channel] | None = None
        self.not_before_ms = 0
        self.used_ms = 0


class Nodes:
    """Owned by the Cluster. A node whose address changes gets a new channel."""

    def __init__(
        self, options: ClientOptions, clock: Clock, rng: Rng, network: Network, login: SaslLogin | None
    ) -> None:
        self._options = options
        self._clock = clock
        self._rng = rng
        self._network = network
        self._login = login
        self._nodes: dict[int, Node] = {}
        self._slots: dict[_Key, _Slot] = {}
        self._is_closed = False

    def update(self, nodes: Mapping[int, Node]) -> None:
        """Takes over the addresses of a new image; channels to nodes that are gone or have moved are closed."""
        for key, slot in list(self._slots.items()):
            if _address(nodes.get(key.node_id)) != _address(self._nodes.get(key.node_id)):
                self._drop(key, slot)
        self._nodes = dict(nodes)

    def learn(self, node: Node) -> None:
        """A node that a coordinator look-up has named. Such a look-up knows no racks, so only the address counts."""
        if _address(self._nodes.get(node.id)) != node.address:
            self.update({**self._nodes, node.id: node})

    def ready(self, node_id: int, purpose: Purpose = Purpose.DATA) -> Channel | None:
        """The open channel, if there is one."""
        slot = self._slots.get(_Key(node_id, purpose))
        if slot is None or slot.channel is None or not slot.channel.is_open:
            return None
        slot.used_ms = self._clock.monotonic_ms()
        return slot.channel

    def least_loaded(self, node_ids: Iterable[int]) -> int | None:
        """Of those with an open channel the one with the fewest requests in flight."""
        loads = {node_id: channel.in_flight_count for node_id in node_ids if (channel := self.ready(node_id))}
        return min(loads, key=lambda node_id: loads[node_id]) if loads else None

    def is_backing_off(self, node_id: int, purpose: Purpose = Purpose.DATA) -> bool:
        slot = self._slots.get(_Key(node_id, purpose))
        return slot is not None and slot.channel is None and slot.not_before_ms > self._clock.monotonic_ms()

    async def channel(self, node_id: int, purpose: Purpose = Purpose.DATA) -> Channel:
        """The open channel, or a new one. All who wait for a node share one attempt, which waits for its back-off.

        Raises ConnectionFailed, AuthenticationFailed, UnsupportedByBroker.
        """
        channel = self.ready(node_id, purpose)
        if channel is not None:
            return channel
        if self._is_closed:
            raise ClientClosed("the client is closed")
        if node_id not in self._nodes:
            raise ConnectionFailed(f"node {node_id} is not in the metadata")
        key = _Key(node_id, purpose)
        slot = self._slots.get(key)
        if slot is None:
            options = self._options
            slot = _Slot(Backoff(options.reconnect_backoff_ms, options.reconnect_backoff_max_ms, self._rng))
            self._slots[key] = slot
        if slot.attempt is None:
            slot.attempt = asyncio.get_running_loop().create_task(
                self._connect(self._nodes[node_id], slot), name=f"connect to node {node_id}"
            )
            slot.attempt.add_done_callback(_note_failure)
        return await asyncio.shield(slot.attempt)

    async def ask(
        self,
        node_id: int,
        request: Message,
        *,
        version: int | None = None,
        timeout_ms: int | None = None,
        purpose: Purpose = Purpose.DATA,
    ) -> Any:
        """One request to one node, once. Raises ClientError and nothing else; error codes are the caller's to read."""
        channel = await self.channel(node_id, purpose)
        try:
            await channel.has_room()
            return await channel.ask(request, version, timeout_ms=timeout_ms)
        except CHANNEL_ERRORS as error:
            raise client_error(error, f"node {node_id}") from error

    async def version_for(
        self,
        node_id: int,
        request: type[Message],
        max_version: int = 32767,
        *,
        purpose: Purpose = Purpose.DATA,
    ) -> int:
        """The newest version that the node and this client know. Raises UnsupportedByBroker."""
        channel = await self.channel(node_id, purpose)
        try:
            return channel.version_for(request, max_version)
        except UnsupportedVersion as error:
            raise client_error(error, f"node {node_id}") from error

    async def _connect(self, node: Node, slot: _Slot) -> Channel:
        try:
            pause_ms = slot.not_before_ms - self._clock.monotonic_ms()
            if pause_ms > 0:
                await asyncio.sleep(pause_ms / 1000)
            slot.channel = await self._new_channel(node, slot.backoff.failures)
            slot.backoff.succeeded()
            slot.not_before_ms = 0
            slot.used_ms = self._clock.monotonic_ms()
            return slot.channel
        except asyncio.CancelledError:
            # Dropped: the node has moved, or the client was closed. Those who wait are not cancelled by it.
            raise ConnectionFailed(f"node {node.id} at {node.host}:{node.port}: given up") from None
        except CHANNEL_ERRORS as error:
            slot.channel = None
            slot.not_before_ms = self._clock.monotonic_ms() + slot.backoff.failed_ms()
            raise client_error(error, f"node {node.id} at {node.host}:{node.port}") from error
        finally:
            slot.attempt = None

    async def _new_channel(self, node: Node, failures: int) -> Channel:
        options = self._options
        limit_ms = min(
            options.socket_connection_setup_timeout_max_ms,
            options.socket_connection_setup_timeout_ms << min(failures, 10),
        )
        return await Channel.connect(
            self._network,
            node.host,
            node.port,
            client_id=options.client_id,
            connect_timeout_ms=limit_ms,
            request_timeout_ms=options.request_timeout_ms,
            login=self._login,
        )

    def disconnect(self, node_id: int, purpose: Purpose = Purpose.DATA) -> None:
        """Closes the channel of a node that does not respond in time; the next use opens another one."""
        slot = self._slots.get(_Key(node_id, purpose))
        if slot is not None and slot.channel is not None:
            slot.channel.abort()
            slot.channel = None

    def close_idle(self) -> None:
        oldest_ms = self._clock.monotonic_ms() - self._options.connections_max_idle_ms
        for key, slot in list(self._slots.items()):
            channel = slot.channel
            if channel is not None and not channel.in_flight_count and slot.used_ms < oldest_ms:
                self._drop(key, slot)

    async def close(self) -> None:
        self._is_closed = True
        channels = [slot.channel for slot in self._slots.values() if slot.channel is not None]
        attempts = [slot.attempt for slot in self._slots.values() if slot.attempt is not None]
        for key, slot in list(self._slots.items()):
            self._drop(key, slot)
        for attempt in attempts:
            with contextlib.suppress(asyncio.CancelledError, ClientError):
                await attempt
        for channel in channels:
            await channel.closed()

    def _drop(self, key: _Key, slot: _Slot) -> None:
        del self._slots[key]
        if slot.attempt is not None:
            slot.attempt.cancel()
        if slot.channel is not None:
            slot.channel.close()


def _address(node: Node | None) -> tuple[str, int] | None:
    return node.address if node is not None else None


def _note_failure(attempt: "asyncio.Task[Any]") -> None:
    """Those who waited have heard of it; nobody may be left to."""
    if not attempt.cancelled():
        attempt.exception()


def client_error(error: Exception, where: str) -> ClientError:
    """What a channel raised, as what a client raises."""
    if isinstance(error, LoginFailed):
        return AuthenticationFailed(f"{where}: {error}; check sasl.mechanism, sasl.username and sasl.password")
    if isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return AuthenticationFailed(f"{where}: {error}; check ssl.truststore.location and the broker's certificate")
    if isinstance(error, UnsupportedVersion):
        return UnsupportedByBroker(f"{where}: {error}")
    if isinstance(error, RequestTimedOut):
        return TimedOut(f"{where}: {error}")
    if isinstance(error, ProtocolError):
        return ConnectionFailed(f"{where}: {error}; the connection was closed")
    if isinstance(error, OSError) and error.errno is not None and type(error).__module__ == "builtins":
        # asyncio's own words for a refused connection are "Connect call failed".
        return ConnectionFailed(f"{where}: {os.strerror(error.errno)}")
    return ConnectionFailed(f"{where}: {str(error) or type(error).__name__}")
