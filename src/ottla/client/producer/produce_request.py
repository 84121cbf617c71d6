"""Batches as a produce request, and a produce response by partition. No I/O."""

from collections.abc import Mapping
from typing import Any

from ottla.client.metadata import ClusterImage, Node
from ottla.model.topic import NO_TOPIC_ID, TopicPartition
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.parts import BytesPart
from ottla.protocol.wire import Buffer
from ottla.runtime.channel import Channel

#: From the next version on, topics are named by their ids.
_LAST_BY_NAME = 12


def produce_request(
    channel: Channel,
    parts: list[tuple[TopicPartition, Buffer]],
    image: ClusterImage,
    *,
    acks: int,
    timeout_ms: int,
    transactional_id: str | None,
    max_version: int,
) -> tuple[ProduceRequest, int]:
    """The request and its version. The batches are not copied into it."""
    topics: dict[str, TopicData] = {}
    has_ids = True
    for partition, data in parts:
        topic = topics.get(partition.topic)
        if topic is None:
            view = image.topics.get(partition.topic)
            topic_id = view.id if view is not None else NO_TOPIC_ID
            has_ids = has_ids and topic_id != NO_TOPIC_ID
            topic = topics[partition.topic] = TopicData(topic_id, partition.topic, [])
        topic.partition_data.append(PartitionData(partition.partition, BytesPart(data)))
    request = ProduceRequest(transactional_id, acks, timeout_ms, list(topics.values()))
    return request, channel.version_for(ProduceRequest, max_version if has_ids else min(max_version, _LAST_BY_NAME))


class ProduceResults:
    """The rows of a response."""

    __slots__ = ("_rows", "nodes")

    def __init__(self, rows: dict[TopicPartition, Any], nodes: list[Node]) -> None:
        self._rows = rows
        self.nodes = nodes

    def of(self, partition: TopicPartition) -> Any:
        """None when the broker has left it out."""
        return self._rows.get(partition)


def results_of(response: Any, names: Mapping[bytes, str]) -> ProduceResults:
    """`names` are those of the request: a response may have ids only."""
    rows = {}
    for topic in response.responses:
        name = topic.name or names.get(topic.topic_id, "")
        for row in topic.partition_responses:
            rows[TopicPartition(name, row.index)] = row
    nodes = [Node(node.node_id, node.host, node.port, node.rack) for node in response.node_endpoints]
    return ProduceResults(rows, nodes)
