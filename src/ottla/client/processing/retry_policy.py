"""`RetryPolicy`: where a record goes that could not be processed. No I/O; time is an argument.

    topic ──fails──> retry topic 1 ──fails──> retry topic 2 ... ──fails──> dead-letter topic

There is one retry topic per delay. All its records wait equally long, so the first one of a partition is due first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ottla.client.consumer.record import ConsumerRecord
from ottla.client.errors import SerializationFailed
from ottla.client.interceptors import ProducerRecord
from ottla.model.errors import InvalidConfig
from ottla.records.record import Headers

ORIGINAL_TOPIC: Final = "ottla.original.topic"
ORIGINAL_PARTITION: Final = "ottla.original.partition"
ORIGINAL_OFFSET: Final = "ottla.original.offset"
ORIGINAL_TIMESTAMP: Final = "ottla.original.timestamp"
ERROR_CLASS: Final = "ottla.error.class"
ERROR_MESSAGE: Final = "ottla.error.message"
ATTEMPTS: Final = "ottla.attempts"
#: Milliseconds since the epoch; not in the dead-letter topic.
RETRY_AT: Final = "ottla.retry.at"
_OURS: Final = frozenset(
    {
        ORIGINAL_TOPIC,
        ORIGINAL_PARTITION,
        ORIGINAL_OFFSET,
        ORIGINAL_TIMESTAMP,
        ERROR_CLASS,
        ERROR_MESSAGE,
        ATTEMPTS,
        RETRY_AT,
    }
)
_MESSAGE_CHARS_MAX: Final = 1000


@dataclass(frozen=True)
class RetryPolicy:
    """How often and after which delays a failed record is processed again, and where it is stored meanwhile.

    A record is attempted once, and once more after each of `delays_ms`; then it goes to the dead-letter topic. Errors
    of the types `not_retried`, and records that cannot be deserialized, go there at once. In the names of topics,
    `{topic}` is the original topic, `{group}` the group.id and `{attempt}` the number of the retry, from 1 on.

    >>> policy = RetryPolicy(delays_ms=(1_000, 60_000))
    >>> policy.retry_topics("orders", "billing")
    ['orders-billing-retry-1', 'orders-billing-retry-2']
    >>> failed = ConsumerRecord("orders", 0, 41, 1_700_000_000_000, b"k", b"v")
    >>> stored = policy.next_record(failed, ValueError("no price"), group="billing", now_ms=1_700_000_000_500)
    >>> stored.topic, dict(stored.headers)["ottla.retry.at"], dict(stored.headers)["ottla.error.message"]
    ('orders-billing-retry-1', b'1700000001500', b'no price')
    """

    delays_ms: Sequence[int] = (1_000, 10_000, 60_000)
    retry_topic: str = "{topic}-{group}-retry-{attempt}"
    dead_letter_topic: str = "{topic}-{group}-dlq"
    not_retried: tuple[type[Exception], ...] = ()

    def __post_init__(self) -> None:
        if any(delay_ms < 0 for delay_ms in self.delays_ms):
            raise InvalidConfig([f"delays_ms={self.delays_ms}: must not be negative"])
        if len(self.delays_ms) > 1 and "{attempt}" not in self.retry_topic:
            raise InvalidConfig([f"retry_topic={self.retry_topic}: must contain {{attempt}}: each delay has a topic"])

    def retry_topics(self, topic: str, group: str) -> list[str]:
        """In the order of attempts."""
        attempts = range(1, len(self.delays_ms) + 1)
        return [self.retry_topic.format(topic=topic, group=group, attempt=attempt) for attempt in attempts]

    def dead_letters(self, topic: str, group: str) -> str:
        """The dead-letter topic of a topic."""
        return self.dead_letter_topic.format(topic=topic, group=group)

    def next_record(self, record: ConsumerRecord, error: Exception, *, group: str, now_ms: int) -> ProducerRecord:
        """What to send instead of a record, with its key and value as bytes, that has just failed."""
        found = dict(record.headers)
        attempts = attempts_of(record) + 1
        topic = _text(found.get(ORIGINAL_TOPIC), record.topic)
        about = {
            ORIGINAL_TOPIC: topic,
            ORIGINAL_PARTITION: _text(found.get(ORIGINAL_PARTITION), str(record.partition)),
            ORIGINAL_OFFSET: _text(found.get(ORIGINAL_OFFSET), str(record.offset)),
            ORIGINAL_TIMESTAMP: _text(found.get(ORIGINAL_TIMESTAMP), str(record.timestamp_ms)),
            ERROR_CLASS: f"{type(error).__module__}.{type(error).__qualname__}",
            ERROR_MESSAGE: str(error)[:_MESSAGE_CHARS_MAX],
            ATTEMPTS: str(attempts),
        }
        if self._is_retried(error, attempts):
            delay_ms = self.delays_ms[attempts - 1]
            about[RETRY_AT] = str(now_ms + delay_ms)
            target = self.retry_topic.format(topic=topic, group=group, attempt=attempts)
        else:
            target = self.dead_letters(topic, group)
        headers = [(name, value) for name, value in record.headers if name not in _OURS]
        headers += [(name, value.encode(errors="replace")) for name, value in about.items()]
        return ProducerRecord(target, record.value, record.key, headers=tuple(headers))

    def _is_retried(self, error: Exception, attempts: int) -> bool:
        # Bytes that cannot be deserialized stay so.
        return attempts <= len(self.delays_ms) and not isinstance(error, (SerializationFailed, *self.not_retried))


def attempts_of(record: ConsumerRecord) -> int:
    """How often a record was processed before; 0 for one that is no retry."""
    return _number(record.headers, ATTEMPTS) or 0


def due_ms(record: ConsumerRecord) -> int:
    """When a record may be processed, in milliseconds since the epoch; 0 for one that is no retry."""
    return _number(record.headers, RETRY_AT) or 0


def _number(headers: Headers, name: str) -> int | None:
    for key, value in headers:
        if key == name and value is not None and value.isdigit():
            return int(value)
    return None


def _text(value: bytes | None, default: str) -> str:
    return default if value is None else value.decode(errors="replace")
