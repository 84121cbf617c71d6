"""The cluster as data: the replayed metadata log at one offset, as an immutable view.

A batch of records makes one new image (`ottla.metadata.image_builder`). What a batch does not touch is shared with the
image before, so whoever holds an image may read it for as long as it likes, and two images can be compared cheaply
(`ottla.metadata.delta`).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from ottla.metadata.broker_registration import BrokerRegistration
from ottla.metadata.partition_registration import PartitionRegistration
from ottla.metadata.topics_image import NO_TOPICS, TopicImage, TopicsImage
from ottla.model.error_codes import ErrorCode

TOPIC_RESOURCE = 2
BROKER_RESOURCE = 4
BROKER_LOGGER_RESOURCE = 8
CLIENT_METRICS_RESOURCE = 16
GROUP_RESOURCE = 32

METADATA_VERSION = "metadata.version"

#: A config resource: its type and its name. The broker with the empty name is the default of all brokers.
ConfigResource: TypeAlias = tuple[int, str]
#: A quota entity: sorted pairs of entity type and name; None is the default entity of that type.
QuotaEntity: TypeAlias = tuple[tuple[str, str | None], ...]

_NO_OVERRIDES: Mapping[str, str] = {}


class MetadataImage(NamedTuple):
    """Immutable: the mappings must not be changed by anyone. `offset` is that of the last record that went in."""

    cluster_id: str = ""
    controller_id: int = -1
    offset: int = -1
    epoch: int = -1
    timestamp_ms: int = -1
    topics: TopicsImage = NO_TOPICS
    brokers: Mapping[int, BrokerRegistration] = {}
    configs: Mapping[ConfigResource, Mapping[str, str]] = {}
    features: Mapping[str, int] = {}
    #: The first producer id that no block has taken yet.
    next_producer_id: int = 0
    client_quotas: Mapping[QuotaEntity, Mapping[str, float]] = {}
    # Kept as the records themselves: nothing is lost in snapshots, and their readers know the records anyway.
    controllers: Mapping[int, Any] = {}
    scram_credentials: Mapping[tuple[str, int], Any] = {}
    acls: Mapping[bytes, Any] = {}
    delegation_tokens: Mapping[str, Any] = {}
    zk_migration_state: int = 0

    def topic(self, name: str) -> TopicImage | None:
        return self.topics.by_name.get(name)

    def topic_by_id(self, topic_id: bytes) -> TopicImage | None:
        return self.topics.get_by_id(topic_id)

    def partition(self, name: str, index: int) -> PartitionRegistration | None:
        topic = self.topics.by_name.get(name)
        return None if topic is None else topic.partitions.get(index)

    def config_overrides(self, resource_type: int, name: str) -> Mapping[str, str]:
        """What was set for this resource; empty when nothing was."""
        return self.configs.get((resource_type, name), _NO_OVERRIDES)

    def feature_level(self, name: str) -> int:
        return self.features.get(name, 0)

    def broker(self, broker_id: int) -> BrokerRegistration | None:
        return self.brokers.get(broker_id)

    def leader_error(self, partition: PartitionRegistration, listener: str) -> ErrorCode:
        """Why a client that came through `listener` cannot be sent to the partition's leader; NONE when it can."""
        leader = self.broker(partition.leader) if partition.has_leader else None
        if leader is None or leader.is_fenced:
            return ErrorCode.LEADER_NOT_AVAILABLE
        return ErrorCode.NONE if leader.endpoint(listener) is not None else ErrorCode.LISTENER_NOT_FOUND

    def is_alive(self, broker_id: int) -> bool:
        """Registered and not fenced: clients may be sent there."""
        broker = self.brokers.get(broker_id)
        return broker is not None and not broker.is_fenced

    def is_active(self, broker_id: int) -> bool:
        broker = self.brokers.get(broker_id)
        return broker is not None and broker.is_active

    def alive_brokers(self) -> list[BrokerRegistration]:
        return [broker for _, broker in sorted(self.brokers.items()) if not broker.is_fenced]


EMPTY_IMAGE = MetadataImage()
