"""Plans of `ottla reassign-partitions`: JSON files, and a placement of replicas on given brokers."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ottla.cli.failures import Failure
from ottla.cli.kafka.actions import json_file
from ottla.client import TopicPartition

Plan = dict[TopicPartition, list[int]]
ANY_DIRECTORY = "any"


def read_topics(path: str) -> list[str]:
    try:
        return [str(row["topic"]) for row in json_file(path)["topics"]]
    except (KeyError, TypeError):
        raise Failure(f'{path}: must be {{"version": 1, "topics": [{{"topic": …}}]}}') from None


def read_plan(path: str) -> tuple[Plan, dict[TopicPartition, dict[int, str]]]:
    """Replicas by partition, and the log directories that are asked for, by partition and broker."""
    plan: Plan = {}
    directories: dict[TopicPartition, dict[int, str]] = {}
    try:
        for row in json_file(path)["partitions"]:
            partition = TopicPartition(str(row["topic"]), int(row["partition"]))
            replicas = [int(replica) for replica in row["replicas"]]
            _check_row(partition, replicas, row, plan)
            plan[partition] = replicas
            named = zip(replicas, row.get("log_dirs") or [], strict=False)
            chosen = {replica: str(path) for replica, path in named if path != ANY_DIRECTORY}
            if chosen:
                directories[partition] = chosen
    except (KeyError, TypeError, ValueError):
        raise Failure(
            f'{path}: must be {{"version": 1, "partitions": [{{"topic": …, "partition": …, "replicas": […]}}]}}'
        ) from None
    if not plan:
        raise Failure("Partition reassignment list cannot be empty")
    return plan, directories


def _check_row(partition: TopicPartition, replicas: Sequence[int], row: Mapping[str, Any], plan: Plan) -> None:
    if partition in plan:
        raise Failure(f"Partition reassignment contains duplicate topic partitions: {partition}")
    if not replicas:
        raise Failure(f"Partition replica list cannot be empty: {partition}")
    if len(set(replicas)) < len(replicas):
        raise Failure(f"Partition replica lists may not contain duplicate entries: {partition}")
    if row.get("log_dirs") and len(row["log_dirs"]) != len(replicas):
        raise Failure(f"{partition}: log_dirs and replicas must have the same length")


def plan_json(
    plan: Mapping[TopicPartition, Sequence[int]], directories: Mapping[tuple[TopicPartition, int], str]
) -> str:
    """In the order and the form of Kafka's tool."""
    rows = [
        {
            "topic": partition.topic,
            "partition": partition.partition,
            "replicas": list(replicas),
            "log_dirs": [directories.get((partition, replica), ANY_DIRECTORY) for replica in replicas],
        }
        for partition, replicas in sorted(plan.items())
    ]
    return json.dumps({"version": 1, "partitions": rows}, separators=(",", ":"))


def place(
    current: Mapping[TopicPartition, Sequence[int]], brokers: Sequence[int], racks: Mapping[int, str | None]
) -> Plan:
    """Each topic anew on the brokers: leaders and followers spread evenly, replicas of a partition on several racks.

    Partition p of a topic starts at broker p; with each round over the brokers the followers move one further, so that
    two leaders do not share all their followers.
    """
    order = _alternating_racks(brokers, racks)
    plan: Plan = {}
    for partition, replicas in sorted(current.items()):
        if len(replicas) > len(order):
            raise Failure(
                f"topic {partition.topic}: replication factor {len(replicas)} is larger than the number of brokers "
                f"{len(order)}"
            )
        first = partition.partition % len(order)
        shift = partition.partition // len(order)
        others = [(first + 1 + (shift + step) % (len(order) - 1)) % len(order) for step in range(len(replicas) - 1)]
        plan[partition] = [order[first], *(order[index] for index in others)]
    return plan


def _alternating_racks(brokers: Sequence[int], racks: Mapping[int, str | None]) -> list[int]:
    """Neighbours are on different racks as long as there are several."""
    by_rack: dict[str, list[int]] = {}
    for broker in sorted(set(brokers)):
        by_rack.setdefault(racks.get(broker) or "", []).append(broker)
    columns = [by_rack[rack] for rack in sorted(by_rack)]
    longest = max((len(column) for column in columns), default=0)
    return [column[index] for index in range(longest) for column in columns if index < len(column)]
