"""`ottla log-dirs` (kafka-log-dirs.sh): sizes of replicas in the log directories of brokers."""

import json
from typing import Any

import click

from ottla.cli.failures import Failure, usage
from ottla.cli.kafka.actions import numbers, parts
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import LogDirectory


@kafka_tool("log-dirs")
@click.option("--describe", is_flag=True, help="Describe the log directories.")
@click.option("--topic-list", metavar="T,T", help="Only these topics.")
@click.option("--broker-list", metavar="ID,ID", help="Only these brokers.")
def log_dirs(run: Run, describe: bool, topic_list: str | None, broker_list: str | None) -> Result:
    """Show the log directories of brokers with the sizes of their replicas (kafka-log-dirs.sh)."""
    if not describe:
        raise usage("Command must include exactly one action: --describe")
    topics = set(parts(topic_list))
    with run.admin() as admin:
        known = {node.id for node in admin.describe_cluster().nodes}
        wanted = numbers("--broker-list", broker_list) or sorted(known)
        missing = sorted(set(wanted) - known)
        if missing:
            ids = ",".join(map(str, missing))
            raise Failure(f"ERROR: The given brokers do not exist from --broker-list: {ids}.")
        found = admin.describe_log_dirs(wanted)
    document = {
        "brokers": [
            {"broker": broker, "logDirs": [_directory(each, topics) for each in directories]}
            for broker, directories in found.items()
        ],
        "version": 1,
    }
    lines = [
        "Querying brokers for log directories information",
        f"Received log directory information from brokers {','.join(map(str, found))}",
        json.dumps(document, separators=(",", ":")),
    ]
    return Result("log_dirs", document["brokers"], text="\n".join(lines), document=document)  # type: ignore[arg-type]


def _directory(directory: LogDirectory, topics: set[str]) -> dict[str, Any]:
    return {
        "partitions": [
            {
                "partition": str(partition),
                "size": replica.size,
                "offsetLag": replica.offset_lag,
                "isFuture": replica.is_future,
            }
            for partition, replica in sorted(directory.replicas.items())
            if not topics or partition.topic in topics
        ],
        "error": str(directory.error) if directory.error is not None else None,
        "logDir": directory.path,
    }
