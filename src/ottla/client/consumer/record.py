"""What a consumer returns: records and offsets."""

from enum import IntEnum
from typing import Any, NamedTuple

from ottla.client.errors import SerializationFailed
from ottla.client.serializers import Deserializer
from ottla.model.topic import TopicPartition
from ottla.records.record import Headers


class TimestampType(IntEnum):
    """Who has set the timestamp of a record.

    >>> TimestampType(ConsumerRecord("orders", 0, 41, 1_700_000_000_000).timestamp_type).name
    'CREATE_TIME'
    """

    CREATE_TIME = 0
    LOG_APPEND_TIME = 1


class ConsumerRecord(NamedTuple):
    """A record as `poll` returns it.

    When a deserializer fails, `error` says why, and the key or value is left as the bytes that came.

    >>> record = ConsumerRecord("orders", 0, 41, 1_700_000_000_000, b"key", b"value")
    >>> record.offset, record.value, record.error
    (41, b'value', None)
    >>> record.topic_partition
    TopicPartition(topic='orders', partition=0)
    """

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: Any = None
    value: Any = None
    headers: Headers = ()
    timestamp_type: int = TimestampType.CREATE_TIME
    leader_epoch: int = -1
    error: SerializationFailed | None = None

    @property
    def topic_partition(self) -> TopicPartition:
        return TopicPartition(self.topic, self.partition)


class OffsetAndTimestamp(NamedTuple):
    """From `consumer.offsets_for_times()`: the first record at or after a time.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     metadata = producer.send("times", b"x", timestamp_ms=1_700_000_000_000).result()
    >>> with Consumer(bootstrap_servers=servers) as consumer:
    ...     found = consumer.offsets_for_times({("times", 0): 1_600_000_000_000})
    >>> found[TopicPartition("times", 0)].timestamp_ms
    1700000000000
    """

    offset: int
    timestamp_ms: int
    leader_epoch: int = -1


_new_record = tuple.__new__


def deserialized(
    record: ConsumerRecord, key_deserializer: Deserializer | None, value_deserializer: Deserializer | None
) -> ConsumerRecord:
    """With key and value as the deserializers return them; with `error` set, and its bytes left, if one raises."""
    key, value = record.key, record.value
    what = "key"
    try:
        if key_deserializer is not None and key is not None:
            key = key_deserializer(key)
        what = "value"
        if value_deserializer is not None and value is not None:
            value = value_deserializer(value)
    except Exception as error:  # noqa: BLE001  code of the user's must not stop a consumer
        text = f"{what} of {record.topic}-{record.partition} at offset {record.offset}"
        failure = SerializationFailed(f"{text} cannot be deserialized: {type(error).__name__}: {error}")
        failure.__cause__ = error
        return record._replace(error=failure)
    fields = (*record[:4], key, value, *record[6:])
    return _new_record(ConsumerRecord, fields)
