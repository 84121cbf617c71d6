"""What a client raises. Every error has `.code` (None when no broker sent it) and `.retriable`.

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
    """Base of all errors of a client; not raised itself.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     try:
    ...         delivery = producer.send("orders", bytes(2_000_000))
    ...     except ClientError as error:
    ...         print(type(error).__name__, error.retriable)
    RecordTooLarge False
    """

    code: ErrorCode | None = None
    retriable: bool = False
    #: Where several things were asked for at once: the error of each that failed.
    failures: Mapping[Any, Exception] = {}


class RequestRefused(ClientError):
    """A broker refused a request, or a part of it.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     try:
    ...         admin.create_topics([NewTopic("no spaces")])
    ...     except RequestRefused as refused:
    ...         print(refused.code.name)
    INVALID_TOPIC_EXCEPTION
    """

    def __init__(self, code: ErrorCode, message: str | None = None) -> None:
        super().__init__(f"{code.name}: {message or TEXTS.get(code, '')}".rstrip(": "))
        self.code: ErrorCode = code
        self.message = message
        self.retriable = code in RETRIABLE

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.code, self.message)


class AuthorizationFailed(RequestRefused):
    """A right is missing; the code says on what kind of resource.

    >>> error = AuthorizationFailed(ErrorCode.TOPIC_AUTHORIZATION_FAILED, "orders")
    >>> isinstance(error, RequestRefused), error.retriable, str(error)
    (True, False, 'TOPIC_AUTHORIZATION_FAILED: orders')
    """


class UnknownTopic(RequestRefused):
    """There is no such topic, partition or topic id.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     try:
    ...         admin.delete_topics(["nowhere"])
    ...     except UnknownTopic as error:
    ...         print(error.code.name)
    UNKNOWN_TOPIC_OR_PARTITION
    """


class ProducerFenced(RequestRefused):
    """A newer producer has the transactional id, or the id has expired: close this producer.

    >>> options = {"bootstrap.servers": servers, "transactional.id": "fenced"}
    >>> with Producer(options) as producer, Admin(bootstrap_servers=servers) as admin:
    ...     producer.begin_transaction()
    ...     delivery = producer.send("moves", b"1")
    ...     producer.flush()
    ...     handles = admin.fence_producers(["fenced"])
    ...     try:
    ...         producer.commit_transaction()
    ...     except ProducerFenced as error:
    ...         print(error.retriable)
    False
    """


class TransactionAborted(RequestRefused):
    """The transaction cannot be committed: abort it, then continue with the next one.

    >>> error = TransactionAborted(ErrorCode.TRANSACTION_ABORTABLE)
    >>> isinstance(error, RequestRefused), isinstance(error, ProducerFenced)
    (True, False)
    """


class CommitFailed(RequestRefused):
    """The group has rebalanced: poll, then commit what is still assigned.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     metadata = producer.send("jobs", b"1").result()
    >>> options = {"group.id": "crew", "auto.offset.reset": "earliest", "enable.auto.commit": False}
    >>> with (
    ...     Consumer(options, bootstrap_servers=servers, topics=["jobs"]) as consumer,
    ...     Admin(bootstrap_servers=servers) as admin,
    ... ):
    ...     record = next(iter(consumer))
    ...     [member] = admin.describe_groups(["crew"])["crew"].members
    ...     admin.remove_members("crew", member_ids=[member.member_id])
    ...     try:
    ...         consumer.commit(record)
    ...     except CommitFailed:
    ...         print("poll again")
    poll again
    """


class InvalidOffset(ClientError):
    """`offsets` has the position of each partition that cannot be read from; None where there is none.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     metadata = producer.send("unread", b"1").result()
    >>> with Consumer(bootstrap_servers=servers, auto_offset_reset="none") as consumer:
    ...     consumer.assign([("unread", 0)])
    ...     try:
    ...         records = consumer.poll(timeout_ms=10_000)
    ...     except InvalidOffset as error:
    ...         print(error.offsets)
    {TopicPartition(topic='unread', partition=0): None}
    """

    def __init__(self, message: str, offsets: Mapping[TopicPartition, int | None]) -> None:
        super().__init__(message)
        self.offsets = dict(offsets)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.offsets)


class NoOffset(InvalidOffset):
    """No offset is committed, and auto.offset.reset=none.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     metadata = producer.send("new", b"1").result()
    >>> with Consumer(bootstrap_servers=servers, group_id="starters", auto_offset_reset="none") as consumer:
    ...     consumer.assign([("new", 0)])
    ...     try:
    ...         records = consumer.poll(timeout_ms=10_000)
    ...     except NoOffset:
    ...         consumer.seek_to_beginning()
    ...         print([record.offset for record in consumer.poll(timeout_ms=10_000)])
    [0]
    """


class OffsetOutOfRange(InvalidOffset):
    """The log does not have the offset, or not any more, and auto.offset.reset=none.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     metadata = producer.send("short", b"1").result()
    >>> with Consumer(bootstrap_servers=servers, auto_offset_reset="none") as consumer:
    ...     consumer.assign([("short", 0)])
    ...     consumer.seek(("short", 0), 1_000_000)
    ...     try:
    ...         records = consumer.poll(timeout_ms=10_000)
    ...     except OffsetOutOfRange as error:
    ...         print(list(error.offsets.values()))
    [1000000]
    """

    code = ErrorCode.OFFSET_OUT_OF_RANGE


class LogTruncated(InvalidOffset):
    """`end_offset` is the first offset at which the log is another one; None when the broker does not know it.

    >>> error = LogTruncated("orders-0 was truncated", {TopicPartition("orders", 0): 12}, end_offset=10)
    >>> isinstance(error, InvalidOffset), error.end_offset
    (True, 10)
    """

    def __init__(self, message: str, offsets: Mapping[TopicPartition, int | None], end_offset: int | None) -> None:
        super().__init__(message, offsets)
        self.end_offset = end_offset

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.offsets, self.end_offset)


class CorruptRecords(ClientError):
    """`offset` is the first of the damaged batch, `next_offset` where to go on behind it, if that is known.

    >>> error = CorruptRecords("wrong checksum", TopicPartition("orders", 0), offset=7, next_offset=9)
    >>> error.code.name, error.next_offset
    ('CORRUPT_MESSAGE', 9)
    """

    code = ErrorCode.CORRUPT_MESSAGE

    def __init__(self, message: str, partition: TopicPartition, offset: int, next_offset: int | None) -> None:
        super().__init__(message)
        self.partition = partition
        self.offset = offset
        self.next_offset = next_offset

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.partition, self.offset, self.next_offset)


class AuthenticationFailed(ClientError):
    """The login failed. Not retriable: fix the name, the password or the mechanism.

    >>> issubclass(AuthenticationFailed, ClientError), AuthenticationFailed.retriable
    (True, False)
    """

    code = ErrorCode.SASL_AUTHENTICATION_FAILED


class ConnectionFailed(ClientError, ConnectionError):
    """A node cannot be reached, or the connection was lost. Also a `ConnectionError`.

    >>> issubclass(ConnectionFailed, ConnectionError), ConnectionFailed.retriable
    (True, True)
    """

    code = ErrorCode.NETWORK_EXCEPTION
    retriable = True


class TimedOut(ClientError, TimeoutError):
    """A deadline has passed. Also a `TimeoutError`.

    >>> with Admin(bootstrap_servers="127.0.0.1:1") as admin:
    ...     try:
    ...         admin.list_topics(timeout_ms=50)
    ...     except TimedOut as error:
    ...         print(error.retriable)
    True
    """

    code = ErrorCode.REQUEST_TIMED_OUT
    retriable = True


class BufferFull(TimedOut):
    """No memory for the record within max.block.ms: send more slowly, or raise buffer.memory.

    >>> issubclass(BufferFull, TimedOut), BufferFull.retriable
    (True, True)
    """


class RecordTooLarge(ClientError, ValueError):
    """Never sent: the record is larger than max.request.size or buffer.memory.

    >>> with Producer(bootstrap_servers=servers, max_request_size=1_000) as producer:
    ...     try:
    ...         producer.send("orders", bytes(2_000)).result()
    ...     except RecordTooLarge as error:
    ...         print(error.code.name)
    MESSAGE_TOO_LARGE
    """

    code = ErrorCode.MESSAGE_TOO_LARGE


class SerializationFailed(ClientError, ValueError):
    """A serializer or deserializer raised; its error is the `__cause__`.

    >>> with Producer(bootstrap_servers=servers, value_serializer="json") as producer:
    ...     try:
    ...         producer.send("orders", {1, 2}).result()
    ...     except SerializationFailed as error:
    ...         print(type(error.__cause__).__name__)
    TypeError
    """


class UnsupportedByBroker(ClientError):
    """The broker does not serve the API in a version that this client has.

    >>> issubclass(UnsupportedByBroker, ClientError), UnsupportedByBroker.code.name
    (True, 'UNSUPPORTED_VERSION')
    """

    code = ErrorCode.UNSUPPORTED_VERSION


class ClientClosed(ClientError, RuntimeError):
    """The client was used after its close.

    >>> async def use_after_close():
    ...     async with AsyncAdmin(bootstrap_servers=servers) as admin:
    ...         pass
    ...     try:
    ...         await admin.list_topics()
    ...     except ClientClosed as error:
    ...         print(error.retriable)
    >>> asyncio.run(use_after_close())
    False
    """


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
