"""A shard is a state machine whose state is the replay of its own log partition.

    request -> operation(state, now) -> Decision(records, response)
                 the host appends the records to the shard's partition and applies each of them
                 the response is held until the records are committed
    reload  -> apply(record) for every record in the log
    timer   -> operation -> Decision          (the same path; timers have keys)

There are two kinds of methods. *Operations* read the state and decide; they never change **hard** state, the part that
the log rebuilds. *Apply* methods change hard state; they never refuse, read no clock, make no records. **Soft** state
(who waits for a rebalance, when a member was last heard) dies with the shard and may be changed by operations.

The host (`ottla.broker.shards.shard_host`) runs one operation at a time per shard, which has no thread, lock or await.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

R = TypeVar("R")


class Now(NamedTuple):
    """The moment an operation runs: wall time goes into records, monotonic time decides."""

    wall_ms: int
    monotonic_ms: int


class ProducerOfRecords(NamedTuple):
    """Whose open transaction the records of a decision belong to."""

    producer_id: int
    producer_epoch: int


#: Names one held request. The host hands it to the operation that may park the response.
Ticket: TypeAlias = int


class ParkedResponse(NamedTuple):
    """The response to a request that an earlier decision parked."""

    ticket: Ticket
    response: Any


Operation: TypeAlias = "Callable[[Now], Decision[Any]]"
TimerKey: TypeAlias = Hashable


@dataclass(slots=True)
class StartTimer:
    """Runs `operation` after `delay_ms` of monotonic time. A timer with the same key is replaced."""

    key: TimerKey
    delay_ms: int
    operation: Operation


@dataclass(slots=True)
class StopTimer:
    """Stops the timer with this key; no error when there is none."""

    key: TimerKey


TimerOrder: TypeAlias = StartTimer | StopTimer


class Decision(Generic[R]):
    """The result of an operation: records to append, a response, responses to parked requests, timers.

    `response` None with `parked` True: the response comes later, in the `parked_responses` of another decision.
    Responses are sent only after the records are committed. `timers` take effect when the records are applied.
    If the append fails, nothing of the decision takes effect: held responses get the host's error code.
    """

    __slots__ = ("parked", "parked_responses", "producer", "records", "response", "timers")

    def __init__(
        self,
        response: R | None = None,
        records: list[Any] | None = None,
        parked_responses: list[ParkedResponse] | None = None,
        timers: list[TimerOrder] | None = None,
        parked: bool = False,
        producer: ProducerOfRecords | None = None,
    ) -> None:
        """`producer` is set when the records are part of its transaction: they are written as a transactional batch."""
        self.response = response
        self.records: list[Any] = [] if records is None else records
        self.parked_responses: list[ParkedResponse] = [] if parked_responses is None else parked_responses
        self.timers: list[TimerOrder] = [] if timers is None else timers
        self.parked = parked
        self.producer = producer


class RecordOrigin(NamedTuple):
    """Where an applied record stands in the log."""

    offset: int
    timestamp_ms: int
    producer_id: int = -1
    producer_epoch: int = -1
    #: The record is part of a transaction whose outcome a later marker decides.
    is_transactional: bool = False


class Shard(Protocol):
    """What the host needs of a shard. `record` is the shard's own type, made by its `RecordCodec`."""

    def apply(self, record: Any, origin: RecordOrigin) -> None: ...

    def apply_marker(self, producer_id: int, producer_epoch: int, *, committed: bool) -> None:
        """A transaction that wrote to this shard's partition has ended."""

    def on_loaded(self, now: Now) -> Decision[None]:
        """The log has been replayed and the shard is about to serve: start timers, repair what a crash left open."""

    def on_unloaded(self) -> None:
        """The partition is no longer ours. The host fails all held requests; the shard drops its soft state."""


class RecordCodec(Protocol):
    """Converts a shard's records into the keys and values of its partition and back."""

    def encode(self, record: Any) -> tuple[bytes | None, bytes | None]: ...

    def decode(self, key: bytes | None, value: bytes | None) -> Any | None:
        """None for a record of a kind this version does not know: skipped with a log line, never an error."""
