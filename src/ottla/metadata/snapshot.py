"""An image as the shortest list of records that makes it again, in the order in which a reader needs them."""

from collections.abc import Iterator
from typing import Any

from ottla.metadata.broker_registration import BrokerRegistration
from ottla.metadata.image import METADATA_VERSION, MetadataImage, QuotaEntity
from ottla.metadata.partition_registration import PartitionRegistration
from ottla.metadata.topics_image import TopicImage


def image_records(image: MetadataImage) -> Iterator[Any]:
    """The feature levels come first (`metadata.version` before all), topics before what names them."""
    yield from _feature_records(image)
    for _, broker in sorted(image.brokers.items()):
        yield _broker_record(broker)
    for _, controller in sorted(image.controllers.items()):
        yield controller
    for topic in image.topics:
        yield from _topic_records(topic)
    yield from _config_records(image)
    yield from _quota_records(image)
    yield from _producer_id_records(image)
    yield from image.acls.values()
    yield from image.scram_credentials.values()
    yield from image.delegation_tokens.values()
    yield from _zk_migration_records(image)


def _feature_records(image: MetadataImage) -> Iterator[Any]:
    from ottla.protocol.generated.feature_level_record import FeatureLevelRecord

    for name in sorted(image.features, key=lambda name: (name != METADATA_VERSION, name)):
        yield FeatureLevelRecord(name=name, feature_level=image.features[name])


def _broker_record(broker: BrokerRegistration) -> Any:
    from ottla.protocol.generated.register_broker_record import EndPoints, Features, RegisterBrokerRecord

    return RegisterBrokerRecord(
        broker_id=broker.broker_id,
        incarnation_id=broker.incarnation_id,
        broker_epoch=broker.epoch,
        end_points=[EndPoints(*endpoint) for endpoint in broker.endpoints],
        features=[Features(name, *versions) for name, versions in broker.features],
        rack=broker.rack,
        fenced=broker.is_fenced,
        in_controlled_shutdown=broker.in_controlled_shutdown,
        log_dirs=list(broker.log_dirs),
        cordoned_log_dirs=list(broker.cordoned_log_dirs) or None,
    )


def _topic_records(topic: TopicImage) -> Iterator[Any]:
    from ottla.protocol.generated.topic_record import TopicRecord

    yield TopicRecord(name=topic.name, topic_id=topic.topic_id)
    for index, partition in sorted(topic.partitions.items()):
        yield partition_record(topic.topic_id, index, partition)


def partition_record(topic_id: bytes, index: int, partition: PartitionRegistration) -> Any:
    from ottla.protocol.generated.partition_record import PartitionRecord

    return PartitionRecord(
        partition_id=index,
        topic_id=topic_id,
        replicas=list(partition.replicas),
        isr=list(partition.isr),
        removing_replicas=list(partition.removing_replicas),
        adding_replicas=list(partition.adding_replicas),
        leader=partition.leader,
        leader_epoch=partition.leader_epoch,
        partition_epoch=partition.partition_epoch,
        directories=list(partition.directories),
        leader_recovery_state=partition.leader_recovery_state,
        eligible_leader_replicas=list(partition.eligible_leader_replicas) or None,
        last_known_elr=list(partition.last_known_elr) or None,
    )


def _config_records(image: MetadataImage) -> Iterator[Any]:
    from ottla.protocol.generated.config_record import ConfigRecord

    for (kind, name), values in image.configs.items():
        for key, value in values.items():
            yield ConfigRecord(resource_type=kind, resource_name=name, name=key, value=value)


def _quota_records(image: MetadataImage) -> Iterator[Any]:
    from ottla.protocol.generated.client_quota_record import ClientQuotaRecord, Entity

    def entities(entity: QuotaEntity) -> list[Entity]:
        return [Entity(kind, name) for kind, name in entity]

    for entity, limits in image.client_quotas.items():
        for key, value in limits.items():
            yield ClientQuotaRecord(entity=entities(entity), key=key, value=value, remove=False)


def _producer_id_records(image: MetadataImage) -> Iterator[Any]:
    from ottla.protocol.generated.producer_ids_record import ProducerIdsRecord

    if image.next_producer_id:
        yield ProducerIdsRecord(broker_id=-1, broker_epoch=-1, next_producer_id=image.next_producer_id)


def _zk_migration_records(image: MetadataImage) -> Iterator[Any]:
    from ottla.protocol.generated.zk_migration_state_record import ZkMigrationStateRecord

    if image.zk_migration_state:
        yield ZkMigrationStateRecord(zk_migration_state=image.zk_migration_state)
