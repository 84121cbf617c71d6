"""The settings of this broker and its topics: those of the file, with the dynamic ones of the metadata on top."""

from __future__ import annotations

from collections.abc import Callable

from ottla.broker.metadata.cache import MetadataCache
from ottla.config.broker_options import BrokerOptions
from ottla.config.sources import BrokerLayers
from ottla.config.topic_options import TopicOptions
from ottla.metadata.delta import MetadataDelta
from ottla.metadata.image import BROKER_RESOURCE, TOPIC_RESOURCE

#: Elements of one request where nothing is set: ordinary clients name each partition once or twice.
_MIN_REQUEST_ELEMENTS = 10_000
_REQUEST_ELEMENTS_PER_PARTITION = 4


class DynamicConfig:
    """Owned by the node. `options` and `layers` are replaced by a change: look them up again, do not keep them."""

    def __init__(self, options: BrokerOptions, metadata: MetadataCache) -> None:
        self._metadata = metadata
        self.layers = BrokerLayers(options)
        self.options = options
        self.max_request_elements = max_request_elements(options, 0)
        #: Topics without settings of their own share one option set: 10,000 partitions must not each create one.
        self._topic_options: dict[str, TopicOptions] = {}
        #: Called after settings of brokers have changed.
        self.on_broker_changed: Callable[[BrokerOptions], None] | None = None

    def reload(self) -> None:
        """Settings of this broker, or of all brokers, as the metadata has them now."""
        image, node_id = self._metadata.image, self._metadata.node_id
        self.layers = self.layers.with_dynamic(
            image.config_overrides(BROKER_RESOURCE, str(node_id)), image.config_overrides(BROKER_RESOURCE, "")
        )
        self.options = self.layers.options
        self._topic_options.clear()
        self._count_elements()
        if self.on_broker_changed is not None:
            self.on_broker_changed(self.options)

    def follow(self, delta: MetadataDelta) -> None:
        """The first to be notified of a change: others look settings up here."""
        self._count_elements()
        if any(kind == BROKER_RESOURCE for kind, _ in delta.changed_configs):
            self.reload()
        for topic in delta.topics_with_changed_configs:
            self._topic_options.pop(topic, None)

    def topic_options(self, topic: str) -> TopicOptions:
        overrides = self._metadata.image.config_overrides(TOPIC_RESOURCE, topic)
        if not overrides:
            topic = ""
        found = self._topic_options.get(topic)
        if found is None:
            found = self._topic_options[topic] = self.layers.topic_options(overrides)
        return found

    def _count_elements(self) -> None:
        self.max_request_elements = max_request_elements(self.options, self._metadata.image.topics.partition_count)


def max_request_elements(options: BrokerOptions, partition_count: int) -> int:
    """Of all arrays of a request, in a cluster with so many partitions."""
    if options.ottla_request_elements_max > 0:
        return options.ottla_request_elements_max
    return max(_MIN_REQUEST_ELEMENTS, _REQUEST_ELEMENTS_PER_PARTITION * partition_count)


def topics_with_other_options(delta: MetadataDelta) -> list[str]:
    """A changed setting of a broker may be the default of any topic."""
    if any(kind == BROKER_RESOURCE for kind, _ in delta.changed_configs):
        return list(delta.new.topics.by_name)
    return delta.topics_with_changed_configs
