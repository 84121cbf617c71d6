"""`ottla leader-election` (kafka-leader-election.sh): elects preferred leaders, or any replica that is alive."""

from typing import NamedTuple

import click

from ottla.cli.failures import Failure, refusal_text, usage
from ottla.cli.kafka.actions import json_file
from ottla.cli.old_flags import renamed
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import RequestRefused, TopicPartition
from ottla.model.error_codes import ErrorCode


class Election(NamedTuple):
    partition: str
    outcome: str


@kafka_tool("leader-election", old=[renamed("--admin.config", "--command-config")])
@click.option(
    "--election-type", required=True, type=click.Choice(["preferred", "unclean"], case_sensitive=False), help="Which."
)
@click.option("--all-topic-partitions", is_flag=True, help="All partitions of the cluster.")
@click.option("--topic", metavar="TOPIC", help="With --partition.")
@click.option("--partition", type=int, metavar="N", help="With --topic.")
@click.option("--path-to-json-file", "path", metavar="FILE", help='{"partitions": [{"topic": …, "partition": …}]}')
def leader_election(
    run: Run, election_type: str, all_topic_partitions: bool, topic: str | None, partition: int | None, path: str | None
) -> Result:
    """Elect leaders: the preferred replicas, or unclean, any replica (kafka-leader-election.sh)."""
    if sum((all_topic_partitions, topic is not None, path is not None)) != 1:
        raise usage(
            "One and only one of the following options is required: topic, all-topic-partitions, path-to-json-file"
        )
    if (topic is None) != (partition is None):
        raise usage("Missing required option partition. Option topic requires partition")
    wanted = None if all_topic_partitions else _wanted(topic, partition, path)
    kind = election_type.upper()
    with run.admin() as admin:
        found = admin.elect_leaders(wanted, unclean=kind == "UNCLEAN", reports_not_needed=True)
    result = elections_result(kind, found)
    failures = sum(row.outcome == "failed" for row in result.items)
    if failures:
        run.note(f"{failures} replica(s) could not be elected")
    return result


def _wanted(topic: str | None, partition: int | None, path: str | None) -> list[TopicPartition]:
    if topic is not None and partition is not None:
        return [TopicPartition(topic, partition)]
    assert path is not None
    try:
        rows = [TopicPartition(str(row["topic"]), int(row["partition"])) for row in json_file(path)["partitions"]]
    except (KeyError, TypeError, ValueError):
        raise Failure(f'{path}: must be {{"partitions": [{{"topic": …, "partition": …}}]}}') from None
    if len(set(rows)) < len(rows):
        raise Failure(f"{path}: Replica election data contains duplicate partitions")
    return rows


def elections_result(kind: str, found: dict[TopicPartition, RequestRefused | None]) -> Result:
    elected = [each for each, error in found.items() if error is None]
    valid = [each for each, error in found.items() if error and error.code == ErrorCode.ELECTION_NOT_NEEDED]
    failed = {each: error for each, error in found.items() if error and error.code != ErrorCode.ELECTION_NOT_NEEDED}
    lines = []
    if elected:
        lines.append(f"Successfully completed leader election ({kind}) for partitions {_joined(elected)}")
    if valid:
        lines.append(f"Valid replica already elected for partitions {_joined(valid)}")
    for each, error in failed.items():
        lines.append(f"Error completing leader election ({kind}) for partition: {each}: {refusal_text(error)}")
    rows = [
        Election(str(each), "elected" if each in elected else "not_needed" if each in valid else "failed")
        for each in found
    ]
    return Result("elections", rows, Election._fields, text="\n".join(lines), exit_code=1 if failed else 0)


def _joined(partitions: list[TopicPartition]) -> str:
    return ", ".join(map(str, sorted(partitions)))
