"""`ottla replica-verification` (kafka-replica-verification.sh): how far replicas are behind their leaders."""

import re
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING

import click

from ottla.cli.failures import Failure, usage
from ottla.cli.kafka.group_rows import end_offsets
from ottla.cli.old_flags import renamed
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin


@kafka_tool("replica-verification", old=[renamed("--topic-white-list", "--topics-include")])
@click.option("--broker-list", required=True, metavar="HOST:PORT,…", help="Brokers to ask.")
@click.option("--topics-include", default=".*", metavar="REGEX", help="Topics to look at.")
@click.option("--fetch-size", type=int, metavar="BYTES", help="Accepted, without effect.")
@click.option("--max-wait-ms", type=int, metavar="MS", help="Accepted, without effect.")
@click.option("--time", "moment", type=int, metavar="MS", help="Accepted, without effect.")
@click.option("--report-interval-ms", type=int, default=30000, metavar="MS", help="How often to report.")
def replica_verification(
    run: Run,
    broker_list: str,
    topics_include: str,
    fetch_size: int | None,
    max_wait_ms: int | None,
    moment: int | None,
    report_interval_ms: int,
) -> int:
    """Report the largest lag of all replicas until Ctrl-C (kafka-replica-verification.sh).

    The lag is what the brokers report. Kafka's tool also compares the records of the replicas; this one does not.
    """
    if report_interval_ms < 1:
        raise usage("--report-interval-ms must be 1 or more")
    run.flags = run.flags._replace(bootstrap=broker_list)
    try:
        pattern = re.compile(topics_include)
    except re.error as error:
        raise usage(f"{topics_include} is an invalid regex: {error}") from None
    with run.admin() as admin:
        names = [each.name for each in admin.list_topics() if pattern.fullmatch(each.name)]
        if not names:
            raise Failure(f"No topics found. --topics-include {topics_include} matches no topic")
        print(f"{_now()}: verification process is started.")
        while True:
            print(report(admin, names), flush=True)
            sys.stdout.flush()
            time.sleep(report_interval_ms / 1000)


def report(admin: "Admin", names: list[str]) -> str:
    lags: dict[TopicPartition, int] = {}
    for directories in admin.describe_log_dirs().values():
        for directory in directories:
            for partition, replica in directory.replicas.items():
                if partition.topic in names and not replica.is_future:
                    lags[partition] = max(lags.get(partition, 0), replica.offset_lag)
    if not lags:
        return f"{_now()}: no replicas of the topics were found"
    worst = max(sorted(lags), key=lambda each: lags[each])
    offset = end_offsets(admin, [worst]).get(worst, 0) - lags[worst]
    return f"{_now()}: max lag is {lags[worst]} for partition {worst} at offset {offset} among {len(lags)} partitions"


def _now() -> str:
    return datetime.now().isoformat(sep=" ", timespec="milliseconds").replace(".", ",")
