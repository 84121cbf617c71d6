"""What clients may take of this node, each and together: the numbers behind docs/limits.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ottla.broker.storage.descriptor_budget import budget_of
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import ListenerPlan
from ottla.config.option import Option
from ottla.doors.machine import Machine
from ottla.model.addresses import is_loopback_address

#: Only Produce carries records: every other request is small, or hostile.
FRAME_BYTES_WITHOUT_RECORDS = 16 * 1024 * 1024
#: Unsent responses may take this part of the machine's memory unless it is set.
_UNSENT_RESPONSES_SHARE = 10
_FETCH_SESSIONS_SHARE = 50
#: Where nothing is set: enough for an ordinary client.
_MAX_CONNECTIONS_PER_HOST = 1_000
#: The sweep that ends idle and stalled connections: how often at most, and when all time limits are long.
_MIN_SWEEP_MS = 50
_MAX_SWEEP_MS = 5_000
#: After a burst of one second's worth, new connections are accepted at an even pace.
_BURST_MS = 1_000.0


class ListenerLimits(NamedTuple):
    """What one listener may take; None where only the limit of the whole node counts."""

    connections: int | None = None
    creation_rate: int | None = None
    #: Of a listener that nodes use among themselves: a crowd of clients must not lock them out.
    is_protected: bool = False


NO_LISTENER_LIMITS = ListenerLimits()


class Limits(NamedTuple):
    frame_bytes: int
    request_memory_bytes: int
    #: Memory of all responses together that their clients do not take.
    unsent_response_bytes: int
    fetch_session_bytes: int
    connections: int
    #: None where the default counts, which loopback is free of.
    connections_per_host: int | None
    connections_by_host: Mapping[str, int]
    #: New connections per second.
    creation_rate: int
    listeners: Mapping[str, ListenerLimits]
    idle_ms: int
    first_frame_ms: int
    send_stall_ms: int

    def for_host(self, host: str) -> int | None:
        """Most connections of one address; None is no limit."""
        own = self.connections_by_host.get(host)
        if own is not None:
            return own
        if self.connections_per_host is not None:
            return self.connections_per_host
        return None if is_loopback_address(host) else _MAX_CONNECTIONS_PER_HOST

    def for_listener(self, name: str) -> ListenerLimits:
        return self.listeners.get(name, NO_LISTENER_LIMITS)

    @property
    def sweep_ms(self) -> int:
        """A time limit should not be exceeded by more than a quarter."""
        shortest_ms = min(self.idle_ms, self.first_frame_ms, self.send_stall_ms)
        return max(_MIN_SWEEP_MS, min(_MAX_SWEEP_MS, shortest_ms // 4))


def limits_of(options: BrokerOptions, machine: Machine, plan: ListenerPlan) -> Limits:
    return Limits(
        frame_bytes=options.socket_request_max_bytes,
        request_memory_bytes=_request_memory_bytes(options, machine),
        unsent_response_bytes=_unsent_response_bytes(options, machine),
        fetch_session_bytes=_fetch_session_bytes(options, machine),
        connections=budget_of(options, machine.open_files).connections,
        connections_per_host=options.max_connections_per_ip if options.is_set("max.connections.per.ip") else None,
        connections_by_host=host_limits(options.max_connections_per_ip_overrides),
        creation_rate=options.max_connection_creation_rate,
        listeners=_listeners(options, plan),
        idle_ms=options.connections_max_idle_ms,
        first_frame_ms=options.ottla_first_request_timeout_ms,
        send_stall_ms=options.ottla_send_stall_timeout_ms,
    )


def host_limits(text: str) -> dict[str, int]:
    """`address:number` pairs. The last colon counts: an IPv6 address has some of its own."""
    found: dict[str, int] = {}
    for part in text.split(","):
        host, _, number = part.strip().rpartition(":")
        if host:
            found[host.strip().strip("[]")] = int(number)
    return found


def _request_memory_bytes(options: BrokerOptions, machine: Machine) -> int:
    share = machine.memory_bytes * options.ottla_request_memory_max_percent // 100
    queued = options.queued_max_request_bytes
    return min(share, queued) if queued > 0 else share


def _unsent_response_bytes(options: BrokerOptions, machine: Machine) -> int:
    limit = options.ottla_unsent_responses_max_bytes
    return limit if limit >= 0 else machine.memory_bytes // _UNSENT_RESPONSES_SHARE


def _fetch_session_bytes(options: BrokerOptions, machine: Machine) -> int:
    limit = options.ottla_fetch_sessions_max_bytes
    return limit if limit >= 0 else machine.memory_bytes // _FETCH_SESSIONS_SHARE


def _listeners(options: BrokerOptions, plan: ListenerPlan) -> dict[str, ListenerLimits]:
    between_brokers = plan.inter_broker_listener if len(plan.listeners) > 1 else None
    found: dict[str, ListenerLimits] = {}
    for listener in (*plan.listeners, *plan.controller_listeners):
        found[listener.name] = ListenerLimits(
            _of_listener(options, listener.name, BrokerOptions.max_connections),
            _of_listener(options, listener.name, BrokerOptions.max_connection_creation_rate),
            is_protected=listener in plan.controller_listeners or listener.name == between_brokers,
        )
    return found


def _of_listener(options: BrokerOptions, listener: str, row: Option[int]) -> int | None:
    text = options.unknown.get(f"listener.name.{listener.lower()}.{row.name}")
    if text is None:
        return None
    try:
        return row.parse(text)
    except ValueError:
        # Only a stored dynamic value of another version can be wrong here: no reason to lose the node.
        return None


class CreationRate:
    """One rate of one listener or of the whole node. Asked in order; times never go back."""

    def __init__(self, per_second: int) -> None:
        self.per_second = per_second
        #: When all that have been let in would have come, had they come at an even pace.
        self._booked_ms = -_BURST_MS

    def delay_ms(self, now_ms: int) -> float:
        """How long a connection that comes now has to wait. Books nothing."""
        if not self.per_second:
            return float("inf")
        return max(0.0, self._next_ms(now_ms) - now_ms)

    def book(self, now_ms: int) -> None:
        self._booked_ms = self._next_ms(now_ms)

    def _next_ms(self, now_ms: int) -> float:
        return max(self._booked_ms, now_ms - _BURST_MS) + 1000 / self.per_second
