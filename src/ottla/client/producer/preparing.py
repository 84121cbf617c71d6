"""From what is passed to `send` to a record of bytes: interceptors, serializers, the limit of size. No I/O.

Nothing here changes, so any thread may prepare records.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ottla.client.errors import ClientError, RecordTooLarge
from ottla.client.interceptors import InterceptorChain, ProducerRecord
from ottla.client.producer.accumulator import size_of
from ottla.client.serializers import Serializer, serialize
from ottla.config.producer_options import ProducerOptions
from ottla.records.batch import HEADER_SIZE
from ottla.records.record import Headers

NO_HEADERS: Headers = ()


class Arrival(NamedTuple):
    """A serialized record and where it shall go; without a timestamp it gets the time at which it is appended."""

    topic: str
    partition: int | None
    key: bytes | None
    value: bytes | None
    headers: Headers
    timestamp_ms: int | None
    size: int


class Preparer:
    """Owned by the producer."""

    def __init__(
        self,
        options: ProducerOptions,
        interceptors: InterceptorChain,
        key_serializer: Serializer | None,
        value_serializer: Serializer | None,
    ) -> None:
        self._options = options
        self.interceptors = interceptors
        self._key_serializer = key_serializer
        self._value_serializer = value_serializer
        self._max_bytes = min(options.max_request_size, options.buffer_memory) - HEADER_SIZE

    @property
    def is_plain(self) -> bool:
        """Whether records of bytes are taken as they are."""
        return not self.interceptors and self._key_serializer is None and self._value_serializer is None

    def prepare(
        self, topic: str, value: Any, key: Any, partition: int | None, timestamp_ms: int | None, headers: Any
    ) -> Arrival:
        """Raises SerializationFailed, RecordTooLarge, TypeError for headers of other types."""
        if self.interceptors:
            return self._intercepted(ProducerRecord(topic, value, key, partition, timestamp_ms, _headers(headers)))
        return self._prepared(topic, value, key, partition, timestamp_ms, _headers(headers) if headers else NO_HEADERS)

    def _prepared(
        self, topic: str, value: Any, key: Any, partition: int | None, timestamp_ms: int | None, headers: Headers
    ) -> Arrival:
        if value is not None and (self._value_serializer is not None or type(value) is not bytes):
            value = serialize(self._value_serializer, value, f"the value of a record for {topic}")
        if key is not None and (self._key_serializer is not None or type(key) is not bytes):
            key = serialize(self._key_serializer, key, f"the key of a record for {topic}")
        size = size_of(key, value, headers)
        if size > self._max_bytes:
            raise RecordTooLarge(
                f"a record of {size} bytes for {topic}: larger than max.request.size="
                f"{self._options.max_request_size} or buffer.memory={self._options.buffer_memory}"
            )
        return Arrival(topic, partition, key, value, headers, timestamp_ms, size)

    def _intercepted(self, record: ProducerRecord) -> Arrival:
        topic, value, key, partition, timestamp_ms, headers = self.interceptors.passed(
            "on_send", record, ProducerRecord._make
        )
        try:
            return self._prepared(topic, value, key, partition, timestamp_ms, headers)
        except ClientError as error:
            self.interceptors.notify("on_acknowledgement", None, error, headers)
            raise


def _headers(given: Any) -> Headers:
    if not given:
        return NO_HEADERS
    pairs = given.items() if isinstance(given, Mapping) else given
    checked = tuple((name, content) for name, content in pairs)
    for name, content in checked:
        if not isinstance(name, str) or not (content is None or isinstance(content, bytes)):
            raise TypeError(f"header {name!r}: must be a str with bytes or None, not {type(content).__name__}")
    return checked
