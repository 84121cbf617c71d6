"""`ottla delete-records` (kafka-delete-records.sh): deletes what lies before given offsets."""

from typing import Any, NamedTuple

import click

from ottla.cli.failures import EXPECTED, Failure, failure_of
from ottla.cli.kafka.actions import json_file
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import TopicPartition


class DeletedRecords(NamedTuple):
    topic: str
    partition: int
    low_watermark: int | None
    error: str | None


@kafka_tool("delete-records")
@click.option("--offset-json-file", required=True, metavar="FILE", help="Partitions with offsets, as JSON.")
def delete_records(run: Run, offset_json_file: str) -> Result:
    """Delete the records before given offsets (kafka-delete-records.sh).

    \b
    {"version": 1, "partitions": [{"topic": "orders", "partition": 0, "offset": 10}]}
    """
    wanted = parse_offsets(json_file(offset_json_file), offset_json_file)
    rows: list[DeletedRecords] = []
    with run.admin() as admin:
        for partition, offset in wanted.items():
            # One by one: a partition that fails must not hide what happened to the others.
            try:
                low = admin.delete_records({partition: offset})[partition]
                rows.append(DeletedRecords(*partition, low, None))
            except EXPECTED as error:
                rows.append(DeletedRecords(*partition, None, failure_of(error).message))
    lines = ["Executing records delete operation", "Records delete operation completed:"]
    for row in rows:
        outcome = f"low_watermark: {row.low_watermark}" if row.error is None else f"error: {row.error}"
        lines.append(f"partition: {row.topic}-{row.partition}\t{outcome}")
    code = 1 if any(row.error is not None for row in rows) else 0
    return Result("deleted_records", rows, DeletedRecords._fields, text="\n".join(lines), exit_code=code)


def parse_offsets(document: dict[str, Any], path: str) -> dict[TopicPartition, int]:
    found: dict[TopicPartition, int] = {}
    try:
        for row in document["partitions"]:
            partition = TopicPartition(str(row["topic"]), int(row["partition"]))
            if partition in found:
                raise Failure(f"Offset json file contains duplicate topic partitions: {partition}")
            found[partition] = int(row["offset"])
    except (KeyError, TypeError, ValueError):
        raise Failure(f'{path}: must be {{"partitions": [{{"topic": …, "partition": …, "offset": …}}]}}') from None
    return found
