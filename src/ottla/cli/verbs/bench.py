"""`ottla bench`: how fast a cluster takes records, gives them back, and how long one takes end to end."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import click

from ottla.cli.failures import usage
from ottla.cli.perf.consuming import Consumed, consume
from ottla.cli.perf.latencies import MIB, Latencies, ProducerReport
from ottla.cli.perf.payloads import random_payloads
from ottla.cli.perf.producing import Plan, ProducerRun, has_columns
from ottla.cli.progress import Progress
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import verb

_TOPIC = "ottla-bench"
_TESTS = ("produce", "consume", "e2e")
_DEFAULT_COUNTS = {"produce": 1_000_000, "consume": 1_000_000, "e2e": 1_000}
_IDLE_MS = 10_000


class Measured(NamedTuple):
    test: str
    records: int
    seconds: float
    records_per_second: float
    mib_per_second: float
    average_ms: float | None = None
    p50_ms: int | None = None
    p99_ms: int | None = None
    p999_ms: int | None = None


@verb("bench")
@click.argument("tests", nargs=-1, metavar="[produce] [consume] [e2e]")
@click.option("-t", "--topic", metavar="TOPIC", help=f"The topic; {_TOPIC} unless given, deleted afterwards.")
@click.option("-n", "--count", type=click.IntRange(1), metavar="N", help="Records; 1,000,000, for e2e 1,000.")
@click.option(
    "-s", "--size", type=click.IntRange(1), default=100, show_default=True, metavar="BYTES", help="Of a value."
)
@click.option("-p", "--partitions", type=click.IntRange(1), default=1, show_default=True, help="Of a new topic.")
@click.option("--acks", type=click.Choice(["0", "1", "all"]), default="all", show_default=True)
@click.option("-z", "--compress", metavar="CODEC", help="gzip, snappy, lz4 or zstd.")
def bench(
    run: Run,
    tests: tuple[str, ...],
    topic: str | None,
    count: int | None,
    size: int,
    partitions: int,
    acks: str,
    compress: str | None,
) -> Result:
    """Measure a cluster: produce, consume, e2e, or all three.

    The figures are those of producer-perf-test, consumer-perf-test and e2e-latency.
    """
    unknown = [name for name in tests if name not in _TESTS]
    if unknown:
        raise usage(f"there is no test {unknown[0]!r}", f"known: {', '.join(_TESTS)}")
    wanted = [name for name in _TESTS if name in tests] or list(_TESTS)
    properties = {"acks": acks, **({"compression.type": compress} if compress else {})}
    found = []
    with _topic(run, topic, partitions) as name:
        for test in wanted:
            # One record at a time: as many as in the other tests would take too long.
            own_count = count if test != "e2e" or len(wanted) == 1 else None
            records = own_count or _DEFAULT_COUNTS[test]
            with run.progress(test, records) as progress:
                found.append(_measure(run, test, name, records, size, properties, progress))
    columns = ("test", "records", "seconds", "records_per_second", "mib_per_second", "average_ms", "p50_ms", "p99_ms")
    return Result("measurements", [_rounded(each) for each in found], columns, wide=("p999_ms",))


@contextmanager
def _topic(run: Run, topic: str | None, partitions: int) -> Iterator[str]:
    """The topic, created if it is missing; the one of our own is deleted afterwards."""
    from ottla.client import NewTopic

    name = topic or _TOPIC
    with run.admin() as admin:
        if all(listing.name != name for listing in admin.list_topics()):
            admin.create_topics([NewTopic(name, partitions, -1)])
    try:
        yield name
    finally:
        if topic is None:
            with run.admin() as admin:
                admin.delete_topics([name])


def _measure(
    run: Run, test: str, topic: str, count: int, size: int, properties: dict[str, str], progress: Progress
) -> Measured:
    if test == "produce":
        return asyncio.run(_produce(run, topic, count, size, properties, progress))
    if test == "consume":
        return asyncio.run(_consume(run, topic, count, progress))
    return asyncio.run(_end_to_end(run, topic, count, size, properties, progress))


class _Counted(ProducerReport):
    """Moves the progress bar instead of ending windows."""

    def __init__(self, progress: Progress) -> None:
        super().__init__(time.perf_counter(), interval_s=float("inf"))
        self._progress = progress
        self.all = Latencies()

    def add(self, latency_ms: float, count: int, size: int, now_s: float) -> str | None:
        self.all.add(latency_ms, count, size)
        self._progress.advance(count)
        return None


async def _produce(
    run: Run, topic: str, count: int, size: int, properties: dict[str, str], progress: Progress
) -> Measured:
    from ottla.client import AsyncProducer
    from ottla.config.producer_options import ProducerOptions

    async with AsyncProducer({**run.settings(ProducerOptions, client_id="ottla-bench"), **properties}) as producer:
        await producer.partitions_for(topic)
        report = _Counted(progress)
        began = time.perf_counter()
        measured = ProducerRun(producer, Plan(topic, count), random_payloads(size), report, lambda line: None)
        await (measured.send_columns() if has_columns() else measured.send_records())
        return _with_latencies("produce", report.all, time.perf_counter() - began)


async def _consume(run: Run, topic: str, count: int, progress: Progress) -> Measured:
    from ottla.client import AsyncConsumer
    from ottla.config.consumer_options import ConsumerOptions

    settings = run.settings(ConsumerOptions, client_id="ottla-bench", auto_offset_reset="earliest")
    total = Consumed()
    async with AsyncConsumer({**settings, "enable.auto.commit": "false"}) as consumer:
        consumer.assign([(topic, view.partition) for view in await consumer.partitions_for(topic)])
        ends = sum((await consumer.end_offsets(consumer.assignment())).values())
        began = time.perf_counter()
        async for part in consume(consumer, min(count, ends), _IDLE_MS):
            total += part
            progress.advance(part.count)
        seconds = max(time.perf_counter() - began, 1e-9)
    return Measured("consume", total.count, seconds, total.count / seconds, total.mib / seconds)


async def _end_to_end(
    run: Run, topic: str, count: int, size: int, properties: dict[str, str], progress: Progress
) -> Measured:
    from ottla.cli.kafka.e2e_latency import Sample, round_trip, start_at_end
    from ottla.client import AsyncConsumer, AsyncProducer
    from ottla.config.consumer_options import ConsumerOptions
    from ottla.config.producer_options import ProducerOptions

    if properties["acks"] == "0":
        raise usage("e2e needs an acknowledgement: --acks 1 or all")
    reading = {**run.settings(ConsumerOptions), "enable.auto.commit": "false"}
    writing = {**run.settings(ProducerOptions), **properties}
    payloads = random_payloads(size)
    latencies = Latencies()
    async with AsyncConsumer(reading) as consumer, AsyncProducer(writing) as producer:
        await start_at_end(consumer, topic)
        await round_trip(producer, consumer, topic, Sample(None, payloads.next(), ()))  # connections, metadata
        began = time.perf_counter()
        for _ in range(count):
            elapsed_ns = await round_trip(producer, consumer, topic, Sample(None, payloads.next(), ()))
            latencies.add(elapsed_ns / 1e6, 1, size)
            progress.advance()
        return _with_latencies("e2e", latencies, time.perf_counter() - began)


def _with_latencies(test: str, latencies: Latencies, seconds: float) -> Measured:
    p50, p99, p999 = latencies.percentiles((0.5, 0.99, 0.999))
    rate, mib = latencies.count / max(seconds, 1e-9), latencies.size / MIB / max(seconds, 1e-9)
    return Measured(test, latencies.count, seconds, rate, mib, latencies.average_ms, p50, p99, p999)


def _rounded(measured: Measured) -> Measured:
    average_ms = None if measured.average_ms is None else round(measured.average_ms, 2)
    return measured._replace(
        seconds=round(measured.seconds, 3),
        records_per_second=round(measured.records_per_second),
        mib_per_second=round(measured.mib_per_second, 1),
        average_ms=average_ms,
    )
