"""Closed-loop load: each connection keeps some requests in flight and sends the next one for every answer.

One thread waits for all sockets: a thread per connection would measure the threads.
"""

import selectors
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.broker_node import BrokerNode
from benchmarks.raw_client import RawClient


class LoopResult(NamedTuple):
    latencies_s: list[float]
    seconds: float

    @property
    def rate(self) -> float:
        return len(self.latencies_s) / self.seconds


def request_loop(
    node: BrokerNode,
    frames: Sequence[bytes],
    check: Callable[[memoryview], object],
    seconds: float,
    *,
    in_flight: int = 1,
) -> LoopResult:
    """One connection for each frame, which it sends over and over; `check` raises for an answer that is no success."""
    clients = [RawClient(node, buffer_bytes=4096) for _ in frames]
    sent_at: list[deque[float]] = [deque() for _ in frames]
    latencies: list[float] = []
    with selectors.DefaultSelector() as selector:
        began = now = time.perf_counter()
        for index, client in enumerate(clients):
            selector.register(client.socket, selectors.EVENT_READ, index)
            for _ in range(in_flight):
                sent_at[index].append(time.perf_counter())
                client.send(frames[index])
        waiting = len(clients) * in_flight
        while waiting:
            for key, _ in selector.select():
                index = key.data
                check(clients[index].receive())
                now = time.perf_counter()
                latencies.append(now - sent_at[index].popleft())
                if now - began >= seconds:
                    waiting -= 1
                    continue
                sent_at[index].append(now)
                clients[index].send(frames[index])
    for client in clients:
        client.socket.close()
    return LoopResult(latencies, now - began)
