"""Names of partition directories, whole or on their way out.

orders-0                                          a replica
orders-0.7c2a...(32 hex)-delete                   deleted, waits for file.delete.delay.ms
orders-0.7c2a...(32 hex)-future                   a copy that will replace the replica of another directory
orders-0.7c2a...(32 hex)-stray                    unknown to the cluster when it was found
"""

import re
from enum import Enum
from typing import Final, NamedTuple

from ottla.model.topic import TopicPartition, name_problem

#: The longest name that file systems take.
_NAME_LENGTH_MAX: Final = 255
_SUFFIXED: Final = re.compile(r"(?P<name>.+)\.(?P<tag>[0-9a-f]{32})-(?P<kind>delete|future|stray)\Z")
_PARTITION: Final = re.compile(r"(?P<topic>.+)-(?P<partition>0|[1-9][0-9]{0,9})\Z")


class DirectoryKind(Enum):
    LIVE = ""
    DELETE = "delete"
    FUTURE = "future"
    STRAY = "stray"


class PartitionDirectory(NamedTuple):
    #: Of a deleted or stray directory the topic may be cut, because the name would be too long.
    topic_partition: TopicPartition
    kind: DirectoryKind


def parse_directory_name(name: str) -> PartitionDirectory | None:
    """None for a name that no partition directory has."""
    kind = DirectoryKind.LIVE
    suffixed = _SUFFIXED.match(name)
    if suffixed is not None:
        name, kind = suffixed["name"], DirectoryKind(suffixed["kind"])
    found = _PARTITION.match(name)
    if found is None or int(found["partition"]) > 2**31 - 1 or name_problem(found["topic"]) is not None:
        return None
    return PartitionDirectory(TopicPartition(found["topic"], int(found["partition"])), kind)


def directory_name(topic_partition: TopicPartition, kind: DirectoryKind = DirectoryKind.LIVE, tag: bytes = b"") -> str:
    """`tag` (16 random bytes) keeps the names of several generations apart."""
    if kind is DirectoryKind.LIVE:
        return str(topic_partition)
    suffix = f"-{topic_partition.partition}.{tag.hex()}-{kind.value}"
    return topic_partition.topic[: _NAME_LENGTH_MAX - len(suffix)] + suffix
