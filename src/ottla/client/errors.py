"""What a client raises. Every error has `.code` (None when no broker said it) and `.retriable`.

ClientError
├── RequestRefused            the broker refused; subclasses where callers act differently
│   ├── AuthorizationFailed   a right is missing
│   ├── UnknownTopic          no such topic, partition or topic id
│   ├── ProducerFenced        a newer producer has the transactional id, or the id has expired: close this one
│   ├── TransactionAborted    this transaction cannot be committed: abort it, then go on
│   └── CommitFailed          the group has rebalanced, so these offsets are not this consumer's to commit: poll
├── InvalidOffset             a consumer cannot go on from where it is: seek
│   ├── NoOffset              nothing is committed, and auto.offset.reset=none
│   ├── OffsetOutOfRange      the log does not have the offset (any more), and auto.offset.reset=none
│   └── LogTruncated          records that were consumed are gone (KIP-320), and auto.offset.reset=none
├── CorruptRecords            a batch of records is damaged: read again, or seek behind it
├── AuthenticationFailed      the login failed
├── ConnectionFailed          a node cannot be reached, or the connection was lost
├── TimedOut                  a deadline has passed
│   └── BufferFull            no memory for the record within max.block.ms
├── RecordTooLarge            never sent: larger than max.request.size or buffer.memory
├── SerializationFailed       a serializer or deserializer raised
├── UnsupportedByBroker       the broker does not serve this API in a version we know
└── ClientClosed              used after close
`InvalidConfig` (a setting is wrong) comes from `ottla.model.errors`.
"""

from collections.abc import Mapping
from typing import Any

from ottla.model.error_codes import RETRIABLE, TEXTS, ErrorCode
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition

__all__ = [
    "AuthenticationFailed",
    "AuthorizationFailed",
    "BufferFull",
    "ClientClosed",
    "ClientError",
    "CommitFailed",
    "ConnectionFailed",
    "CorruptRecords",
    "InvalidConfig",
    "InvalidOffset",
    "LogTruncated",
    "NoOffset",
    "OffsetOutOfRange",
    "ProducerFenced",
    "RecordTooLarge",
    "RequestRefused",
    "SerializationFailed",
    "TimedOut",
    "TransactionAborted",
    "UnknownTopic",
    "UnsupportedByBroker",
]


class ClientError(Exception):
    """Base of all errors of a client; not raised itself."""

    code: ErrorCode | None = None
    retriable: bool = False
    #: Where several things were asked for at once: the error of each that failed.
    failures: Mapping[Any, Exception] = {}


class RequestRefused(ClientError):
    """A broker refused a request, or a part of it."""

    def __init__(self, code: ErrorCode, message: str | None = None) -> None:
        super().__init__(f"{code.name}: {message or TEXTS.get(code, '')}".rstrip(": "))
        self.code: ErrorCode = code
        self.message = message
        self.retriable = code in RETRIABLE

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.code, self.message)


class AuthorizationFailed(RequestRefused):
    pass


class UnknownTopic(RequestRefused):
    pass


class ProducerFenced(RequestRefused):
    pass


class TransactionAborted(RequestRefused):
    pass


class CommitFailed(RequestRefused):
    pass


class InvalidOffset(ClientError):
    """`offsets` has the position of each partition that cannot be read from; None where there is none."""

    def __init__(self, message: str, offsets: Mapping[TopicPartition, int | None]) -> None:
        super().__init__(message)
        self.offsets = dict(offsets)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.offsets)


class NoOffset(InvalidOffset):
    pass


class OffsetOutOfRange(InvalidOffset):
    code = ErrorCode.OFFSET_OUT_OF_RANGE


class LogTruncated(InvalidOffset):
    """`end_offset` is the first offset at which the log is another one; None when the broker does not know it."""

    def __init__(self, message: str, offsets: Mapping[TopicPartition, int | None], end_offset: int | None) -> None:
        super().__init__(message, offsets)
        self.end_offset = end_offset

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.offsets, self.end_offset)


class CorruptRecords(ClientError):
    """`offset` is the first of the damaged batch, `next_offset` where to go on behind it, if that can be told."""

    code = ErrorCode.CORRUPT_MESSAGE

    def __init__(self, message: str, partition: TopicPartition, offset: int, next_offset: int | None) -> None:
        super().__init__(message)
        self.partition = partition
        self.offset = offset
        self.next_offset = next_offset

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.partition, self.offset, self.next_offset)


class AuthenticationFailed(ClientError):
    code = ErrorCode.SASL_AUTHENTICATION_FAILED


class ConnectionFailed(ClientError, ConnectionError):
    code = ErrorCode.NETWORK_EXCEPTION
    retriable = True


class TimedOut(ClientError, TimeoutError):
    code = ErrorCode.REQUEST_TIMED_OUT
    retriable = True


class BufferFull(TimedOut):
    pass


class RecordTooLarge(ClientError, ValueError):
    code = ErrorCode.MESSAGE_TOO_LARGE


class SerializationFailed(ClientError, ValueError):
    pass


class UnsupportedByBroker(ClientError):
    code = ErrorCode.UNSUPPORTED_VERSION


class ClientClosed(ClientError, RuntimeError):
    pass


_CLASSES: dict[ErrorCode, type[RequestRefused]] = {
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: AuthorizationFailed,
    ErrorCode.GROUP_AUTHORIZATION_FAILED: AuthorizationFailed,
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: AuthorizationFailed,
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: AuthorizationFailed,
    ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED: AuthorizationFailed,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: UnknownTopic,
    ErrorCode.UNKNOWN_TOPIC_ID: UnknownTopic,
    ErrorCode.INVALID_PRODUCER_EPOCH: ProducerFenced,
    ErrorCode.PRODUCER_FENCED: ProducerFenced,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING: ProducerFenced,
    ErrorCode.TRANSACTION_ABORTABLE: TransactionAborted,
    ErrorCode.ILLEGAL_GENERATION: CommitFailed,
    ErrorCode.UNKNOWN_MEMBER_ID: CommitFailed,
    ErrorCode.REBALANCE_IN_PROGRESS: CommitFailed,
    ErrorCode.FENCED_MEMBER_EPOCH: CommitFailed,
    ErrorCode.FENCED_INSTANCE_ID: CommitFailed,
}


def refusal(code: int, message: str | None = None) -> RequestRefused:
    """The exception for an error code of a response."""
    known = ErrorCode(code) if code in ErrorCode._value2member_map_ else ErrorCode.UNKNOWN_SERVER_ERROR
    if known != code:
        message = f"error code {code}, which this client does not know"
    return _CLASSES.get(known, RequestRefused)(known, message)


def raise_for(code: int, message: str | None = None) -> None:
    """Raises for anything but NONE."""
    if code:
        raise refusal(code, message)
