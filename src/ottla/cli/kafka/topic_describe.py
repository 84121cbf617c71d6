"""The description of topics: rows for all formats, and Kafka's lines."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ottla.cli.results import Result
from ottla.client import (
    ConfigEntry,
    ConfigResource,
    ConfigResourceType,
    Reassignment,
    RequestRefused,
    TopicDescription,
    TopicPartition,
    UnsupportedByBroker,
)
from ottla.model.topic import id_text

if TYPE_CHECKING:
    from ottla.client import Admin


class TopicRow(NamedTuple):
    topic: str


class Filters(NamedTuple):
    """Which partitions are shown; none given: all."""

    under_replicated: bool = False
    unavailable: bool = False
    under_min_isr: bool = False
    at_min_isr: bool = False
    with_overrides: bool = False

    @property
    def is_about_partitions(self) -> bool:
        return self.under_replicated or self.unavailable or self.under_min_isr or self.at_min_isr


class PartitionRow(NamedTuple):
    partition: int
    leader: int | None
    replicas: list[int]
    in_sync_replicas: list[int]
    adding_replicas: list[int] | None
    removing_replicas: list[int] | None
    #: None: the broker does not know.
    eligible_leader_replicas: list[int] | None
    last_known_eligible_leader_replicas: list[int] | None

    @property
    def is_under_replicated(self) -> bool:
        return len(self.in_sync_replicas) < len(self.replicas) - len(self.adding_replicas or ())


class DescribedTopic(NamedTuple):
    topic: str
    topic_id: str
    partition_count: int
    replication_factor: int
    configs: dict[str, str | None]
    partitions: list[PartitionRow]
    min_insync_replicas: int


def describe_rows(admin: "Admin", names: Sequence[str]) -> list[DescribedTopic]:
    if not names:
        return []
    described = admin.describe_topics(names)
    configs = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, name) for name in names])
    moves = _moves(admin)
    try:
        eligible = admin.eligible_leaders(names)
    except (UnsupportedByBroker, RequestRefused):
        eligible = {}

    def partition(topic: TopicDescription, number: int) -> PartitionRow:
        view = topic.partitions[number]
        key = TopicPartition(topic.name, number)
        move, known = moves.get(key), eligible.get(key)
        return PartitionRow(
            number,
            view.leader_id if view.leader_id >= 0 else None,
            list(view.replicas),
            list(view.in_sync_replicas),
            list(move.adding_replicas) if move else None,
            list(move.removing_replicas) if move else None,
            list(known.eligible) if known else None,
            list(known.last_known) if known else None,
        )

    return [
        _row(
            described[name],
            configs[ConfigResource(ConfigResourceType.TOPIC, name)],
            [partition(described[name], number) for number in range(len(described[name].partitions))],
        )
        for name in names
    ]


def _moves(admin: "Admin") -> dict[TopicPartition, Reassignment]:
    """None known where the right to see them is missing, or the broker does not serve them."""
    try:
        return admin.list_partition_reassignments()
    except (RequestRefused, UnsupportedByBroker):
        return {}


def _row(topic: TopicDescription, configs: dict[str, ConfigEntry], partitions: list[PartitionRow]) -> DescribedTopic:
    minimum = configs.get("min.insync.replicas")
    return DescribedTopic(
        topic.name,
        id_text(topic.topic_id),
        len(partitions),
        len(partitions[0].replicas) if partitions else 0,
        {name: entry.value for name, entry in configs.items() if not entry.is_default},
        partitions,
        int(minimum.value) if minimum is not None and minimum.value else 1,
    )


def describe_result(topics: Sequence[DescribedTopic], filters: Filters) -> Result:
    shown = [
        topic._replace(partitions=[row for row in topic.partitions if _fits(row, topic, filters)])
        for topic in topics
        if not filters.with_overrides or topic.configs
    ]
    if filters.is_about_partitions:
        shown = [topic for topic in shown if topic.partitions]
    columns = ("topic", "topic_id", "partition_count", "replication_factor", "configs")
    return Result("topic_descriptions", shown, columns, text="\n".join(_lines(shown, filters)))


def _fits(row: PartitionRow, topic: DescribedTopic, filters: Filters) -> bool:
    in_sync = len(row.in_sync_replicas)
    return (
        not filters.is_about_partitions
        or (filters.under_replicated and row.is_under_replicated)
        or (filters.unavailable and row.leader is None)
        or (filters.under_min_isr and in_sync < topic.min_insync_replicas)
        or (filters.at_min_isr and in_sync == topic.min_insync_replicas)
    )


def _lines(topics: Sequence[DescribedTopic], filters: Filters) -> Iterator[str]:
    for topic in topics:
        if not filters.is_about_partitions:
            configs = ",".join(f"{name}={value}" for name, value in topic.configs.items())
            yield (
                f"Topic: {topic.topic}\tTopicId: {topic.topic_id}\tPartitionCount: {topic.partition_count}\t"
                f"ReplicationFactor: {topic.replication_factor}\tConfigs: {configs}"
            )
        if not filters.with_overrides:
            yield from (_partition_line(topic.topic, row) for row in topic.partitions)


def _partition_line(topic: str, row: PartitionRow) -> str:
    leader = "none" if row.leader is None else row.leader
    line = f"\tTopic: {topic}\tPartition: {row.partition}\tLeader: {leader}"
    line += f"\tReplicas: {_joined(row.replicas)}\tIsr: {_joined(row.in_sync_replicas)}"
    if row.adding_replicas is not None:
        line += f"\tAdding Replicas: {_joined(row.adding_replicas)}"
        line += f"\tRemoving Replicas: {_joined(row.removing_replicas or ())}"
    eligible, last = row.eligible_leader_replicas, row.last_known_eligible_leader_replicas
    line += f"\tElr: {'N/A' if eligible is None else _joined(eligible)}"
    return line + f"\tLastKnownElr: {'N/A' if last is None else _joined(last)}"


def _joined(ids: Sequence[int]) -> str:
    return ",".join(map(str, ids))
