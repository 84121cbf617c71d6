"""Progress of streaming queries as offsets of consumer groups: tools and dashboards show their lag."""

import json
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql.streaming.listener import StreamingQueryListener

from ottla.client.errors import ClientError
from ottla.model.topic import TopicPartition
from ottla.spark.clients import kept_admin

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ottla.client.sync import Admin

_log = logging.getLogger(__name__)
Offsets = Mapping[TopicPartition, int]


class GroupOffsets:
    """Commits offsets of one group when they have changed. What goes wrong is logged: the query goes on."""

    def __init__(self, group_id: str, admin: "Callable[[], Admin]") -> None:
        self._group_id = group_id
        self._admin = admin
        self._published: Offsets = {}
        self._has_warned = False

    def publish(self, offsets: Offsets) -> None:
        if not offsets or offsets == self._published:
            return
        try:
            self._admin().alter_group_offsets(self._group_id, offsets)
        except ClientError as error:
            if not self._has_warned:
                _log.warning("the offsets of group %s cannot be committed: %s", self._group_id, error)
                self._has_warned = True
            return
        self._published = dict(offsets)
        self._has_warned = False


class ProgressListener(StreamingQueryListener):
    """Publishes where each query is after each micro-batch. Sources that are no topics have no such offsets."""

    def __init__(self, config: Mapping[str, Any], group_id: str) -> None:
        self._config = dict(config)
        self._group_id = group_id
        self._groups: dict[str, GroupOffsets] = {}

    def onQueryStarted(self, event: Any) -> None:
        pass

    def onQueryProgress(self, event: Any) -> None:
        progress = event.progress
        name = self._group_id.format(query=progress.name or progress.id)
        offsets: dict[TopicPartition, int] = {}
        for source in progress.sources:
            offsets.update(_topic_offsets(source.endOffset))
        group = self._groups.setdefault(name, GroupOffsets(name, lambda: kept_admin(self._config)))
        group.publish(offsets)

    def onQueryIdle(self, event: Any) -> None:
        pass

    def onQueryTerminated(self, event: Any) -> None:
        pass


def attach(
    spark: "SparkSession",
    config: Mapping[str, Any] | None = None,
    *,
    group_id: str = "spark-{query}",
    **options: Any,
) -> ProgressListener:
    """Publishes the progress of every streaming query of the session as offsets of a consumer group.

    `config` and `options` are settings of a client (`bootstrap_servers`, security); `{query}` in `group_id` is the
    query's name, or its id. Works for `format("ottla")` and for Spark's own Kafka source. To stop it:
    `spark.streams.removeListener(listener)`.

        ottla.spark.attach(spark, bootstrap_servers="localhost:9092")
    """
    named = {name.replace("_", "."): value for name, value in options.items()}
    listener = ProgressListener({**(config or {}), **named}, group_id)
    kept_admin(listener._config)  # a wrong setting is reported here
    spark.streams.addListener(listener)
    return listener


def _topic_offsets(text: str | None) -> dict[TopicPartition, int]:
    """Empty for the offsets of other sources."""
    try:
        return {
            TopicPartition(topic, int(partition)): int(offset)
            for topic, partitions in json.loads(text or "{}").items()
            for partition, offset in partitions.items()
        }
    except (ValueError, AttributeError, TypeError):
        return {}
