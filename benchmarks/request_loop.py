"""Load of small requests from one thread: as fast as the responses come, or at a fixed rate.

One thread waits for all sockets: a thread per connection would measure the threads. Rate and CPU per request are read
from a closed loop, latency from an open one. A closed loop sends less while the broker is slow and so leaves out the
requests that would have waited (coordinated omission), and a faster broker gets a higher load.
"""

import selectors
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from benchmarks.raw_client import RESPONSE_TIMEOUT_S, Listening, RawClient, connections
from benchmarks.results import percentile

#: The frames that one connection sends, one after the other. `itertools.repeat` for the same one again and again.
Frames = Iterator[bytes | bytearray]
#: Raises for a response that is no success.
Check = Callable[[memoryview], object]

#: Timers are late by about this much: the last part of a wait is spent polling the sockets.
_SPIN_S = 0.0002


class Measured(Listening, Protocol):
    def cpu_seconds(self) -> float: ...


class LoopResult(NamedTuple):
    latencies_s: list[float]
    seconds: float
    cpu_seconds: float

    @property
    def rate(self) -> float:
        return len(self.latencies_s) / self.seconds

    @property
    def cpu_us(self) -> float:
        """The broker's CPU time for each request."""
        return self.cpu_seconds / len(self.latencies_s) * 1e6

    def percentile_ms(self, share: float) -> float:
        return percentile(self.latencies_s, share) * 1e3


def closed_loop(node: Measured, frames: Sequence[Frames], check: Check, seconds: float) -> LoopResult:
    """One connection for each source of frames; each sends the next one when it has the response."""
    latencies: list[float] = []
    with connections(node, len(frames)) as clients, selectors.DefaultSelector() as selector:
        sent_at = [0.0] * len(clients)
        cpu_before = node.cpu_seconds()
        began = now = time.perf_counter()
        for index, client in enumerate(clients):
            selector.register(client.socket, selectors.EVENT_READ, index)
            sent_at[index] = time.perf_counter()
            client.send(next(frames[index]))
        in_flight = len(clients)
        while in_flight:
            for index in ready(selector, RESPONSE_TIMEOUT_S):
                check(clients[index].receive())
                now = time.perf_counter()
                latencies.append(now - sent_at[index])
                if now - began >= seconds:
                    in_flight -= 1
                    continue
                sent_at[index] = now
                clients[index].send(next(frames[index]))
        return LoopResult(latencies, now - began, node.cpu_seconds() - cpu_before)


class Schedule:
    """Requests that are due at fixed times, however late the ones before them were sent."""

    def __init__(self, rate: float, count: int, began: float) -> None:
        self._rate = rate
        self._left = count
        self._taken = 0
        self._began = began

    @property
    def next_due(self) -> float | None:
        """When the next request is due; None after the last one."""
        return self._began + self._taken / self._rate if self._left else None

    def take(self, now: float) -> float | None:
        """The due time of the next request, if it is due now."""
        due = self.next_due
        if due is None or due > now:
            return None
        self._taken += 1
        self._left -= 1
        return due

    def wait_s(self, now: float) -> float:
        """How long to wait for responses until the next request is due."""
        due = self.next_due
        return RESPONSE_TIMEOUT_S if due is None else max(0.0, due - now)


class OpenLoop:
    """Sends what is due by whichever connection is idle; latency counts from when a request was due."""

    def __init__(self, clients: Sequence[RawClient], frames: Sequence[Frames], check: Check) -> None:
        self.latencies_s: list[float] = []
        self._clients = clients
        self._frames = frames
        self._check = check
        self._idle = deque(range(len(clients)))
        self._due_at = [0.0] * len(clients)
        # Not epoll: its timeouts are whole milliseconds.
        self._selector = selectors.SelectSelector()
        for index, client in enumerate(clients):
            self._selector.register(client.socket, selectors.EVENT_READ, index)

    @property
    def is_waiting(self) -> bool:
        """Whether requests are in flight."""
        return len(self._idle) < len(self._clients)

    def step(self, schedule: Schedule) -> None:
        """Sends what is due, then takes responses until the next request is due."""
        now = time.perf_counter()
        while self._idle and (due := schedule.take(now)) is not None:
            index = self._idle.popleft()
            self._due_at[index] = due
            self._clients[index].send(next(self._frames[index]))
        self._receive(max(0.0, schedule.wait_s(now) - _SPIN_S) if self._idle else RESPONSE_TIMEOUT_S)

    def drain(self) -> None:
        """Takes the responses of all requests in flight."""
        while self.is_waiting:
            self._receive(RESPONSE_TIMEOUT_S)

    def _receive(self, timeout_s: float) -> None:
        for index in ready(self._selector, timeout_s):
            self._check(self._clients[index].receive())
            self.latencies_s.append(time.perf_counter() - self._due_at[index])
            self._idle.append(index)


def open_loop(node: Measured, frames: Sequence[Frames], check: Check, *, rate: float, seconds: float) -> LoopResult:
    """Requests due at a fixed rate, over as many connections as there are sources of frames."""
    with connections(node, len(frames)) as clients:
        loop = OpenLoop(clients, frames, check)
        cpu_before = node.cpu_seconds()
        began = time.perf_counter()
        schedule = Schedule(rate, round(rate * seconds), began)
        while schedule.next_due is not None:
            loop.step(schedule)
        loop.drain()
        return LoopResult(loop.latencies_s, time.perf_counter() - began, node.cpu_seconds() - cpu_before)


def pipeline(client: RawClient, frames: Iterable[bytes | bytearray], check: Check, *, in_flight: int = 5) -> None:
    """Sends all frames over one connection, with up to so many requests in flight."""
    waiting = 0
    for frame in frames:
        if waiting == in_flight:
            check(client.receive())
            waiting -= 1
        client.send(frame)
        waiting += 1
    for _ in range(waiting):
        check(client.receive())


def ready(selector: selectors.BaseSelector, timeout_s: float) -> list[Any]:
    """What was registered with the sockets that have a response; nothing for so long that it is lost is an error."""
    events = selector.select(timeout_s)
    if not events and timeout_s >= RESPONSE_TIMEOUT_S:
        raise TimeoutError(f"no response within {RESPONSE_TIMEOUT_S} s")
    return [key.data for key, _ in events]
