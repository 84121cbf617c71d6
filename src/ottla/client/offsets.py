"""Offsets that are committed, and who commits them."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from ottla.model.topic import TopicPartition

NO_LEADER_EPOCH = -1
NO_GENERATION = -1


class OffsetAndMetadata(NamedTuple):
    """The offset of the next record to read, with a note of the user's.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     delivery = producer.send("notes", b"first")
    >>> with Consumer(bootstrap_servers=servers, group_id="notes") as consumer:
    ...     consumer.commit({TopicPartition("notes", 0): OffsetAndMetadata(5, "after the audit")})
    ...     consumer.committed([TopicPartition("notes", 0)])[TopicPartition("notes", 0)].metadata
    'after the audit'
    """

    offset: int
    metadata: str = ""
    leader_epoch: int = NO_LEADER_EPOCH


class ConsumerGroupMetadata(NamedTuple):
    """Which member of a group commits: `consumer.group_metadata()`, or only the id for a consumer without members.

    >>> ConsumerGroupMetadata("billing").group_id
    'billing'
    """

    group_id: str
    generation_id: int = NO_GENERATION
    member_id: str = ""
    group_instance_id: str | None = None


#: What calls take: a plain offset where there is nothing to note.
Offsets: TypeAlias = Mapping[TopicPartition, int | OffsetAndMetadata]


def by_topic(offsets: Offsets) -> dict[str, list[tuple[int, OffsetAndMetadata]]]:
    """As requests have them: by topic, each with its partitions."""
    topics: dict[str, list[tuple[int, OffsetAndMetadata]]] = {}
    for (topic, partition), offset in offsets.items():
        noted = offset if isinstance(offset, OffsetAndMetadata) else OffsetAndMetadata(offset)
        topics.setdefault(topic, []).append((partition, noted))
    return topics
