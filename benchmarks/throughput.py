"""Bulk produce and fetch: MB/s and the broker's CPU seconds per GB, two connections, five requests in flight."""

from collections.abc import Sequence
from functools import partial
from itertools import islice, repeat
from typing import NamedTuple

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.raw_client import (
    RawClient,
    batch_of,
    fetch_frame,
    fetched,
    produce_frame,
    produced_offset,
    records_that_fit,
    run_in_threads,
)
from benchmarks.request_loop import Frames, pipeline
from benchmarks.results import Row, at_least, at_most
from benchmarks.topics import create_topic, delete_topic, fresh_name

PARTITIONS = 2
KIB = 1024


class Shape(NamedTuple):
    key: str
    title: str
    value_bytes: int
    batch_bytes: int
    acks: int
    rate_goal: float
    cpu_goal: float


SHAPES = (
    Shape("1k-128k", "1 KiB records, 128 KiB batches, acks=1", KIB, 128 * KIB, 1, 2.5, 0.3),
    Shape("100b-128k", "100 B records, 128 KiB batches, acks=all", 100, 128 * KIB, -1, 2.5, 0.25),
    Shape("1k-16k", "1 KiB records, 16 KiB batches, acks=1", KIB, 16 * KIB, 1, 2.5, 0.3),
    Shape("10k-1m", "10 KiB records, 1 MB batches, acks=1", 10 * KIB, 1000 * KIB, 1, 1.5, 0.5),
)


def rows(load: Load) -> list[Row]:
    found = []
    for shape in SHAPES:
        found += [
            Row(f"produce.{shape.key}.rate", f"produce {shape.title}", "MB/s", at_least(shape.rate_goal)),
            Row(f"produce.{shape.key}.cpu", f"produce {shape.title}", "CPU s/GB", at_most(shape.cpu_goal)),
        ]
    for shape in SHAPES:
        found += [
            Row(f"fetch.{shape.key}.rate", f"fetch 1 MiB responses of {shape.title}", "MB/s", at_least(1.0)),
            Row(f"fetch.{shape.key}.cpu", f"fetch 1 MiB responses of {shape.title}", "CPU s/GB", at_most(0.6)),
        ]
    found.append(Row("memory.loaded", "memory after the load (Pss)", "MB", at_most(0.12)))
    return found


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    size = int(load.gb * 1e9)
    for shape in SHAPES:
        topic = fresh_name("bulk")
        create_topic(node, topic, PARTITIONS)
        batch = batch_of(records_that_fit(shape.batch_bytes, shape.value_bytes), shape.value_bytes)
        touch(size)
        for key, done in (
            ("produce", produce_batches(node, topic, batch, size, acks=shape.acks)),
            ("fetch", fetch_all(node, topic)),
        ):
            put(f"{key}.{shape.key}.rate", done.mb_per_s)
            put(f"{key}.{shape.key}.cpu", done.cpu_s_per_gb)
        delete_topic(node, topic)
    put("memory.loaded", node.memory_bytes() / 1e6)


class Transfer(NamedTuple):
    """Bytes that were produced or fetched, and what they took."""

    size: int
    seconds: float
    cpu_seconds: float

    @property
    def mb_per_s(self) -> float:
        return self.size / self.seconds / 1e6

    @property
    def cpu_s_per_gb(self) -> float:
        return self.cpu_seconds / self.size * 1e9


def produce_batches(
    node: BrokerNode, topic: str, batch: bytes, total_bytes: int, *, acks: int = 1, partitions: int = PARTITIONS
) -> Transfer:
    """The same batch over and over, to each partition its share of the bytes."""
    frames = [repeat(produce_frame(topic, index, batch, acks)) for index in range(partitions)]
    return produce_all(node, topic, frames, len(batch), total_bytes)


def produce_all(node: BrokerNode, topic: str, frames: Sequence[Frames], batch_bytes: int, total_bytes: int) -> Transfer:
    """One connection for each source of frames, which have one batch each."""
    requests = max(1, total_bytes // len(frames) // batch_bytes)

    def produce(source: Frames) -> None:
        with RawClient(node) as client:
            pipeline(client, islice(source, requests), partial(produced_offset, topic=topic))

    cpu_before = node.cpu_seconds()
    seconds = run_in_threads([partial(produce, source) for source in frames])
    return Transfer(requests * len(frames) * batch_bytes, seconds, node.cpu_seconds() - cpu_before)


def fetch_all(node: BrokerNode, topic: str, partitions: int = PARTITIONS) -> Transfer:
    """Each partition from its first offset to its end, one connection each."""
    sizes = [0] * partitions

    def fetch(partition: int) -> None:
        offset = 0
        with RawClient(node, buffer_bytes=2 << 20) as client:
            while True:
                client.send(fetch_frame(topic, partition, offset))
                response = fetched(client.receive(), topic, offset)
                sizes[partition] += len(response.records)
                if response.next_offset >= response.high_watermark:
                    return
                offset = response.next_offset

    cpu_before = node.cpu_seconds()
    seconds = run_in_threads([partial(fetch, index) for index in range(partitions)])
    return Transfer(sum(sizes), seconds, node.cpu_seconds() - cpu_before)


FAMILY = Family("throughput", "throughput-and-latency", rows, measure)
