"""One record of 100 bytes per request: requests per second, latency, and the broker's CPU per request.

The client is one thread that waits for all its sockets: twenty threads would measure each other.
"""

import selectors
import time

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.raw_client import RawClient, batch_of, produce_frame, produced_offset
from benchmarks.results import Row, at_least, at_most, percentile
from benchmarks.topics import create_topic, delete_topic, fresh_name


def rows(load: Load) -> list[Row]:
    found = []
    for connections, rate, cpu in ((1, 2.0, 0.2), (20, 1.5, 0.4)):
        title = f"one 100 B record per request, {connections} connection{'s' if connections > 1 else ''}"
        found += [
            Row(f"tiny.{connections}.rate", title, "requests/s", at_least(rate)),
            Row(f"tiny.{connections}.p50", title, "p50 ms"),
            Row(f"tiny.{connections}.p99", title, "p99 ms", at_most(0.5)),
            Row(f"tiny.{connections}.cpu", title, "CPU us/request", at_most(cpu)),
        ]
    return found


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    topic = fresh_name("tiny")
    create_topic(node, topic)
    for connections in (1, 20):
        cpu_before = node.cpu_seconds()
        latencies, seconds = request_loop(node, topic, connections, load.tiny_seconds)
        used = node.cpu_seconds() - cpu_before
        put(f"tiny.{connections}.rate", len(latencies) / seconds)
        put(f"tiny.{connections}.p50", percentile(latencies, 0.5) * 1e3)
        put(f"tiny.{connections}.p99", percentile(latencies, 0.99) * 1e3)
        put(f"tiny.{connections}.cpu", used / len(latencies) * 1e6)
    delete_topic(node, topic)


def request_loop(node: BrokerNode, topic: str, connections: int, seconds: float) -> tuple[list[float], float]:
    """Each connection sends its next request when it has its answer. All latencies, and the seconds it took."""
    frame = produce_frame(topic, 0, batch_of(1, 100))
    clients = [RawClient(node, buffer_bytes=4096) for _ in range(connections)]
    latencies: list[float] = []
    sent_at = dict.fromkeys(range(connections), 0.0)
    with selectors.DefaultSelector() as selector:
        for index, client in enumerate(clients):
            selector.register(client.socket, selectors.EVENT_READ, index)
        began = now = time.perf_counter()
        for index, client in enumerate(clients):
            sent_at[index] = time.perf_counter()
            client.send(frame)
        waiting = connections
        while waiting:
            for key, _ in selector.select():
                index = key.data
                client = clients[index]
                produced_offset(client.receive(), topic)
                now = time.perf_counter()
                latencies.append(now - sent_at[index])
                if now - began >= seconds:
                    waiting -= 1
                    continue
                sent_at[index] = now
                client.send(frame)
    for client in clients:
        client.socket.close()
    return latencies, now - began


FAMILY = Family("tiny", rows, measure)
