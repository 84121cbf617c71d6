"""Latency at an equal load, end-to-end latency through a long-polling consumer, and what 400 such consumers cost.

Requests are due at fixed times, the same for both brokers; one that has to wait before it can be sent counts from when
it was due.
"""

import selectors
import time
from collections import deque
from functools import partial
from itertools import repeat

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.raw_client import (
    RESPONSE_TIMEOUT_S,
    RawClient,
    batch_of,
    connections,
    fetch_frame,
    fetched,
    produce_frame,
    produced_offset,
)
from benchmarks.request_loop import Schedule, open_loop, ready
from benchmarks.results import Row, at_most, percentile
from benchmarks.tiny_requests import TINY_LOG_BYTES
from benchmarks.topics import create_topic, delete_topic, fresh_name

_CONNECTIONS = 20
_REQUESTS_PER_S = 4000
_RECORDS_PER_S = 400
_POLL_SECONDS = 4.0


def rows(load: Load) -> list[Row]:
    paced = f"one 100 B record per request, {_CONNECTIONS} connections at {_REQUESTS_PER_S:,} requests/s"
    return [
        Row("paced.p50", paced, "p50 ms"),
        Row("paced.p99", paced, "p99 ms", at_most(0.5)),
        Row("paced.p999", paced, "p99.9 ms"),
        Row("paced.cpu", paced, "CPU us/request"),
        Row("e2e.p50", "end to end, idle, long-polling consumer", "p50 ms", at_most(0.5)),
        Row("e2e.p99", "end to end, idle, long-polling consumer", "p99 ms", at_most(0.5)),
        Row("polls.cpu", f"{load.polls} consumers in long poll, no data", "% of a core", at_most(0.5)),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    topic = fresh_name("latency")
    create_topic(node, topic)
    touch(TINY_LOG_BYTES)
    frames = [repeat(produce_frame(topic, 0, batch_of(1, 100))) for _ in range(_CONNECTIONS)]
    done = open_loop(
        node, frames, partial(produced_offset, topic=topic), rate=_REQUESTS_PER_S, seconds=load.paced_seconds
    )
    put("paced.p50", done.percentile_ms(0.5))
    put("paced.p99", done.percentile_ms(0.99))
    put("paced.p999", done.percentile_ms(0.999))
    put("paced.cpu", done.cpu_us)
    latencies = round_trips(node, topic, load.round_trips)
    put("e2e.p50", percentile(latencies, 0.5) * 1e3)
    put("e2e.p99", percentile(latencies, 0.99) * 1e3)
    put("polls.cpu", idle_polls(node, topic, load.polls, _POLL_SECONDS))
    delete_topic(node, topic)


def round_trips(node: BrokerNode, topic: str, count: int) -> list[float]:
    """From the send of each record to its arrival at the consumer; one thread, so that no other one delays it.

    A record that could not be sent when it was due, because the one before it was not acknowledged, counts from then.
    """
    frame = produce_frame(topic, 0, batch_of(1, 100))
    latencies: list[float] = []
    with RawClient(node) as producer, RawClient(node) as consumer, selectors.SelectSelector() as selector:
        producer.send(frame)
        offset = produced_offset(producer.receive(), topic) + 1
        consumer.send(fetch_frame(topic, 0, offset))
        for client in (producer, consumer):
            selector.register(client.socket, selectors.EVENT_READ, client)
        began = time.perf_counter()
        schedule = Schedule(_RECORDS_PER_S, count, began)
        acked_at: float | None = began
        started_at: deque[float] = deque()
        while len(latencies) < count:
            now = time.perf_counter()
            if acked_at is not None and (due := schedule.take(now)) is not None:
                started_at.append(due if due < acked_at else now)
                producer.send(frame)
                acked_at = None
            for client in ready(selector, schedule.wait_s(now) if acked_at is not None else RESPONSE_TIMEOUT_S):
                response = client.receive()
                now = time.perf_counter()
                if client is producer:
                    produced_offset(response, topic)
                    acked_at = now
                    continue
                arrived = fetched(response, topic, offset).next_offset
                latencies += [now - started_at.popleft() for _ in range(arrived - offset)]
                offset = arrived
                consumer.send(fetch_frame(topic, 0, offset))
    return latencies


def idle_polls(node: BrokerNode, topic: str, count: int, seconds: float) -> float:
    """Percent of one core that the broker uses while so many consumers wait at the end of a log."""
    with RawClient(node) as probe:
        probe.send(fetch_frame(topic, 0, 0, max_wait_ms=0))
        end_offset = fetched(probe.receive(), topic, 0).high_watermark
    frame = fetch_frame(topic, 0, end_offset)
    with connections(node, count) as clients, selectors.DefaultSelector() as selector:
        for client in clients:
            selector.register(client.socket, selectors.EVENT_READ, client)
            client.send(frame)
        cpu_before, began = node.cpu_seconds(), time.perf_counter()
        while time.perf_counter() - began < seconds:
            for key, _ in selector.select(0.1):
                key.data.receive()
                key.data.send(frame)
        return (node.cpu_seconds() - cpu_before) / (time.perf_counter() - began) * 100


FAMILY = Family("latency", "throughput-and-latency", rows, measure)
