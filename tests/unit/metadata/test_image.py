from typing import Any

import pytest

from ottla.metadata.delta import MetadataDelta
from ottla.metadata.image import EMPTY_IMAGE, TOPIC_RESOURCE, MetadataImage
from ottla.metadata.image_builder import ImageBuilder
from ottla.metadata.partition_registration import UNASSIGNED_DIRECTORY, PartitionRegistration
from ottla.model.errors import Bug
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.abort_transaction_record import AbortTransactionRecord
from ottla.protocol.generated.begin_transaction_record import BeginTransactionRecord
from ottla.protocol.generated.broker_registration_change_record import BrokerRegistrationChangeRecord
from ottla.protocol.generated.clear_elr_record import ClearElrRecord
from ottla.protocol.generated.client_quota_record import ClientQuotaRecord, Entity
from ottla.protocol.generated.config_record import ConfigRecord
from ottla.protocol.generated.end_transaction_record import EndTransactionRecord
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord
from ottla.protocol.generated.partition_change_record import PartitionChangeRecord
from ottla.protocol.generated.partition_record import PartitionRecord
from ottla.protocol.generated.register_broker_record import EndPoints, RegisterBrokerRecord
from ottla.protocol.generated.remove_topic_record import RemoveTopicRecord
from ottla.protocol.generated.topic_record import TopicRecord

A, B = b"a" * 16, b"b" * 16


def after(*records: Any, base: MetadataImage = EMPTY_IMAGE) -> MetadataImage:
    builder = ImageBuilder(base)
    for number, record in enumerate(records, base.offset + 1):
        builder.apply(record, number, 1000 + number)
    return builder.build()


def topic(name: str, topic_id: bytes, count: int = 2) -> list[Any]:
    return [TopicRecord(name=name, topic_id=topic_id)] + [
        PartitionRecord(
            partition_id=index, topic_id=topic_id, replicas=[1], isr=[1], leader=1, leader_epoch=0, partition_epoch=0
        )
        for index in range(count)
    ]


def test_a_topic_is_found_by_name_and_by_id() -> None:
    image = after(*topic("orders", A, 3))

    assert image.topic("orders") is image.topic_by_id(A)
    assert image.topics.get("orders") is not None
    assert len(image.topics) == 1
    assert image.partition("orders", 2) == PartitionRegistration((1,), (UNASSIGNED_DIRECTORY,), (1,), 1, 0, 0)
    assert image.partition("orders", 3) is None
    assert (image.offset, image.timestamp_ms) == (3, 1003)


def test_partitions_of_all_topics_are_counted() -> None:
    image = after(*topic("orders", A, 3), *topic("bills", B, 2))
    assert image.topics.partition_count == 5

    changed = after(PartitionChangeRecord(partition_id=1, topic_id=B, leader=2), topic("bills", B, 3)[-1], base=image)
    assert changed.topics.partition_count == 6

    again = after(RemoveTopicRecord(topic_id=A), *topic("orders", b"c" * 16, 1), base=changed)
    assert again.topics.partition_count == 4

    begun = [BeginTransactionRecord(name="x"), *topic("more", A, 9)]
    assert after(*begun, AbortTransactionRecord(), base=again).topics.partition_count == 4
    assert after(*begun, RemoveTopicRecord(topic_id=A), base=again).topics.partition_count == 4


def test_topics_that_are_not_touched_are_shared() -> None:
    image = after(*topic("orders", A), *topic("bills", B))

    changed = after(PartitionChangeRecord(partition_id=1, topic_id=B, leader=2), base=image)

    assert changed.topic("orders") is image.topic("orders")
    assert changed.topics.names_by_id is image.topics.names_by_id
    assert changed.partition("bills", 0) is image.partition("bills", 0)
    assert image.partition("bills", 1) != changed.partition("bills", 1)


def test_an_image_never_changes_after_it_was_built() -> None:
    builder = ImageBuilder(EMPTY_IMAGE)
    for record in topic("orders", A):
        builder.apply(record, 0)
    image = builder.build()

    builder.apply(RemoveTopicRecord(topic_id=A), 1)
    builder.apply(FeatureLevelRecord(name="group.version", feature_level=1), 2)

    assert image.topic("orders") is not None
    assert image.features == {}
    assert builder.build().topic("orders") is None


def test_building_twice_gives_the_same_object() -> None:
    builder = ImageBuilder(after(*topic("orders", A)))

    assert builder.build() is builder.build()


def test_a_new_leader_raises_both_epochs_and_an_in_sync_change_only_one() -> None:
    image = after(*topic("orders", A))

    image = after(PartitionChangeRecord(partition_id=0, topic_id=A, isr=[1, 2], replicas=[1, 2]), base=image)
    grown = image.partition("orders", 0)
    image = after(PartitionChangeRecord(partition_id=0, topic_id=A, leader=1), base=image)
    led = image.partition("orders", 0)

    assert grown is not None
    assert (grown.isr, grown.leader_epoch, grown.partition_epoch) == ((1, 2), 0, 1)
    assert led is not None
    assert (led.leader, led.leader_epoch, led.partition_epoch) == (1, 1, 2)


def test_directories_follow_their_replicas_when_the_order_changes() -> None:
    records = [
        TopicRecord(name="t", topic_id=A),
        PartitionRecord(partition_id=0, topic_id=A, replicas=[1, 2], isr=[1, 2], leader=1, directories=[b"1" * 16, B]),
        PartitionChangeRecord(partition_id=0, topic_id=A, replicas=[2, 1, 3]),
    ]

    partition = after(*records).partition("t", 0)

    assert partition is not None
    assert partition.directories == (B, b"1" * 16, UNASSIGNED_DIRECTORY)
    assert partition.directory_of(2) == B
    assert partition.directory_of(9) == UNASSIGNED_DIRECTORY


def test_a_deleted_topic_takes_its_configs_along() -> None:
    config = ConfigRecord(resource_type=TOPIC_RESOURCE, resource_name="orders", name="retention.ms", value="1")
    image = after(*topic("orders", A), config)
    assert image.config_overrides(TOPIC_RESOURCE, "orders") == {"retention.ms": "1"}

    gone = after(RemoveTopicRecord(topic_id=A), base=image)
    again = after(*topic("orders", B), base=gone)

    assert gone.configs == {}
    assert again.config_overrides(TOPIC_RESOURCE, "orders") == {}
    assert again.topic_by_id(A) is None


def test_topic_created_configured_and_deleted_in_one_batch_leaves_nothing() -> None:
    config = ConfigRecord(resource_type=TOPIC_RESOURCE, resource_name="orders", name="retention.ms", value="1")

    image = after(*topic("orders", A), config, RemoveTopicRecord(topic_id=A))

    assert len(image.topics) == 0
    assert image.configs == {}


def test_a_null_config_takes_the_override_away() -> None:
    def config(value: str | None) -> ConfigRecord:
        return ConfigRecord(resource_type=4, resource_name="1", name="log.cleaner.threads", value=value)

    image = after(config("2"))

    assert image.config_overrides(4, "1") == {"log.cleaner.threads": "2"}
    assert after(config(None), base=image).configs == {}


def test_a_feature_at_level_zero_is_gone() -> None:
    image = after(FeatureLevelRecord(name="group.version", feature_level=1))

    assert image.feature_level("group.version") == 1
    assert after(FeatureLevelRecord(name="group.version", feature_level=0), base=image).features == {}


def test_an_aborted_metadata_transaction_leaves_no_trace_but_the_offset() -> None:
    image = after(*topic("orders", A))

    aborted = after(
        BeginTransactionRecord(),
        RemoveTopicRecord(topic_id=A),
        *topic("bills", B),
        AbortTransactionRecord(),
        base=image,
    )

    assert aborted.topics is image.topics
    assert aborted.offset == image.offset + 6


def test_an_ended_metadata_transaction_stays() -> None:
    builder = ImageBuilder(EMPTY_IMAGE)
    builder.apply(BeginTransactionRecord(), 0)
    for record in topic("orders", A):
        builder.apply(record, 1)
    assert builder.is_in_transaction

    builder.apply(EndTransactionRecord(), 2)

    assert not builder.is_in_transaction
    assert builder.build().topic("orders") is not None


@pytest.mark.parametrize(
    "records",
    [
        [PartitionRecord(partition_id=0, topic_id=A)],
        [RemoveTopicRecord(topic_id=A)],
        [TopicRecord(name="t", topic_id=A), PartitionChangeRecord(partition_id=0, topic_id=A)],
        [TopicRecord(name="t", topic_id=A), TopicRecord(name="t", topic_id=B)],
        [BrokerRegistrationChangeRecord(broker_id=5)],
        [EndTransactionRecord()],
        [AbortTransactionRecord()],
        [BeginTransactionRecord(), BeginTransactionRecord()],
    ],
)
def test_a_log_that_contradicts_itself_is_a_bug(records: list[Any]) -> None:
    with pytest.raises(Bug):
        after(*records)


def test_brokers_are_fenced_and_unfenced_by_change_records() -> None:
    register = RegisterBrokerRecord(
        broker_id=1, broker_epoch=5, end_points=[EndPoints("PLAINTEXT", "h", 9092, 0)], log_dirs=[B, A], fenced=True
    )
    image = after(register)
    assert not image.is_alive(1)

    image = after(BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=5, fenced=-1), base=image)
    broker = image.broker(1)

    assert broker is not None
    assert image.is_alive(1)
    assert image.is_active(1)
    assert image.alive_brokers() == [broker]
    assert broker.endpoint("PLAINTEXT") is not None
    assert broker.endpoint("SSL") is None
    assert broker.log_dirs == (A, B)
    stopping = after(BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=5, in_controlled_shutdown=1), base=image)
    assert stopping.is_alive(1)
    assert not stopping.is_active(1)


def test_cordoned_directories_get_no_new_replicas() -> None:
    register = RegisterBrokerRecord(broker_id=1, broker_epoch=5, log_dirs=[A, B], fenced=False)
    cordon = BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=5, cordoned_log_dirs=[A])

    broker = after(register, cordon).brokers[1]

    assert broker.usable_log_dirs == (B,)


def test_clearing_eligible_leaders_of_one_topic_or_of_all() -> None:
    def with_eligible(name: str, topic_id: bytes) -> list[Any]:
        partition = PartitionRecord(
            partition_id=0, topic_id=topic_id, replicas=[1], eligible_leader_replicas=[1], last_known_elr=[1]
        )
        return [TopicRecord(name=name, topic_id=topic_id), partition]

    image = after(*with_eligible("orders", A), *with_eligible("bills", B))

    one = after(ClearElrRecord(topic_name="orders"), base=image)
    both = after(ClearElrRecord(), base=image)

    def eligible(image: MetadataImage, name: str) -> tuple[int, ...]:
        partition = image.partition(name, 0)
        assert partition is not None
        return partition.eligible_leader_replicas + partition.last_known_elr

    assert (eligible(one, "orders"), eligible(one, "bills")) == ((), (1, 1))
    assert (eligible(both, "orders"), eligible(both, "bills")) == ((), ())


def test_quotas_are_kept_by_entity_and_removed_one_by_one() -> None:
    def quota(key: str, value: float, *, remove: bool = False) -> ClientQuotaRecord:
        return ClientQuotaRecord(
            entity=[Entity("user", None), Entity("client-id", "c")], key=key, value=value, remove=remove
        )

    image = after(quota("producer_byte_rate", 5.0), quota("consumer_byte_rate", 6.0))
    entity = (("client-id", "c"), ("user", None))
    assert image.client_quotas == {entity: {"producer_byte_rate": 5.0, "consumer_byte_rate": 6.0}}

    image = after(quota("producer_byte_rate", 0, remove=True), base=image)
    assert image.client_quotas == {entity: {"consumer_byte_rate": 6.0}}
    assert after(quota("consumer_byte_rate", 0, remove=True), base=image).client_quotas == {}


# -- what differs between two images


def test_the_delta_names_created_deleted_and_changed_partitions() -> None:
    old = after(*topic("orders", A), *topic("bills", B), *topic("old", b"o" * 16, 1))
    more = PartitionRecord(partition_id=2, topic_id=B, replicas=[1], isr=[1], leader=1)
    new = after(
        RemoveTopicRecord(topic_id=b"o" * 16),
        *topic("new", b"n" * 16, 1),
        PartitionChangeRecord(partition_id=1, topic_id=B, leader=2),
        more,
        base=old,
    )

    delta = MetadataDelta(old, new)

    assert [each.name for each in delta.created_topics] == ["new"]
    assert [each.name for each in delta.deleted_topics] == ["old"]
    assert [each[0] for each in delta.created_partitions()] == [TopicPartition("new", 0), TopicPartition("bills", 2)]
    assert [each[0] for each in delta.deleted_partitions()] == [TopicPartition("old", 0)]
    assert [(tp, before.leader, now.leader) for tp, before, now in delta.changed_partitions()] == [
        (TopicPartition("bills", 1), 1, 2)
    ]


def test_a_topic_made_again_under_its_name_is_both_deleted_and_created() -> None:
    old = after(*topic("orders", A))
    new = after(RemoveTopicRecord(topic_id=A), *topic("orders", B), base=old)

    delta = MetadataDelta(old, new)

    assert [each.topic_id for each in delta.deleted_topics] == [A]
    assert [each.topic_id for each in delta.created_topics] == [B]
    assert delta.changed_topics == []


def test_changed_configs_are_named_once_and_unchanged_ones_not_at_all() -> None:
    def config(name: str, value: str | None) -> ConfigRecord:
        return ConfigRecord(resource_type=TOPIC_RESOURCE, resource_name=name, name="retention.ms", value=value)

    old = after(*topic("a", A), *topic("b", B), config("a", "1"), config("b", "1"))
    new = after(config("a", "2"), config("b", "1"), base=old)

    assert MetadataDelta(old, new).changed_configs == [(TOPIC_RESOURCE, "a")]
    assert MetadataDelta(old, after(config("a", None), base=old)).topics_with_changed_configs == ["a"]


def test_an_image_does_not_differ_from_itself() -> None:
    image = after(*topic("orders", A))

    assert MetadataDelta(image, image).is_empty
    assert not MetadataDelta(EMPTY_IMAGE, image).is_empty
