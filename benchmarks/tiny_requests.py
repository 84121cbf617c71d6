"""One record of 100 bytes per request: requests per second, latency, and the broker's CPU per request.

Twenty connections are twenty clients that each wait for their answer before they send again.
"""

from functools import partial

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.raw_client import batch_of, produce_frame, produced_offset
from benchmarks.request_loop import request_loop
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
    frame = produce_frame(topic, 0, batch_of(1, 100))
    for connections in (1, 20):
        cpu_before = node.cpu_seconds()
        done = request_loop(node, [frame] * connections, partial(produced_offset, topic=topic), load.tiny_seconds)
        used = node.cpu_seconds() - cpu_before
        latencies = done.latencies_s
        put(f"tiny.{connections}.rate", done.rate)
        put(f"tiny.{connections}.p50", percentile(latencies, 0.5) * 1e3)
        put(f"tiny.{connections}.p99", percentile(latencies, 0.99) * 1e3)
        put(f"tiny.{connections}.cpu", used / len(latencies) * 1e6)
    delete_topic(node, topic)


FAMILY = Family("tiny", rows, measure)
