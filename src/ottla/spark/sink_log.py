"""What exactly-once sinks remember: a compacted topic with two kinds of records.

A *done record* (sink, task -> batch) is written by a task inside its transaction: it is committed with the task's rows.
An *intent record* (sink -> batch, transactions) is written by the driver when all tasks have written theirs, before it
ends the first transaction: from then on the batch will be committed, by whoever comes next.
"""

import json
import zlib
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ottla.client.admin.offsets import OffsetSpec
from ottla.client.admin.topics import NewTopic
from ottla.client.arrow.range_fetch import Range
from ottla.client.errors import RequestRefused, UnknownTopic
from ottla.client.producer.transaction_handle import TransactionHandle
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.spark.clients import kept_admin, kept_producer, kept_session
from ottla.spark.task_results import RowsDigest, TaskOutcome

if TYPE_CHECKING:
    from ottla.client.sync_producer import Producer

SINK_LOG: Final = "__ottla_spark_sinks"
_PARTITIONS: Final = 8
_CONFIGS: Final = {"cleanup.policy": "compact", "segment.bytes": "1048576", "min.cleanable.dirty.ratio": "0.1"}


@dataclass(frozen=True)
class Intent:
    """All transactions of a batch, which is going to be committed."""

    sink: str
    batch_id: int
    tasks: dict[int, TaskOutcome] = field(default_factory=dict)

    def to_json(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_json(cls, text: bytes) -> "Intent":
        parsed = json.loads(text)
        tasks = {
            int(task): TaskOutcome(
                RowsDigest(*outcome["digest"]), TransactionHandle(*outcome["handle"]) if outcome["handle"] else None
            )
            for task, outcome in parsed["tasks"].items()
        }
        return cls(parsed["sink"], parsed["batch_id"], tasks)


class FoundIntent(NamedTuple):
    intent: Intent
    offset: int

    @property
    def batch_id(self) -> int:
        return self.intent.batch_id


class _Found(NamedTuple):
    value: bytes
    offset: int


class SinkLog:
    """The part of the topic that one sink has. `config` is that of an admin client."""

    def __init__(self, config: dict[str, Any], sink: str) -> None:
        self._config = config
        self._sink = sink
        self._partition = TopicPartition(SINK_LOG, zlib.crc32(sink.encode()) % _PARTITIONS)

    def create_topic(self) -> None:
        """More than once does no harm."""
        try:
            kept_admin(self._config).create_topics([NewTopic(SINK_LOG, partitions=_PARTITIONS, configs=_CONFIGS)])
        except RequestRefused as error:
            if error.code != ErrorCode.TOPIC_ALREADY_EXISTS:
                raise

    def write_done(self, producer: "Producer", task: int, batch_id: int) -> None:
        """In the open transaction of the producer."""
        value = json.dumps({"batch_id": batch_id}).encode()
        producer.send(SINK_LOG, value, key=self._key(task), partition=self._partition.partition)

    def write_intent(self, intent: Intent) -> None:
        """Returns when it is on the brokers: nothing may be committed before."""
        producer = kept_producer({**self._config, "acks": "all"})
        producer.send(SINK_LOG, intent.to_json(), key=self._key(), partition=self._partition.partition).result()

    def intent(self) -> FoundIntent | None:
        """The last one. Not hidden by transactions that are open: it is in none."""
        found = self._last("read_uncommitted", self._key(), None)
        return FoundIntent(Intent.from_json(found.value), found.offset) if found else None

    def is_done(self, intent: FoundIntent, task: int) -> bool:
        """Whether its rows are committed. Waits for transactions of other sinks that are in the way.

        Done records of a batch come before its intent. What comes after it is not read: transactions of tasks that
        write again are open there until this task is through, too.
        """
        found = self._last("read_committed", self._key(task), intent.offset)
        return found is not None and json.loads(found.value)["batch_id"] == intent.batch_id

    def _key(self, task: int | None = None) -> bytes:
        key: dict[str, str | int] = {"sink": self._sink}
        if task is not None:
            key["task"] = task
        return json.dumps(key).encode()

    def _last(self, isolation: str, key: bytes, end: int | None) -> _Found | None:
        """The last record with this key before `end`, or as of now."""
        admin, partition = kept_admin(self._config), self._partition
        try:
            start = admin.list_offsets({partition: OffsetSpec.EARLIEST})[partition].offset
            end = admin.list_offsets({partition: OffsetSpec.LATEST})[partition].offset if end is None else end
        except UnknownTopic:
            return None
        session = kept_session({**self._config, "isolation.level": isolation})
        found: _Found | None = None
        for batch in session.record_batches(Range(partition, start, end), ["key", "value", "offset"], 10_000):
            for row in batch.to_pylist():
                if row["key"] == key and row["value"] is not None:
                    found = _Found(row["value"], row["offset"])
        return found
