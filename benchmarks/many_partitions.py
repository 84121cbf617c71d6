"""A node with very many partitions: create them, stop, start again; then kill it with data that was never flushed."""

import time
from functools import partial

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.lifecycle import FIRST_TOPIC, first_ack
from benchmarks.raw_client import RawClient, batch_of, produce_frame, produced_offset, records_that_fit
from benchmarks.results import Row, at_most
from benchmarks.throughput import produce_batches
from benchmarks.topics import create_topic
from benchmarks.waiting import LEADER_NOT_READY, retry

TOPICS = 10
#: Partitions of each topic that get a record: a log that was never written to is cheaper to close and to open.
_WRITTEN_EACH = 40


def rows(load: Load) -> list[Row]:
    count = f"{load.partitions:,} partitions"
    return [
        Row("partitions.create", f"create {count} ({TOPICS} topics)", "s", at_most(0.2)),
        Row("partitions.memory", f"memory with {count} (Pss)", "MB", at_most(0.12)),
        Row("partitions.stop", f"clean stop with {count}", "s", at_most(0.2)),
        Row("partitions.restart", f"restart with {count} to the first ack", "s", at_most(0.2)),
        Row(
            "partitions.recover",
            f"restart after kill -9, {count}, {load.unflushed_gb:g} GB unflushed",
            "s",
            at_most(0.2),
        ),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    node.reset()
    try:
        node.launch()
        first_ack(node, FIRST_TOPIC)
        _create(node, load, put)
        put("partitions.stop", node.stop())
        began = node.launch()
        put("partitions.restart", first_ack(node, FIRST_TOPIC, is_new=False) - began)
        _write_unflushed(node, load)
        node.kill()
        began = node.launch()
        put("partitions.recover", first_ack(node, "unflushed", is_new=False) - began)
    finally:
        node.stop()


def _create(node: BrokerNode, load: Load, put: Put) -> None:
    began = time.perf_counter()
    for index in range(TOPICS):
        create_topic(node, f"many-{index}", load.partitions // TOPICS)
    put("partitions.create", time.perf_counter() - began)
    put("partitions.memory", node.memory_bytes() / 1e6)
    batch = batch_of(1, 100)
    with RawClient(node) as client:
        for index in range(TOPICS):
            for partition in range(min(_WRITTEN_EACH, load.partitions // TOPICS)):
                # Metadata may name a leader some seconds before it accepts records.
                retry(partial(_write, client, f"many-{index}", partition, batch), LEADER_NOT_READY, pause_s=0.05)


def _write(client: RawClient, topic: str, partition: int, batch: bytes) -> None:
    client.send(produce_frame(topic, partition, batch))
    produced_offset(client.receive(), topic)


def _write_unflushed(node: BrokerNode, load: Load) -> None:
    create_topic(node, "unflushed", 2)
    batch = batch_of(records_that_fit(128 * 1024, 1024), 1024)
    touch(int(load.unflushed_gb * 1e9))
    produce_batches(node, "unflushed", batch, int(load.unflushed_gb * 1e9))


FAMILY = Family("partitions", "partitions-and-stalls", rows, measure, needs_own_node=True)
