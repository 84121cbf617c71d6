"""End-to-end latency through a long-polling consumer on an idle broker, and what 400 such consumers cost."""

import selectors
import threading
import time

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.raw_client import RawClient, batch_of, fetch_frame, fetched, produce_frame, produced_offset
from benchmarks.results import Row, at_most, percentile
from benchmarks.topics import create_topic, delete_topic, fresh_name

_GAP_S = 0.002
_POLL_SECONDS = 4.0
_LAST_RECORD_LIMIT_S = 30


def rows(load: Load) -> list[Row]:
    return [
        Row("e2e.p50", "end to end, idle, long-polling consumer", "p50 ms", at_most(0.5)),
        Row("e2e.p99", "end to end, idle, long-polling consumer", "p99 ms", at_most(0.5)),
        Row("polls.cpu", f"{load.polls} consumers in long poll, no data", "% of a core", at_most(0.5)),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    topic = fresh_name("latency")
    create_topic(node, topic)
    latencies = round_trips(node, topic, load.round_trips)
    put("e2e.p50", percentile(latencies, 0.5) * 1e3)
    put("e2e.p99", percentile(latencies, 0.99) * 1e3)
    put("polls.cpu", idle_polls(node, topic, load.polls, _POLL_SECONDS))
    delete_topic(node, topic)


def round_trips(node: BrokerNode, topic: str, count: int) -> list[float]:
    """From before the send to the arrival at the consumer, one record at a time."""
    frame = produce_frame(topic, 0, batch_of(1, 100))
    arrived_at: dict[int, float] = {}
    with RawClient(node) as producer, RawClient(node) as consumer:
        producer.send(frame)
        first = produced_offset(producer.receive(), topic) + 1

        def consume() -> None:
            offset = first
            while offset < first + count:
                consumer.send(fetch_frame(topic, 0, offset))
                answer = fetched(consumer.receive(), topic, offset)
                arrived_at.update(dict.fromkeys(range(offset, answer.next_offset), time.perf_counter()))
                offset = answer.next_offset

        reader = threading.Thread(target=consume, daemon=True)
        reader.start()
        time.sleep(0.2)
        sent_at: dict[int, float] = {}
        for offset in range(first, first + count):
            sent_at[offset] = time.perf_counter()
            producer.send(frame)
            produced_offset(producer.receive(), topic)
            time.sleep(_GAP_S)
        reader.join(_LAST_RECORD_LIMIT_S)
    return [arrived_at[offset] - sent for offset, sent in sent_at.items() if offset in arrived_at]


def idle_polls(node: BrokerNode, topic: str, connections: int, seconds: float) -> float:
    """Percent of one core that the broker uses while so many consumers wait at the end of a log."""
    with RawClient(node) as probe:
        probe.send(fetch_frame(topic, 0, 0, max_wait_ms=0))
        end_offset = fetched(probe.receive(), topic, 0).high_watermark
    frame = fetch_frame(topic, 0, end_offset)
    clients = [RawClient(node, buffer_bytes=4096) for _ in range(connections)]
    with selectors.DefaultSelector() as selector:
        for client in clients:
            selector.register(client.socket, selectors.EVENT_READ, client)
            client.send(frame)
        cpu_before, began = node.cpu_seconds(), time.perf_counter()
        while time.perf_counter() - began < seconds:
            for key, _ in selector.select(0.1):
                key.data.receive()
                key.data.send(frame)
        used = (node.cpu_seconds() - cpu_before) / (time.perf_counter() - began)
    for client in clients:
        client.socket.close()
    return used * 100


FAMILY = Family("latency", rows, measure)
