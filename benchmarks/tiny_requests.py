"""One record of 100 bytes per request, as fast as the responses come: requests per second, the broker's CPU for each.

Twenty connections are twenty clients that each wait for their response before they send again. Latency is measured at
an equal load instead (`latency.py`).
"""

from functools import partial
from itertools import repeat

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.raw_client import batch_of, produce_frame, produced_offset
from benchmarks.request_loop import closed_loop
from benchmarks.results import Row, at_least, at_most
from benchmarks.topics import create_topic, delete_topic, fresh_name

#: More than the log grows by in one row.
TINY_LOG_BYTES = 50_000_000


def rows(load: Load) -> list[Row]:
    found = []
    for connections, rate, cpu in ((1, 1.5, 0.4), (20, 1.3, 0.5)):
        title = f"one 100 B record per request, {connections} connection{'s' if connections > 1 else ''}"
        found += [
            Row(f"tiny.{connections}.rate", title, "requests/s", at_least(rate)),
            Row(f"tiny.{connections}.cpu", title, "CPU us/request", at_most(cpu)),
        ]
    return found


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    topic = fresh_name("tiny")
    create_topic(node, topic)
    frame = produce_frame(topic, 0, batch_of(1, 100))
    for connections in (1, 20):
        touch(TINY_LOG_BYTES)
        frames = [repeat(frame) for _ in range(connections)]
        done = closed_loop(node, frames, partial(produced_offset, topic=topic), load.tiny_seconds)
        put(f"tiny.{connections}.rate", done.rate)
        put(f"tiny.{connections}.cpu", done.cpu_us)
    delete_topic(node, topic)


FAMILY = Family("tiny", "throughput-and-latency", rows, measure)
