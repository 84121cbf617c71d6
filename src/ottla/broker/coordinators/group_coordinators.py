"""The group coordinator of this node: shards on `__consumer_offsets`, fed with settings and topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from ottla.broker.controller.client import ControllerClient
from ottla.broker.coordinators.coordinators import Coordinators, Hosting
from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.broker.shards.shard_host import ShardHost
from ottla.broker.storage.retention_clock import RetentionClock
from ottla.config.broker_options import BrokerOptions
from ottla.coordination.shard import RecordCodec, Shard
from ottla.doors.rng import Rng
from ottla.groups.settings import GroupSettings, MigrationPolicy, no_overrides
from ottla.groups.topics import TopicInfo
from ottla.metadata.delta import MetadataDelta
from ottla.metadata.image import GROUP_RESOURCE, MetadataImage
from ottla.metadata.topics_image import TopicImage
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import CONSUMER_OFFSETS, TopicPartition

if TYPE_CHECKING:
    from ottla.groups.shard import GroupShard

#: The first round of a classic group stays open at least this long. With group.initial.rebalance.delay.ms=0 Kafka
#: closes it by a timer of 0 ms, which takes 0.5 to 10 ms there: members that start together usually share the round.
#: Here it would take microseconds, and the second member would wait for the next heartbeat of the first.
_FIRST_ROUND_MIN_MS = 10


class ImageTopics:
    """The topics of one metadata image, as groups see them."""

    def __init__(self, image: MetadataImage) -> None:
        self._image = image
        self._has_racks = any(broker.rack is not None for broker in image.brokers.values())

    def by_name(self, name: str) -> TopicInfo | None:
        topic = self._image.topic(name)
        return None if topic is None else self._info(topic)

    def by_id(self, topic_id: bytes) -> TopicInfo | None:
        topic = self._image.topic_by_id(topic_id)
        return None if topic is None else self._info(topic)

    def id_of(self, name: str) -> bytes | None:
        topic = self._image.topic(name)
        return None if topic is None else topic.topic_id

    def names(self) -> Iterable[str]:
        return self._image.topics.by_name

    def _info(self, topic: TopicImage) -> TopicInfo:
        racks = list(self._racks(topic)) if self._has_racks else ()
        return TopicInfo(topic.name, topic.topic_id, topic.partition_count, racks)

    def _racks(self, topic: TopicImage) -> Iterator[frozenset[str]]:
        for _, partition in sorted(topic.partitions.items()):
            brokers = (self._image.broker(replica) for replica in partition.replicas)
            yield frozenset(broker.rack for broker in brokers if broker is not None and broker.rack is not None)


class GroupCoordinators(Coordinators):
    """Owned by the node."""

    def __init__(
        self,
        hosting: Hosting,
        controller: ControllerClient,
        config: DynamicConfig,
        retention_clock: RetentionClock,
        rng: Rng,
    ) -> None:
        super().__init__(
            hosting, CONSUMER_OFFSETS, self._new_shard, lambda: controller.create_internal(CONSUMER_OFFSETS)
        )
        self._config = config
        self._retention_clock = retention_clock
        self._rng = rng

    def _new_shard(self, partition: int) -> tuple[Shard, RecordCodec]:
        # A broker without groups must not pay for them: the shard and its messages take a third of the time to start.
        from ottla.groups.records import GroupRecordCodec
        from ottla.groups.shard import GroupShard

        shard = GroupShard(self._settings(), ImageTopics(self._metadata.image), self._rng)
        return shard, GroupRecordCodec()

    def shard_for(self, group_id: str) -> tuple[ShardHost, GroupShard]:
        """Raises Refused where another node coordinates the group, or nobody yet."""
        host = self.host_for(group_id)
        return host, cast("GroupShard", host.shard)

    def check_consumer_protocol(self) -> None:
        """The protocol of KIP-848 can be switched off, for the cluster or on this broker. Raises Refused then."""
        is_on = "consumer" in self._config.options.group_coordinator_rebalance_protocols
        if not is_on or self._metadata.image.feature_level("group.version") < 1:
            raise Refused(ErrorCode.UNSUPPORTED_VERSION, "the consumer group protocol is not enabled")

    def shards(self) -> list[tuple[ShardHost, GroupShard]]:
        return [(host, cast("GroupShard", host.shard)) for host in self.hosts()]

    # -- from the metadata

    def follow(self, delta: MetadataDelta) -> None:
        if delta.changed_configs:
            self.settings_changed()
        if delta.created_topics or delta.deleted_topics or delta.changed_topics:
            self.topics_changed()
        # After the shards know which topic has a name now: its offsets stay.
        deleted = [topic_partition for topic_partition, _, _ in delta.deleted_partitions()]
        if deleted:
            self.partitions_deleted(deleted)

    def topics_changed(self) -> None:
        topics = ImageTopics(self._metadata.image)
        for _, shard in self.shards():
            shard.topics_changed(topics)

    def partitions_deleted(self, partitions: list[TopicPartition]) -> None:
        """Offsets of partitions that are gone must not be found by a topic of the same name."""
        gone: dict[str, dict[int, None]] = {}
        for topic, partition in partitions:
            gone.setdefault(topic, {})[partition] = None
        for host, shard in self.shards():
            if host.state == "active":
                host.run(lambda now, shard=shard: shard.partitions_deleted(gone, now=now))  # type: ignore[misc]

    async def _load(self, host: ShardHost) -> None:
        await super()._load(host)
        if host.state == "active":
            shard = cast("GroupShard", host.shard)
            # Topics that were deleted during the load, or right before the node ended.
            host.submit(lambda now: shard.forget_deleted_topics(now=now), None)

    def settings_changed(self) -> None:
        settings = self._settings()
        for _, shard in self.shards():
            shard.settings_changed(settings)

    def _settings(self) -> GroupSettings:
        return settings_of(self._config.options, self._overrides, self._retention_clock.believed_ms)

    def _overrides(self, group_id: str) -> dict[str, int]:
        image = self._metadata.image
        found = image.config_overrides(GROUP_RESOURCE, group_id)
        return {name: int(value) for name, value in found.items() if name.startswith("consumer.")} if found else {}


def settings_of(
    options: BrokerOptions,
    overrides: Callable[[str], Mapping[str, int]] = no_overrides,
    believed_ms: Callable[[int], int] = int,
) -> GroupSettings:
    return GroupSettings(
        min_session_timeout_ms=options.group_min_session_timeout_ms,
        max_session_timeout_ms=options.group_max_session_timeout_ms,
        initial_rebalance_delay_ms=max(_FIRST_ROUND_MIN_MS, options.group_initial_rebalance_delay_ms),
        max_groups=max(1, options.ottla_groups_max // options.offsets_topic_num_partitions),
        max_member_bytes=options.message_max_bytes,
        max_size=options.group_max_size,
        consumer_session_timeout_ms=options.group_consumer_session_timeout_ms,
        consumer_heartbeat_interval_ms=options.group_consumer_heartbeat_interval_ms,
        consumer_assignment_interval_ms=options.group_consumer_assignment_interval_ms,
        consumer_max_size=options.group_consumer_max_size,
        assignors=tuple(options.group_consumer_assignors),
        migration_policy=MigrationPolicy(options.group_consumer_migration_policy.lower()),
        offsets_retention_ms=options.offsets_retention_minutes * 60_000,
        offsets_retention_check_interval_ms=options.offsets_retention_check_interval_ms,
        metadata_max_bytes=options.offset_metadata_max_bytes,
        overrides=overrides,
        believed_ms=believed_ms,
    )
