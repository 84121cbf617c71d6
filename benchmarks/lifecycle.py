"""Start of an empty node to its first acknowledged record, its idle memory, its first load while cold."""

import time

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.raw_client import RawClient, RequestFailed, batch_of, produce_frame, produced_offset, records_that_fit
from benchmarks.results import Row, at_least, at_most
from benchmarks.throughput import produce_batches
from benchmarks.topics import create_topic

_ACK_TIMEOUT_S = 900
_SETTLE_S = 1.0
FIRST_TOPIC = "first"


def rows(load: Load) -> list[Row]:
    return [
        Row("start.seconds", "start of an empty node to the first ack", "s", at_most(0.12)),
        Row("start.cpu", "start of an empty node to the first ack", "CPU s", at_most(0.12)),
        Row("memory.idle", "memory of an idle node (Pss)", "MB", at_most(0.12)),
        Row(
            "cold.rate", f"cold: the first {load.cold_gb:g} GB after the start, 128 KiB batches", "MB/s", at_least(2.5)
        ),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    node.reset()
    try:
        began = node.launch()
        put("start.seconds", first_ack(node, FIRST_TOPIC) - began)
        put("start.cpu", node.cpu_seconds())
        time.sleep(_SETTLE_S)
        put("memory.idle", node.memory_bytes() / 1e6)
        create_topic(node, "cold", 2)
        batch = batch_of(records_that_fit(128 * 1024, 1024), 1024)
        touch(int(load.cold_gb * 1e9))
        put("cold.rate", produce_batches(node, "cold", batch, int(load.cold_gb * 1e9)).mb_per_s)
    finally:
        node.stop()


def first_ack(node: BrokerNode, topic: str, *, is_new: bool = True) -> float:
    """When the first record was acknowledged; requests are retried while the node starts."""
    node.await_port()
    frame = produce_frame(topic, 0, batch_of(1, 100))
    deadline = time.monotonic() + _ACK_TIMEOUT_S
    while True:
        try:
            if is_new:
                create_topic(node, topic)
            with RawClient(node) as client:
                client.send(frame)
                produced_offset(client.receive(), topic)
                return time.perf_counter()
        except (RequestFailed, ConnectionError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)


FAMILY = Family("start", "throughput-and-latency", rows, measure, needs_own_node=True)
