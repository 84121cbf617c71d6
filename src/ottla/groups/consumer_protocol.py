"""The bytes that classic members of type "consumer" exchange: subscription and assignment.

For a classic group they are opaque and are handed on byte for byte. The coordinator reads them only to know the topics
of a group, and writes them only for classic members inside a consumer group.
"""

import struct
from collections.abc import Mapping

from ottla.groups.topics import Topics
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.generated import consumer_protocol_assignment
from ottla.protocol.generated.consumer_protocol_assignment import ConsumerProtocolAssignment
from ottla.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription

_VERSION = struct.Struct(">h")
_NEWEST = 3


def read_version(data: bytes) -> int | None:
    """A newer version than ours is read as our newest: fields are only ever added at the end."""
    if len(data) < 2:
        return None
    version: int = _VERSION.unpack_from(data)[0]
    return None if version < 0 else min(version, _NEWEST)


def read_subscription(data: bytes) -> ConsumerProtocolSubscription | None:
    """None when the bytes are invalid."""
    version = read_version(data)
    if version is None:
        return None
    # Some clients name a version and leave out its later fields: then what every version has is read.
    for candidate in dict.fromkeys((version, 0)):
        try:
            return ConsumerProtocolSubscription.decode(data, 2, candidate)[0]
        except RemoteProtocolError:
            continue
    return None


def read_assignment(data: bytes, topics: Topics) -> dict[bytes, frozenset[int]] | None:
    """Partitions by topic id; topics that are gone are left out. None when the bytes are invalid."""
    if not data:
        return {}
    version = read_version(data)
    if version is None:
        return None
    try:
        assignment, _ = ConsumerProtocolAssignment.decode(data, 2, version)
    except RemoteProtocolError:
        return None
    return by_topic_id({entry.topic: entry.partitions for entry in assignment.assigned_partitions}, topics)


def by_topic_id(partitions: Mapping[str, list[int]], topics: Topics) -> dict[bytes, frozenset[int]]:
    found = {}
    for name, indexes in partitions.items():
        topic = topics.by_name(name)
        if topic is not None:
            found[topic.topic_id] = frozenset(indexes)
    return found


def write_assignment(partitions: Mapping[bytes, frozenset[int]], version: int, topics: Topics) -> bytes:
    assignment = ConsumerProtocolAssignment()
    for topic_id, indexes in partitions.items():
        topic = topics.by_id(topic_id)
        if topic is not None:
            assignment.assigned_partitions.append(
                consumer_protocol_assignment.AssignedPartitions(topic=topic.name, partitions=sorted(indexes))
            )
    data = bytearray(_VERSION.pack(version))
    assignment.encode(data, version)
    return bytes(data)
