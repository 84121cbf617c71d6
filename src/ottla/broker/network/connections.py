"""All connections of a node: who may connect, and which are idle, send no request or read no response for too long."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from ottla.broker.network.limits import CreationRate, Limits
from ottla.broker.network.request_memory import FREE_BYTES, Holder, RequestMemory
from ottla.broker.network.unsent_responses import Sender, UnsentResponses
from ottla.doors.clock import Clock

_log = logging.getLogger(__name__)

_SPARE_MEMORY_AFTER_MS = 10_000
#: A connection that would have to be delayed longer than this is refused.
_MAX_DELAY_MS = 10_000


class Admission(NamedTuple):
    """Why a connection is refused, or how long it has to wait until its first request is looked at."""

    refusal: str | None = None
    delay_ms: int = 0


class OpenConnection(Sender, Holder, Protocol):
    """A connection, as far as its limits go."""

    listener_name: str
    opened_ms: int
    last_active_ms: int
    last_progress_ms: int
    #: A whole request has come.
    has_sent_request: bool

    @property
    def is_working(self) -> bool:
        """A request is in progress."""

    def take_activity(self) -> bool:
        """Whether something has come since this was asked last."""

    def close(self, reason: str) -> None: ...

    def drain(self) -> None: ...

    def release_spare_memory(self) -> None: ...


class Connections:
    """Owned by the node. Keeps the open connections in the order in which they came."""

    def __init__(self, limits: Limits, clock: Clock, memory: RequestMemory) -> None:
        self.limits = limits
        self._clock = clock
        self._memory = memory
        self._unsent_responses = UnsentResponses(limits.unsent_response_bytes)
        self._open: dict[OpenConnection, None] = {}
        self._per_host: Counter[str] = Counter()
        self._per_listener: Counter[str] = Counter()
        self._rates: dict[str, CreationRate] = {}
        self._unsent_sizes: dict[OpenConnection, int] = {}
        self._last_gone: asyncio.Future[None] | None = None
        self.refused_count = 0

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[OpenConnection]:
        return iter(list(self._open))

    # -- who may connect

    def admit(self, connection: OpenConnection) -> Admission:
        """Accepts the connection, or returns why not."""
        refusal = self._refusal(connection)
        delay_ms = 0
        if refusal is None:
            refusal, delay_ms = self._creation_delay(connection.listener_name)
        if refusal is not None:
            self.refused_count += 1
            return Admission(refusal)
        self._open[connection] = None
        self._per_host[connection.peer_host] += 1
        self._per_listener[connection.listener_name] += 1
        if len(self._open) > self.limits.connections:
            self._close_excess()
        return Admission(None, delay_ms)

    def _refusal(self, connection: OpenConnection) -> str | None:
        host, name = connection.peer_host, connection.listener_name
        listener = self.limits.for_listener(name)
        if len(self._open) >= self.limits.connections and not listener.is_protected:
            return f"there are {len(self._open)} connections already (max.connections)"
        if listener.connections is not None and self._per_listener[name] >= listener.connections:
            setting = f"listener.name.{name.lower()}.max.connections"
            return f"there are {self._per_listener[name]} connections already ({setting})"
        limit = self.limits.for_host(host)
        if limit is not None and self._per_host[host] >= limit:
            return f"{host} has {self._per_host[host]} connections already (max.connections.per.ip)"
        return None

    def _creation_delay(self, listener_name: str) -> tuple[str | None, int]:
        """Kafka stops accepting for a while. Here the connection is accepted and its first request waits."""
        listener = self.limits.for_listener(listener_name)
        rates = []
        if not listener.is_protected:
            rates.append(self._rate("", self.limits.creation_rate))
        if listener.creation_rate is not None:
            rates.append(self._rate(listener_name, listener.creation_rate))
        now_ms = self._clock.monotonic_ms()
        delay_ms = max((rate.delay_ms(now_ms) for rate in rates), default=0.0)
        if delay_ms > _MAX_DELAY_MS:
            return "too many new connections (max.connection.creation.rate)", 0
        for rate in rates:
            rate.book(now_ms)
        return None, int(delay_ms)

    def _rate(self, name: str, per_second: int) -> CreationRate:
        found = self._rates.get(name)
        if found is None or found.per_second != per_second:
            found = self._rates[name] = CreationRate(per_second)
        return found

    def forget(self, connection: OpenConnection) -> None:
        self._unsent_sizes.pop(connection, None)
        self._unsent_responses.forget(connection)
        if self._open.pop(connection, 0) is None:
            for counter, key in (
                (self._per_host, connection.peer_host),
                (self._per_listener, connection.listener_name),
            ):
                counter[key] -= 1
                if not counter[key]:
                    del counter[key]
        if self._last_gone is not None and not self._open and not self._last_gone.done():
            self._last_gone.set_result(None)

    def set_limits(self, limits: Limits) -> None:
        """Count at once: also for connections that are there already, as in Kafka."""
        self.limits = limits
        self._memory.limit_bytes = limits.request_memory_bytes
        self._unsent_responses.limit_bytes = limits.unsent_response_bytes
        self._close_excess()

    def _close_excess(self) -> None:
        """Those that have been silent the longest go first; listeners between nodes are spared."""
        excess = len(self._open) - self.limits.connections
        if excess <= 0:
            return
        candidates = [one for one in self._open if not self.limits.for_listener(one.listener_name).is_protected]
        self._note_activity(self._clock.monotonic_ms())
        candidates.sort(key=lambda one: (one.is_working, one.last_active_ms))
        for connection in candidates[:excess]:
            connection.close("more connections than max.connections")

    # -- which connections are closed

    def sweep(self) -> None:
        """Called again and again: ends connections beyond their time limits, takes spare memory back."""
        now_ms = self._clock.monotonic_ms()
        self._note_activity(now_ms)
        for connection in list(self._open):
            if connection.unsent_size():
                self._check_slow_reader(connection, now_ms)
            elif not connection.is_working:
                self._check_idle(connection, now_ms)
        for holder in self._memory.stalled_holders(now_ms):
            _log.warning("connection closed: others wait for the memory of its request, which makes no progress")
            holder.abort()

    def bound_unsent_responses(self) -> None:
        """Called more often than the sweep: responses fill the memory faster than time limits pass."""
        self._unsent_responses.cut_slowest(self._open)

    def _note_activity(self, now_ms: int) -> None:
        for connection in self._open:
            # One that waits for memory is not read, one that waits for its response need not send: neither is idle.
            if (
                connection.take_activity()
                or connection.is_working
                or connection.unsent_size()
                or self._memory.is_waiting(connection)
            ):
                connection.last_active_ms = now_ms

    def _check_slow_reader(self, connection: OpenConnection, now_ms: int) -> None:
        """Any byte that the peer has taken since the last sweep is progress."""
        size = connection.unsent_size()
        if size < self._unsent_sizes.get(connection, size):
            connection.last_progress_ms = now_ms
        self._unsent_sizes[connection] = size
        if now_ms - connection.last_progress_ms > self.limits.send_stall_ms:
            _log.warning("%s does not read its responses: connection closed", connection.peer_host)
            connection.abort()

    def _check_idle(self, connection: OpenConnection, now_ms: int) -> None:
        self._unsent_sizes.pop(connection, None)
        idle_ms = now_ms - connection.last_active_ms
        if idle_ms > self.limits.idle_ms:
            connection.close(f"idle for {idle_ms // 1000} s (connections.max.idle.ms)")
        elif not connection.has_sent_request and self._first_request_is_late(connection, now_ms):
            connection.close("no request since it was opened (ottla.first.request.timeout.ms)")
        elif idle_ms > _SPARE_MEMORY_AFTER_MS:
            connection.release_spare_memory()

    def _first_request_is_late(self, connection: OpenConnection, now_ms: int) -> bool:
        """A large first request may take longer, as long as it keeps coming or we do not read it."""
        limit_ms = self.limits.first_frame_ms
        if now_ms - connection.opened_ms <= limit_ms or self._memory.is_waiting(connection):
            return False
        is_large = connection.request_state().size > FREE_BYTES // 2
        return not is_large or now_ms - connection.last_active_ms > limit_ms

    async def drain(self, grace_s: float) -> None:
        """Takes no more requests and waits a moment for the responses to those in work."""
        for connection in list(self._open):
            connection.drain()
        if self._open:
            self._last_gone = asyncio.get_running_loop().create_future()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(grace_s):
                    await self._last_gone

    def abort_all(self) -> None:
        for connection in list(self._open):
            connection.abort()
