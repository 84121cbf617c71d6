"""Idempotent producers, the default of most clients, beside producers without an id: they must be as fast as the rest.

Both kinds send from the same code, which patches every batch: only the broker makes a difference between them.
"""

from functools import partial
from typing import NamedTuple

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.producer_identity import NO_IDENTITY, Identity, init_producer, sequenced_frames
from benchmarks.raw_client import RawClient, batch_of, produced_offset, records_that_fit
from benchmarks.request_loop import closed_loop
from benchmarks.results import Row, at_least, at_most
from benchmarks.throughput import produce_all
from benchmarks.tiny_requests import TINY_LOG_BYTES
from benchmarks.topics import create_topic, delete_topic, fresh_name

_TINY_PRODUCERS = 20
_BULK_PRODUCERS = 2
_BATCH_BYTES = 16 * 1024
#: What the noise of a good run leaves of "as fast as the rest".
_SAME_RATE = at_least(0.9, is_absolute=True)
_SAME_CPU = at_most(1.1, is_absolute=True)


def rows(load: Load) -> list[Row]:
    tiny = f"one 100 B record per request, {_TINY_PRODUCERS} idempotent producers"
    bulk = f"produce 1 KiB records, 16 KiB batches, {_BULK_PRODUCERS} idempotent producers"
    return [
        Row("idempotent.tiny.rate", tiny, "requests/s", at_least(1.3)),
        Row("idempotent.tiny.cpu", tiny, "CPU us/request", at_most(0.5)),
        Row("idempotent.tiny.rate.share", f"{tiny}, beside others", "share of requests/s", _SAME_RATE),
        Row("idempotent.tiny.cpu.share", f"{tiny}, beside others", "share of CPU", _SAME_CPU),
        Row("idempotent.bulk.rate", bulk, "MB/s", at_least(2.5)),
        Row("idempotent.bulk.cpu", bulk, "CPU s/GB", at_most(0.3)),
        Row("idempotent.bulk.rate.share", f"{bulk}, beside others", "share of MB/s", _SAME_RATE),
        Row("idempotent.bulk.cpu.share", f"{bulk}, beside others", "share of CPU", _SAME_CPU),
    ]


class Speed(NamedTuple):
    rate: float
    cpu: float


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    for key, work, producers in (("tiny", _tiny, _TINY_PRODUCERS), ("bulk", _bulk, _BULK_PRODUCERS)):
        with RawClient(node) as client:
            identities = [init_producer(client) for _ in range(producers)]
        # Others before and after: what gets faster or slower with time is no difference between them.
        before = work(node, load, [NO_IDENTITY] * producers)
        idempotent = work(node, load, identities)
        after = work(node, load, [NO_IDENTITY] * producers)
        put(f"idempotent.{key}.rate", idempotent.rate)
        put(f"idempotent.{key}.cpu", idempotent.cpu)
        put(f"idempotent.{key}.rate.share", 2 * idempotent.rate / (before.rate + after.rate))
        put(f"idempotent.{key}.cpu.share", 2 * idempotent.cpu / (before.cpu + after.cpu))


def _tiny(node: BrokerNode, load: Load, identities: list[Identity]) -> Speed:
    topic = fresh_name("idempotent")
    create_topic(node, topic)
    batch = batch_of(1, 100)
    frames = [sequenced_frames(topic, 0, batch, identity) for identity in identities]
    touch(TINY_LOG_BYTES)
    done = closed_loop(node, frames, partial(produced_offset, topic=topic), load.tiny_seconds)
    delete_topic(node, topic)
    return Speed(done.rate, done.cpu_us)


def _bulk(node: BrokerNode, load: Load, identities: list[Identity]) -> Speed:
    topic = fresh_name("idempotent")
    create_topic(node, topic, len(identities))
    size = int(load.gb * 1e9)
    batch = batch_of(records_that_fit(_BATCH_BYTES, 1024), 1024)
    frames = [sequenced_frames(topic, index, batch, identity) for index, identity in enumerate(identities)]
    touch(size)
    done = produce_all(node, topic, frames, len(batch), size)
    delete_topic(node, topic)
    return Speed(done.mb_per_s, done.cpu_s_per_gb)


FAMILY = Family("idempotent", "throughput-and-latency", rows, measure)
