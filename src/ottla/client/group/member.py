"""What the two kinds of membership have in common: settings, calls to the application, the interface of a core.

A core is a state machine without I/O: `next_request` says what to send now, `responded` and `failed` what became of it.
Whenever partitions change hands, the application has its say first: `call` is what it has to do, in its own time, while
heartbeats go on. `owned` changes only when a call is done, so it is what the application may be working on.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple, Protocol

from ottla.client.errors import ClientError
from ottla.client.group.assignors import Assignor
from ottla.client.group.assignors.member import NO_RACKS, PartitionCounts, PartitionRacks
from ottla.client.offsets import ConsumerGroupMetadata
from ottla.model.topic import TopicPartition
from ottla.protocol.message import Message


class MemberSettings(NamedTuple):
    group_id: str
    instance_id: str | None = None
    #: max.poll.interval.ms: how long others wait for this member in a rebalance.
    rebalance_timeout_ms: int = 300_000
    session_timeout_ms: int = 45_000
    heartbeat_interval_ms: int = 3_000
    request_timeout_ms: int = 30_000
    assignors: tuple[Assignor, ...] = ()
    #: Of the broker, with KIP-848.
    server_assignor: str | None = None
    rack: str | None = None


class CallKind(Enum):
    #: Commit, and give these up.
    REVOKED = "revoked"
    #: These are gone already: somebody else may have them.
    LOST = "lost"
    #: These are yours.
    ASSIGNED = "assigned"


class AppCall(NamedTuple):
    kind: CallKind
    partitions: frozenset[TopicPartition]


class Stage(Enum):
    """Where a member is, for `health()` and logs."""

    NOT_SUBSCRIBED = "not subscribed"
    #: Waits until the application has given up partitions.
    PREPARING = "gives up partitions before a rebalance"
    JOINING = "joins the group"
    #: Waits for the assignment of the group's leader.
    SYNCING = "waits for the assignment"
    #: Waits until the application has taken over its partitions.
    APPLYING = "takes over its assignment"
    STABLE = "is a member"
    EXPIRED = "has left the group: no poll within max.poll.interval.ms"
    FAILED = "cannot be a member"


class MemberCore(Protocol):
    """One member of one group, over all its lives in it."""

    #: For the caller, once; taken by the shell.
    error: ClientError | None
    #: It cannot be a member any more.
    fatal: ClientError | None

    @property
    def owned(self) -> Collection[TopicPartition]: ...

    @property
    def stage(self) -> Stage: ...

    @property
    def metadata(self) -> ConsumerGroupMetadata: ...

    @property
    def may_commit(self) -> bool:
        """Not while a rebalance is decided: what is committed then belongs to nobody."""

    @property
    def call(self) -> AppCall | None:
        """What the application has to do now."""

    def begin_call(self) -> AppCall | None:
        """The call is being carried out: it is not taken back any more."""

    def call_done(self, now_ms: int) -> None: ...

    def subscribe(self, topics: Iterable[str], now_ms: int, *, pattern: str | None = None) -> None:
        """Joins, or changes what it is subscribed to."""

    @property
    def topics_to_know(self) -> Collection[str]:
        """Topics that the core needs metadata of."""

    @property
    def waits_for_counts(self) -> bool:
        """Whether nothing goes on before fresh metadata has arrived: `counts_known`."""

    def counts_known(self, counts: PartitionCounts, now_ms: int, racks: PartitionRacks = NO_RACKS) -> None:
        """Partition counts of `topics_to_know`, as far as the topics exist, and the racks of their replicas."""

    @property
    def unknown_ids(self) -> Collection[bytes]:
        """Topic ids of its assignment that it has no names for: `names_known`."""

    def names_known(self, names: Mapping[bytes, str], now_ms: int) -> None: ...

    def next_request(self, now_ms: int) -> Message | None: ...

    def timeout_ms(self, request: Message) -> int: ...

    @property
    def due_ms(self) -> int | None:
        """When to ask for the next request again; None when something else has to happen first."""

    def responded(self, request: Message, response: Any, now_ms: int) -> None: ...

    def failed(self, request: Message, error: ClientError, now_ms: int) -> None:
        """No response, or no coordinator. It is tried again."""

    def poll_expired(self, now_ms: int) -> None:
        """The application has not polled for too long."""

    def polled(self, now_ms: int) -> None:
        """It polls again."""

    def leave_request(self) -> Message | None:
        """None when there is nothing to leave, or the member is static and stays for its session."""

    def left(self) -> None: ...
