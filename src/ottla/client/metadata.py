"""The cluster as a client knows it: an immutable image, replaced as a whole when metadata arrives. No I/O."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ottla.model.error_codes import STALE_METADATA, ErrorCode
from ottla.model.topic import NO_TOPIC_ID, TopicPartition

NO_LEADER = -1


class Node(NamedTuple):
    """A broker. Bootstrap servers have negative ids until the metadata has their ids.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     [node] = admin.describe_cluster().nodes
    >>> node.address == (node.host, node.port)
    True
    """

    id: int
    host: str
    port: int
    rack: str | None = None

    @property
    def address(self) -> tuple[str, int]:
        return self.host, self.port


class PartitionView(NamedTuple):
    """A partition in a `TopicDescription`.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("views")])
    ...     [view] = admin.describe_topics(["views"])["views"].partitions
    >>> view.partition, view.offline_replicas
    (0, ())
    """

    partition: int
    leader_id: int
    leader_epoch: int
    replicas: tuple[int, ...]
    in_sync_replicas: tuple[int, ...]
    offline_replicas: tuple[int, ...]


class TopicView(NamedTuple):
    """`error` is NONE for a topic that can be used; then partitions are in order of their number."""

    name: str
    id: bytes
    is_internal: bool
    partitions: tuple[PartitionView, ...]
    error: ErrorCode = ErrorCode.NONE


class ClusterImage(NamedTuple):
    """`topics` has those that were asked for last, also with an error; `version` counts images."""

    version: int
    cluster_id: str | None
    controller_id: int
    nodes: Mapping[int, Node]
    topics: Mapping[str, TopicView]
    topic_names: Mapping[bytes, str]

    def leader_of(self, partition: TopicPartition) -> Node | None:
        """None when the partition is not known, or nobody leads it."""
        view = self.partition(partition)
        return self.nodes.get(view.leader_id) if view is not None else None

    def partition(self, partition: TopicPartition) -> PartitionView | None:
        topic = self.topics.get(partition.topic)
        if topic is None or not 0 <= partition.partition < len(topic.partitions):
            return None
        return topic.partitions[partition.partition]

    def racks_of(self, topics: Iterable[TopicView]) -> dict[TopicPartition, frozenset[str]]:
        """The racks of the replicas of each partition; empty where no node has a rack."""
        racks = {node.id: node.rack for node in self.nodes.values() if node.rack}
        if not racks:
            return {}
        return {
            TopicPartition(topic.name, view.partition): frozenset(
                racks[each] for each in view.replicas if each in racks
            )
            for topic in topics
            for view in topic.partitions
        }

    def with_leader(self, partition: TopicPartition, leader_id: int, leader_epoch: int) -> "ClusterImage":
        """The image after a broker has named a newer leader in a response (KIP-951)."""
        topic, view = self.topics.get(partition.topic), self.partition(partition)
        if topic is None or view is None or leader_epoch <= view.leader_epoch or leader_id not in self.nodes:
            return self
        changed = view._replace(leader_id=leader_id, leader_epoch=leader_epoch)
        partitions = (*topic.partitions[: view.partition], changed, *topic.partitions[view.partition + 1 :])
        topics = {**self.topics, topic.name: topic._replace(partitions=partitions)}
        return self._replace(version=self.version + 1, topics=topics)

    def with_nodes(self, nodes: Iterable[Node]) -> "ClusterImage":
        return self._replace(version=self.version + 1, nodes={**self.nodes, **{node.id: node for node in nodes}})


def is_stale(topic: TopicView) -> bool:
    """Whether it cannot be used, or not all of it, and that may change."""
    return topic.error in STALE_METADATA or any(view.leader_id == NO_LEADER for view in topic.partitions)


NOTHING_KNOWN = ClusterImage(0, None, NO_LEADER, {}, {}, {})


def image_after(before: ClusterImage, response: Any, *, keeps: bool = False) -> ClusterImage:
    """The image after a MetadataResponse. With `keeps`, topics that were not asked for stay as they were.

    A partition with an older leader epoch than the known one comes from a broker that is behind: what is known stays,
    unless the topic is another one with the same name (KIP-320).
    """
    nodes = {row.node_id: Node(row.node_id, row.host, row.port, row.rack) for row in response.brokers}
    topics = dict(before.topics) if keeps else {}
    for row in response.topics:
        if row.name is not None:
            topics[row.name] = _topic_after(before.topics.get(row.name), row)
    return ClusterImage(
        version=before.version + 1,
        cluster_id=response.cluster_id,
        controller_id=response.controller_id,
        nodes=nodes,
        topics=topics,
        topic_names={topic.id: name for name, topic in topics.items() if topic.id != NO_TOPIC_ID},
    )


def controllers_after(before: ClusterImage, response: Any) -> ClusterImage:
    """The image after a DescribeClusterResponse of a controller: its nodes are the controllers."""
    return ClusterImage(
        version=before.version + 1,
        cluster_id=response.cluster_id,
        controller_id=response.controller_id,
        nodes={row.broker_id: Node(row.broker_id, row.host, row.port, row.rack) for row in response.brokers},
        topics={},
        topic_names={},
    )


def _topic_after(before: TopicView | None, row: Any) -> TopicView:
    error = ErrorCode(row.error_code) if row.error_code in ErrorCode._value2member_map_ else ErrorCode(-1)
    known: Mapping[int, PartitionView] = {}
    if before is not None and before.id == row.topic_id:
        known = {partition.partition: partition for partition in before.partitions}
    partitions = []
    for index, part in enumerate(sorted(row.partitions, key=lambda part: part.partition_index)):
        if part.partition_index != index:
            break  # a gap: what lies behind it cannot be addressed yet
        view = PartitionView(
            index,
            part.leader_id,
            part.leader_epoch,
            tuple(part.replica_nodes),
            tuple(part.isr_nodes),
            tuple(part.offline_replicas),
        )
        older = known.get(index)
        partitions.append(older if older is not None and 0 <= view.leader_epoch < older.leader_epoch else view)
    return TopicView(row.name, row.topic_id, row.is_internal, tuple(partitions), error)
