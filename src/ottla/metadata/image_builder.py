"""Applies metadata records to an image and makes the next one.

Copy on first write: a part of the image is copied when the first record touches it and then changed in place until
`build`. So 1,000 partition records of one topic cost one copy of that topic, and nothing else.

Applying never refuses. A record that names something unknown (a partition of a topic that is gone) means that the log
is not what its writer thought; that is a bug of the writer, and `check` stops us before we serve wrong metadata.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ottla.metadata import record_frame as frame
from ottla.metadata.broker_registration import BrokerRegistration, broker_of
from ottla.metadata.image import TOPIC_RESOURCE, ConfigResource, MetadataImage, QuotaEntity
from ottla.metadata.partition_registration import PartitionRegistration, registration_of
from ottla.metadata.topics_image import TopicImage, TopicsImage
from ottla.model.errors import Bug, check


class ImageBuilder:
    """Belongs to whoever replays a log. `build` may be called at any time; the builder continues from there."""

    def __init__(self, base: MetadataImage) -> None:
        #: The image before the open metadata transaction, to return to when it is aborted.
        self._before_transaction: MetadataImage | None = None
        self._handlers = self._handler_table()
        self._start_from(base)

    def _start_from(self, base: MetadataImage) -> None:
        self._base = base
        self._offset = base.offset
        self._epoch = base.epoch
        self._timestamp_ms = base.timestamp_ms
        self._is_changed = False
        # None = not touched since the last build.
        self._topics: dict[str, TopicImage] | None = None
        self._names_by_id: dict[bytes, str] | None = None
        self._drafts: dict[str, dict[int, PartitionRegistration]] = {}
        self._partition_count = base.topics.partition_count
        self._brokers: dict[int, BrokerRegistration] | None = None
        self._configs: dict[ConfigResource, Mapping[str, str]] | None = None
        self._config_drafts: dict[ConfigResource, dict[str, str]] = {}
        self._fields: dict[str, Any] = {}

    # -- in

    def apply(self, record: Any, offset: int, timestamp_ms: int = -1, epoch: int | None = None) -> None:
        self._offset = offset
        if timestamp_ms >= 0:
            self._timestamp_ms = timestamp_ms
        if epoch is not None:
            self._epoch = epoch
        self._is_changed = True
        handler = self._handlers.get(record.RECORD_TYPE)
        if handler is None:
            raise Bug(f"no rule for the metadata record {record!r}")
        handler(record)

    def advance_to(self, offset: int, timestamp_ms: int = -1, epoch: int | None = None) -> None:
        """The log went on without a record for the image: a control record, or one of an unknown kind."""
        self._offset = max(self._offset, offset)
        if timestamp_ms >= 0:
            self._timestamp_ms = timestamp_ms
        if epoch is not None:
            self._epoch = epoch
        self._is_changed = True

    # -- out

    @property
    def is_in_transaction(self) -> bool:
        """The log ends inside a metadata transaction: its records must not be shown to anyone yet."""
        return self._before_transaction is not None

    @property
    def features(self) -> Mapping[str, int]:
        """Those of the next image, without building it."""
        features: Mapping[str, int] = self._fields.get("features", self._base.features)
        return features

    def build(self) -> MetadataImage:
        """The image after all records so far; the same object when there were none."""
        if not self._is_changed:
            return self._base
        changes: dict[str, Any] = {**self._fields}
        if self._topics is not None or self._drafts:
            changes["topics"] = self._built_topics()
        if self._brokers is not None:
            changes["brokers"] = self._brokers
        if self._configs is not None or self._config_drafts:
            changes["configs"] = self._built_configs()
        image = self._base._replace(offset=self._offset, epoch=self._epoch, timestamp_ms=self._timestamp_ms, **changes)
        self._start_from(image)
        return image

    def _built_topics(self) -> TopicsImage:
        old = self._base.topics
        by_name = dict(old.by_name) if self._topics is None else self._topics
        for name, partitions in self._drafts.items():
            by_name[name] = TopicImage(name, by_name[name].topic_id, partitions)
        names_by_id = old.names_by_id if self._names_by_id is None else self._names_by_id
        return TopicsImage(by_name, names_by_id, self._partition_count)

    def _built_configs(self) -> dict[ConfigResource, Mapping[str, str]]:
        configs = dict(self._base.configs) if self._configs is None else self._configs
        for resource, values in self._config_drafts.items():
            if values:
                configs[resource] = values
            else:
                configs.pop(resource, None)
        return configs

    # -- topics and partitions

    def _topic(self, record: Any) -> None:
        topics, names = self._writable_topics()
        check(record.name not in topics, f"topic {record.name} is created twice in the metadata log")
        topics[record.name] = TopicImage(record.name, record.topic_id, {})
        names[record.topic_id] = record.name
        self._drafts[record.name] = {}

    def _remove_topic(self, record: Any) -> None:
        topics, names = self._writable_topics()
        name = names.pop(record.topic_id, None)
        check(name is not None, f"the metadata log removes the unknown topic {record.topic_id.hex()}")
        assert name is not None
        removed = topics.pop(name).partitions
        self._partition_count -= len(self._drafts.pop(name, removed))
        resource = (TOPIC_RESOURCE, name)
        if resource in self._base.configs or resource in self._config_drafts:
            self._config_drafts[resource] = {}

    def _partition(self, record: Any) -> None:
        partitions = self._draft(record.topic_id)
        self._partition_count += record.partition_id not in partitions
        partitions[record.partition_id] = registration_of(record)

    def _partition_change(self, record: Any) -> None:
        partitions = self._draft(record.topic_id)
        old = partitions.get(record.partition_id)
        if old is None:
            raise Bug(
                f"the metadata log changes partition {record.partition_id} of {record.topic_id.hex()} before it is"
            )
        partitions[record.partition_id] = old.with_change(record)

    def _clear_elr(self, record: Any) -> None:
        """An empty name means all topics."""
        current = self._base.topics.by_name if self._topics is None else self._topics
        for name in [record.topic_name] if record.topic_name else list(current):
            draft = self._drafts.get(name)
            partitions = current[name].partitions if draft is None else draft
            for index, partition in list(partitions.items()):
                if partition.eligible_leader_replicas or partition.last_known_elr:
                    cleared = partition._replace(eligible_leader_replicas=(), last_known_elr=())
                    self._draft_of(name)[index] = cleared

    def _writable_topics(self) -> tuple[dict[str, TopicImage], dict[bytes, str]]:
        if self._topics is None:
            self._topics = dict(self._base.topics.by_name)
        if self._names_by_id is None:
            self._names_by_id = dict(self._base.topics.names_by_id)
        return self._topics, self._names_by_id

    def _draft(self, topic_id: bytes) -> dict[int, PartitionRegistration]:
        names = self._base.topics.names_by_id if self._names_by_id is None else self._names_by_id
        name = names.get(topic_id)
        if name is None:
            raise Bug(f"the metadata log names the unknown topic {topic_id.hex()}")
        return self._draft_of(name)

    def _draft_of(self, name: str) -> dict[int, PartitionRegistration]:
        draft = self._drafts.get(name)
        if draft is None:
            topics = self._base.topics.by_name if self._topics is None else self._topics
            draft = self._drafts[name] = dict(topics[name].partitions)
        return draft

    # -- brokers and controllers

    def _register_broker(self, record: Any) -> None:
        self._writable_brokers()[record.broker_id] = broker_of(record)

    def _unregister_broker(self, record: Any) -> None:
        self._writable_brokers().pop(record.broker_id, None)

    def _change_broker(self, record: Any) -> None:
        brokers = self._writable_brokers()
        check(record.broker_id in brokers, f"the metadata log changes the unknown broker {record.broker_id}")
        brokers[record.broker_id] = brokers[record.broker_id].with_change(record)

    def _fence_broker(self, record: Any) -> None:
        brokers = self._writable_brokers()
        check(record.id in brokers, f"the metadata log fences or unfences the unknown broker {record.id}")
        is_fenced = record.RECORD_TYPE == frame.FENCE_BROKER
        brokers[record.id] = brokers[record.id]._replace(is_fenced=is_fenced)

    def _writable_brokers(self) -> dict[int, BrokerRegistration]:
        if self._brokers is None:
            self._brokers = dict(self._base.brokers)
        return self._brokers

    def _register_controller(self, record: Any) -> None:
        self._writable("controllers")[record.controller_id] = record

    # -- the rest

    def _config(self, record: Any) -> None:
        resource = (record.resource_type, record.resource_name)
        draft = self._config_drafts.get(resource)
        if draft is None:
            draft = self._config_drafts[resource] = dict(self._base.configs.get(resource, {}))
        if record.value is None:
            draft.pop(record.name, None)
        else:
            draft[record.name] = record.value

    def _feature_level(self, record: Any) -> None:
        features = self._writable("features")
        if record.feature_level == 0:
            features.pop(record.name, None)
        else:
            features[record.name] = record.feature_level

    def _producer_ids(self, record: Any) -> None:
        self._fields["next_producer_id"] = record.next_producer_id

    def _client_quota(self, record: Any) -> None:
        entity: QuotaEntity = tuple(sorted(((e.entity_type, e.entity_name) for e in record.entity), key=_by_type))
        quotas = self._writable("client_quotas")
        limits = dict(quotas.get(entity, {}))
        if record.remove:
            limits.pop(record.key, None)
        else:
            limits[record.key] = record.value
        if limits:
            quotas[entity] = limits
        else:
            quotas.pop(entity, None)

    def _scram_credential(self, record: Any) -> None:
        self._writable("scram_credentials")[record.name, record.mechanism] = record

    def _remove_scram_credential(self, record: Any) -> None:
        self._writable("scram_credentials").pop((record.name, record.mechanism), None)

    def _acl(self, record: Any) -> None:
        self._writable("acls")[record.id] = record

    def _remove_acl(self, record: Any) -> None:
        self._writable("acls").pop(record.id, None)

    def _delegation_token(self, record: Any) -> None:
        self._writable("delegation_tokens")[record.token_id] = record

    def _remove_delegation_token(self, record: Any) -> None:
        self._writable("delegation_tokens").pop(record.token_id, None)

    def _zk_migration_state(self, record: Any) -> None:
        self._fields["zk_migration_state"] = record.zk_migration_state

    def _no_op(self, record: Any) -> None:
        pass

    def _writable(self, name: str) -> dict[Any, Any]:
        found: dict[Any, Any] | None = self._fields.get(name)
        if found is None:
            found = self._fields[name] = dict(getattr(self._base, name))
        return found

    # -- metadata transactions (KIP-868): all or nothing, even when the controller dies in between

    def _begin_transaction(self, record: Any) -> None:
        check(self._before_transaction is None, "a metadata transaction begins inside another")
        self._before_transaction = self.build()

    def _end_transaction(self, record: Any) -> None:
        check(self._before_transaction is not None, "a metadata transaction ends that did not begin")
        self._before_transaction = None

    def _abort_transaction(self, record: Any) -> None:
        before, offset, timestamp_ms, epoch = self._before_transaction, self._offset, self._timestamp_ms, self._epoch
        if before is None:
            raise Bug("a metadata transaction is aborted that did not begin")
        self._before_transaction = None
        self._start_from(before)
        self.advance_to(offset, timestamp_ms, epoch)

    def _handler_table(self) -> dict[int, Callable[[Any], None]]:
        return {
            frame.REGISTER_BROKER: self._register_broker,
            frame.UNREGISTER_BROKER: self._unregister_broker,
            frame.TOPIC: self._topic,
            frame.PARTITION: self._partition,
            frame.CONFIG: self._config,
            frame.PARTITION_CHANGE: self._partition_change,
            frame.FENCE_BROKER: self._fence_broker,
            frame.UNFENCE_BROKER: self._fence_broker,
            frame.REMOVE_TOPIC: self._remove_topic,
            frame.DELEGATION_TOKEN: self._delegation_token,
            frame.USER_SCRAM_CREDENTIAL: self._scram_credential,
            frame.FEATURE_LEVEL: self._feature_level,
            frame.CLIENT_QUOTA: self._client_quota,
            frame.PRODUCER_IDS: self._producer_ids,
            frame.BROKER_REGISTRATION_CHANGE: self._change_broker,
            frame.ACCESS_CONTROL_ENTRY: self._acl,
            frame.REMOVE_ACCESS_CONTROL_ENTRY: self._remove_acl,
            frame.NO_OP: self._no_op,
            frame.ZK_MIGRATION_STATE: self._zk_migration_state,
            frame.REMOVE_USER_SCRAM_CREDENTIAL: self._remove_scram_credential,
            frame.BEGIN_TRANSACTION: self._begin_transaction,
            frame.END_TRANSACTION: self._end_transaction,
            frame.ABORT_TRANSACTION: self._abort_transaction,
            frame.REMOVE_DELEGATION_TOKEN: self._remove_delegation_token,
            frame.REGISTER_CONTROLLER: self._register_controller,
            frame.CLEAR_ELR: self._clear_elr,
        }


def _by_type(pair: tuple[str, str | None]) -> tuple[str, str]:
    return pair[0], pair[1] or ""
