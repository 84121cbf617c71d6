"""`ottla consumer-perf-test` (kafka-consumer-perf-test.sh): how fast a topic can be read."""

import asyncio
import random
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ottla.cli.failures import usage
from ottla.cli.old_flags import BROKER_LIST, renamed, without_effect
from ottla.cli.perf.consuming import Consumed, Joining, consume
from ottla.cli.perf.reports import java_date, metric_lines
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool

if TYPE_CHECKING:
    from ottla.client import AsyncConsumer
    from ottla.client.metrics import Metrics

_OLD = (
    *BROKER_LIST,
    renamed("--messages", "--num-records"),
    renamed("--consumer.config", "--command-config"),
    renamed("--consumer-config", "--command-config"),
    without_effect("--threads"),
    without_effect("--num-fetch-threads"),
)
_COLUMNS = (
    "data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, fetch.time.ms, fetch.MB.sec, "
    "fetch.nMsg.sec"
)


class Reporting(NamedTuple):
    interval_ms: int
    is_detailed: bool
    date_format: str


@kafka_tool("consumer-perf-test", old=_OLD)
@click.option("--topic", metavar="TOPIC", help="The topic to read.")
@click.option("--include", metavar="REGEX", help="Read all topics whose name matches.")
@click.option("--num-records", type=click.IntRange(1), metavar="COUNT", help="Stop after so many records.")
@click.option("--group", metavar="GROUP", help="The group to read as; a new one unless given.")
@click.option("--fetch-size", type=int, default=1_048_576, metavar="BYTES", help="Max bytes a partition and fetch.")
@click.option("--socket-buffer-size", type=int, default=2_097_152, metavar="BYTES", help="Size of the receive buffer.")
@click.option("--from-latest", is_flag=True, help="Start at the end where the group has no offset.")
@click.option("--timeout", "timeout_ms", type=int, default=10_000, metavar="MS", help="Max time between records.")
@click.option("--reporting-interval", type=click.IntRange(1), default=5000, metavar="MS", help="Length of a window.")
@click.option("--show-detailed-stats", is_flag=True, help="Print a line for each window.")
@click.option("--date-format", default="yyyy-MM-dd HH:mm:ss:SSS", metavar="FORMAT", help="Java's SimpleDateFormat.")
@click.option("--hide-header", is_flag=True, help="Do not print the names of the columns.")
@click.option("--print-metrics", is_flag=True, help="Print the client's metrics at the end.")
def consumer_perf_test(
    run: Run,
    topic: str | None,
    include: str | None,
    num_records: int | None,
    group: str | None,
    fetch_size: int,
    socket_buffer_size: int,
    from_latest: bool,
    timeout_ms: int,
    reporting_interval: int,
    show_detailed_stats: bool,
    date_format: str,
    hide_header: bool,
    print_metrics: bool,
) -> int:
    """Read records and print how fast they came (kafka-consumer-perf-test.sh)."""
    if (topic is None) == (include is None):
        raise usage("Exactly one of --include/--topic is required.")
    if num_records is None:
        raise usage("Missing required argument: --num-records")
    run.require_reachable()
    from ottla.config.consumer_options import ConsumerOptions

    settings = run.settings(
        ConsumerOptions,
        client_id="perf-consumer-client",
        group_id=f"perf-consumer-{random.randrange(100_000)}",
        max_partition_fetch_bytes=fetch_size,
        receive_buffer_bytes=socket_buffer_size,
        auto_offset_reset="latest" if from_latest else "earliest",
        check_crcs=False,
    )
    if group is not None:
        settings["group.id"] = group
    if not hide_header:
        print(f"{'time, threadId' if show_detailed_stats else 'start.time, end.time'}, {_COLUMNS}")
    reporting = Reporting(reporting_interval, show_detailed_stats, date_format)
    metrics = asyncio.run(_measure(settings, topic, include, num_records, timeout_ms, reporting))
    for line in metric_lines(metrics) if print_metrics else ():
        print(line)
    return 0


async def _measure(
    settings: dict[str, Any],
    topic: str | None,
    include: str | None,
    num_records: int,
    timeout_ms: int,
    reporting: Reporting,
) -> "Metrics":
    """What the consumer has counted."""
    from ottla.client import AsyncConsumer

    began_ms = _now_ms()
    joining = Joining()
    async with AsyncConsumer(settings) as consumer:
        if include is not None:
            consumer.subscribe(pattern=include, listener=joining)
        else:
            consumer.subscribe([topic or ""], listener=joining)
        total = await _consume(consumer, joining, num_records, timeout_ms, reporting)
        ended_ms = _now_ms()
        metrics = consumer.metrics()
    if total.count < num_records:
        print(
            f"WARNING: Exiting before consuming the expected number of messages: timeout ({timeout_ms} ms) exceeded. "
            "You can use the --timeout option to increase the timeout."
        )
    if not reporting.is_detailed:
        dates = [java_date(datetime.fromtimestamp(each / 1000), reporting.date_format) for each in (began_ms, ended_ms)]
        print(f"{dates[0]}, {dates[1]}, {_figures(total, total, ended_ms - began_ms, joining.total_ms)}")
    return metrics


async def _consume(
    consumer: "AsyncConsumer", joining: Joining, num_records: int, timeout_ms: int, reporting: Reporting
) -> Consumed:
    total = Consumed()
    window, window_began_ms = Consumed(), _now_ms()
    async for part in consume(consumer, num_records, timeout_ms):
        total += part
        window += part
        now_ms = _now_ms()
        if now_ms - window_began_ms >= reporting.interval_ms:
            if reporting.is_detailed:
                date = java_date(datetime.fromtimestamp(now_ms / 1000), reporting.date_format)
                joined_ms = joining.take_window_ms()
                print(f"{date}, 0, {_figures(total, window, now_ms - window_began_ms, joined_ms)}")
                sys.stdout.flush()
            window, window_began_ms = Consumed(), now_ms
    return total


def _figures(total: Consumed, window: Consumed, elapsed_ms: int, joined_ms: int) -> str:
    """Sums since the start, rates of the window."""
    seconds = max(elapsed_ms, 1) / 1000
    fetch_ms = elapsed_ms - joined_ms
    fetch_seconds = fetch_ms / 1000
    mib_rate, rate = (window.mib / fetch_seconds, window.count / fetch_seconds) if fetch_ms > 0 else (0.0, 0.0)
    return (
        f"{total.mib:.4f}, {window.mib / seconds:.4f}, {total.count}, {window.count / seconds:.4f}, "
        f"{joined_ms}, {fetch_ms}, {mib_rate:.4f}, {rate:.4f}"
    )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
