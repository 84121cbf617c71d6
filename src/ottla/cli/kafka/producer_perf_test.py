"""`ottla producer-perf-test` (kafka-producer-perf-test.sh): how fast records are acknowledged."""

import asyncio
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from ottla.cli.failures import usage
from ottla.cli.old_flags import renamed
from ottla.cli.perf.latencies import ProducerReport
from ottla.cli.perf.payloads import Payloads, file_payloads, monotonic_payloads, random_payloads
from ottla.cli.perf.producing import Plan, ProducerRun, has_columns
from ottla.cli.perf.reports import metric_lines
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool

if TYPE_CHECKING:
    from ottla.client.metrics import Metrics

_OLD = (
    renamed("--producer-props", "--command-property"),
    renamed("--producer.config", "--command-config"),
    renamed("--messages", "--num-records"),
)
_PAYLOADS = ("--record-size", "--payload-file", "--payload-monotonic")
_DEFAULT_TRANSACTION_MS = 3000
#: Whoever sets one of these measures batches of that kind: tables would not fill them.
_BATCH_SETTINGS = ("batch.size", "linger.ms", "max.in.flight.requests.per.connection")


@kafka_tool("producer-perf-test", old=_OLD, many_values=("--command-property",))
@click.option("--topic", required=True, metavar="TOPIC", help="Where the records go.")
@click.option("--num-records", type=click.IntRange(1), required=True, metavar="COUNT", help="Records to send.")
@click.option("--record-size", type=click.IntRange(1), metavar="BYTES", help="Size of each value.")
@click.option("--payload-file", metavar="FILE", help="Send the values of this file, in random order.")
@click.option("--payload-delimiter", default="\\n", metavar="TEXT", help="Between values of the file.")
@click.option("--payload-monotonic", is_flag=True, help="Send rising numbers as values.")
@click.option("--throughput", type=float, required=True, metavar="N", help="Records a second; -1: no limit.")
@click.option("--transactional-id", metavar="ID", help="Send in transactions.")
@click.option("--transaction-duration-ms", type=click.IntRange(1), metavar="MS", help="Max age of a transaction.")
@click.option("--warmup-records", type=click.IntRange(0), default=0, metavar="COUNT", help="Not in the second total.")
@click.option("--reporting-interval", type=click.IntRange(1), default=5000, metavar="MS", help="Length of a window.")
@click.option("--print-metrics", is_flag=True, help="Print the client's metrics at the end.")
def producer_perf_test(
    run: Run,
    topic: str,
    num_records: int,
    record_size: int | None,
    payload_file: str | None,
    payload_delimiter: str,
    payload_monotonic: bool,
    throughput: float,
    transactional_id: str | None,
    transaction_duration_ms: int | None,
    warmup_records: int,
    reporting_interval: int,
    print_metrics: bool,
) -> int:
    """Send records and print how fast they were acknowledged (kafka-producer-perf-test.sh)."""
    if warmup_records >= num_records:
        raise usage("The value for --warmup-records must be strictly fewer than the number of records in the test.")
    payloads = _payloads(record_size, payload_file, payload_delimiter, payload_monotonic)
    run.require_reachable()
    from ottla.config.producer_options import ProducerOptions

    settings = run.settings(ProducerOptions, client_id="perf-producer-client")
    transaction_ms = _transactions(settings, transactional_id, transaction_duration_ms)
    plan = Plan(topic, num_records, throughput, transaction_ms)
    interval_s = reporting_interval / 1000
    if warmup_records:
        print(
            f"Warmup first {warmup_records} records. Steady state results will print after the complete test summary.",
            flush=True,
        )
    totals, metrics = asyncio.run(_measure(settings, plan, payloads, interval_s, warmup_records))
    for line in (*totals, *(metric_lines(metrics) if print_metrics else ())):
        print(line)
    return 0


def _payloads(size: int | None, file: str | None, delimiter: str, monotonic: bool) -> Payloads:
    if sum((size is not None, file is not None, monotonic)) != 1:
        raise usage(f"exactly one of {', '.join(_PAYLOADS)} is required")
    if size is not None:
        return random_payloads(size)
    return file_payloads(file, delimiter) if file is not None else monotonic_payloads()


def _transactions(settings: dict[str, Any], transactional_id: str | None, duration_ms: int | None) -> int | None:
    """The length of a transaction; None without transactions. An id is chosen where only a duration is given."""
    if transactional_id is not None:
        settings["transactional.id"] = transactional_id
    if "transactional.id" not in settings:
        if duration_ms is None:
            return None
        from uuid import uuid4

        settings["transactional.id"] = f"performance-producer-{uuid4()}"
    return duration_ms or _DEFAULT_TRANSACTION_MS


async def _measure(
    settings: dict[str, Any], plan: Plan, payloads: Payloads, interval_s: float, warmup_count: int
) -> tuple[list[str], "Metrics"]:
    """The lines of the totals, and what the producer has counted."""
    from ottla.client import AsyncProducer

    async with AsyncProducer(settings) as producer:
        await producer.partitions_for(plan.topic)
        report = ProducerReport(time.perf_counter(), interval_s=interval_s, warmup_count=warmup_count)
        measured = ProducerRun(producer, plan, payloads, report, _show)
        if _uses_columns(plan, settings):
            await measured.send_columns()
        else:
            await measured.send_records()
        return report.totals(time.perf_counter()), producer.metrics()


def _uses_columns(plan: Plan, settings: dict[str, Any]) -> bool:
    is_free = plan.rate < 0 and plan.transaction_ms is None
    return is_free and not any(name in settings for name in _BATCH_SETTINGS) and has_columns()


def _show(line: str) -> None:
    print(line)
    sys.stdout.flush()
